"""Units that table heads say for the bare numbers under them."""

from __future__ import annotations

import pytest

from pipelines.extract.values import unit_of_label


@pytest.mark.parametrize(
    ("label", "unit"),
    [
        ("TDP (W)", "W"),
        ("FP8 tensor (TFLOPS)*", "TFLOPS"),
        ("Memory GB", "GB"),
        ("Memory (in GB)", "GB"),
        ("Link speed, Gbps", "Gbps"),
        ("Link (GiB/sec/device)", "GiB/sec/device"),
        ("kW per rack", "kW per rack"),
        ("Revenue, $ millions", "million USD"),
        ("List price ($K)", "thousand USD"),
        ("On-demand $/GPU-hr", "USD/h"),
        ("Transistors (billion)", "billion"),
        ("晶体管数量(亿)", "亿"),
        ("Coolant flow (L/min)", "L/min"),
        ("Liquid-cooled %", "%"),
        ("Nodes in use", ""),
        ("Year", ""),
        ("GPUs", ""),
        ("Memory bandwidth", ""),
        ("", ""),
    ],
)
def test_the_unit_of_a_label(label: str, unit: str) -> None:
    assert unit_of_label(label) == unit
