"""A run's `mlperf_log_summary.txt`: scenario, validity and the figures it prints. Judges nothing."""

from __future__ import annotations

import re
from typing import Final

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
