"""How often a large job is interrupted, what that costs, when to checkpoint, how many spares to keep."""

from __future__ import annotations

import math

from scipy.special import pdtr, pdtrik

from pipelines.frozen import frozen
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs
from warehouse.calculators.base.quantity import q, to


@inputs
class Inputs:
    """A job on `accelerators`, all of which it needs at once."""

    unit_mtti: float = DECLARED
    accelerators: float = DECLARED
    checkpoint: float = DECLARED
    restart: float = DECLARED
    job: float = DECLARED
    repair: float = DECLARED
    certainty: float = DECLARED


@frozen
class Outputs:
    """`parts` add up to `all_time`: every hour of the clock is one of them."""

    mtti: float
    goodput: float
    interval: float
    interval_daly: float
    interruptions: float
    interruptions_low: float
    interruptions_high: float
    lost: float
    spares: float
    all_time: float
    parts: tuple[Part, ...] = ()


def young_interval(checkpoint: float, mtti: float) -> float:
    """sqrt(2 x checkpoint x MTTI), all in one unit of time. Young 1974."""
    return math.sqrt(2 * checkpoint * mtti)


def daly_interval(checkpoint: float, mtti: float) -> float:
    """Daly's higher-order estimate of the best interval; the MTTI where a checkpoint takes twice that or more."""
    if checkpoint >= 2 * mtti:
        return mtti
    ratio = checkpoint / (2 * mtti)
    return math.sqrt(2 * checkpoint * mtti) * (1 + math.sqrt(ratio) / 3 + ratio / 9) - checkpoint


def goodput(interval: float, checkpoint: float, restart: float, mtti: float) -> float:
    """The useful share of the clock, 0 to 1; times in one unit.

    interval / (M e^(R/M) (e^((interval + checkpoint)/M) - 1)), the complete form of Daly 2006, which unlike the
    first-order one never turns negative.
    """
    exponent = (interval + checkpoint) / mtti
    if exponent > 700 or restart / mtti > 700:
        return 0.0
    return min(1.0, interval / (mtti * math.exp(restart / mtti) * math.expm1(exponent)))


def at_most(certainty: float, mean: float) -> float:
    """The number that a Poisson count of this mean does not exceed with this probability (between 0 and 1): its
    quantile, as `scipy.stats.poisson.ppf` has it, without the second that loading `scipy.stats` takes."""
    above = math.ceil(pdtrik(certainty, mean))
    below = max(above - 1, 0)
    return float(below if pdtr(below, mean) >= certainty else above)


def calculate(inputs: Inputs) -> Outputs:
    """Goodput at Young's interval, and where the rest of the clock goes."""
    mtti = to(q(inputs.unit_mtti, "day"), "minute") / inputs.accelerators
    interval = young_interval(inputs.checkpoint, mtti)
    useful = goodput(interval, inputs.checkpoint, inputs.restart, mtti)
    saving = useful * inputs.checkpoint / interval
    restarting = min(1 - useful - saving, -math.expm1(-inputs.restart / mtti))
    again = max(0.0, 1 - useful - saving - restarting)
    expected = to(q(inputs.job, "day"), "minute") / mtti
    failing = inputs.accelerators * inputs.repair / to(q(inputs.unit_mtti, "day"), "hour")
    return Outputs(
        mtti=mtti / 60,
        goodput=100 * useful,
        interval=interval,
        interval_daly=daly_interval(inputs.checkpoint, mtti),
        interruptions=expected,
        interruptions_low=at_most(0.025, expected),
        interruptions_high=at_most(0.975, expected),
        lost=(1 - useful) * inputs.job * inputs.accelerators,
        spares=at_most(inputs.certainty / 100, failing),
        all_time=100 * (useful + saving + restarting + again),
        parts=(
            Part("Useful work", 100 * useful, "the interval over the time it takes with failures"),
            Part("Writing checkpoints", 100 * saving, "one checkpoint an interval"),
            Part("Restarting", 100 * restarting, "the clock within a restart time of a failure: 1 - e^(-R/M)"),
            Part("Work done again", 100 * again, "what had been computed since the last checkpoint"),
        ),
    )


CALCULATOR = calculator(calculate)
