"""Labels of headings, lines and items, and publishers: names that the registry does not know, among the candidates."""

from __future__ import annotations

import pytest

from pipelines.extract.link.scene import Place, Scene
from pipelines.extract.names.mentions import names_of
from pipelines.extract.reader import own_blocks, places_of
from pipelines.model.claim import Origin
from pipelines.registry.mentions import NameFinder
from tests.scene_kit import markdown, scene_of


def places(text: str) -> list[Place]:
    return list(places_of(scene_of(markdown(text))))


GENRES = (
    "Abstract", "Overview", "Kestrel overview", "Item 2. Kestrel's Analysis", "Q3 FY26", "2027", "Kestrel 2027",
    "Notes: Kestrel (K-3)", "Notes on Kestrel", "Kestrel (planned)", "Kestrel – acceptance report",
)  # fmt: skip


NUMBERED = {
    "2. Kestrel": "Kestrel",
    "2.1. Kestrel (2023–)": "Kestrel",
    "Kestrel（第2世代）": "Kestrel",
    "Kestrel：2023": "Kestrel",
    "4 Kestrel": "4 Kestrel",
}


def labelled(text: str) -> dict[str, float]:
    """The labels of lines among the candidates of the last value, with how near each stands."""
    return {each.name: each.marks["line_label"] for each in places(text)[-1].candidates if "line_label" in each.marks}


def test_what_stands_before_a_colon_may_be_who_the_values_are_of() -> None:
    assert labelled("- Kestrel Node: 4 GPUs\n- Heron Node: 8 GPUs") == {"Heron Node": 1.0}
    assert labelled("- Kestrel Node:\n  - Memory: 40 GB") == {"Memory": 1.0, "Kestrel Node": 0.5}


def test_what_is_said_of_a_label_is_no_part_of_it() -> None:
    for said in (" (rack 3, bought 2019)", " — new, of 2025", " – new", ": bought for the lab"):
        assert labelled(f"- **kestrel**{said}\n  - 4x A100, 40 GB of memory") == {"kestrel": 0.5}
    for name, label in NUMBERED.items():
        page = f"# All of them\n\n## {name}\n\nIt has 8 GPUs.\n"
        assert {each.name for each in places(page)[-1].candidates} == {"All of them", label}


def test_a_label_may_hold_points_but_no_end_of_a_sentence() -> None:
    assert labelled("- fj.mi325.8x – 8 GPUs") == {"fj.mi325.8x": 1.0}
    assert labelled("- It came. Kestrel – 8 GPUs") == {"Kestrel": 1.0}


def test_words_of_a_genre_alone_are_nobodys_name() -> None:
    headings = {name: {each.name for each in places(f"# {name}\n\nIt has 8 GPUs.\n")[-1].candidates} for name in GENRES}
    assert headings == {
        "Abstract": set(), "Overview": set(), "Kestrel overview": {"Kestrel"},
        "Item 2. Kestrel's Analysis": {"Kestrel"},
        "Q3 FY26": set(), "2027": set(), "Kestrel 2027": {"Kestrel 2027"},
        **{words: {"Kestrel"} for words in GENRES[-4:]},
    }  # fmt: skip


def test_a_name_of_anything_is_a_label_too() -> None:
    page = "- Wolf Creek: 8 GPUs\n- in Wolf Creek, too\n"
    (value,) = places(page)
    (name,) = (each for each in value.candidates if each.name == "Wolf Creek")
    assert (name.kind, name.marks["line_label"], name.marks["in_sentence"]) == ("unknown", 1.0, 1.0)
    assert labelled("- Wolf Creek:\n  - in Wolf Creek, 4 GPUs\n") == {"Wolf Creek": 0.5}


@pytest.mark.parametrize(
    ("publisher", "marked"),
    [
        ("Brightmoor Cloud", True),
        ("Brightmoor Cloud, Inc.", True),
        ("learn-hardware (GitHub)", False),
        ("docs.example.org", False),
        ("", False),
    ],
)
def test_a_publisher_that_nobody_knows_may_speak_of_itself(publisher: str, marked: bool) -> None:
    document = markdown("# T\n\nWe run 96 racks.\n")
    origin = Origin("page.md", publisher)
    found = list(places_of(Scene(document, origin, names_of(document, origin, NameFinder.load()))))
    said = [(each.kind, each.name) for each in found[0].candidates if each.marks.get("publisher")]
    assert said == [("label", "Brightmoor Cloud")] * marked


