"""Units and scales that the words above a table give to all of it, and whose memory its columns hold."""

from __future__ import annotations

import pytest

from pipelines.extract.link.scene import Place
from pipelines.extract.link.units_said import scale_said
from pipelines.extract.reader import places_of
from tests.scene_kit import markdown, scene_of


def places(text: str) -> list[Place]:
    return list(places_of(scene_of(markdown(text))))


@pytest.mark.parametrize(
    ("heading", "metric", "value"),
    [
        ("Exhibit 4 – capex, US$ bn, calendarised", "capex", 96e9),
        ("Table 2. Revenue by vendor, US$M", "revenue", 96e6),
        ("Table 1. Shipments (thousand units)", "units_shipped", 96e3),
        ("Accelerator units (k, packages)", "units_shipped", 96e3),
        ("GPU shipments, millions of units", "units_shipped", 96e6),
        ("Units by vendor, 000s", "units_shipped", 96e3),
        ("More than 3 million units a year", "units_shipped", 96),
        ("List price, k$", "price", 96e3),
        ("List price (kUSD)", "price", 96e3),
        ("Capex, bn US$", "capex", 96e9),
        ("What 100k$ buys", "price", None),
        ("What $100 million buys", "revenue", None),
        ("Units and what they cost", "units_shipped", 96),
    ],
)
def test_a_heading_may_say_the_scale_of_a_tables_figures(heading: str, metric: str, value: float | None) -> None:
    *_, place = places(f"## {heading}\n\n| | 2025 |\n|---|---|\n| NVIDIA | 96 |\n")
    assert place.values.get(metric) == value
    if place.figure.lent.endswith("count"):  # of what else a number is, none is counted in thousands
        assert set(place.values) == {"units_shipped", "cluster_size"}


@pytest.mark.parametrize(
    ("one", "two", "memories"),
    [
        ("Memory (GB)", "GPU memory (GB)", [80]),
        ("Mem GB", "VRAM, GB", [80]),
        ("RAM (GB)", "HBM (GB)", [80]),
        ("Total memory (GB)", "GPU memory (GB)", [96, 80]),
        ("Memory (GB)", "GPUs", [96]),
        ("Memory (GB)", "HBM type", [96]),
    ],
)
def test_memory_beside_the_accelerators_is_the_hosts(one: str, two: str, memories: list[float]) -> None:
    found = places(f"| Instance | {one} | {two} |\n|---|---|---|\n| kv1 | 96 | 80 |\n")
    said = [place.figure.number for place in found if place.figure.lent and "memory_capacity" in place.values]
    assert said == memories


def test_a_scale_of_sums_is_of_a_whole_table_where_no_idiom_says_it() -> None:
    million, billion = ("million USD", "money"), ("billion USD", "money")
    assert scale_said("All of it (in millions), unaudited") == million
    assert scale_said("US$ billion, leases in where they are disclosed.") == billion
    assert scale_said("By fiscal year, in billions of US dollars") == billion
    assert scale_said("Billions of dollars went, then in millions of dollars") == million
    assert scale_said("Billions of dollars went into $100 million of racks.") is None


@pytest.mark.parametrize(
    ("said", "heading", "value"),
    [
        ("All prices in USD, ex VAT.", "Rent, per GPU and hour", 96),
        ("All prices in USD, ex VAT.", "Rent", None),
        ("All sizes in GB.", "Rent, per GPU and hour", None),
        ("No prices here.", "Rent, per GPU and hour", None),
        ("All prices in USD, ex VAT.", "Memory, GB", None),
    ],
)
def test_a_heading_says_per_what_prices_are_whose_money_the_page_says(
    said: str, heading: str, value: float | None
) -> None:
    *_, place = places(f"# Prices\n\n{said}\n\n## {heading}\n\n| | spot |\n|---|---|\n| NVIDIA H100 | 96 |\n")
    assert place.values.get("gpu_hour_price") == value
    assert ("/" in place.figure.lent) is (value is not None)


@pytest.mark.parametrize(
    ("above", "metric", "value"),
    [
        ("Acme, Inc.\nStatements of operations\n(in thousands, except per share data)", "revenue", 96e3),
        ("Units by vendor, thousands", "units_shipped", 96e3),
        ("**Average selling prices, USD, contract**", "price", 96),
        ("Medians over 23 lists, **US$ per GPU-hour**, no commitment.", "gpu_hour_price", 96),
        ("We paid $9 for it.", "price", None),
    ],
)
def test_what_stands_above_a_table_may_say_its_unit(above: str, metric: str, value: float | None) -> None:
    *_, place = places(f"{above}\n\n| | Three months ended June 30 |\n|---|---|\n| NVIDIA H100 | 96 |\n")
    assert place.values.get(metric) == value


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Rmax and Rpeak in PF (FP64).", 1809.0),
        (f"{'Memory in GB.' * 2}\n\n" * 12 + "Rmax in PF.", 1809.0),
        ("Rmax in PF." + "\n\nMemory in GB." * 12, 1.809),  # too far above
        ("The peak is in PF.", 1.809),  # no word of a head: of something else, and such lists are in TFLOP/s
        ("Rmax is what HPL reached.", 1.809),  # no unit
    ],
)
def test_a_paragraph_further_above_may_say_the_unit_of_a_head_that_it_names(said: str, value: float) -> None:
    page = f"{said}\n\n## Public machines\n\n| | Rmax |\n|---|---|\n| El Capitan | 1,809 |\n"
    (place,) = places(page)
    assert place.values["compute"] == pytest.approx(value)


def test_what_is_said_right_above_counts_before_what_is_said_further_above() -> None:
    page = "Rmax in PF.\n\n## Machines\n\nRmax in TF.\n\n| Name | Rmax |\n|---|---|\n| El Capitan | 1,809 |\n"
    (place,) = places(page)
    assert place.values["compute"] == pytest.approx(1.809)


@pytest.mark.parametrize(
    ("head", "cell", "other", "is_price"),
    [
        ("GPU", "–", "8x H100", False),
        ("GPU", "", "8x H100", False),
        ("GPU", "2x L4", "8x H100", True),
        ("GPU", "some", "8x H100", True),
        ("Disk", "–", "8x H100", True),
        ("GPU hours", "–", "720", True),  # no names: it does not say what a row has
    ],
)
def test_a_machine_without_accelerators_has_no_accelerators_price(
    head: str, cell: str, other: str, is_price: bool
) -> None:
    rows = f"| lr-a | {cell} | $0.62 |\n| lr-b | {other} | $22.00 |\n"
    found = places(f"| Flavor | {head} | Price per hour |\n|---|---|---|\n{rows}")
    first, second = ({m for p in found if p.row == row and p.column == 2 for m in p.values} for row in (1, 2))
    assert ("gpu_hour_price" in first) is is_price
    assert "gpu_hour_price" in second
