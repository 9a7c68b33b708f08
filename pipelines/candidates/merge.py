"""One statement of its repeats: the same claimant, milestone, modality and period, told by several pages. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from pipelines.model.promise import PromiseRow

SAME_OCCASION = dt.timedelta(days=45)


def dated_by_page(rows: Iterable[PromiseRow]) -> list[PromiseRow]:
    """Rows with a bound only take the day of their page if another row gives it, unless the bound lies before it."""
    rows = list(rows)
    days = {row.url: row for row in rows if row.stated_on is not None}
    return [_dated(row, days[row.url]) if _lacks_day(row, days.get(row.url)) else row for row in rows]


def _lacks_day(row: PromiseRow, other: PromiseRow | None) -> bool:
    return other is not None and row.stated_on is None and row.stated_not_after >= other.stated_not_after


def _dated(row: PromiseRow, other: PromiseRow) -> PromiseRow:
    return replace(
        row,
        stated_on=other.stated_on,
        stated_on_precision=other.stated_on_precision,
        stated_not_after=other.stated_not_after,
    )


def merged(rows: Iterable[PromiseRow]) -> list[PromiseRow]:
    """Rows with the repeats of one occasion folded into the best page; the others' addresses stay with it.

    Pages repeat an announcement for some weeks. A statement told again later is a confirmation with its own date, so
    only rows within 45 days of each other are one; an undated row joins the dated one, as it adds nothing.
    """
    groups: dict[tuple[object, ...], list[list[PromiseRow]]] = {}
    for row in sorted(rows, key=_order):
        key = (row.subject_id, row.milestone, row.variant, row.modality, row.claimant, row.period_start, row.period_end)
        occasions = groups.setdefault(key, [])
        home = next((occasion for occasion in occasions if _same_occasion(occasion[0], row)), None)
        if home is None:
            occasions.append([row])
        else:
            home.append(row)
    found = [_one(occasion) for occasions in groups.values() for occasion in occasions]
    return sorted(found, key=lambda row: (row.subject_id, row.milestone, row.variant, _said(row), row.ref))


def _said(row: PromiseRow) -> dt.date:
    return row.stated_on or row.stated_not_after


def _order(row: PromiseRow) -> tuple[bool, dt.date, str]:
    return row.stated_not_after == row.read_on, _said(row), row.ref


def _same_occasion(first: PromiseRow, row: PromiseRow) -> bool:
    return row.stated_not_after == row.read_on or _said(row) - _said(first) <= SAME_OCCASION


def _one(occasion: list[PromiseRow]) -> PromiseRow:
    best = min(occasion, key=lambda row: (row.evidence.rank, row.stated_on is None, _said(row), row.ref))
    others = sorted({row.url for row in occasion} - {best.url})
    disputed = any(row.is_disputed for row in occasion)
    return replace(best, other_urls=tuple(others), is_disputed=disputed)