def test_what_a_heading_says_in_brackets_is_no_part_of_its_name() -> None:
    *_, value = places("## Merlin (2023–)\n\nIt draws 40 kW.\n")
    assert [each.name for each in value.candidates if "heading_label" in each.marks] == ["Merlin"]


def test_a_label_that_is_a_known_name_stands_once() -> None:
    (value,) = places("- H100: 80 GB")
    assert [each.name for each in value.candidates] == ["NVIDIA H100"]
    assert labelled("- The item above is longer than a name of a thing can ever be:\n  - 40 GB") == {}


HOSTS = "| Cluster | Hosts | GPUs | Memory |\n|---|---|---|---|\n| {} | {} | 8x H100 | 80 GB |\n"


@pytest.mark.parametrize(
    ("name", "hosts", "labels"),
    [
        ("kestrel", "kes[1-3].example.org", {"kestrel"}),
        ("kestrel", "kes[01-08,12]", {"kestrel"}),
        ("kes[1-3]", "eight of them", {"kes[1-3]", "eight of them"}),
        ("kestrel", "kes[0123]", {"kestrel"}),
        ("kestrel", "part [a-c]", {"kestrel", "part [a-c]"}),
        ("kestrel", "[1-3] of them", {"kestrel", "[1-3] of them"}),
    ],
)
def test_hosts_behind_a_name_are_where_it_runs(name: str, hosts: str, labels: set[str]) -> None:
    *_, value = places(HOSTS.format(name, hosts))
    assert {each.name for each in value.candidates if "label_row" in each.marks} == labels


@pytest.mark.parametrize(
    ("one", "two", "labels"),
    [
        ("Site", "Computer", {"Merlin"}),
        ("Institution", "System", {"Merlin"}),
        ("Site", "Country", {"Bergen Institute", "Merlin"}),  # sites alone may be what the rows are of
        ("Vendor", "System", {"Bergen Institute", "Merlin"}),
    ],
)
def test_who_has_a_machine_is_not_the_machine(one: str, two: str, labels: set[str]) -> None:
    *_, value = places(f"| {one} | {two} | Rmax (PFLOP/s) |\n|---|---|---|\n| Bergen Institute | Merlin | 96 |\n")
    assert {each.name for each in value.candidates if "label_row" in each.marks} == labels


def test_a_head_over_values_names_nothing() -> None:
    _, value = places("| What | Value |\n|---|---|\n| Memory | 40 GB |\n| GPUs | 4 |\n")
    assert "Value" not in {each.name for each in value.candidates}


@pytest.mark.parametrize("heading", ["Related content", "Read next", "Related articles on AI"])
def test_what_leads_to_other_pages_is_not_read(heading: str) -> None:
    rest = "### Heron invests $100 million\n\n| GPU | Memory |\n|---|---|\n| H100 | 80 GB |\n"
    read = [
        place.figure.number
        for place in places(f"# Kestrel\n\nIt draws 7 kW.\n\n## {heading}\n\n{rest}\n## Power\n\n8 kW\n")
    ]
    assert read == [7, 8]


@pytest.mark.parametrize("heading", ["Related work of 2024", "See also how the new Kestrel rack compares"])
def test_a_heading_that_says_more_leads_nowhere(heading: str) -> None:
    assert [place.figure.number for place in places(f"## {heading}\n\nIt draws 7 kW.\n")][-1] == 7


def test_the_blocks_of_a_page_are_its_own_but_below_what_leads_away() -> None:
    page = "# A\n\none\n\n## See also\n\ntwo\n\n### B\n\nthree\n\n## C\n\nfour\n"
    document = markdown(page)
    assert [document.text_of(block) for _, block in own_blocks(document)] == ["A", "one", "C", "four"]
