"""What a training run takes: arithmetic, accelerator-hours, days and money, with failures counted."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators import reliability
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs
from warehouse.calculators.base.quantity import q, to


@inputs
class Inputs:
    """The run, the machine and its failures."""

    parameters: float = DECLARED
    tokens: float = DECLARED
    precision: str = DECLARED
    peak: float = DECLARED
    mfu: float = DECLARED
    accelerators: float = DECLARED
    unit_mtti: float = DECLARED
    checkpoint: float = DECLARED
    restart: float = DECLARED
    rent: float = DECLARED
    overhead: float = DECLARED


@frozen
class Outputs:
    """`parts` add up to `cost`."""

    cost: float
    days: float
    hours: float
    ideal_hours: float
    arithmetic: float
    goodput: float
    parts: tuple[Part, ...] = ()


def simple_cost(accelerators: float, hours: float, rate: float, overhead: float = 0.0) -> float:
    """Accelerators x hours x USD per hour x (1 + overhead), in USD."""
    return accelerators * hours * rate * (1 + overhead)


def training_flop(parameters: float, tokens: float) -> float:
    """6 x parameters x tokens: two FLOP a weight forward, four backward; attention is left out. Kaplan et al. 2020."""
    return 6 * parameters * tokens


def accelerator_hours(flop: float, peak: float, mfu: float, useful: float = 1.0) -> float:
    """Hours of one accelerator with a dense peak in FLOP/s, a model FLOP/s utilisation and a useful share of time."""
    return to(q(flop, "flop") / (q(peak, "flop/second") * mfu * useful), "hour")


def calculate(inputs: Inputs) -> Outputs:
    """Hours = 6 N D / (peak x MFU x goodput); goodput from the job's interruptions at Young's checkpoint interval."""
    flop = training_flop(inputs.parameters * 1e9, inputs.tokens * 1e9)
    ideal = accelerator_hours(flop, inputs.peak * 1e15, inputs.mfu / 100)
    mtti = to(q(inputs.unit_mtti, "day"), "minute") / inputs.accelerators
    interval = reliability.young_interval(inputs.checkpoint, mtti)
    useful = max(1e-9, reliability.goodput(interval, inputs.checkpoint, inputs.restart, mtti))
    hours = ideal / useful
    rent = simple_cost(1, ideal, inputs.rent)
    lost = simple_cost(1, hours - ideal, inputs.rent)
    overhead = (rent + lost) * inputs.overhead / 100
    return Outputs(
        cost=rent + lost + overhead,
        days=hours / inputs.accelerators / 24,
        hours=hours,
        ideal_hours=ideal,
        arithmetic=flop,
        goodput=100 * useful,
        parts=(
            Part("Useful hours", rent, "arithmetic / (peak x MFU), times the price"),
            Part("Failures and checkpoints", lost, "hours without use, times the price"),
            Part("Overhead", overhead, "a share of both"),
        ),
    )


CALCULATOR = calculator(calculate)
