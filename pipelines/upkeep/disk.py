"""What to do about an error of the disk, for whoever reads the message. Databases and Arrow give texts only."""

from __future__ import annotations

import errno
import os

_ELSEWHERE = "set RACKLEDGER_DATA and RACKLEDGER_WAREHOUSE to"
_REMEDIES = {
    errno.ENOSPC: "The disk is full; what was published stays as it was. Free some space (`rackledger doctor` shows "
    f"how much is left), or {_ELSEWHERE} another disk; then run again.",
    errno.EDQUOT: "The disk quota is used up. Free some space or have the quota raised; then run again.",
    errno.EROFS: f"The disk is mounted read-only. Mount it for writing, or {_ELSEWHERE} a place that can be written.",
    errno.EACCES: f"This is somebody else's. Run as its owner, change that, or {_ELSEWHERE} folders of your own.",
    errno.EFBIG: f"No file may grow so large here (`ulimit -f`, or the disk's own limit). Raise that, or {_ELSEWHERE} "
    "another disk; then run again.",
    errno.EIO: "The disk reports a fault. Look at the system's log; `rackledger archive verify` says what is whole.",
}
_OF_SQLITE = {  # which keeps the records of runs
    "database or disk is full": errno.ENOSPC,
    "attempt to write a readonly database": errno.EROFS,
    "disk I/O error": errno.EIO,
}


def remedy(error: BaseException | str) -> str:
    """What to do about an error that came from the disk; '' for any other."""
    if isinstance(error, OSError) and error.errno in _REMEDIES:
        return _REMEDIES[error.errno]
    text = str(error)
    words = {os.strerror(number): number for number in _REMEDIES} | _OF_SQLITE
    return next((_REMEDIES[number] for said, number in words.items() if said in text), "")
