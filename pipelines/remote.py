"""Archive and lake at an fsspec URL (a bucket); the data folder is then a working copy of it.

What stands in a bucket is written whole or not at all and cannot be appended to, so nothing works in it: before a step
what others wrote is fetched, after it what the step wrote is sent. Files of the archive are only ever added to; nothing
here removes one, on either side. The lake can be made again: of two states of one partition the bucket's counts.

    remote.json       what stood here and there when both were last the same
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from pipelines.archive.layout import replace_file, sync_folder
from pipelines.frozen import frozen
from pipelines.settings import Settings

JOURNAL, LOCK = "remote.json", "remote.lock"
ARCHIVE, LAKE = "archive", "lake"
AREAS = (ARCHIVE, LAKE)
OWN = ("archive/locks/", "archive/listing/", "archive/collect-")  # of this machine alone
DATED = ("ETag", "mtime", "created", "LastModified")  # what file systems tell states of a file apart by, best first

Mark = tuple[str, str]  # the state of a file here, and there


class RemoteError(Exception):
    """The bucket could not be read or written, or holds another file of the same name; says which and where."""


@frozen
class Moved:
    """How many files were fetched, sent, and removed because the other side had dropped them."""

    fetched: int = 0
    sent: int = 0
    removed: int = 0


@contextmanager
def working_copy(settings: Settings) -> Iterator[None]:
    """Fetch what others wrote, and send what was written inside, also where it fails; nothing without a bucket.

    Raises RemoteError.
    """
    fetch(settings)
    try:
        yield
    finally:
        if settings.remote:
            Remote(settings.remote, settings.data).send()


def fetch(settings: Settings) -> Moved:
    """Bring the data folder up to what the bucket holds. Raises RemoteError."""
    return Remote(settings.remote, settings.data).fetch() if settings.remote else Moved()


class Remote:
    """One bucket and the data folder that is its working copy."""

    def __init__(self, url: str, data: Path) -> None:
        self._url, self._data = url.rstrip("/"), data
        with self._told():
            import fsspec  # of no use to who has no bucket, and slow to load

            on_disk = {"auto_mkdir": True} if self._url.startswith("file:") else {}  # a bucket has no folders
            self._files, self._root = fsspec.url_to_fs(self._url, use_listings_cache=False, **on_disk)

    def fetch(self) -> Moved:
        """Take what is new or changed there; drop partitions that are gone there."""
        with FileLock(self._data / LOCK), self._told():
            journal, there = self._journal(), self._there()
            wanted = [name for name, state in there.items() if self._is_wanted(name, state, journal)]
            self._download(wanted)
            gone = [name for name in journal if name.startswith(f"{LAKE}/") and name not in there]
            for name in gone:
                (self._data / name).unlink(missing_ok=True)
            known = {name: mark for name, mark in journal.items() if name in there}
            self._note(known | {name: (_state(self._data / name), there[name]) for name in wanted})
            return Moved(fetched=len(wanted), removed=len(gone))

    def send(self) -> Moved:
        """Give what is new or changed here; remove partitions that are gone here."""
        with FileLock(self._data / LOCK), self._told():
            journal, here = self._journal(), self._here()
            changed = [name for name, state in here.items() if journal.get(name, ("", ""))[0] != state]
            gone = [name for name in journal if name.startswith(f"{LAKE}/") and name not in here]
            if not changed and not gone:
                return Moved()
            self._join_others(changed, journal)
            # what is written meanwhile is sent the next time
            sent = {name: _state(self._data / name) for name in changed}
            self._files.put([str(self._data / name) for name in changed], [self._place(name) for name in changed])
            there = self._there()
            for name in gone:
                if name in there:
                    self._files.rm_file(self._place(name))
            kept = {name: mark for name, mark in journal.items() if name not in gone}
            self._note(kept | {name: (sent[name], there[name]) for name in changed})
            return Moved(sent=len(changed), removed=len(gone))

    def _is_wanted(self, name: str, state: str, journal: Mapping[str, Mark]) -> bool:
        """Whether what stands there is to be taken: it is not here, or has changed there and is not ours with more."""
        path, is_known = self._data / name, name in journal and journal[name][1] == state
        if not path.exists():
            return name.startswith(f"{ARCHIVE}/") or not is_known  # a known partition was dropped here
        if is_known:
            return False
        if name.startswith(f"{LAKE}/") or (name in journal and journal[name][0] == _state(path)):
            return True
        ours, theirs = path.read_bytes(), self._files.cat_file(self._place(name))
        joined = _joined(name, ours, theirs)
        if joined != theirs:
            replace_file(path, joined)  # it is sent with the next step
        return bool(joined == theirs)

    def _join_others(self, changed: list[str], journal: Mapping[str, Mark]) -> None:
        """Before a file of the archive is overwritten: what another machine wrote to it since joins what is here."""
        there = self._there()
        for name in changed:
            if name.startswith(f"{ARCHIVE}/") and name in there and there[name] != journal.get(name, ("", ""))[1]:
                path = self._data / name
                joined = _joined(name, path.read_bytes(), self._files.cat_file(self._place(name)))
                if joined != path.read_bytes():
                    replace_file(path, joined)

    def _download(self, names: list[str]) -> None:
        """Fetch these beside their places, then put each in place whole."""
        temporary = {name: self._data / Path(name).parent / f".{Path(name).name}.{os.getpid()}.tmp" for name in names}
        for path in temporary.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._files.get([self._place(name) for name in names], [str(path) for path in temporary.values()])
            for name, path in temporary.items():
                path.replace(self._data / name)
        finally:
            for path in temporary.values():
                path.unlink(missing_ok=True)
        for folder in {path.parent for path in temporary.values()}:
            sync_folder(folder)

    def _there(self) -> dict[str, str]:
        """The state of each file there, by its name below the data folder."""
        found: dict[str, str] = {}
        for area in AREAS:
            for place, info in self._files.find(self._place(area), detail=True).items():
                found[str(place)[len(self._root) :].lstrip("/")] = _token(info)
        return found

    def _here(self) -> dict[str, str]:
        """The state of each file here that belongs there."""
        paths = (path for area in AREAS for path in (self._data / area).rglob("*"))
        names = ((path.relative_to(self._data).as_posix(), path) for path in paths if path.is_file())
        return {name: _state(path) for name, path in sorted(names) if _is_shared(name)}

    def _place(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _journal(self) -> dict[str, Mark]:
        try:
            kept = json.loads((self._data / JOURNAL).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return (
            {name: (here, there) for name, (here, there) in kept["files"].items()} if kept["url"] == self._url else {}
        )

    def _note(self, files: Mapping[str, Mark]) -> None:
        replace_file(self._data / JOURNAL, json.dumps({"url": self._url, "files": files}).encode())

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of any file system's own kind, told as one that names the bucket."""
        try:
            yield
        except RemoteError:
            raise
        except Exception as error:
            raise RemoteError(f"{self._url}: {type(error).__name__}: {error}") from error


def _token(info: Mapping[str, Any]) -> str:
    dated = next((str(info[key]) for key in DATED if info.get(key)), "")
    return f"{info['size']} {dated}"


def _state(path: Path) -> str:
    found = path.stat()
    return f"{found.st_size} {found.st_mtime_ns}"


def _is_shared(name: str) -> bool:
    return not name.startswith(OWN) and not Path(name).name.startswith(".")


def _joined(name: str, ours: bytes, theirs: bytes) -> bytes:
    """Two states of one file of the archive as one: the longer where it goes on, and of line files all lines.

    Raises RemoteError where neither goes on.
    """
    if theirs.startswith(ours):
        return theirs
    if ours.startswith(theirs):
        return ours
    if not name.endswith(".jsonl"):
        raise RemoteError(f"{name} is another file there than here, and neither goes on where the other ends")
    held = set(theirs.splitlines())
    more = [line for line in ours.splitlines(keepends=True) if line.rstrip(b"\n") not in held]
    return theirs + (b"" if theirs.endswith(b"\n") else b"\n") + b"".join(more)
