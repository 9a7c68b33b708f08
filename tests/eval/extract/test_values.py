"""How many labelled values are found in their place, by metric: typed, or bare with a unit from a table's head.

A label is reached when a value of the passage that carries it, or of the table rows around it, is the label's number
within 1 %. `make eval` shows the report. Our own labelled texts go the same way where the shared folder is absent.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest

from pipelines.extract.link.units_said import unit_in
from pipelines.extract.values import Value, find_values
from pipelines.model.document import Document
from pipelines.registry import load_registry
from pipelines.registry.metric_entries import MetricEntry
from tests.eval.extract.test_claims import GOLD, OWN, lines_of, needs_shared, parse

COVERAGE_FLOOR = 0.97
METRICS = {metric.id: metric for metric in load_registry().metrics()}
FOLDERS = [folder for folder in (GOLD, GOLD.parent / "gold2") if folder.is_dir()]


@needs_shared
def test_labelled_values_are_found_in_their_place() -> None:
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for folder in FOLDERS:
        published = {row["doc"]: row.get("published") for row in lines_of(folder / "docs.jsonl")}
        documents = {name: _Read(parse(folder / "docs" / name), published[name]) for name in published}
        for label in lines_of(folder / "gold.jsonl"):
            if METRICS[label["metric"]].kind != "text":
                totals[label["metric"]][documents[label["doc"]].reached(label)] += 1
    whole = sum(totals.values(), Counter())
    for metric, counts in [*sorted(totals.items()), ("all", whole)]:
        share = 1 - counts["missed"] / counts.total()
        sys.stdout.write(f"{metric:22} {counts.total():5} reached {share:.3f}  {dict(counts)}\n")
    assert 1 - whole["missed"] / whole.total() >= COVERAGE_FLOOR


def test_own_labelled_values_are_found() -> None:
    documents = {path.name: _Read(parse(path), None) for path in OWN.glob("*.md")}
    labels = [label for label in lines_of(OWN / "labels.jsonl") if METRICS[label["metric"]].kind != "text"]
    missed = [label for label in labels if documents[label["doc"]].reached(label) == "missed"]
    assert missed == []


class _Read:
    """A document with its values and its letters and digits alone, by which quotes are placed."""

    def __init__(self, document: Document, published: str | None) -> None:
        self.document = document
        day = date.fromisoformat(published) if published and len(published) == 10 else document.published_on
        self.values = find_values(document.text, published=day)
        self.places = [at for at, sign in enumerate(document.text) if sign.isalnum()]
        self.letters = "".join(document.text[at].casefold()[0] for at in self.places)

    def reached(self, label: dict[str, Any]) -> str:
        """'typed', 'bare' or 'missed'."""
        metrics = [METRICS[name] for name in (label["metric"], *label.get("metric_alt", ()))]
        wanted = [label["value"], *label.get("alt_values", ())]
        found = {
            how
            for start, end, units in self._areas(label.get("quote", ""))
            for value in self.values
            if value.start < end and value.end > start
            for metric in metrics
            for one in wanted
            if (how := _is(value, one, metric, units))
        }
        return "typed" if "typed" in found else "bare" if found else "missed"

    def _areas(self, quote: str) -> Iterator[tuple[int, int, frozenset[str]]]:
        for start, end in self._placed(quote) if quote else [(0, len(self.document.text))]:
            yield start, end, frozenset()
            for block in self.document.blocks:
                if block.start < end and block.end > start:
                    yield from (
                        self._around(block.table, start, end)
                        if block.table is not None
                        else [(block.start, block.end, frozenset())]
                    )

    def _around(self, index: int, start: int, end: int) -> Iterator[tuple[int, int, frozenset[str]]]:
        table = self.document.tables[index]
        rows = {
            row
            for cell in table.cells
            if cell.start < end and cell.end > start
            for row in range(cell.row, cell.row + cell.row_span)
        }
        heads = [cell for cell in table.cells if cell.row < 3 or cell.column < 2]
        units = frozenset(found[0] for cell in heads if (found := unit_in(self.document.text_of(cell))) is not None)
        for cell in table.cells:
            if rows & set(range(cell.row, cell.row + cell.row_span)):
                yield cell.start, cell.end, units

    def _placed(self, quote: str) -> list[tuple[int, int]]:
        plain = re.sub(r"<[^<>]*>|:\w+:|<[^>`]*>`|\]\([^)]*\)|\[\[[^\]|]*\|", " ", quote)
        cells = [part for part in re.split(r"[|\n]", plain) if sum(map(str.isalnum, part)) > 3]
        for words in (quote, plain, *cells[:1]):
            key = "".join(sign.casefold()[0] for sign in words if sign.isalnum())
            found = [match.start() for match in re.finditer(re.escape(key), self.letters)] if key else []
            if found:
                return [(self.places[at], self.places[at + len(key) - 1] + 1) for at in found]
        return []


def _is(value: Value, wanted: float | str, metric: MetricEntry, units: frozenset[str]) -> str:
    """'typed' where a value is the wanted one by its own words, 'bare' where a head or its numeral says so, or ''."""
    if isinstance(wanted, str):
        return "typed" if value.period is not None and _same_time(value.period.label, wanted) else ""
    own = value.in_metric(metric) or (0.0, 0.0)
    if any(_near(one, wanted) for one in own) or (
        metric.kind == "count" and _near(value.high * (value.times or 1.0), wanted)
    ):
        return "typed"
    outside = [one for unit in units for one in value.in_metric(metric, unit) or ()]
    is_numeral = not value.readings and _near(_digits(value.low), _digits(wanted))
    return "bare" if is_numeral or any(_near(one, wanted) for one in outside) else ""


def _near(one: float, two: float) -> bool:
    return one != 0 and abs(one - two) <= 0.0101 * max(abs(one), abs(two))


def _digits(number: float) -> float:
    """A number without its power of ten."""
    return float(f"{abs(number):e}".split("e")[0])


def _same_time(one: str, two: str) -> bool:
    """Whether one period lies within the other; both as labels ('2026-H2', '2025-07', '2024')."""
    a, b = find_values(one), find_values(two)
    if not a or not b or a[0].period is None or b[0].period is None:
        return one == two
    first, last = a[0].period, b[0].period
    within = first.first <= last.first and last.last <= first.last
    return within or (last.first <= first.first and first.last <= last.last)


@pytest.mark.parametrize(("one", "two", "same"), [("2026-H2", "2026", True), ("2025-07", "2026", False)])
def test_periods_are_compared_by_their_days(one: str, two: str, *, same: bool) -> None:
    assert _same_time(one, two) is same


def test_quotes_are_placed_whatever_marks_stand_between() -> None:
    read = _Read(parse(next(OWN.glob("racks.md"))), None)
    word = read.document.text.split()[0]
    assert (0, len(word)) in read._placed(f"*{word}*")
    assert read._placed("nowhere in this text at all") == []
