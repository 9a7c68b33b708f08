"""When each source was last asked and last captured. The log of tries lies beside the archive.

What was asked and gave nothing leaves no record in a WARC file.

    attempts/<run stamp>.jsonl      append-only, one JSON object a line, written as each source ends

A line that a kill cut short is passed over when the log is read; all before it counts.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import orjson

from pipelines.archive.layout import LISTINGS, append_lines, check_name, replace_file
from pipelines.archive.pack import PackStore
from pipelines.archive.store import Archive
from pipelines.lake import digest
from pipelines.model.attempt import AttemptRow

CLOCKS_DIFFER = dt.timedelta(hours=1)


def newest_of(stamps: Iterable[tuple[str, dt.datetime]]) -> dict[str, dt.datetime]:
    """The latest instant of each name."""
    newest: dict[str, dt.datetime] = {}
    for name, at in stamps:
        newest[name] = max(at, newest.get(name, at))
    return newest


def last_captured(root: Path, latest: dt.datetime | None = None) -> dict[str, dt.datetime]:
    """The newest good capture of each source.

    With `latest` as a run decides by: a capture behind it does not count (a wrong clock wrote it, or has been set right
    since; else its source would not be due until that day), nor does an archive that was added by hand, which says
    nothing about when its source was asked.
    """
    with Archive(root) as archive:
        seen = [*archive.newest_good(latest).items()]
    packs = PackStore(root).packs()
    seen += [(p.source_id, p.captured_at) for p in packs if latest is None or p.url.startswith("http")]
    return newest_of((source_id, at) for source_id, at in seen if latest is None or at <= latest)


FOLDER = "attempts"


class AttemptLog:
    """Appends the tries of one run. Raises OSError when they cannot be written."""

    def __init__(self, root: Path, run_stamp: str) -> None:
        self._path = root / FOLDER / f"{check_name(run_stamp, 'run stamp')}.jsonl"

    def append(self, attempts: Iterable[AttemptRow]) -> None:
        """Write these tries; when this returns, they are on the disk."""
        append_lines(self._path, attempts)

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
    replace_file(place, orjson.dumps({"made_of": made_of, "newest": newest}))
    return newest
