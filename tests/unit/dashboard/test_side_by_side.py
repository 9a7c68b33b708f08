"""What falls to one accelerator, and what is not set beside each other."""

from __future__ import annotations

from typing import Any

from dashboard.components.sheet import Cell, cell_html, table_html
from dashboard.side_by_side import Share, counted, lines_of, per_accelerator

LINE: dict[str, Any] = {
    "id": "a", "title": "Accelerator memory", "claim_id": "x", "value": 20_000.0, "unit": "GB", "bound": None,
    "state": "stated", "topic": "{per=rack}", "counted": "",
}  # fmt: skip


def share(title: str = "Accelerator memory", count: int = 72, **changes: object) -> Share:
    return per_accelerator({title: LINE | changes}, title, count)


def test_a_whole_is_shared_among_its_accelerators_with_the_arithmetic_printed() -> None:
    found = share()
    assert found.formula == "20,000 GB / 72"
    assert found.value is not None
    assert abs(found.value - 277.777) < 0.001
    assert share(count=1, value=192.0) == Share(192.0, "as stated")


def test_what_is_not_comparable_says_why_and_what_is_not_stated_says_nothing() -> None:
    assert share(bound="max").why == "not comparable: a limit"
    assert share(state="limit").why == "not comparable: a limit"
    assert share(value=None).why == "disputed"
    assert share("Compute, FP8").why == "not comparable: sparsity not stated as dense"
    assert share("Compute, FP8", counted="sparsity dense").value is not None
    assert share(claim_id=None) == per_accelerator({}, "Power", 72) == Share(None)


def test_counting_is_said_without_what_the_line_says_already() -> None:
    assert counted("{per=rack, precision=fp8, sparsity=dense}") == "dense"
    assert counted("{counted_as=package}") == "counted as package"
    assert counted(None) == counted("{}") == ""


def test_an_accelerators_cells_stand_in_the_lines_of_systems_dense_first() -> None:
    cell = {"metric": "compute", "value": 9.0, "value_start": None, "bound": None, "claim_id": "s"}
    cells = [
        cell | {"qualifiers": "precision fp4, sparsity sparse"},
        cell | {"qualifiers": "precision fp4, sparsity dense", "claim_id": "d"},
    ]
    assert lines_of([], {"chip": cells}, {"chip": "accelerator"})["chip"]["Compute, FP4"]["claim_id"] == "d"
    assert lines_of([LINE], {"a": cells}, {"a": "rack"})["a"].keys() == {"Accelerator memory"}


def test_an_empty_cell_says_that_nothing_is_stated_and_text_stays_text() -> None:
    assert cell_html(Cell()) == '<td class="nothing">nothing stated</td>'
    table = table_html(["A", "B"], [[Cell("<i>x</i>"), Cell("1", href="javascript://y")]])
    assert "<i>x" not in table
    assert "javascript" not in table
    assert 'data-label="B"' in table
