"""Numbers of a sentence that take their unit from another value of it."""

from __future__ import annotations

import pytest

from pipelines.extract.link.figures import figures_in, unit_in, with_lent_units
from pipelines.extract.link.meaning import values_of


def lent(text: str) -> list[tuple[float, str]]:
    """The numbers of a sentence that were lent a unit, with it."""
    figures = with_lent_units(text, figures_in(text, 0, len(text), None))
    return [(figure.number, figure.lent) for figure in figures if figure.lender == "sentence"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A draws 700 W and B 1,000.", [(1000, "W")]),
        ("96 GB where the original has 80", [(80, "GB")]),
        ("The V100 does 7.8, the A100 9.7 and the MI210 22.6 TFLOPS", [(7.8, "TFLOP/s"), (9.7, "TFLOP/s")]),
        ("revenue of $3.2 billion against 2.1, says it", [(2.1, "billion USD")]),
        ("it draws 700 W and has 80 cores", []),  # it counts what follows
        ("it draws 700 W in 2024, of which 120 for fans", [(120, "W")]),
        ("it draws 700 W and 600 tickets a year", []),  # also of what nobody counts here
        ("it draws 700 W and two of them", []),  # a word
        ("it draws 700 W, 4 and 100000", []),  # not of its size
        (f"it draws 700 W{' and so on' * 12} and 600", []),  # far away
        ("it runs at 35 °C and 20", []),  # nothing is read in that unit
        ("it takes 80/96 GB", []),  # a list has it already
        ("it draws 700 W in mode 300/500", []),  # or has none
    ],
)
def test_a_number_without_a_unit_takes_the_nearest_of_its_sentence(text: str, found: list[tuple[float, str]]) -> None:
    assert lent(text) == found


def test_a_lent_unit_gives_the_value_in_the_metrics_own() -> None:
    text = "A draws 700 W per card and B 1,000."
    _, second = with_lent_units(text, figures_in(text, 0, len(text), None))
    assert (second.dimension, second.value.per) == ("power", ("card",))
    assert (values_of(second, in_table=False) or {})["power"] == 1.0


def test_a_number_takes_what_another_of_its_sentence_counts() -> None:
    text = "With H100 it grows to 65,536 GPUs, with A100 to 32,768, in 8 halls of 12."
    _, second, *rest = with_lent_units(text, figures_in(text, 0, len(text), None))
    assert (second.value.thing, second.dimension, second.lender) == ("accelerator", "count", "sentence")
    assert (values_of(second, in_table=False) or {})["accelerator_count"] == 32_768
    assert [figure.lender for figure in rest] == ["", ""]
    few = "It has 16 GPUs, the other 8."
    assert [figure.lender for figure in with_lent_units(few, figures_in(few, 0, len(few), None))] == ["", ""]


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("FP64 peak flops, TF/s", "TFLOP/s"),
        ("Peak flops (TF/s)", "TFLOP/s"),
        ("HBM B/W (TB/s)", "TB/s"),
        ("prefill, t/s", "tokens/s"),
        ("GFLOPS of it, all told", "GFLOP/s"),
    ],
)
def test_a_unit_behind_a_comma_or_in_brackets_stands_before_others(head: str, unit: str) -> None:
    assert (unit_in(head) or ("",))[0] == unit
