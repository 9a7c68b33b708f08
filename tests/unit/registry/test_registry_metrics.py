"""Metrics: the vocabulary of the design, believable ranges, and words for what is counted."""

from __future__ import annotations

import pytest

from pipelines.registry import load_registry
from pipelines.registry.metric_entries import RangeEntry, load_lexicon

REGISTRY = load_registry()
VOCABULARY = [
    *("compute", "memory_capacity", "memory_bandwidth", "scale_up_bandwidth", "scale_out_bandwidth", "power"),
    *("accelerator_count", "cpu_count", "scale_up_domain_size", "die_count", "transistor_count", "process_node"),
    *("weight", "part_count", "cable_count", "cable_length", "liquid_cooled_share", "port_count", "port_power"),
    *("price", "gpu_hour_price", "speedup", "efficiency_gain", "token_rate", "train_time", "cluster_size"),
    *("site_power", "capex", "revenue", "units_shipped", "mtti", "failure_count"),
    *("announced_on", "available_from", "deployed_on", "production_from"),
    *("renamed_to", "superseded_by", "cooling", "interconnect", "scheduling"),
]


@pytest.mark.parametrize(
    ("metric", "value", "subject", "per", "expected"),
    [
        ("power", 0.7, "accelerator", "gpu", True),
        ("power", 700, "accelerator", "gpu", False),
        ("power", 120, "system", "rack", True),
        ("power", 0.12, "system", "rack", False),
        ("memory_capacity", 288, "accelerator", "", True),
        ("memory_capacity", 288000, "accelerator", "", False),
        ("liquid_cooled_share", 130, "system", "", False),
        ("available_from", 1, "system", "", True),
    ],
)
def test_what_is_believable(metric: str, value: float, subject: str, per: str, expected: bool) -> None:
    assert REGISTRY.metric(metric).is_plausible(value, subject, per) is expected


def test_words_for_what_is_counted() -> None:
    assert [load_lexicon().per_word(word) for word in ("GPU", "package", "cabinet", "superchip", "die", "")] == [
        "accelerator", "accelerator", "rack", "board", "die", "",
    ]  # fmt: skip


def test_an_unknown_metric_is_an_error() -> None:
    with pytest.raises(KeyError):
        REGISTRY.metric("happiness")


def test_a_range_with_its_ends_swapped_is_refused() -> None:
    with pytest.raises(ValueError, match="a low end that is not above the high one"):
        RangeEntry(low=5, high=1)
