"""What a person decided about rows that were set aside: an append-only file, one JSON object a line; the last counts.

`release` lets a row in although it fails its check, `drop` closes it for good, `reopen` takes either back. The file
lies in the data folder, beside the archive: nothing can make it again.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import os
from pathlib import Path

from pipelines.frozen import frozen

RELEASE, DROP, REOPEN = "release", "drop", "reopen"
VERDICTS = (RELEASE, DROP, REOPEN)


@frozen
class Decision:
    """One decision about one row of evidence.quarantine; `place` says in words what it was about."""

    quarantine_id: str
    verdict: str
    reason: str
    decided_at: dt.datetime
    place: str


def decide(path: Path, decision: Decision) -> None:
    """Append a decision; when this returns it is on the disk. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    record = dataclasses.asdict(decision) | {"decided_at": decision.decided_at.isoformat()}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_decisions(path: Path | None) -> dict[str, Decision]:
    """The decision that stands for each id; a line that a kill cut short is passed over.

    Raises ValueError naming the line of a record that is no decision: it was edited by hand.
    """
    found: dict[str, Decision] = {}
    if path is None or not path.exists():
        return found
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        try:
            decision = Decision(**record | {"decided_at": dt.datetime.fromisoformat(record["decided_at"])})
        except (TypeError, KeyError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: no decision ({error})") from error
        if decision.verdict not in VERDICTS:
            raise ValueError(f"{path}, line {number}: {decision.verdict!r} is none of {', '.join(VERDICTS)}")
        found[decision.quarantine_id] = decision
    return {key: decision for key, decision in found.items() if decision.verdict != REOPEN}
