"""How the last build ended, beside the published file: a build that was refused leaves no trace in the file itself."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from pathlib import Path

PUBLISHED, UNCHANGED, REFUSED, FAILED = "published", "unchanged", "refused", "failed"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended, when, and why where it did not publish."""

    outcome: str
    at: dt.datetime
    says: str = ""

    @property
    def is_well(self) -> bool:
        return self.outcome in (PUBLISHED, UNCHANGED)


def place_of(target: Path) -> Path:
    """Where the ending of builds of a published file is kept."""
    return target.with_name(f"{target.name}.last-run.json")


def note(target: Path, ending: Ending) -> None:
    """Write how a run ended: a new file, renamed."""
    place = place_of(target)
    place.parent.mkdir(parents=True, exist_ok=True)
    between = place.with_name(f"{place.name}.tmp")
    record = {"outcome": ending.outcome, "at": ending.at.isoformat(), "says": ending.says}
    between.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")
    between.replace(place)


def last(target: Path) -> Ending | None:
    """How the last run ended; None where nothing is known."""
    try:
        record = json.loads(place_of(target).read_text(encoding="utf-8"))
        return Ending(str(record["outcome"]), dt.datetime.fromisoformat(record["at"]), str(record["says"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
