"""How long until half of them had it, when each moment is known only within an interval. Pure.

The estimator is the non-parametric maximum likelihood of interval-censored times (B. W. Turnbull, 'The empirical
distribution function with arbitrarily grouped, censored and truncated data', J. R. Stat. Soc. B 38, 1976), found by its
self-consistency iteration on the innermost intervals. Intervals of estimates come from resampling organisations.
Times are days since the generation was first to be had; `math.inf` as the upper end means 'not yet'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import duckdb
import numpy as np
from duckdb.sqltypes import DOUBLE
from numpy.typing import NDArray
from scipy.special import stdtrit

from pipelines.frozen import frozen

RESAMPLES = 200
SEED = 20260101  # any fixed number: the same rows give the same interval in every build
STEPS = 500
TOLERANCE = 1e-6
Floats = NDArray[np.float64]
DOUBLES = duckdb.list_type(DOUBLE)
SPECIAL: Any = "special"  # a missing end means 'not yet'


@frozen
class Spread:
    """A quantile in days with what resampling gives: `draws` are nan where the share is never reached."""

    days: float
    draws: Floats


def innermost(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The intervals that can carry mass: from a lower end to the next upper end with no lower end between."""
    ends = sorted({(float(value), 0) for value in low} | {(float(value), 1) for value in high})
    pairs = [(a[0], b[0]) for a, b in pairwise(ends) if a[1] == 0 and b[1] == 1]
    return np.array([left for left, _ in pairs]), np.array([right for _, right in pairs])


def masses(low: Floats, high: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Ends of the innermost intervals and their mass: a row for each row of `weights` (resamples × observations)."""
    left, right = innermost(low, high)
    covers = ((low[:, None] <= left[None, :]) & (right[None, :] <= high[:, None])).astype(np.float64)
    total = weights.sum(axis=1, keepdims=True)
    mass = np.full((weights.shape[0], left.size), 1.0 / left.size)
    for _ in range(STEPS):
        inside = mass @ covers.T
        share = np.divide(weights, inside, out=np.zeros_like(inside), where=inside > 0)
        renewed = mass * (share @ covers) / total
        change = float(np.abs(renewed - mass).max())
        mass = renewed
        if change < TOLERANCE:
            break
    return left, right, mass


def quantiles(left: Floats, right: Floats, mass: Floats, share: float) -> Floats:
    """The day by which `share` is reached, per row; within an interval straight between its ends; nan if never."""
    cumulated = mass.cumsum(axis=1)
    place = np.minimum((cumulated < share - 1e-9).sum(axis=1), left.size - 1)
    rows = np.arange(mass.shape[0])
    before = cumulated[rows, place] - mass[rows, place]
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.clip((share - before) / mass[rows, place], 0.0, 1.0)
        days = left[place] + part * (right[place] - left[place])
    return np.where(np.isinf(right[place]), np.nan, days)


def quantile_days(low: Sequence[float], high: Sequence[float], share: float) -> Spread:
    """The day by which `share` of the observations had happened, and the same of each resample.

    One observation is one organisation. Raises ValueError for no observation or an end that precedes its start.
    """
    lows, highs = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    if lows.size == 0 or np.any(highs < lows):
        raise ValueError("each observation needs a start and an end that is not before it")
    drawn = np.random.default_rng(SEED).multinomial(lows.size, np.full(lows.size, 1.0 / lows.size), size=RESAMPLES)
    weights = np.vstack([np.ones(lows.size), drawn.astype(np.float64)])
    found = quantiles(*masses(lows, highs, weights), share)
    return Spread(float(found[0]), found[1:])


def interval(draws: Floats, level: float = 0.9) -> tuple[float, float] | None:
    """The middle `level` of the resamples; None where more than a twentieth of them never reach the share."""
    known = draws[~np.isnan(draws)]
    if known.size < 0.95 * draws.size:
        return None
    tail = (1 - level) / 2
    return float(np.quantile(known, tail)), float(np.quantile(known, 1 - tail))


@frozen
class Pooled:
    """A mean over generations with its 95 % interval; `between` is the standard deviation between generations."""

    mean: float
    low: float
    high: float
    between: float


def pooled(estimates: Sequence[float], errors: Sequence[float]) -> Pooled | None:
    """Random-effects mean of estimates with standard errors; None for fewer than two.

    DerSimonian and Laird's variance between generations ('Meta-analysis in clinical trials', 1986) with Hartung and
    Knapp's interval (2001), which stays honest for few generations. An error of zero is taken as one day.
    """
    if len(estimates) < 2:
        return None
    values, spread = np.asarray(estimates, dtype=np.float64), np.maximum(np.asarray(errors, dtype=np.float64), 1.0)
    fixed = 1.0 / spread**2
    mean = float((fixed * values).sum() / fixed.sum())
    surplus = float((fixed * (values - mean) ** 2).sum()) - (values.size - 1)
    between = max(surplus / float(fixed.sum() - (fixed**2).sum() / fixed.sum()), 0.0)
    weights = 1.0 / (spread**2 + between)
    mean = float((weights * values).sum() / weights.sum())
    variance = float((weights * (values - mean) ** 2).sum() / ((values.size - 1) * weights.sum()))
    variance = max(variance, 1.0 / float(weights.sum()))  # never narrower than the errors themselves allow
    reach = float(stdtrit(values.size - 1, 0.975)) * math.sqrt(variance)
    return Pooled(mean, mean - reach, mean + reach, math.sqrt(between))


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the estimates callable in the SQL of a build as `days_until_share` and `mean_over_generations`."""
    spread = connection.struct_type({"days": DOUBLE, "low": DOUBLE, "high": DOUBLE, "draws": DOUBLES})
    mean = connection.struct_type({"mean": DOUBLE, "low": DOUBLE, "high": DOUBLE})
    connection.create_function(
        "days_until_share", _days_until_share, [DOUBLES, DOUBLES, DOUBLE], spread, null_handling=SPECIAL
    )
    connection.create_function("mean_over_generations", _mean, [DOUBLES, DOUBLES], mean, null_handling=SPECIAL)


def _days_until_share(low: list[float], high: list[float | None], share: float) -> dict[str, Any]:
    """`quantile_days` as DuckDB calls it: days, 90 % interval, and the draws (null where never reached)."""
    found = quantile_days(low, [math.inf if value is None else value for value in high], share)
    between = interval(found.draws) if len(low) > 1 else None
    return {
        "days": None if math.isnan(found.days) else found.days,
        "low": between[0] if between else None,
        "high": between[1] if between else None,
        "draws": [None if math.isnan(value) else value for value in found.draws.tolist()],
    }


def _mean(estimates: list[float], errors: list[float]) -> dict[str, float] | None:
    """`pooled` as DuckDB calls it."""
    found = pooled(estimates, errors)
    return None if found is None else {"mean": found.mean, "low": found.low, "high": found.high}
