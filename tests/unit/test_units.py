"""Printed units: what they mean in a metric's canonical unit, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.registry import load_registry
from pipelines.units import TABLE, UnknownUnit, dimension_of, in_unit, read_unit, to_canonical

REGISTRY = load_registry()


def test_every_spelling_is_a_unit_with_a_dimension() -> None:
    assert all(dimension_of(spelling) for spelling in (*TABLE.exact, *TABLE.folded))
    assert in_unit(60, "cm", "m") == 0.6


@pytest.mark.parametrize(
    ("value", "printed", "metric", "expected"),
    [
        (1979, "TFLOPS", "compute", 1.979),
        (1979, "teraFLOPS", "compute", 1.979),
        (1.44, "exaflops", "compute", 1440),
        (20, "PF", "compute", 20),
        (3.6, "EF", "compute", 3600),
        (4000, "TOPS", "compute", 4),
        (8, "TB/s", "memory_bandwidth", 8),
        (3350, "GB/s", "memory_bandwidth", 3.35),
        (7.2, "Tbps", "memory_bandwidth", 0.9),
        (900, "GBps", "scale_up_bandwidth", 0.9),
        (2048, "GiB/sec", "scale_up_bandwidth", 2.048),
        (800, "Gbps", "scale_out_bandwidth", 800),
        (800, "Gbit/s", "scale_out_bandwidth", 800),
        (1.6, "Tb/s", "scale_out_bandwidth", 1600),
        (100, "GB/s", "scale_out_bandwidth", 800),
        (144, "GiB", "memory_capacity", 144),
        (1, "TiB", "memory_capacity", 1000),
        (1.5, "TB", "memory_capacity", 1500),
        (700, "W", "power", 0.7),
        (120, "kilowatts", "power", 120),
        (1.2, "GW", "site_power", 1200),
        (300, "megawatts", "site_power", 300),
        (3000, "lbs", "weight", 1.36077711),
        (1.5, "short tons", "weight", 1.36077711),
        (1.36, "t", "weight", 1.36),
        (2, "miles", "cable_length", 3.218688),
        (80, "billion transistors", "transistor_count", 80),
        (4, "trillion", "transistor_count", 4000),
        (4, "nm", "process_node", 4),
        (3, "$M", "price", 3e6),
        (80, "billion USD", "capex", 8e10),
        (2.5, "USD/GPU-h", "gpu_hour_price", 2.5),
        (2.5, "$ per GPU hour", "gpu_hour_price", 2.5),
        (9.2, "million tokens/s/MW", "token_rate", 9.2e6),
        (12000, "tok/s/GPU", "token_rate", 12000),
        (2, "days", "train_time", 2880),
        (25, "x", "speedup", 25),
        (100, "%", "liquid_cooled_share", 100),
        (200, "thousand GPUs", "cluster_size", 200000),
    ],
)
def test_printed_units_become_canonical(value: float, printed: str, metric: str, expected: float) -> None:
    assert to_canonical(value, printed, REGISTRY.metric(metric)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("printed", "metric"),
    [
        ("furlong", "cable_length"),
        ("GT/s", "scale_out_bandwidth"),
        ("GFLOPS/W", "compute"),
        ("tokens", "token_rate"),
        ("GB", "memory_bandwidth"),
        ("W", "memory_capacity"),
        ("mW", "power"),
        ("EUR", "price"),
        ("2H", "available_from"),
    ],
)
def test_a_unit_that_is_unknown_or_of_another_dimension_is_an_error(printed: str, metric: str) -> None:
    with pytest.raises(UnknownUnit):
        to_canonical(1, printed, REGISTRY.metric(metric))


def test_a_binary_unit_has_its_exact_size_outside_memories() -> None:
    assert in_unit(1, "GiB", "GB") == 1.073741824


def test_case_tells_bits_from_bytes() -> None:
    assert in_unit(1, "GB/s", "Gb/s") == 8
    assert read_unit("Gb/s") != read_unit("GB/s")


@given(st.floats(min_value=1e-6, max_value=1e9), st.sampled_from(["GB/s", "Tb/s", "PB/s", "Mbit/s"]))
def test_there_and_back_is_the_same_value(value: float, unit: str) -> None:
    assert in_unit(in_unit(value, unit, "TB/s"), "TB/s", unit) == pytest.approx(value, rel=1e-9)


@given(st.text(max_size=40))
def test_any_text_is_a_unit_or_refused(text: str) -> None:
    try:
        read_unit(text)
    except UnknownUnit:
        return


def test_every_metric_of_numbers_has_a_known_canonical_unit() -> None:
    for metric in REGISTRY.metrics():
        if metric.is_number:
            assert to_canonical(1, metric.unit, metric) == 1, metric.id
