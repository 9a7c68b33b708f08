"""Watts of a power run: samples of `spl.txt` within the window that the detail log states. The rule is MLCommons'.

Samples count that lie strictly between `power_begin` and `power_end` and are above zero. Both clocks are UTC since
v1.1; v1.0 adds the time zones of client (window) and server (samples).
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass, field
from typing import Final

from pipelines.frozen import frozen

_STAMP: Final = "%m-%d-%Y %H:%M:%S.%f"
_TIME_AT: Final = slice(5, 28)  # 'Time,' and then mm-dd-yyyy hh:mm:ss.fff
_WATTS: Final = b",Watts,"


@dataclass(slots=True)
class PowerRun:
    """What the power files of one result say. `zones` are seconds by 'client.json' and 'server.json'."""

    paths: list[str] = field(default_factory=list)
    zones: dict[str, int] = field(default_factory=dict)
    has_ranging: bool | None = None
    watts: float | None = None
    seconds: float | None = None
    samples: int = 0
    error: str = ""


@frozen
class Window:
    """When the measured run began and ended, UTC without a zone."""

    begin: dt.datetime
    end: dt.datetime

    @property
    def seconds(self) -> float:
        """How long the run took."""
        return (self.end - self.begin).total_seconds()

    def moved(self, seconds: int) -> Window:
        """The same window on a clock that is so many seconds ahead."""
        shift = dt.timedelta(seconds=seconds)
        return Window(self.begin + shift, self.end + shift)


def read_session(data: bytes, name: str, power: PowerRun) -> None:
    """The time zone and the phases of `client.json` or `server.json`; an unreadable file is said in `error`."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        power.error = f"{name} is no JSON"
        return
    if not isinstance(value, dict):
        power.error = f"{name} is no JSON object"
        return
    zone = value.get("timezone")
    if isinstance(zone, int) and not isinstance(zone, bool):
        power.zones[name] = zone
    phases = value.get("phases")
    if isinstance(phases, dict):
        power.has_ranging = bool(phases.get("ranging"))


def window_of(begin: str | None, end: str | None) -> Window | None:
    """The window from the detail log's texts, or None where one is missing or no time."""
    try:
        return Window(_time(begin or ""), _time(end or ""))
    except ValueError:
        return None


def average(data: bytes, window: Window) -> tuple[float | None, int]:
    """Mean watts of the samples within a window, and how many they are; None without a sample.

    Times are compared as text, year first: a log holds thousands of samples, and reading each as a time takes longer
    than all else.
    """
    begin, end = _sortable(window.begin), _sortable(window.end)
    total, count = 0.0, 0
    for line in data.split(b"\n"):
        if not line.startswith(b"Time,"):
            continue
        stamp = line[_TIME_AT]
        if begin < stamp[6:10] + stamp[:5] + stamp[10:] < end and line.startswith(_WATTS, 28):
            try:
                watts = float(line[35 : line.find(b",", 35)])
            except ValueError:
                continue
            if watts > 0:
                total += watts
                count += 1
    return (total / count if count else None), count


def _sortable(at: dt.datetime) -> bytes:
    return f"{at:%Y%m-%d %H:%M:%S}.{at.microsecond // 1000:03d}".encode("ascii")


def _time(text: str) -> dt.datetime:
    return dt.datetime.strptime(text, _STAMP)  # noqa: DTZ007 - PTDaemon writes no zone; all of them are UTC here
