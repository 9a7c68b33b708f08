"""Decisions on readings: an append-only CSV file that several people may write at once. The latest on a claim counts.

A line holds what was decided and what stands after it, so that a build needs nothing else and training can learn from
it: for `accept` and `reject` the reading as it was, for `correct` the corrected one. `merge` says that an unknown name
is a thing of the registry, `new` that it is a thing of its own; both speak of the name, in whatever document.
"""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
import fcntl
import io
import os
from pathlib import Path
from typing import Literal

from pipelines.frozen import frozen
from pipelines.settings import PROJECT_ROOT

FILE = PROJECT_ROOT / "warehouse/facts/decisions.csv"
Verdict = Literal["accept", "reject", "correct", "merge", "new"]


@frozen
class Decision:
    """What a person decided on a claim; `decided_at` is in UTC.

    `name` is the subject as it was read, `subject` and `subject_id` what it is; `value` a number in the metric's unit,
    a text, or a period 'START..END'; `becomes` the id of the corrected claim; the locator says where the value stands.
    `qualifiers` are all those of the corrected claim where one was put right, else empty: they stay as they were read.
    """

    claim_id: str
    decision: Verdict
    decided_by: str
    decided_at: dt.datetime
    note: str = ""
    name: str = ""
    subject: str = ""
    subject_id: str = ""
    subject_kind: str = ""
    metric: str = ""
    value: str = ""
    unit: str = ""
    becomes: str = ""
    document_id: str = ""
    locator_start: int | None = None
    locator_end: int | None = None
    qualifiers: str = ""


COLUMNS = tuple(item.name for item in dataclasses.fields(Decision))


def append(decision: Decision, path: Path = FILE) -> None:
    """Add one line under a lock, whole and on the disk; what others wrote meanwhile stays.

    Raises ValueError where the file is of an older form that lacks a column which this decision needs.
    """
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        columns = file.readline().decode().strip().split(",")
        if columns == [""]:
            columns = list(COLUMNS)
            writer.writerow(columns)
        missing = [name for name in COLUMNS if name not in columns and getattr(decision, name)]
        if missing:
            raise ValueError(f"{path.name} has no column {', '.join(missing)}: add it at the end of every line")
        writer.writerow(_cell(getattr(decision, name)) for name in columns)
        file.write(line.getvalue().encode())
        file.flush()
        os.fsync(file.fileno())


def read(path: Path = FILE) -> list[Decision]:
    """All decisions in the order of their days; the latest on a claim, or on a name, is the last. Raises ValueError."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        found = [_decision(number, record) for number, record in enumerate(csv.DictReader(file, restval=""), 2)]
    return sorted(found, key=lambda decision: decision.decided_at)


def _decision(number: int, record: dict[str, str]) -> Decision:
    try:
        places = {name: int(record[name]) if record[name] else None for name in ("locator_start", "locator_end")}
        decided_at = dt.datetime.fromisoformat(record["decided_at"]).replace(tzinfo=dt.UTC)
        return Decision(**record | places | {"decided_at": decided_at})  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"decisions, line {number}: {error}") from None


def _cell(value: object) -> str:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return "" if value is None else " ".join(str(value).split())
