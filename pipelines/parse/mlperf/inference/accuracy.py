"""The accuracy of a result from `accuracy.txt`, as the reference scripts of each benchmark print it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from pipelines.frozen import frozen
from pipelines.parse.mlperf.common.system import load_loosely

_LINES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
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
    for name, pattern in _LINES:
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
