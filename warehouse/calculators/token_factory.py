"""From tokens a second and megawatt to revenue, and back: what a vendor's token rate is worth, if it is reached."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs
from warehouse.calculators.base.quantity import q, to

SECONDS_A_YEAR = 31_536_000.0


@inputs
class Inputs:
    """A site that sells tokens."""

    rate: float = DECLARED
    price: float = DECLARED
    site: float = DECLARED
    sold: float = DECLARED
    electricity: float = DECLARED
    target: float = DECLARED


@frozen
class Outputs:
    """`parts` add up to `revenue`."""

    revenue: float
    per_megawatt: float
    tokens: float
    energy: float
    needed_price: float
    needed_rate: float
    parts: tuple[Part, ...] = ()


def revenue_per_megawatt(rate: float, price: float) -> float:
    """USD a year and megawatt for tokens/s/MW at a price in USD per million tokens."""
    tokens = q(rate, "token/second/megawatt") * q(SECONDS_A_YEAR, "second")
    return to(tokens * q(price / 1e6, "USD/token"), "USD/megawatt")


def calculate(inputs: Inputs) -> Outputs:
    """Revenue = rate x seconds of a year x price x megawatts x share sold."""
    sold = inputs.sold / 100
    full = revenue_per_megawatt(inputs.rate, inputs.price) * inputs.site
    tokens = inputs.rate * SECONDS_A_YEAR * inputs.site * sold
    energy = q(inputs.site, "megawatt") * q(SECONDS_A_YEAR, "second") * q(inputs.electricity, "USD/(kilowatt*hour)")
    return Outputs(
        revenue=full * sold,
        per_megawatt=full * sold / inputs.site,
        tokens=tokens,
        energy=to(energy, "USD") / tokens * 1e6,
        needed_price=inputs.target / tokens * 1e6,
        needed_rate=inputs.target / (revenue_per_megawatt(1, inputs.price) * inputs.site * sold),
        parts=(
            Part("At the full rate", full, "every token the site could make is sold"),
            Part("Tokens not sold", full * (sold - 1), "idle and unsold time"),
        ),
    )


CALCULATOR = calculator(calculate)
