"""The log of tries, beside the archive: what was asked and gave nothing leaves no record in a WARC file.

    attempts/<run stamp>.jsonl      append-only, one JSON object a line, written as each source ends

A line that a kill cut short is passed over when the log is read; all before it counts.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pipelines.archive.layout import LISTINGS, check_name, replace_file
from pipelines.archive.newest import newest_of
from pipelines.lake import digest
from pipelines.model.attempt import AttemptRow

FOLDER = "attempts"


class AttemptLog:
    """Appends the tries of one run. Raises OSError when they cannot be written."""

    def __init__(self, root: Path, run_stamp: str) -> None:
        self._path = root / FOLDER / f"{check_name(run_stamp, 'run stamp')}.jsonl"

    def append(self, attempts: Iterable[AttemptRow]) -> None:
        """Write these tries; when this returns, they are on the disk."""
        lines = "".join(json.dumps(_plain(row), ensure_ascii=False) + "\n" for row in attempts)
        if not lines:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())

    def drop(self) -> None:
        """Take the run's tries back."""
        self._path.unlink(missing_ok=True)


def logs_by_month(root: Path) -> dict[str, list[Path]]:
    """The logs in the order of runs, by the month that their run stamps begin with; '' for stamps of another form."""
    found: dict[str, list[Path]] = {}
    for path in sorted((root / FOLDER).glob("*.jsonl")):
        found.setdefault(path.name[:6] if path.name[:6].isdigit() else "", []).append(path)
    return found


def size_of(logs: Iterable[Path]) -> str:
    """Changes when one of these logs has grown: they are only appended to."""
    return digest(*(f"{path.name} {path.stat().st_size}" for path in logs))


def read_log(path: Path) -> Iterator[AttemptRow]:
    """The tries of one log."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
            yield AttemptRow(**record | {"attempted_at": dt.datetime.fromisoformat(record["attempted_at"])})
        except (ValueError, KeyError, TypeError):
            continue  # cut short by a kill, or damaged


def last_tried(root: Path, latest: dt.datetime) -> dict[str, dt.datetime]:
    """When each source was last asked, whatever came of it; no try after `latest` counts.

    Logs of months that are over are read once: what follows from them is kept, by each machine for itself.
    """
    this_month = f"{latest:%Y%m}"
    tries = (
        tried
        for month, logs in logs_by_month(root).items()
        for tried in (_kept_newest(root, month, logs).items() if month and month < this_month else _tries(logs))
    )
    return newest_of((source_id, at) for source_id, at in tries if at <= latest)


def _tries(logs: Iterable[Path]) -> Iterator[tuple[str, dt.datetime]]:
    return ((row.source_id, row.attempted_at) for path in logs for row in read_log(path))


def _kept_newest(root: Path, month: str, logs: Sequence[Path]) -> dict[str, dt.datetime]:
    """The newest try of each source in a month that is over."""
    place, made_of = root / LISTINGS / f"tries-{month}.json", size_of(logs)
    try:
        kept = json.loads(place.read_text(encoding="utf-8"))
        if kept["made_of"] == made_of:
            return {name: dt.datetime.fromisoformat(at) for name, at in kept["newest"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # none yet, or damaged: it is made again
    newest = newest_of(_tries(logs))
    plain = {"made_of": made_of, "newest": {name: at.isoformat() for name, at in newest.items()}}
    place.parent.mkdir(parents=True, exist_ok=True)
    replace_file(place, json.dumps(plain).encode())
    return newest


def _plain(row: AttemptRow) -> dict[str, object]:
    return dataclasses.asdict(row) | {"attempted_at": row.attempted_at.isoformat()}
