"""Mean watts of one run from its power logs: nodes measured, switches estimated. The formula is MLCommons'.

The conversion efficiency is applied: the energy is these watts times the run's seconds.
"""

from __future__ import annotations

import re
from typing import Any, Final

import orjson

from pipelines.parse.mlperf.training.mllog import load_loosely

_PAYLOAD: Final = re.compile(rb":::MLLOG (.*)")


class PowerError(ValueError):
    """A power log that gives no energy; the message says why."""


def read_node(data: bytes) -> float:
    """A node's log: sum of watts x time between readings, divided by the measured time. Raises `PowerError`.

    Readings count in order of time from `power_measurement_start` to the first `power_measurement_stop`; without a
    stop the last reading ends the measurement.
    """
    start = stop = previous = last = None
    watt_ms, efficiency = 0.0, 1.0
    for time_ms, key, value in sorted(_records(data), key=lambda record: record[0]):
        if key == "power_measurement_start":
            start = previous = time_ms
        elif key == "power_reading" and stop is None and previous is not None:
            watt_ms += _watts(value) * (time_ms - previous)
            previous = last = time_ms
        elif key == "power_measurement_stop":
            stop = time_ms
        elif key == "conversion_eff":
            efficiency = _watts(value)
    if start is None:
        raise PowerError("no power_measurement_start")
    end = last if stop is None else stop
    if end is None or end <= start:
        raise PowerError("power_measurement_stop is not after power_measurement_start")
    return efficiency * watt_ms / (end - start)


def read_switch(data: bytes) -> float:
    """A switch's log: its estimated power, times the conversion efficiency stated before it. Raises `PowerError`."""
    efficiency = 1.0
    for _, key, value in _records(data):
        if key == "conversion_eff":
            efficiency = _watts(value)
        elif key == "interconnect_power_est":
            return efficiency * _watts(value)
    return 0.0


def _records(data: bytes) -> list[tuple[float, str, Any]]:
    """Time in milliseconds, key and value of each line that can be read; the others are skipped, as officially."""
    records = []
    for payload in _PAYLOAD.findall(data):
        try:
            record = orjson.loads(payload)
        except orjson.JSONDecodeError:
            record = load_loosely(payload.decode("latin-1").strip())
        if isinstance(record, dict) and isinstance(record.get("time_ms"), (int, float)):
            records.append((float(record["time_ms"]), str(record.get("key")), record.get("value")))
    return records


def _watts(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # what is no number raises, and is reported
    except (TypeError, ValueError):
        raise PowerError(f"a power value that is no number: {value!r}") from None
