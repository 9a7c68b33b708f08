"""A thing of the catalog: its spellings, its sheet, what nobody told, and its rivals, as known on a day."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable

from dashboard.queries import Ledger, Row
from warehouse.answers.questions import SQL as QUESTIONS

RIVALS, RIVALS_OF_MAKER = 6, 2


def variants(ledger: Ledger, name: str) -> list[str]:
    """The ids under which a thing is spoken of: an accelerator's variants count as their model."""
    return [name, *(str(row["id"]) for row in ledger.rows("things.variants", id=name) if row["id"] != name)]


def sheet_of(ledger: Ledger, ids: list[str], day: dt.date) -> list[Row]:
    """The cells of a thing that stand on a day, in the order of the metrics, with the claims that were passed over."""
    return ledger.records(QUESTIONS["sheet"], {"as_of": day, "thing": ids})


def unstated(ledger: Ledger, name: str, kind: str, told: set[str], day: dt.date) -> list[str]:
    """What nobody had told by a day: a system's open lines, or what is told of a fifth of all accelerators, not of it.

    A line of a system counts the whole of it: what is told of its parts alone is named so.
    """
    if kind == "accelerator":
        rows = ledger.rows("things.told_of_accelerators", day=day)
        return [str(row["title"]) for row in rows if row["metric"] not in told]
    rows = next((each["unstated"] or [] for each in _sheets_on(ledger, day) if each["id"] == name), [])
    return [f"{row['title']}, of the whole" if row["metric"] in told else str(row["title"]) for row in rows]


def rivals_of(ledger: Ledger, row: Row, day: dt.date) -> list[Row]:
    """Things of the same kind by other makers: systems with most on their sheets, accelerators nearest in time."""
    if row["kind"] != "accelerator":
        return _rival_systems(_sheets_on(ledger, day), row)
    main = row["main_id"]
    found = ledger.row("things.released", id=main)
    released = found["day"] if found else None
    return ledger.rows("things.rival_chips_of", released=released, day=day, vendor=row["vendor"], id=main)


def _rival_systems(sheets: Iterable[Row], row: Row) -> list[Row]:
    """Of sheets in order the first that have anything: at most two of a maker."""
    found: list[Row] = []
    of_maker: Counter[str | None] = Counter()
    for each in sheets:
        is_rival = each["kind"] == row["kind"] and each["cells"] and each["id"] != row["main_id"]
        if is_rival and of_maker[each["vendor"]] < RIVALS_OF_MAKER:
            of_maker[each["vendor"]] += 1
            found.append(each)
    return found[:RIVALS]


def _sheets_on(ledger: Ledger, day: dt.date) -> list[Row]:
    """All systems as known on a day, those with most on their sheets first: computed once for all of their pages."""
    return ledger.rows("things.sheets_on", day=day)
