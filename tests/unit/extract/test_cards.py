"""What the words of the metrics' cards say of labels, heads and the words around a value."""

from __future__ import annotations

import pytest

from pipelines.extract.link.cards import is_attribute, is_said


def test_a_label_of_a_property_is_told_from_a_name() -> None:
    assert is_attribute("Memory bandwidth") == 1.0
    assert is_attribute("Zebra Q7") == 0.0


@pytest.mark.parametrize(
    ("zones", "said"),
    [
        ({"column": "TDP (W)"}, True),
        ({"row": "Memory (GB)"}, False),
        ({"before": "its power draw is "}, True),
        ({"before": "bandwidth of "}, False),
    ],
)
def test_words_close_to_a_value_name_a_metric(zones: dict[str, str], said: bool) -> None:
    assert is_said("power", zones) is said


def test_a_rate_of_a_store_is_none_of_the_network() -> None:
    heads = ("Network bandwidth (Gbps)", "EBS bandwidth (Gbps)", "NVMe bandwidth (Gbps)")
    assert [is_said("scale_out_bandwidth", {"column": head}) for head in heads] == [True, False, False]
