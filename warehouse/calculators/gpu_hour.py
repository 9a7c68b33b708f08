"""What a useful hour of an accelerator costs, bought or rented, and from which utilisation buying is cheaper."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators.base.engine import InputError
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs, options
from warehouse.calculators.base.quantity import HOURS_A_YEAR, q, to

RESERVED, ON_DEMAND = options(__name__, "rent_kind")


@inputs
class Inputs:
    """Money in US dollars, per accelerator."""

    rent: float = DECLARED
    rent_kind: str = DECLARED
    overhead: float = DECLARED
    capital: float = DECLARED
    life: float = DECLARED
    residual: float = DECLARED
    interest: float = DECLARED
    power: float = DECLARED
    pue: float = DECLARED
    electricity: float = DECLARED
    colocation: float = DECLARED
    staff: float = DECLARED
    utilisation: float = DECLARED


@frozen
class Outputs:
    """Per accelerator; `parts` add up to `own`."""

    own: float
    rented: float
    own_clock: float
    break_even: float
    recovery: float
    parts: tuple[Part, ...] = ()


def recovery_factor(interest: float, years: float) -> float:
    """The yearly payment per dollar that pays back capital and interest (a fraction) over some years, per year.

    r / (1 - (1 + r)^-n); 1 / n without interest.
    """
    return 1 / years if interest == 0 else interest / (1 - (1 + interest) ** -years)


def calculate(inputs: Inputs) -> Outputs:
    """Owned: (capital x recovery factor / 8,760 h + power x PUE x price + colocation + staff) / utilisation."""
    interest, used = inputs.interest / 100, inputs.utilisation / 100
    factor = recovery_factor(interest, inputs.life)
    left_over = inputs.capital * inputs.residual / 100
    spent = inputs.capital - left_over / (1 + interest) ** inputs.life
    if spent <= 0:
        raise InputError("residual", "the residual value is worth more than the capital")
    year = q(HOURS_A_YEAR, "hour")
    written_off = q((inputs.capital - left_over) / inputs.life, "USD") / year
    capital = q(spent * factor, "USD") / year
    power = q(inputs.power * inputs.pue, "kilowatt")
    hourly = {
        "Capital": (written_off, "capital less residual value, over its life"),
        "Interest": (capital - written_off, "what the recovery factor adds to writing off"),
        "Electricity": (power * q(inputs.electricity, "USD/(kilowatt*hour)"), "power x PUE x price"),
        "Colocation": (q(inputs.power * inputs.colocation * 12, "USD") / year, "power x monthly price"),
        "Staff and upkeep": (q(inputs.staff, "USD") / year, "a year's cost over 8,760 hours"),
    }
    parts = [Part(label, to(value, "USD/hour"), why) for label, (value, why) in hourly.items()]
    clock = sum(part.value for part in parts)
    own = clock / used
    parts.append(Part("Idle hours", own - clock, "the useful hours carry the idle ones"))
    paid = inputs.rent * (1 + inputs.overhead / 100)
    return Outputs(
        own=own,
        rented=paid / used if inputs.rent_kind == RESERVED else paid,
        own_clock=clock,
        break_even=100 * clock / paid,
        recovery=factor,
        parts=tuple(parts),
    )


CALCULATOR = calculator(calculate)
