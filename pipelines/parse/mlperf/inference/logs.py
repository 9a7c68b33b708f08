"""What the files of a result print: LoadGen's summary and detail log, or the endpoints tool's summary; the accuracy."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from pipelines.frozen import frozen
from pipelines.parse.mlperf.common.system import load_loosely

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


_ACCURACIES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("acc", re.compile(r"^accuracy=([\d.]+)", re.MULTILINE)),
    ("AUC", re.compile(r"^AUC=([\d.]+)", re.MULTILINE)),
    ("mAP", re.compile(r"^mAP=([\d.]+)", re.MULTILINE)),
    ("bleu", re.compile(r"^BLEU:\s*([\d.]+)", re.MULTILINE)),
    ("WER", re.compile(r"Word Error Rate:.*?, accuracy=([\d.]+)%")),
    ("ACCURACY", re.compile(r"Word Error Rate:.*?, accuracy=([\d.]+)%")),
    ("DICE", re.compile(r"Accuracy:\s*mean = ([\d.]+)")),
    ("mAP", re.compile(r"'Total': ([\d.]+)")),
)
_OBJECT: Final = re.compile(r"^[^{\n]*(\{[^\n]*\})\s*$", re.MULTILINE)
_KEYS: Final = {
    "f1": "F1", "rouge1": "ROUGE1", "rouge2": "ROUGE2", "rougel": "ROUGEL", "rougelsum": "ROUGELSUM",
    "exact_match": "exact_match", "tokens_per_sample": "TOKENS_PER_SAMPLE", "gen_len": "GEN_LEN",
    "gsm8k": "gsm8k_accuracy", "gsm8k_accuracy": "gsm8k_accuracy", "mbxp": "mbxp_accuracy",
    "mbxp_accuracy": "mbxp_accuracy", "clip_score": "CLIP_SCORE", "fid_score": "FID_SCORE",
    "vbench_score": "vbench_score", "f1_hierarchical": "F1_HIERARCHICAL",
}  # fmt: skip
_LOWER_IS_BETTER: Final = frozenset({"DLRM_NE"})


@frozen
class Accuracy:
    """The columns of a row: the leading metric, its value and target, whether all are met, all that was printed."""

    accuracy_metric: str = ""
    accuracy: float | None = None
    accuracy_target: float | None = None
    accuracy_met: bool | None = None
    accuracy_raw: str = ""


def read_accuracy(data: bytes) -> dict[str, float]:
    """Every metric that an `accuracy.txt` prints, by the checker's name for it."""
    text = data[-8192:].decode("utf-8", "replace")
    found: dict[str, float] = {}
    for name, pattern in _ACCURACIES:
        values = pattern.findall(text)
        if values:
            found[name] = float(values[-1].rstrip("."))
    for match in _OBJECT.finditer(text):
        found |= _from_object(load_loosely(match[1]))
    return found


def read_served_accuracy(data: bytes) -> dict[str, float]:
    """The accuracy of a run without LoadGen logs, under the name `average`."""
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    average = value.get("average_accuracy") if isinstance(value, dict) else None
    if isinstance(average, (int, float)) and not isinstance(average, bool):
        return {"average": float(average)}
    return {}


def judge(found: Mapping[str, float], least: Mapping[str, float]) -> Accuracy:
    """The leading metric of a benchmark and whether all its targets are met; None where one was not printed.

    `least` are the least values by metric, the leading one first.
    """
    leading = next(iter(least), "")
    if not found:
        return Accuracy(leading, accuracy_target=least.get(leading))
    if "average" in found and leading:
        found = {leading: found["average"]}
    metrics = [metric for metric in least if metric in found]
    metric = metrics[0] if metrics else next(iter(found))
    text = "  ".join(f"{name}: {value:g}" for name, value in found.items())
    if not metrics:
        return Accuracy(metric, found[metric], accuracy_raw=text)
    met = all(_reaches(found[name], name, least[name]) for name in metrics)
    return Accuracy(metric, found[metric], least[leading], met if len(metrics) == len(least) else None, text)


def _reaches(value: float, metric: str, least: float) -> bool:
    """Some scripts print percent where the target is a share, and the other way round."""
    if least <= 1 < value:
        value /= 100
    elif value <= 1 < least:
        value *= 100
    return value <= least if metric in _LOWER_IS_BETTER else value >= least


def _from_object(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    found = {}
    for key, item in value.items():
        name = _KEYS.get(str(key).lower())
        try:
            number = float(item) if isinstance(item, (int, float, str)) else None
        except ValueError:
            number = None
        if name is not None and number is not None:
            found[name] = number
    return found
