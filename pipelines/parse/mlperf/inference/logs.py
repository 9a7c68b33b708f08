"""What a performance run prints: LoadGen's summary and detail log, or the endpoints tool's summary. Judges nothing."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from pipelines.frozen import frozen

_LINE: Final = re.compile(r"^[ *]*([^:\n]{1,80}?) *: *([^\r\n]*?) *\r?$", re.MULTILINE)
# Of the statistics below the result only these are wanted; there are up to 40 more lines of percentiles.
_STATISTIC: Final = re.compile(
    r"^(QPS w/o loadgen overhead|Mean latency \(ns\)|90\.00 percentile latency \(ns\)"
    r"|Completed tokens per second(?: \(inferred\))?|Completed samples per second"
    r"|99\.00 percentile (?:first token latency|time to output token) \(ns\))"
    r" *: *([^\r\n]*?) *\r?$",
    re.MULTILINE,
)
_SAMPLES: Final = re.compile(r"^samples_per_query : (\d+)", re.MULTILINE)
_STATISTICS: Final = "Additional Stats"
_PARAMETERS: Final = "Test Parameters Used"
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\Z")


@frozen
class Summary:
    """What a summary prints. `values` are its numbers by their printed names; the first of a name counts."""

    scenario: str
    is_valid: bool | None
    is_performance: bool
    values: dict[str, float]

    def number(self, *names: str) -> float | None:
        """The first of these names that is printed."""
        return next((self.values[name] for name in names if name in self.values), None)

    def early_stopping(self, percentile: float) -> float | None:
        """The early stopping estimate of a percentile in nanoseconds; '90th' and '90.0th' are one."""
        for text in (f"{percentile:g}", f"{percentile:.1f}", f"{percentile:.2f}"):
            found = self.values.get(f"Early stopping {text}th percentile estimate")
            if found is not None:
                return found
        return None


def read_summary(data: bytes) -> Summary | None:
    """A summary from its bytes, or None where it holds no scenario and no result line."""
    text = data.decode("utf-8", "replace")
    words: dict[str, str] = {}
    values: dict[str, float] = {}
    result, _, rest = text.partition(_STATISTICS)
    statistics, _, parameters = rest.partition(_PARAMETERS)
    for key, value in (*_LINE.findall(result), *_STATISTIC.findall(statistics)):
        words.setdefault(key, value)
        if _NUMBER.match(value):
            values.setdefault(key, float(value))
    if "Scenario" not in words and "Result is" not in words:
        return None
    samples = _SAMPLES.search(parameters)
    if samples is not None:
        values["samples_per_query"] = float(samples[1])
    validity = words.get("Result is", "").upper()
    return Summary(
        scenario=words.get("Scenario", ""),
        is_valid=None if not validity else validity == "VALID",
        is_performance=words.get("Mode", "").lower().startswith("performance"),
        values=values,
    )


_FIRST: Final = b'"key": "result_'
_PAIR: Final = re.compile(
    rb'"key": "((?:result_|early_stopping_latency|power_begin|power_end)[^"]*)", '
    rb'"value": (?:"([^"]*)"|([^,"]+)),'
)
_EARLY: Final = re.compile(rb'"key": "(generated_query_count|generated_samples_per_query)", "value": ()(\d+),')
_BEFORE: Final = 1 << 14  # power_begin stands a few lines before the first result
_OVERLAP: Final = 1 << 14


class DetailScanner:
    """Scans one log fed in pieces; `values` are numbers, `texts` quoted values, by key. The last of a key counts."""

    def __init__(self, *, with_generated: bool = False) -> None:
        self._with_generated = with_generated
        self._tail = b""
        self._has_results = False
        self.values: dict[str, float] = {}
        self.texts: dict[str, str] = {}

    def feed(self, piece: bytes) -> None:
        """Scan one piece; a line that it cuts is seen whole with the next."""
        data = self._tail + piece if self._tail else piece
        if self._with_generated:
            self._take(_EARLY.finditer(data))
        if self._has_results:
            self._take(_PAIR.finditer(data))
        else:
            at = data.find(_FIRST)
            if at >= 0:
                self._has_results = True
                self._take(_PAIR.finditer(data, max(0, at - _BEFORE)))
        self._tail = data[-_OVERLAP:]

    def _take(self, found: object) -> None:
        for match in found:  # type: ignore[attr-defined]
            key = match[1].decode("ascii", "replace")
            if match[2] is not None and match[3] is None:
                self.texts[key] = match[2].decode("utf-8", "replace")
                continue
            try:
                self.values[key] = float(match[3])
            except ValueError:
                self.texts[key] = match[3].decode("ascii", "replace")


@frozen
class Served:
    """Rates a second, latencies in nanoseconds; None where the file does not say. `is_complete` is its own word."""

    tokens_per_second: float | None
    queries_per_second: float | None
    mean_latency_ns: float | None
    ttft_p99_ns: float | None
    tpot_p99_ns: float | None
    failed: int | None
    is_complete: bool | None


def read_served(data: bytes) -> Served | None:
    """A run from its bytes, or None where they are no such summary."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not {"qps", "tps"} & value.keys():
        return None
    failed, complete = _number(value.get("n_samples_failed")), value.get("complete")
    return Served(
        tokens_per_second=_number(value.get("tps")),
        queries_per_second=_number(value.get("qps")),
        mean_latency_ns=_inner(value, "latency", "avg"),
        ttft_p99_ns=_percentile(value, "ttft"),
        tpot_p99_ns=_percentile(value, "tpot"),
        failed=None if failed is None else int(failed),
        is_complete=complete if isinstance(complete, bool) else None,
    )


def _inner(value: dict[str, Any], block: str, name: str) -> float | None:
    inner = value.get(block)
    return _number(inner.get(name)) if isinstance(inner, dict) else None


def _percentile(value: dict[str, Any], block: str) -> float | None:
    inner = value.get(block)
    percentiles = inner.get("percentiles") if isinstance(inner, dict) else None
    if not isinstance(percentiles, dict):
        return None
    return next((_number(percentiles[key]) for key in ("99.0", "99") if key in percentiles), None)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
