"""How often a large job is interrupted, what that costs, when to checkpoint, how many spares to keep."""

from __future__ import annotations

import math
from typing import Any

from scipy.stats import poisson

from pipelines.frozen import frozen
from warehouse.calculators.base.model import Calculator, Part, Reference, cited, figure, number
from warehouse.calculators.base.quantity import q, to

META = "https://arxiv.org/abs/2407.21783"


def unit_mtti() -> Any:
    """The input field: how long one accelerator runs between interruptions."""
    return number(
        "Mean time to interruption of one accelerator",
        "day",
        2_112,
        1,
        1_000_000,
        between=(952, 2_112),
        help="with its share of host and network; 205 interruptions in 122 days on 1,600 H200 give 952 days",
        origin=cited("419 unexpected interruptions in 54 days on 16,384 H100", META, "2024-07-31", "operator"),
    )


@frozen(kw_only=True)
class Inputs:
    """A job on `accelerators`, all of which it needs at once."""

    unit_mtti: float = unit_mtti()
    accelerators: float = number("Accelerators in the job", "count", 16_384, 1, 10_000_000, whole=True)
    checkpoint: float = number("Writing a checkpoint", "minute", 2, 0.01, 1_440, between=(0.5, 5))
    restart: float = number("Restart", "minute", 5, 0, 1_440, between=(2, 15), help="find, replace, reload")
    job: float = number("Length of the job", "day", 54, 0.01, 3_650, help="of the clock")
    repair: float = number("Repair of one unit", "hour", 24, 0, 8_760, between=(4, 72))
    certainty: float = number("Spares suffice with", "%", 99, 50, 99.99)


@frozen
class Outputs:
    """`parts` add up to `all_time`: every hour of the clock is one of them."""

    mtti: float = figure("Mean time to interruption of the job", "hour")
    goodput: float = figure("Useful time", "%")
    interval: float = figure("Best checkpoint interval (Young)", "minute")
    interval_daly: float = figure("Best checkpoint interval (Daly)", "minute")
    interruptions: float = figure("Interruptions to expect", "count")
    interruptions_low: float = figure("at least, in 95 % of such jobs", "count")
    interruptions_high: float = figure("at most, in 95 % of such jobs", "count")
    lost: float = figure("Accelerator-days without use", "day")
    spares: float = figure("Spares to keep", "count", help="accelerators in repair at any time, with that certainty")
    all_time: float = figure("All time", "%")
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
        interruptions_low=float(poisson.ppf(0.025, expected)),
        interruptions_high=float(poisson.ppf(0.975, expected)),
        lost=(1 - useful) * inputs.job * inputs.accelerators,
        spares=float(poisson.ppf(inputs.certainty / 100, failing)),
        all_time=100 * (useful + saving + restarting + again),
        parts=(
            Part("Useful work", 100 * useful, "the interval over the time it takes with failures"),
            Part("Writing checkpoints", 100 * saving, "one checkpoint an interval"),
            Part("Restarting", 100 * restarting, "the clock within a restart time of a failure: 1 - e^(-R/M)"),
            Part("Work done again", 100 * again, "what had been computed since the last checkpoint"),
        ),
    )


CALCULATOR = Calculator(
    calculate, "Interruptions and checkpoints", "How often does a large job stop, and how much of its time is useful?",
    headline="goodput",
    formula=(
        "MTTI of the job M = MTTI of one accelerator / accelerators",
        "interval = sqrt(2 x checkpoint x M)",
        "useful share = interval / (M e^(R/M) (e^((interval + checkpoint)/M) - 1))",
        "spares: the Poisson quantile of accelerators in repair = accelerators x repair / MTTI of one",
    ),
    sources=(
        Reference("Young 1974, A first order approximation to the optimum checkpoint interval", "https://doi.org/10.1145/361147.361115"),
        Reference("Daly 2006, A higher order estimate of the optimum checkpoint interval", "https://doi.org/10.1016/j.future.2004.11.016"),
    ),
    lesson="reliability",
    total="all_time",
    notes=("Failures are taken as independent and equally likely at any time; real ones come in bursts.",),
)  # fmt: skip
