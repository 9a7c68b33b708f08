"""What to do about an error of the disk, for whoever reads the message. Errors of DuckDB and Arrow are texts only."""

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
    errno.EIO: "The disk reports a fault. Look at the system's log; `rackledger archive verify` says what is whole.",
}


def remedy(error: BaseException | str) -> str:
    """What to do about an error that came from the disk; '' for any other."""
    if isinstance(error, OSError) and error.errno in _REMEDIES:
        return _REMEDIES[error.errno]
    text = str(error)
    return next((says for number, says in _REMEDIES.items() if os.strerror(number) in text), "")
