"""When each source was last captured, by its archive and packs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

from pipelines.archive.pack import PackStore
from pipelines.archive.store import Archive

CLOCKS_DIFFER = dt.timedelta(hours=1)
BAD_STATUS = 400


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
        seen = [(c.source_id, c.captured_at) for c in archive.captures() if c.status < BAD_STATUS]
    packs = PackStore(root).packs()
    seen += [(p.source_id, p.captured_at) for p in packs if latest is None or p.url.startswith("http")]
    return newest_of((source_id, at) for source_id, at in seen if latest is None or at <= latest)
