"""Names whose parts stand side by side in a table."""

from __future__ import annotations

import pytest

from pipelines.extract.names.mentions import names_of
from pipelines.model.claim import Origin
from pipelines.registry.mentions import NameFinder
from tests.scene_kit import html, markdown

FINDER = NameFinder.load()
Named = list[tuple[str, str, bool]]


def table(*rows: str) -> str:
    """A table in Markdown of rows whose cells are parted by commas."""
    first, *rest = (f"| {row.replace(',', ' |')} |" for row in rows)
    return "\n".join([first, "|---" * (rows[0].count(",") + 1) + "|", *rest])


def named(text: str, *, is_html: bool = False) -> Named:
    """The words of a cell, the name that stands for it, and whether the registry knows that; makers are left out."""
    page = html(text) if is_html else markdown(text)
    found = names_of(page, Origin("page"), FINDER).text
    kept = [each for each in found if each.kind not in ("organisation", "memory")]
    return [(page.text[each.start : each.end], each.name, bool(each.subject_id)) for each in kept]


def test_a_generation_in_a_column_of_its_own_is_a_part_of_the_name() -> None:
    text = table("Vendor, Family, Generation, HBM", "Intel, Gaudi, 2, 96 GB", "Intel, Gaudi, 3, 128 GB",
                 "Google, TPU, v5p, 95 GB", "Ibex, Ridge, 1, 24 GB", "Ibex, Ridge, 2, 48 GB")  # fmt: skip
    assert named(text) == [
        ("Gaudi", "Intel Gaudi 2", True), ("Gaudi", "Intel Gaudi 3", True), ("TPU", "Google TPU v5p", True),
        ("Ridge", "Ridge 1", False), ("Ridge", "Ridge 2", False),
    ]  # fmt: skip


def test_parts_that_make_known_names_need_no_word_for_it() -> None:
    text = table("Model, Kind, Memory", "MI300, X, 192 GB", "MI300, A, 128 GB", "H100, PCIe, 80 GB", "Q5, Z, 8 GB")
    assert named(text) == [
        ("MI300", "AMD Instinct MI300X", True), ("MI300", "AMD Instinct MI300A", True),
        ("H100", "NVIDIA H100 PCIe", True),
    ]  # fmt: skip


def test_a_name_that_no_registry_has_bears_both_parts_and_no_id() -> None:
    text = table("Fabric, Version, Rate", "NVLink, 4, 900 GB/s", "NVLink, 5, 1.8 TB/s", "NVLink, 9, 9 TB/s")
    assert [name for _, name, _ in named(text)] == ["NVIDIA NVLink 4", "NVIDIA NVLink 5", "NVIDIA NVLink 9"]
    assert [is_known for _, _, is_known in named(text)] == [True, True, False]
    page = markdown(table("Chip, Generation, Rate", "Gaudi, 2, 96 GB", "Gaudi, 9, 900 GB"))
    assert [each.kind for each in names_of(page, Origin("page"), FINDER).text] == ["accelerator", "product"]


def test_a_cell_across_several_rows_gives_each_row_its_name() -> None:
    rows = (
        "<tr><th>Chip</th><th>Version</th><th>HBM</th></tr>",
        "<tr><td rowspan=2>Gaudi</td><td>2</td><td>96 GB</td></tr><tr><td>3</td><td>128 GB</td></tr>",
    )
    assert named(f"<table>{''.join(rows)}</table>", is_html=True) == [
        ("2", "Intel Gaudi 2", True), ("3", "Intel Gaudi 3", True),
    ]  # fmt: skip


def test_parts_may_stand_above_each_other() -> None:
    text = table("Family, Gaudi, Gaudi, TPU", "Generation, 2, 3, v6e", "HBM, 96 GB, 128 GB, 32 GB", "TDP, 6, 9, 3")
    assert [name for _, name, _ in named(text)] == ["Intel Gaudi 2", "Intel Gaudi 3", "Google TPU v6e"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # counts: TPU v4 and v5 are not meant
        (table("Chip, Count, TDP", "TPU, 4, 192 W", "TPU, 5, 200 W"), ["Google TPU", "Google TPU"]),
        (table("Fabric, Links, Rate", "NVLink, 4, 9 GB/s", "NVLink, 6, 8 GB/s"), ["NVIDIA NVLink", "NVIDIA NVLink"]),
        (table("Fabric, Links of this version, Rate", "NVLink, 4, 9 GB/s", "NVLink, 6, 8 GB/s"), ["NVIDIA NVLink"] * 2),
        (table("Vendor, Generation, HBM", "Intel, 2, 96 GB", "Intel, 3, 128 GB"), []),
        (table("Name, Kind, TDP", "Ridge, X, 150 W", "Ridge, Y, 300 W"), []),
        # each stands once
        (table("Chip, Version, TDP", "Gaudi, 2, 600 W", "H100, 2, 700 W"), ["Intel Gaudi", "NVIDIA H100"]),
        (table("Chip, Style, TDP", "TPU, Systolic, 192 W", "TPU, SIMD, 700 W"), ["Google TPU", "Google TPU"]),
        (table("Chip, Generation, TDP", "TPU, of 2021, 192 W", "TPU, of 2023, 200 W"), ["Google TPU", "Google TPU"]),
    ],
)
def test_what_only_stands_beside_a_name_is_no_part_of_it(text: str, names: list[str]) -> None:
    assert [name for _, name, _ in named(text)] == names
