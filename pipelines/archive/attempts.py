"""The log of tries, beside the archive: what was asked and gave nothing leaves no record in a WARC file.

    attempts/<run stamp>.jsonl      append-only, one JSON object a line, written as each source ends

A line that a kill cut short is passed over when the log is read; all before it counts.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipelines.archive.layout import check_name
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


def read_attempts(root: Path) -> Iterator[AttemptRow]:
    """Every try that was logged below an archive's root, in the order of runs."""
    for path in sorted((root / FOLDER).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # cut short by a kill
            yield AttemptRow(**record | {"attempted_at": dt.datetime.fromisoformat(record["attempted_at"])})


def _plain(row: AttemptRow) -> dict[str, object]:
    return dataclasses.asdict(row) | {"attempted_at": row.attempted_at.isoformat()}
