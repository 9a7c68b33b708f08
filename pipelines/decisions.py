"""Decisions on readings: an append-only CSV file that two people may write at once. The latest on a claim counts."""

from __future__ import annotations

import csv
import datetime as dt
import fcntl
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pipelines.settings import PROJECT_ROOT

FILE = PROJECT_ROOT / "warehouse/facts/decisions.csv"
COLUMNS = ("claim_id", "decision", "decided_by", "decided_at", "note")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided on a claim; `decided_at` is in UTC."""

    claim_id: str
    decision: Literal["accept", "reject"]
    decided_by: str
    decided_at: dt.datetime
    note: str = ""


def append(decision: Decision, path: Path = FILE) -> None:
    """Add one line under a lock, whole and on the disk; what others wrote meanwhile stays."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([
        decision.claim_id, decision.decision, decision.decided_by,
        decision.decided_at.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S.%f"), " ".join(decision.note.split()),
    ])  # fmt: skip
    with path.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        head = ",".join(COLUMNS) + "\n" if file.seek(0, os.SEEK_END) == 0 else ""
        file.write((head + line.getvalue()).encode())
        file.flush()
        os.fsync(file.fileno())
