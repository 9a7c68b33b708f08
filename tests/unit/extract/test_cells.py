"""Cells of tables: rows of units, columns that name nothing, cells without a result, times written with a dot."""

from __future__ import annotations

import pytest

from pipelines.extract.link.cards import head_cover
from pipelines.extract.link.scene import Place
from pipelines.extract.reader import places_of
from tests.scene_kit import markdown, scene_of


def places(*rows: str) -> list[Place]:
    head, *body = rows
    rule = "|".join("---" for _ in head.split("|")[1:-1])
    return list(places_of(scene_of(markdown("\n".join([head, f"|{rule}|", *body])))))


def values(metric: str, *rows: str) -> list[float]:
    return [place.values[metric] for place in places(*rows) if metric in place.values]


def labels(*rows: str) -> set[str]:
    """The candidates that are labels of the first columns, of all figures of a table."""
    found = (each for place in places(*rows) for each in place.candidates)
    return {each.name for each in found if "label_row" in each.marks}


def test_a_program_with_its_version_is_no_label() -> None:
    rows = "| GPU | engine | tokens/s |", "| H200 | vllm 0.14.1 | 2,318 |", "| H200 | Kestrel 2 | 2,318 |"
    assert labels(*rows) == {"H200", "Kestrel 2"}


def test_a_head_in_parts_says_nothing_of_cells_in_others() -> None:
    head = "| Part | Memory (GB) @ rate (TB/s) |"
    assert values("memory_bandwidth", head, "| H100 | 80 to 94 |") == []
    assert values("memory_bandwidth", head, "| H100 | 80 @ 3.35 @ 4 |") == []
    assert values("memory_bandwidth", "| Part | Memory (GB) @ batch |", "| H100 | 80 @ 3.35 |") == []
    assert values("memory_bandwidth", f"{head[:-2]} @ batch |", "| H100 | 80 @ 3.35 |") == []


@pytest.mark.parametrize("cell", ["OOM @ 8k", "n/a (8k)", "failed at 8000", "out of memory, 8k"])
def test_a_cell_that_has_no_result_has_no_figure(cell: str) -> None:
    assert places("| GPU | tokens/s |", f"| H100 | {cell} |") == []
    assert values("token_rate", "| GPU | tokens/s |", "| H100 | 8000 (OOM at 9k) |")[0] == 8000


def test_what_a_bracket_says_was_there_before_is_no_figure() -> None:
    assert values("capex", "| | Capex ($bn) |", "| Meta | 91 (was 85) |") == [91e9]
    assert values("capex", "| | Capex ($bn) |", "| Meta | was 85 (now 91) |") == [85e9, 91e9]


def test_a_percentage_of_a_peak_is_no_rate() -> None:
    rows = "| | H100 |", "| TFLOPS | 660 |", "| % of peak | 67 |"
    assert values("compute", *rows) == [0.66]


def test_a_heading_with_a_numbered_week_says_no_rate() -> None:
    text = "## Prices, week 49\n\n### Whole machines ($/hr)\n\n| | now |\n|---|---|\n| p5.48xlarge | 55.04 |\n"
    *_, place = places_of(scene_of(markdown(text)))
    assert place.values["gpu_hour_price"] == 55.04


@pytest.mark.parametrize(
    ("head", "billions"),
    [("晶体管（亿）", 20.8), ("晶体管（十亿）", 208), ("Transistors (million)", 0.208), ("Transistors", 208)],
)
def test_the_head_of_transistors_may_say_their_scale(head: str, billions: float) -> None:
    assert values("transistor_count", f"| GPU | {head} |", "| B200 | 208 |") == [billions]


def test_the_letter_of_a_memorys_rate_is_in_bytes() -> None:
    assert values("memory_bandwidth", "| GPU | HBM bandwidth |", "| H100 | 3350G |") == [3.35]
    assert values("scale_out_bandwidth", "| GPU | Network bandwidth |", "| H100 | 400G |") == [400]


def test_a_time_with_a_dot_is_one_among_times_and_a_number_among_numbers() -> None:
    assert values("announced_on", "| GPU | Announced |", "| H100 | 2022.03 |", "| B200 | 2024.03 |") == [2022, 2024]
    rows = "| GPU | HPL | HPCG |", "| H100 | 2022.03 | 31.25 |", "| B200 | 3024.5 | 40.5 |"
    assert [place.figure.dimension for place in places(*rows) if place.figure.value.low > 2000] == ["bare"] * 2


def test_a_row_of_chips_below_generations_names_the_columns() -> None:
    rows = "| 代际 | Volta | Ampere |", "| 代表产品 | V100 | A100 |", "| 功耗 | 300W | 400W |"
    *_, place = places(*rows)
    heads = {each.name: each.marks["head_depth"] for each in place.candidates if "head_name" in each.marks}
    assert heads == {"NVIDIA A100": 0, "Ampere": 1}


