"""A table's heads, bands, labels and shares, and the values of its cells."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.extract.link.scene import Place
from pipelines.extract.reader import places_of
from pipelines.extract.tables.view import TableView
from pipelines.model.document import Document
from pipelines.parse.document import parse_document
from tests.scene_kit import html, markdown, scene_of

CARD = """# Cards

| Card | Memory (GB) | TDP |
|---|---|---|
| NVIDIA H100 | 80 | 700 W |
| NVIDIA H200 | 141 | 700 W |
"""
TRANSPOSED = """# Cards

| | NVIDIA H100 | Zebra Q7 |
|---|---|---|
| Memory | 80 GB | 33 GB |
| TDP (W) | 700 | 95 |
"""


def places(text: str) -> list[Place]:
    return list(places_of(scene_of(markdown(text))))


def _csv(text: str) -> Document:
    when = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    return parse_document(text.encode(), media_type=None, charset=None, url="page.csv", captured_at=when)


def view_of(text: str) -> TableView:
    document = markdown(text)
    return TableView(document, document.tables[0], scene_of(document).names_in)


def test_the_products_stand_in_the_first_column() -> None:
    view = view_of(CARD)
    assert view.column(0).named == 1.0
    assert view.column(1).named == 0.0
    assert view.column(1).numeric == 1.0
    memory = next(spot for spot in view.spots() if (spot.row, spot.column) == (1, 1))
    assert [view.text(cell) for cell in memory.heads] == ["Memory (GB)"]
    assert [view.text(cell) for cell in memory.labels] == ["NVIDIA H100", "700 W"]


@pytest.mark.parametrize(
    ("title", "first", "heads"),
    [
        ("NVIDIA DGX B300", "GPU | NVIDIA B300", []),
        ("NVIDIA DGX B300", "CPUs | AMD EPYC 9654", []),
        ("NVIDIA DGX B300", "Spec | NVIDIA HGX B300", ["NVIDIA HGX B300"]),
        ("Specifications", "GPU | NVIDIA B300", ["NVIDIA B300"]),
    ],
)
def test_a_card_of_a_machine_may_begin_with_its_part(title: str, first: str, heads: list[str]) -> None:
    (place,) = places(f"# {title}\n\n| {first} |\n|---|---|\n| System power | 14 kW |\n")
    assert [each.name for each in place.candidates if "head_name" in each.marks] == heads


def test_a_table_of_columns_keeps_its_head_on_the_page_of_a_machine() -> None:
    found = places(
        "# NVIDIA DGX B300\n\n| GPU | NVIDIA B300 | NVIDIA B200 |\n|---|---|---|\n| Power | 1.4 kW | 1 kW |\n"
    )
    assert [[each.name for each in place.candidates if "head_name" in each.marks] for place in found] == [
        ["NVIDIA B300"],
        ["NVIDIA B200"],
    ]


@pytest.mark.parametrize("names", [("B200", "B300", "MI355X"), ("fast", "slow", "old")])
def test_names_below_heads_that_span_columns_are_heads_too(names: tuple[str, str, str]) -> None:
    one, two, three = names
    cells = f"<tr><td></td><td>{one}</td><td>{two}</td><td>{three}</td></tr>"
    spans = "<tr><td></td><td colspan=2>NVIDIA</td><td>AMD</td></tr>"
    rows = "<tr><td>Memory</td><td>180 GB</td><td>288 GB</td><td>289 GB</td></tr><tr><td>Power</td><td>1 kW</td></tr>"
    view = view_of(f"<html><body><table>{spans}{cells}{rows}</table></body></html>")
    assert view.heads == (2 if one == "B200" else 1)


MAKERS = "<tr><td></td><td colspan=2>NVIDIA</td><td>AMD</td></tr>"
CHIPS = "<tr><td></td><td>B200</td><td>B300</td><td>MI355X</td></tr>"
BEST = "<tr><td>Best</td><td colspan=2>B300</td><td>MI355X</td></tr>"


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        (MAKERS + CHIPS.replace("<td></td>", "<td>Kind</td>"), 2),  # beside a word
        ((MAKERS + CHIPS).replace("<td></td>", "<td>Kind</td>"), 2),
        ("<tr><td>Kind</td><td colspan=3>All</td></tr>" + BEST, 2),  # two below one
        (MAKERS + BEST, 1),  # parts nothing
        (CHIPS.replace("td>", "th>") + "<tr><th colspan=4>Boards</th></tr>" + CHIPS, 2),  # of all columns
        (MAKERS + CHIPS + CHIPS, 2),  # names again
        (MAKERS + CHIPS + CHIPS.replace("<td></td>", "<td>Model</td>"), 2),
    ],
)
def test_a_row_of_names_parts_what_spans_columns_and_is_the_last_head(rows: str, heads: int) -> None:
    body = "<tr><td>Memory</td><td>180 GB</td><td>288 GB</td><td>289 GB</td></tr>"
    assert view_of(f"<html><body><table>{rows}{body}</table></body></html>").heads == heads


def test_what_looks_like_a_year_is_a_number_below_a_unit() -> None:
    page = (
        "| Card | Bandwidth (GB/s) | Launch | Date (year) |\n|---|---|---|---|\n| NVIDIA A100 | 2039 | 2020 | 2021 |\n"
    )
    found = {place.column: place.values for place in places(page)}
    assert found[1]["memory_bandwidth"] == 2.039
    assert [found[column]["available_from"] for column in (2, 3)] == [2020, 2021]


OF_YEARS = """\
| Card | BW | Launch | Cores | Price |
|---|---|---|---|---|
| V100 | 900 | 2017 | 80 | 9 |
| A100 | 2039 | 2020 | 108 | 10 |
| H100 | 3350 | 2022 | 132 | 30 |
"""
OF_YEARS_TURNED = """\
| | A100 | H100 |
|---|---|---|
| BW | 2039 | 3350 |
| Launch | 2020 | 2022 |
| Cores | 6912 | 9216 |
| Price | 10 | 30 |
"""


def test_what_looks_like_a_year_is_a_number_among_others_of_its_row_and_column() -> None:
    assert [place.figure.dimension for place in places(OF_YEARS)] == ["bare", "year", "bare", "bare"] * 3
    years = [place.figure.number for place in places(OF_YEARS_TURNED) if place.figure.dimension == "year"]
    assert years == [2020, 2022]


def test_the_slash_of_bandwidth_is_no_rate() -> None:
    page = "| Card | HBM B/W (TB/s) | GB/W |\n|---|---|---|\n| NVIDIA H100 | 3.35 | 0.1 |\n"
    assert [dict(place.values).get("memory_bandwidth") for place in places(page)] == [3.35]


def test_a_bare_number_borrows_the_unit_of_its_head() -> None:
    memory = next(place for place in places(CARD) if place.figure.number == 141)
    assert (memory.figure.lent, memory.figure.lender, memory.figure.dimension) == ("GB", "column", "data")
    assert memory.zones["row"] == "NVIDIA H200"


@pytest.mark.parametrize(
    ("above", "dimension"),
    [
        ("US dollars per GPU and hour. Empty: not offered.", "money_rate"),
        ("## Closed division, minutes to target", "time"),
        ("Tokens/s for one user.", "token_rate"),
        ("All of them in one hall of 40 MW.", "bare"),  # what stands in other tables' heads
        ("## Memory in GB", "bare"),
        ("Updated every 5 minutes.", "bare"),
    ],
)
def test_a_sentence_or_heading_above_may_name_the_unit(above: str, dimension: str) -> None:
    page = f"# T\n\n{above}\n\n| | NVIDIA H100 |\n|---|---|\n| Lambda | 2.99 |\n"
    (place,) = (place for place in places(page) if place.table >= 0)
    assert place.figure.dimension == dimension


def test_a_row_label_lends_its_unit_too() -> None:
    power = next(place for place in places(TRANSPOSED) if place.figure.number == 95)
    assert (power.figure.lent, power.figure.lender) == ("W", "row")


def test_an_unknown_head_is_kept_as_an_unknown_name() -> None:
    memory = next(place for place in places(TRANSPOSED) if place.figure.number == 33)
    unknown = next(c for c in memory.candidates if "Zebra Q7" in c.name)
    assert (unknown.subject_id, "head_name" in unknown.marks) == ("", True)
    assert "NVIDIA H100" not in {c.name for c in memory.candidates if "head_name" in c.marks}


def test_a_band_speaks_for_the_rows_below_it() -> None:
    table = "| A | B |\n|---|---|\n| Memory | |\n| NVIDIA H100 | 80 GB |\n| Power | |\n| NVIDIA H100 | 700 W |\n"
    found = {place.figure.number: place.zones["band"] for place in places(f"# T\n\n{table}")}
    assert found[80.0] == "Memory"
    assert found[700.0] == "Power"


def test_a_magnitudes_letter_takes_the_unit_of_what_its_row_names() -> None:
    found = places("| | NVIDIA H100 |\n|---|---|\n| FP16 | 989T |\n| Memory | 80G |\n| Radix | 32K |\n")
    assert [(place.figure.unit, dict(place.values)) for place in found[:2]] == [
        ("TFLOP/s", {"compute": 0.989}),
        ("GB", {"memory_capacity": 80.0}),
    ]


def test_a_rate_by_the_clock_is_no_arithmetic_rate() -> None:
    found = places("| Format | NVIDIA H100 FLOPS/clock | TFLOPS |\n|---|---|---|\n| FP16 | 1024 | 989 |\n")
    assert [place.values.get("compute") for place in found] == [0.989]


@pytest.mark.parametrize("head", ["Unit", "units", "UoM", "单位"])
def test_a_column_of_units_lends_each_row_its_own(head: str) -> None:
    rows = "| Capacity | TB | 1.4 |\n| Bandwidth | GB/s | 3350 |\n| Power | kW | 1.2 |\n"
    found = {
        place.row: place.values for place in places(f"| Parameter | {head} | NVIDIA B200 |\n|---|---|---|\n{rows}")
    }
    assert found[1]["memory_capacity"] == 1400.0
    assert found[2]["memory_bandwidth"] == 3.35
    assert found[3]["power"] == 1.2


@pytest.mark.parametrize("blank", ["", '"', "″"])
def test_a_row_that_begins_blank_goes_on_with_the_row_above(blank: str) -> None:
    head = "| Machine | Cooling | GPUs | Power |\n|---|---|---|---|\n"
    rows = f"| Tarn T8 | air | 8 | 10 kW |\n| {blank} | liquid | 4 | 14 kW |\n| {blank} | oil | 2 | 15 kW |\n"
    page = f"{head}| {blank} | any | 2 | 9 kW |\n{rows}| Sum | | | 48 kW |\n"
    labels = {place.figure.number: place.zones["row"] for place in places(page) if place.figure.dimension == "power"}
    assert labels == {9: "" if blank == "" else blank, 10: "Tarn T8", 14: "Tarn T8", 15: "Tarn T8", 48: "Sum"}
    third = next(place for place in places(page) if place.figure.number == 15)
    assert {each.name for each in third.candidates if "row_name" in each.marks} == {"Tarn T8", "oil"}
    spans = {place.figure.number: place.context for place in places(page)}
    assert "Tarn" not in markdown(page).text[spans[14].start : spans[14].end]  # what is quoted is the row's own


def test_a_row_of_words_or_below_a_figure_goes_on_with_nothing() -> None:
    rows = "| Tarn T8 | 8 | 10 kW |\n| | many | much |\n| 2024 | 4 | 5 kW |\n| | 4 | 6 kW |\n"
    view = view_of(f"| Machine | GPUs | Power |\n|---|---|---|\n{rows}")
    assert [view.text(row[0]) for row in view.grid] == ["Machine", "Tarn T8", "", "2024", ""]


GRID = """# Roadmaps

