"""What a training run takes: arithmetic, accelerator-hours, days and money, with failures counted."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators import reliability
from warehouse.calculators.base.model import Calculator, Part, Reference, choice, cited, figure, number
from warehouse.calculators.base.quantity import q, to

LLAMA = "https://arxiv.org/abs/2407.21783"
BF16, FP8, FP4 = "bf16", "fp8", "fp4"


@frozen(kw_only=True)
class Inputs:
    """The run, the machine and its failures."""

    parameters: float = number(
        "Parameters",
        "billion",
        405,
        0.001,
        1_000_000,
        help="active per token in a mixture of experts",
        origin=cited("Llama 3.1 405B", LLAMA, "2024-07-31", "operator"),
    )
    tokens: float = number(
        "Tokens",
        "billion",
        15_600,
        0.001,
        10_000_000,
        origin=cited("15.6 T tokens for Llama 3.1 405B", LLAMA, "2024-07-31", "operator"),
    )
    precision: str = choice("Precision", (BF16, FP8, FP4), help="chooses the machine's dense peak")
    peak: float = number(
        "Peak, dense", "PFLOP/s", 0.989, 0.0001, 1_000, cell="compute", help="of one accelerator, in that precision"
    )
    mfu: float = number(
        "Model FLOP/s utilisation",
        "%",
        40,
        0.1,
        100,
        between=(38, 43),
        origin=cited("38 to 43 % for Llama 3.1 405B in BF16", LLAMA, "2024-07-31", "operator"),
    )
    accelerators: float = number("Accelerators", "count", 16_384, 1, 10_000_000, whole=True)
    unit_mtti: float = reliability.unit_mtti()
    checkpoint: float = number("Writing a checkpoint", "minute", 2, 0.01, 1_440, between=(0.5, 5))
    restart: float = number("Restart", "minute", 5, 0, 1_440, between=(2, 15))
    rent: float = number("Price of an hour", "USD/hour", 1.30, 0.001, 1_000, cell="rent", help="per accelerator")
    overhead: float = number("Overhead", "%", 15, 0, 300, help="storage, network, support; ComputeTape's example value")


@frozen
class Outputs:
    """`parts` add up to `cost`."""

    cost: float = figure("Cost", "USD")
    days: float = figure("Time", "day", help="of the clock, failures included")
    hours: float = figure("Accelerator-hours", "hour", help="failures included")
    ideal_hours: float = figure("Accelerator-hours without failures", "hour")
    arithmetic: float = figure("Arithmetic", "FLOP")
    goodput: float = figure("Useful time", "%")
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


CALCULATOR = Calculator(
    calculate, "Training cost and time", "What does a training run cost, and how long does it take?",
    headline="cost",
    formula=(
        "FLOP = 6 x active parameters x tokens",
        "accelerator-hours = FLOP / (dense peak x MFU x useful time)",
        "cost = accelerator-hours x price x (1 + overhead)",
        "useful time: see the calculator of interruptions",
    ),
    sources=(
        Reference("Kaplan et al. 2020, Scaling laws for neural language models", "https://arxiv.org/abs/2001.08361"),
        Reference("Llama team 2024, The Llama 3 herd of models", LLAMA),
    ),
    lesson="training-cost",
    machine="h100-nvl8",
    notes=("Failed experiments, data and people are not in it.",),
)  # fmt: skip
