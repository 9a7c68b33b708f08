"""Time to adoption from intervals: worked by hand, recovered from simulation, silent where there is nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

from warehouse.survival import innermost, interval, masses, pooled, quantile_days, quantiles


def test_innermost_intervals_lie_between_a_start_and_the_next_end() -> None:
    left, right = innermost(np.array([0.0, 2.0, 6.0]), np.array([5.0, 4.0, math.inf]))
    assert list(zip(left, right, strict=True)) == [(2.0, 4.0), (6.0, math.inf)]


def test_two_overlapping_intervals_and_one_open_by_hand() -> None:
    # [0,5] and [2,4] share (2,4]; [6,∞) stands alone: masses 2/3 and 1/3, the median three quarters into (2,4]
    left, right, mass = masses(np.array([0.0, 2.0, 6.0]), np.array([5.0, 4.0, math.inf]), np.ones((1, 3)))
    assert mass[0] == pytest.approx([2 / 3, 1 / 3], abs=1e-5)
    assert quantiles(left, right, mass, 0.5)[0] == pytest.approx(3.5, abs=1e-3)
    assert math.isnan(quantiles(left, right, mass, 0.9)[0])


def test_turnbulls_iteration_shares_an_ambiguous_observation() -> None:
    # [0,1], [2,3] and [0,3]: the third is shared between both, so each carries one half
    _, _, mass = masses(np.array([0.0, 2.0, 0.0]), np.array([1.0, 3.0, 3.0]), np.ones((1, 3)))
    assert mass[0] == pytest.approx([0.5, 0.5], abs=1e-5)


def test_exact_days_give_the_ordinary_median() -> None:
    found = quantile_days([10, 20, 30, 40, 50], [10, 20, 30, 40, 50], 0.5)
    assert found.days == pytest.approx(30)
    assert found.draws.shape == (200,)


def test_the_same_rows_give_the_same_draws() -> None:
    first, second = (quantile_days([1, 5, 9, 30], [2, 8, 9, 40], 0.5).draws for _ in range(2))
    assert np.array_equal(first, second)


def test_an_end_before_its_start_is_refused() -> None:
    with pytest.raises(ValueError, match="not before"):
        quantile_days([5.0], [4.0], 0.5)
    with pytest.raises(ValueError, match="needs a start"):
        quantile_days([], [], 0.5)


def _censored(rng: np.random.Generator, days: np.ndarray, horizon: float) -> tuple[list[float], list[float]]:
    """Looks at random moments: the event lies between the last look before it and the first after it."""
    low, high = [], []
    for day in days:
        looks = np.sort(rng.uniform(0, horizon, size=6))
        before, after = looks[looks < day], looks[looks >= day]
        low.append(float(before[-1]) if before.size else 0.0)
        high.append(float(after[0]) if after.size else math.inf)
    return low, high


@pytest.mark.parametrize(("lag", "covers_zero"), [(240.0, False), (0.0, True)])
def test_a_known_lag_is_recovered_from_censored_days_and_none_where_there_is_none(
    lag: float, covers_zero: bool
) -> None:
    rng = np.random.default_rng(7)
    lags, errors = [], []
    for _ in range(5):  # generations
        early = quantile_days(*_censored(rng, rng.normal(300, 90, 60).clip(1), 1200), 0.5)
        late = quantile_days(*_censored(rng, rng.normal(300 + lag, 90, 60).clip(1), 1200), 0.5)
        lags.append(late.days - early.days)
        errors.append(float(np.nanstd(late.draws - early.draws)))
    found = pooled(lags, errors)
    assert found is not None
    assert found.low <= lag <= found.high
    assert (found.low <= 0 <= found.high) is covers_zero


def test_pooling_by_hand() -> None:
    # equal errors, equal weights: mean 20; deviations -10, 0, 10; Q = 200/25 = 8 over 2 degrees of freedom
    found = pooled([10, 20, 30], [5, 5, 5])
    assert found is not None
    assert found.mean == pytest.approx(20)
    assert found.between == pytest.approx(math.sqrt((8 - 2) / (3 / 25 - 1 / 25)))  # 75, sd 8.66
    # weights 1/(25+75) = 0.01 each; variance 200/(2·3) = 33.3; t(0.975, 2) = 4.303
    assert found.high - found.mean == pytest.approx(4.3027 * math.sqrt(200 / 6), abs=0.01)
    assert pooled([10], [1]) is None


def test_the_interval_is_withheld_where_resamples_do_not_reach_the_share() -> None:
    found = quantile_days([1, 2, 3, 4], [1.0, 2.0, math.inf, math.inf], 0.5)
    assert found.days == pytest.approx(2)
    assert interval(found.draws) is None
