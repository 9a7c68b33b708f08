"""How the last build ended, beside the published file: a build that was refused leaves no trace in the file itself."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path

from pipelines.frozen import frozen

PUBLISHED, UNCHANGED, REFUSED, FAILED = "published", "unchanged", "refused", "failed"


@frozen
class Ending:
    """How a run ended, when, and why where it did not publish."""

    outcome: str
    at: dt.datetime
    says: str = ""

    @property
    def is_well(self) -> bool:
        return self.outcome in (PUBLISHED, UNCHANGED)


@frozen
class Record:
    """How the last run ended, and how many runs ended so or otherwise since this folder was begun."""

    last: Ending
    counts: Mapping[str, int]


def place_of(target: Path) -> Path:
    """Where the ending of builds of a published file is kept."""
    return target.with_name(f"{target.name}.last-run.json")


def note(target: Path, ending: Ending) -> None:
    """Write how a run ended: a new file, renamed."""
    place = place_of(target)
    place.parent.mkdir(parents=True, exist_ok=True)
    between = place.with_name(f"{place.name}.tmp")
    before = records(target)
    counts = dict(before.counts) if before is not None else {}
    counts[ending.outcome] = counts.get(ending.outcome, 0) + 1
    record = {"outcome": ending.outcome, "at": ending.at.isoformat(), "says": ending.says, "counts": counts}
    between.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    between.replace(place)


def last(target: Path) -> Ending | None:
    """How the last run ended; None where nothing is known."""
    found = records(target)
    return None if found is None else found.last


def records(target: Path) -> Record | None:
    """How the last run ended and how many ended how; None where nothing is known."""
    try:
        record = json.loads(place_of(target).read_text(encoding="utf-8"))
        ending = Ending(str(record["outcome"]), dt.datetime.fromisoformat(record["at"]), str(record["says"]))
        return Record(ending, {str(name): int(count) for name, count in record.get("counts", {}).items()})
    except (OSError, ValueError, KeyError, TypeError):
        return None
