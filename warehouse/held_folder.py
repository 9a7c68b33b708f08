"""A temporary folder that does not outlive its process: it goes with it, or, after a kill, when the next is made."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import IO

HELD = "held"  # a file that the living process has locked; the system lets go of it however the process ends
UNMARKED = 24 * 3600  # seconds after which a folder without that file is nobody's


class HeldFolder:
    """A folder of this process alone, below the system's temporary ones. Raises OSError where none can be made."""

    def __init__(self, prefix: str) -> None:
        _remove_left(prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        held = (self.path / HELD).open("wb")
        fcntl.flock(held, fcntl.LOCK_EX)
        self._end = weakref.finalize(self, _remove, self.path, held)  # also at the interpreter's end
        _HELD.add(self)

    def close(self) -> None:
        """Remove it; who has a file of it open keeps that, and the space is freed when he closes it."""
        self._end()


_HELD: weakref.WeakSet[HeldFolder] = weakref.WeakSet()


def remove_held() -> None:
    """Remove all folders of this process: for one that ends by a signal, which skips the interpreter's end."""
    for folder in list(_HELD):
        folder.close()


def _remove(folder: Path, held: IO[bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    held.close()


def _remove_left(prefix: str) -> None:
    """Remove the folders of processes that were killed: of this user, and held by nobody."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):
            if folder.stat().st_uid == os.getuid() and _is_left(folder):
                shutil.rmtree(folder)  # a link it refuses


def _is_left(folder: Path) -> bool:
    try:
        with (folder / HELD).open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    except BlockingIOError:
        return False
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime > UNMARKED
