"""What the models are told of a candidate beside its value, of what a figure is per, and of how a time is written."""

from __future__ import annotations

from itertools import chain

import pytest

from pipelines.extract.link.clues import clues
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import PER_MARKS, per_marks
from pipelines.extract.link.scene import Place
from pipelines.extract.reader import places_of
from tests.scene_kit import markdown, scene_of


def places(text: str) -> list[Place]:
    return list(places_of(scene_of(markdown(text))))


def marked(place: Place, mark: str) -> list[str]:
    """The candidates of a place that bear a mark."""
    return [each.name for each in place.candidates if each.marks.get(mark)]


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("It has 384 Ascend 910C in 16 racks.", "accelerator"),
        ("It has 8 Gaudi 3.", "accelerator"),
        ("NVIDIA's rack holds 72 Blackwell.", "accelerator"),
        ("It joins 4 Loris-3, and a Loris-3 is new.", "product"),
        ("It has 8.5 Gaudi 3.", ""),
        ("It has 4-8 Gaudi 3.", ""),  # each end of a range is told with its unit or not at all
        ("In all 8: Gaudi 3.", ""),
        ("It has 8 Huawei.", ""),
    ],
)
def test_a_number_right_before_a_name_counts_it(text: str, counted: str) -> None:
    scene = scene_of(markdown(f"{text}\n"))
    things = [figure.value.thing for figure in scene.figures(0, len(scene.text)) if figure.dimension == "count"]
    assert (things[:1] or [""]) == [counted]


def test_what_is_rented_by_its_chips_name_may_be_the_chip() -> None:
    (*_, place) = places("| | Trn2 |\n|---|---|\n| HBM, GB | 96 |\n")
    kinds = {each.name: (each.kind, each.marks["head_name"]) for each in place.candidates if "head_name" in each.marks}
    assert kinds == {"Amazon EC2 Trn2": ("system", 1.0), "AWS Trainium2": ("accelerator", 1.0)}


@pytest.mark.parametrize(
    "text",
    [
        "Against the NVIDIA H200 the Helios is 2x as fast.", "Unlike an NVIDIA H200, the Helios has 31 TB.",
        "The Helios outperforms NVIDIA H200 by 2x.", "The Helios is 2x as fast as an NVIDIA H200.",
        "Compared with ka4 (NVIDIA H200), the Helios is 2x as fast.",
        "The Helios is 2x faster than the NVIDIA H200.", "It is an upgrade to the NVIDIA H200 with 2x the speed.",
    ],
)  # fmt: skip
def test_what_something_is_compared_with_is_told(text: str) -> None:
    assert marked(places(f"{text}\n")[-1], "than") == ["NVIDIA H200"]
    assert marked(places("As the NVIDIA H200 came, Helios had 31 TB.\n")[-1], "than") == []


INSTANCES = """| Instance | GPU | GPUs | Memory (GB) | USD/h |
|---|---|---|---|---|
| kv.large | NVIDIA H100 | 8 | 640 | 39.5 |
| kv.small | NVIDIA L40S | many | 48 | 2.5 |
| kv.old | 4x NVIDIA A100 | 16384 | 320 | 19.5 |
| kv.all | NVIDIA B200 | 16384 | 192 | 9.5 |
"""


def test_a_column_of_machines_is_told_from_one_of_parts() -> None:
    row = next(place for place in places(INSTANCES) if place.row == 1 and place.figure.unit == "GB")
    assert marked(row, "axis_machines") == ["kv.large"]
    assert "NVIDIA H100" not in marked(row, "axis_machines")


