"""How many failures a count does not exceed, against the probabilities themselves."""

from __future__ import annotations

import math

import pytest
from scipy.special import pdtr

from warehouse.calculators.reliability import at_most


def at_most_so_many(number: int, mean: float) -> float:
    """The probability that a Poisson count of this mean is no more than a number."""
    return sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(number + 1))


@pytest.mark.parametrize("mean", [0.001, 0.1, 1.0, 3.3, 25.0, 400.0])
@pytest.mark.parametrize("certainty", [0.025, 0.5, 0.975, 0.99, 0.9999])
def test_a_count_does_not_exceed_it_so_often_and_no_smaller_one(certainty: float, mean: float) -> None:
    number = int(at_most(certainty, mean))
    assert at_most_so_many(number, mean) >= certainty
    assert number == 0 or at_most_so_many(number - 1, mean) < certainty


@pytest.mark.parametrize("mean", [0.3, 1.7, 2.9, 6.1, 8.8, 12.4])
def test_a_certainty_that_a_number_just_reaches_is_that_numbers(mean: float) -> None:
    assert [at_most(float(pdtr(number, mean)), mean) for number in range(12)] == list(range(12))
