"""The one place where the time is read: all else is told it or asks here, so another clock can be put in place."""

from __future__ import annotations

import datetime as dt


def _system() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


read = _system  # what tells the time: an aware instant in UTC


def utc_now() -> dt.datetime:
    """The present."""
    return read()


def this_second() -> dt.datetime:
    """The present without fractions, for what is printed and compared."""
    return read().replace(microsecond=0)
