"""A run of the form without LoadGen logs (v6.1 on): `performance/result_summary.json` of MLCommons' endpoints tool."""

from __future__ import annotations

import json
from typing import Any

from pipelines.frozen import frozen


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