| | 2025 | H1 2026 |
|---|---|---|
| NVIDIA | B300 | Vera Rubin NVL144 |
| AMD | MI355X and MI350X | |
| Foundry | TSMC | TSMC |
"""


def dates(page: str) -> list[tuple[str, str]]:
    """The times of a page that stand for one thing each: its name and the time as printed."""
    found = [place for place in places(page) if place.figure.value.period is not None and len(place.candidates) == 1]
    return [(place.candidates[0].name, place.zones["own"]) for place in found]


def test_a_time_over_a_column_or_before_a_row_is_of_each_thing_named_there() -> None:
    told = [
        ("NVIDIA B300", "2025"), ("NVIDIA Vera Rubin NVL144", "H1 2026"), ("AMD Instinct MI355X", "2025"),
        ("AMD Instinct MI350X", "2025"),
    ]  # fmt: skip
    assert dates(GRID) == told
    rows = "| | NVIDIA | AMD |\n|---|---|---|\n| 2025 | B300 | MI355X and MI350X |\n| H1 2026 | Vera Rubin NVL144 | |\n"
    assert sorted(dates(rows)) == sorted(pair for pair in told if pair[1] == "2025")  # a row of one thing has its label


def test_the_head_above_the_nearest_will_do_and_what_stands_behind_a_thing_is_its_own() -> None:
    cells = "<tr><th></th><th colspan=2>2025</th></tr><tr><th></th><th>first</th><th>second</th></tr>"
    table = f"<html><body><table>{cells}<tr><td>to train</td><td>MI325X</td><td>MI300X</td></tr></table></body></html>"
    assert [name for name, _ in dates(table)] == ["AMD Instinct MI325X", "AMD Instinct MI300X"]
    assert dates("| Card | Launch | Next |\n|---|---|---|\n| B200 | 2025 | B300 |\n| MI325X | 2024 | MI355X |\n") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("MI355X and MI350X | |", "MI355X | B300 |"),  # the same under two times: it says something else of them
        ("2025 | H1 2026", "2025 units | Memory in 2026"),
        ("B300 | Vera Rubin NVL144", "8 B300 | 4 Vera Rubin NVL144"),
    ],
)
def test_what_stands_below_a_time_need_not_come_then(old: str, new: str) -> None:
    page = GRID.replace(old, new)
    assert page != GRID
    assert not {name for name, _ in dates(page)} & {"NVIDIA B300", "NVIDIA Vera Rubin NVL144"}


@pytest.mark.parametrize(
    ("row", "heads"),
    [
        ("Model | Tide 1 | Tide 2", 2),
        ("**Name** | Tide 1 | Tide 2", 2),
        ("Maker | Tide 1 | Tide 2", 1),  # names of others
        ("Model | Tide 1 | 4090", 1),  # a figure
        ("Model | Tide 1 | ", 1),  # a column without one
    ],
)
def test_a_row_of_names_below_the_head_is_a_head_too(row: str, heads: int) -> None:
    page = f"| | 2023 | 2025 |\n|---|---|---|\n| {row} |\n| Memory | 32 GB | 80 GB |\n"
    assert view_of(page).heads == heads
    assert view_of(page.replace("| Memory | 32 GB | 80 GB |\n", "")).heads == 1  # the last row heads nothing


@pytest.mark.parametrize(
    ("above", "row", "heads"),
    [
        ("| CDNA 2 | | CDNA 3", "| MI210 | MI250X | MI300X", 2),  # below generations, of which one has two columns
        ("| CDNA 2 | | CDNA 3", "| MI210 | | MI300X", 2),
        ("| CDNA 2 | | CDNA 3", "| large | larger | largest", 1),  # no names
        ("| CDNA 2 | | CDNA 3", "Cards | MI210 | MI250X | MI300X", 1),  # what is in each
        ("| 2022 | 2023 | H2 2024", "package | MI210 | MI250X | MI300X", 2),  # below times, whatever they are called
        ("| 2022 | to come | H2 2024", "package | MI210 | MI250X | MI300X", 1),
        ("| 2022 | 2023 | H2 2024", "| MI210 | 64 GB | MI300X", 1),  # a figure
    ],
)
def test_known_names_below_a_blank_corner_or_below_times_head_their_columns(above: str, row: str, heads: int) -> None:
    page = f"| {above} |\n|---|---|---|---|\n| {row} |\n| Memory | 64 GB | 128 GB | 192 GB |\n"
    assert view_of(page).heads == heads


@pytest.mark.parametrize(
    ("first", "has_head"),
    [
        ("<dt>HPL</dt><dd>68.9 PFlop/s on 420 nodes, 74.1 % of its peak</dd>", False),
        ("<dt>Benchmark</dt><dd>What it reached, as the list of November says</dd>", True),
    ],
)
def test_a_list_of_keys_has_no_head_where_its_first_value_is_a_figure(first: str, has_head: bool) -> None:
    (place,) = places(f"<html><body><h1>Calder</h1><dl>{first}<dt>Power</dt><dd>75 kW</dd></dl></body></html>")[-1:]
    assert (place.zones["column"] != "") is has_head


SPANS = (
    "<table><tr><th>Model</th><th>Memory</th><th>TDP</th></tr>"
    "<tr><td>Quartz</td><td rowspan=2>some 96 GB</td><td>500 W</td></tr><tr><td>Quartz-X</td><td>600 W</td></tr>"
    "</table>"
    "<table><tr><th></th><th>NVIDIA H100</th><th>NVIDIA H200</th><th>Notes</th></tr>"
    "<tr><td>Power</td><td colspan=2>700 W</td><td>at most</td></tr></table>"
    "<table><tr><th></th><th>Size</th><th>Rate</th></tr><tr><td>NVIDIA H100</td><td colspan=2>80 GB</td></tr></table>"
    "<table><tr><th>Model</th><th>TDP</th><th>Kind</th></tr>"
    "<tr><td rowspan=2>NVIDIA H100</td><td rowspan=2>up to 700 W</td><td>a</td></tr><tr><td>b</td></tr></table>"
    "<table><tr><th>Year</th><th>TDP</th></tr><tr><td>1</td><td rowspan=2>700 W</td></tr><tr><td>2</td></tr></table>"
)


def test_a_figure_that_spans_several_things_is_one_of_each() -> None:
    page = places(f"<html><body>{SPANS}</body></html>")
    rows = [(place.zones["row"], place.figure.number) for place in page if place.table == 0]
    assert rows == [("Quartz", 96), ("Quartz", 500), ("Quartz-X", 96), ("Quartz-X", 600)]
    heads = [
        [(place.zones["column"], place.figure.number) for place in page if place.table == table]
        for table in range(1, 5)
    ]
    assert heads[0] == [("NVIDIA H100", 700), ("NVIDIA H200", 700)]
    assert heads[1:3] == [[("Size", 80)], [("TDP", 700)]]  # heads that name nothing, a thing that spans as well
    assert [number for _, number in heads[3]].count(700) == 1  # figures are no things


def test_a_figure_that_spans_things_of_one_generation_is_one_of_each() -> None:
    head = "<tr><th>Family</th><th>Model</th><th>Node</th><th>TDP</th></tr>"
    rows = "<tr><td rowspan=2>Gems</td><td>Quartz</td><td rowspan=2>5 nm</td><td>500 W</td></tr><tr><td>Beryl</td>"
    page = places(f"<html><body><table>{head}{rows}<td>600 W</td></tr></table></body></html>")
    assert [(place.row, place.figure.number) for place in page] == [(1, 5), (1, 500), (2, 5), (2, 600)]


def test_a_figure_stands_for_a_bounded_number_of_things() -> None:
    rows = "".join(f"<tr><td>Quartz {letter}</td></tr>" for letter in "ABCDEFGHIJKLMNOPQRS")
    first = "<tr><th>Model</th><th>TDP</th></tr><tr><td>Quartz</td><td rowspan=20>700 W</td></tr>"
    document = html(f"<html><body><table>{first}{rows}</table></body></html>")
    page = list(places_of(scene_of(document)))
    assert [place.zones["row"] for place in page] == ["Quartz", *(f"Quartz {letter}" for letter in "ABCDEFGHIJKL")]
    assert all(
        "700 W" in document.text[place.context.start : place.context.end] for place in page
    )  # what is quoted has it


def test_a_table_has_a_bounded_number_of_further_places() -> None:
    rows = "".join(
        f"<tr><td>Quartz {at}</td><td rowspan=4>{at} W</td></tr>" + f"<tr><td>Beryl {at}</td></tr>" * 3
        for at in range(1, 250)
    )
    page = places(f"<html><body><table><tr><th>Model</th><th>TDP</th></tr>{rows}</table></body></html>")
    assert len([place for place in page if place.column == 1]) == 249 + 600


def test_a_head_written_as_a_key_names_its_unit_at_its_end() -> None:
    page = "name,process_nm,bandwidth_tbs,tdp_w\nZeta,4,3.35,700\nEta,5,1.2,400\n"
    found = [place.figure for place in places_of(scene_of(_csv(page)))]
    assert [(figure.number, figure.lent) for figure in found[:3]] == [(4, "nm"), (3.35, "TB/s"), (700, "W")]


def test_of_two_numbers_of_a_cell_the_bare_one_takes_the_others_unit() -> None:
    table = "| Card | FP8 | Process |\n|---|---|---|\n| Zeta Q7 | 2.6 PFLOPS (5.2 with sparsity) | 7 nm (SMIC N+2) |\n"
    found = [(place.figure.number, place.figure.dimension) for place in places(table)]
    assert found == [(2.6, "compute"), (5.2, "compute"), (7, "length"), (2, "bare")]


def test_a_factor_takes_no_unit_of_its_head() -> None:
    found = list(places("| Card | Memory (GB) |\n|---|---|\n| Zeta Q7 | 24 (2× 12) |\n"))
    assert [dict(place.values).get("memory_capacity") for place in found] == [24, None, 12]


def test_a_year_in_brackets_is_no_part_of_a_name() -> None:
    *_, place = places("| | MTIA v2 (2024) |\n|---|---|\n| TDP | 90 W |\n")
    assert [each.name for each in place.candidates if "head_name" in each.marks] == ["Meta MTIA v2"]