def test_chances_of_what_a_figure_is_per_are_told_as_marks() -> None:
    (place,) = places("The NVIDIA H100 draws 90 kW per rack.\n")
    proposal = Proposal(0, place, "power", 90.0, place.candidates[0])
    assert per_marks(proposal) == dict.fromkeys(PER_MARKS, -1.0)  # nobody asked
    proposal.chances = {"gpu": 0.5, "rack": 0.3, "node": 0.1, "port": 0.085, "system": 0.015}
    told = {name: round(mark, 6) for name, mark in per_marks(proposal).items()}
    assert told == {"per_gpu": 0.5, "per_many": 0.415, "per_part": 0.085, "per_most": 0.5, "per_fits": 0.4}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("OSLO, March 18, 2026 — Tarn today announced the NVIDIA H100.", {"o=#-#-#", "o=#-#-#|dash", "o:march"}),
        ("The NVIDIA H100 comes in the second half of 2026.", {"o=#-H#", "o:second", "o:half"}),
        ("- March 2026", {"o=#-#", "o:march"}),
    ],
)
def test_how_a_time_is_written_is_a_clue(text: str, told: set[str]) -> None:
    own = set(chain.from_iterable(clues(places(f"{text}\n")[0])))
    assert told <= own
    assert ("o=#-#-#|dash" in own) is ("o=#-#-#|dash" in told)
    assert not any(clue.startswith("o") for clue in chain.from_iterable(clues(places("It draws 700 W.\n")[0])))


def test_a_time_at_which_something_ends_is_no_figure() -> None:
    text = "The NVIDIA H100 is on sale until June 30, 2027. It came in March 2023, and not until May 2023.\n"
    assert [place.zones["own"] for place in places(text) if place.figure.value.period] == ["March 2023", "May 2023"]


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("Haneul-1 box with RTX 4090", "Haneul-1 box with RTX 3060", False),
        ("Haneul-1 box with RTX 4090", "Kestrel box with RTX 3060", True),  # once: it may be what the row is of
        ("Haneul-1", "Haneul-1", True),  # all of the label
    ],
)
def test_a_word_that_comes_again_in_longer_labels_is_not_what_they_name(first: str, second: str, named: bool) -> None:
    page = f"Haneul-1, a chip.\n\n| System | Power |\n|---|---|\n| {first} | 900 W |\n| {second} | 500 W |\n"
    names = {each.name for each in places(page)[0].candidates if "row_name" in each.marks}
    assert ("Haneul-1" in names) is named
    assert first in names


def test_what_comes_again_in_words_too_long_for_a_name_is_what_the_rows_are_of() -> None:
    words = "Haneul-1 box as it stands in the second row of the hall, measured behind the power shelf"
    page = f"Haneul-1, a chip.\n\n| System | Power |\n|---|---|\n| {words} | 900 W |\n| {words}, again | 500 W |\n"
    assert {each.name for each in places(page)[0].candidates if "row_name" in each.marks} == {"Haneul-1"}


def test_a_known_chip_may_come_again_in_longer_labels() -> None:
    rows = "| Haneul box with H100 | 900 W |\n| Heron box with H100 | 500 W |\n"
    names = {each.name for each in places(f"| System | Power |\n|---|---|\n{rows}")[0].candidates}
    assert names >= {"NVIDIA H100", "Haneul box with H100"}


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("NVIDIA GB300 NVL72: 20 TB", {"NVIDIA GB300 NVL72"}),
        ("2x Intel Xeon Platinum 8470, 52 cores (350 W)", {"Intel Xeon Platinum 8470"}),
        ("Intel Xeon Platinum 8470 and 20 TB", {"Intel Xeon Platinum 8470", "NVIDIA H100"}),
        ("NVIDIA GB300 NVL72 with 20 TB", {"NVIDIA GB300 NVL72", "NVIDIA H100"}),
    ],
)
def test_a_cell_may_give_its_figure_to_a_name_of_its_own(cell: str, names: set[str]) -> None:
    value = places(f"| What | NVIDIA H100 |\n|---|---|\n| Memory or so | {cell} |\n")[-1]
    assert {each.name for each in value.candidates if each.kind != "label"} == names


def test_a_standard_has_no_figure_but_in_a_row_of_its_own() -> None:
    (value,) = places("The node has InfiniBand HDR (200 Gb/s) and an NVIDIA H100.\n")
    assert "InfiniBand" not in {each.name for each in value.candidates}
    (value,) = places("| Link | Rate |\n|---|---|\n| InfiniBand | 200 Gb/s |\n")
    assert "InfiniBand" in {each.name for each in value.candidates}