def test_keys_of_the_page_name_nothing_beside_names() -> None:
    assert labels("| key | chip | GB |", "| quoll2 | Quoll Q2 | 144 |") == {"Quoll Q2"}
    assert labels("| key | year | GB |", "| quoll2 | 2026 | 144 |") == {"quoll2"}
    assert labels("| key figures of each | chip | GB |", "| quoll2 | Quoll Q2 | 144 |") == {"quoll2", "Quoll Q2"}


def test_what_is_said_of_a_label_in_brackets_is_no_part_of_it() -> None:
    rows = "| Engine | tokens/s |", "| Kestrel (API) | 96 |", "| Heron (preview) | 80 |", "| Teal (Ti) | 70 |"
    assert labels(*rows) == {"Kestrel", "Heron", "Teal (Ti)"}


def test_where_a_machine_stands_names_nothing_beside_its_name() -> None:
    assert labels("| Name | Provider | GPUs |", "| otter | Acme, Plano | 96 |") == {"otter"}
    assert labels("| Price list | Provider | GPUs |", "| otter | Acme, Plano | 96 |") == {"otter", "Acme, Plano"}


@pytest.mark.parametrize(("head", "metric"), [("Out since", "available_from"), ("Live since", "deployed_on")])
def test_since_when_may_be_of_a_sale_or_of_a_service(head: str, metric: str) -> None:
    assert head_cover(metric, head) == 1.0


@pytest.mark.parametrize("corner", ["", "Unit", "-"])
def test_a_row_of_units_below_the_head_is_a_head(corner: str) -> None:
    rows = (
        "| | peak FP8 | bandwidth |",
        f"| {corner} | PFLOP/s | (TB/s) |",
        "| H100 | 1.98 | 3.35 |",
        "| H200 | 2 | 4.8 |",
    )
    assert values("compute", *rows) == [1.98, 2]
    assert values("memory_bandwidth", *rows) == [3.35, 4.8]


@pytest.mark.parametrize(
    "row",
    [
        "| FP64 peak | N/A | N/A |",
        "| Memory | GB | TB |",  # begins with what it is of
        "| | GB | fast |",
        "| | 80 GB | 3 TB/s |",
    ],
)
def test_a_row_of_other_words_is_none(row: str) -> None:
    found = places("| | H100 | H200 |", row, "| B | 1.98 | 3.35 |", "| C | 1 | 3 |")
    assert [place.zones["column"] for place in found if place.figure.number == 3.35] == ["H200"]


@pytest.mark.parametrize(("fourth", "heads"), [("more", "B"), ("W", "TB/s B")])
def test_most_of_a_row_of_units_are_units(fourth: str, heads: str) -> None:
    units = f"| | GB | TB/s | some | {fourth} | else |"
    found = places(
        "| | A | B | C | D | E |", units, "| H100 | 80 | 3.35 | 4 | 5 | 6 |", "| H200 | 141 | 4.8 | 4 | 5 | 6 |"
    )
    assert [place.zones["column"] for place in found if place.figure.number == 3.35] == [heads]


def test_a_year_behind_a_word_is_a_time_in_any_column() -> None:
    rows = "| System | Available |", "| CS-3 | since 2023 |", "| SN40L | by request |"
    assert values("available_from", *rows) == [2023]
    assert values("available_from", "| System | MB |", "| CS-3 | 2023 |", "| SN40L | 900 |") == []


def test_a_label_may_begin_with_the_year_of_its_unit() -> None:
    assert values("revenue", "| | Groq |", "| 2024 sales, $M | 90 |") == [90e6]
    assert values("revenue", "| | Groq |", "| 24 sales, $M | 90 |") == []  # of 24 of them


def test_a_rate_of_something_unknown_is_of_nothing_that_is_read() -> None:
    assert values("token_rate", "| GPU | Throughput (images/s) |", "| H100 | 6532 |") == []
    assert values("train_time", "| GPU | Throughput (images/s) |", "| H100 | 6532 |") == []
    assert values("token_rate", "| GPU | Throughput |", "| H100 | 6532 |") == [6532]


def test_a_row_of_one_label_is_over_the_rows_below_it_alone() -> None:
    rows = "| | Memory (GB) |", "| Wolfram | |", "| a1 | 96 |", "| Foxley | |", "| b1 | 80 |", "| b2 | 64 |"
    found = {place.figure.number: place.candidates for place in places(*rows)}
    over = {
        number: [each.name for each in candidates if not {"band", "band_label"}.isdisjoint(each.marks)]
        for number, candidates in found.items()
    }
    assert over == {96: ["Wolfram"], 80: ["Foxley"], 64: ["Foxley"]}
