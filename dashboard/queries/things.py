"""SQL of the catalog: what accelerators and systems there are, and the sheet of each, as known on a day."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger
from warehouse.answers.questions import SQL as QUESTIONS
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))
RIVALS, RIVALS_OF_MAKER = 6, 2


def catalog(ledger: Ledger) -> pd.DataFrame:
    """Every accelerator model and system of the registry, with how much is known of it."""
    return ledger.frame(SQL["catalog"])


Row = dict[str, Any]


def identity(ledger: Ledger, name: str) -> Row | None:
    """What a thing is: accelerator, system, network, site or processor; None for an id that is none of them."""
    frame = ledger.records(SQL["identity"], (name,))
    return frame[0] if frame else None


def variants(ledger: Ledger, name: str) -> list[str]:
    """The ids under which a thing is spoken of: an accelerator's variants count as their model."""
    return [name, *(str(row["id"]) for row in ledger.records(SQL["variants"], (name, name)) if row["id"] != name)]


def sheet_of(ledger: Ledger, ids: list[str], day: dt.date) -> list[Row]:
    """The cells of a thing that stand on a day, in the order of the metrics, with the claims that were passed over."""
    return ledger.records(QUESTIONS["sheet"], {"as_of": day, "thing": ids})


def said(ledger: Ledger, claim_ids: list[str], day: dt.date) -> list[Row]:
    """What some claims say as told by a day, strongest evidence first."""
    return ledger.records(SQL["said"], (day, claim_ids)) if claim_ids else []


def unstated(ledger: Ledger, name: str, kind: str, told: set[str], day: dt.date) -> list[str]:
    """What nobody had told by a day: a system's open lines, or what is told of a fifth of all accelerators, not of it.

    A line of a system counts the whole of it: what is told of its parts alone is named so.
    """
    if kind == "accelerator":
        rows = ledger.records(SQL["told_of_accelerators"], (day,))
        return [str(row["title"]) for row in rows if row["metric"] not in told]
    rows = next((each["unstated"] or [] for each in _sheets_on(ledger, day) if each["id"] == name), [])
    return [f"{row['title']}, of the whole" if row["metric"] in told else str(row["title"]) for row in rows]


def milestones_of(ledger: Ledger, ids: list[str], day: dt.date) -> list[Row]:
    """Promises and outcomes of a thing as known on a day, the newest first."""
    return ledger.records(SQL["milestones_of"], (day, ids))


def results_of(ledger: Ledger, ids: list[str], day: dt.date, count: int | None) -> list[Row]:
    """The best reviewed result per accelerator of each benchmark and scenario, in runs of a multiple of `count`."""
    return ledger.records(SQL["results_of"], (ids, day, count, count))


def hours_of(ledger: Ledger, model: str, day: dt.date) -> list[Row]:
    """The newest on-demand price of an hour by source."""
    return ledger.records(SQL["hours_of"], (model, day))


def adopters_of(ledger: Ledger, generation: str, name: str, day: dt.date) -> list[Row]:
    """Organisations that have the generation, those first whose source names the thing."""
    return ledger.records(SQL["adopters_of"], (day, name, generation))


def rivals_of(ledger: Ledger, row: Row, day: dt.date) -> list[Row]:
    """Things of the same kind by other makers: systems with most on their sheets, accelerators nearest in time."""
    if row["kind"] != "accelerator":
        return _rival_systems(_sheets_on(ledger, day), row)
    found = ledger.records(SQL["released"], (row["main_id"],))
    released = found[0]["day"] if found else None
    return ledger.records(SQL["rival_chips_of"], (released, day, row["vendor"], row["main_id"]))


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
    return ledger.records(SQL["sheets_on"], (day,))


def compared(ledger: Ledger, ids: list[str], day: dt.date) -> list[Row]:
    """The lines of the sheets of some systems as known on a day."""
    return ledger.records(SQL["compared"], (day, ids))


def fuller_of(ledger: Ledger, name: str, day: dt.date) -> Row | None:
    """The variant of a system that most is stated of: the same maker's, named by all words of its name and more.

    None unless twice as many lines are stated of it.
    """
    found = ledger.records(SQL["fuller_of"], (day, name))
    return found[0] if found else None


def parts(ledger: Ledger, system_id: str) -> list[Row]:
    """What a system holds."""
    return ledger.records(SQL["parts"], (system_id,))


def holders(ledger: Ledger, accelerator_id: str) -> list[Row]:
    """Systems that hold an accelerator or a variant of it."""
    return ledger.records(SQL["holders"], (accelerator_id, accelerator_id))


def names(ledger: Ledger, system_id: str) -> list[Row]:
    """The names a system bore."""
    return ledger.records(SQL["names"], (system_id,))
