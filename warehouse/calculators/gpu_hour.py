"""What a useful hour of an accelerator costs, bought or rented, and from which utilisation buying is cheaper."""

from __future__ import annotations

from pipelines.frozen import frozen
from warehouse.calculators.base.engine import InputError
from warehouse.calculators.base.model import Calculator, Part, Reference, choice, cited, figure, number
from warehouse.calculators.base.quantity import HOURS_A_YEAR, q, to

LOCKWOOD = "https://blog.glennklockwood.com/"
UPTIME = "https://intelligence.uptimeinstitute.com/resource/uptime-institute-global-data-center-survey-2025"
RESERVED, ON_DEMAND = "reserved: idle hours are paid", "on demand: only used hours are paid"


@frozen(kw_only=True)
class Inputs:
    """Money in US dollars, per accelerator."""

    rent: float = number(
        "Rent", "USD/hour", 3.30, 0.01, 1_000, cell="rent", help="per accelerator; three-year rental by default"
    )
    rent_kind: str = choice("Kind of rent", (RESERVED, ON_DEMAND))
    overhead: float = number(
        "Overhead on rent", "%", 15, 0, 300, help="storage, network, support; an example value of ComputeTape's lesson"
    )
    capital: float = number(
        "Capital",
        "USD",
        41_667,
        1,
        10_000_000,
        between=(27_778, 55_556),
        help="server, network and its share of the rack; a three-million-dollar rack over 72",
    )
    life: float = number(
        "Life",
        "year",
        5,
        0.5,
        20,
        between=(3, 6),
        origin=cited("five years of depreciation", LOCKWOOD, "2025-03-21", "estimated"),
    )
    residual: float = number("Residual value", "%", 0, 0, 90, between=(0, 20))
    interest: float = number("Cost of capital", "%", 10, 0, 60, between=(6, 15))
    power: float = number(
        "Power", "kW", 2.10, 0.01, 100, cell="all_in_power", help="all-in, with its share of server and cooling"
    )
    pue: float = number(
        "PUE",
        "ratio",
        1,
        1,
        3,
        help="1 where the power is all-in; the survey average of 2025 was 1.54 (Uptime Institute)",
    )
    electricity: float = number("Electricity", "USD/kWh", 0.087, 0, 2, between=(0.05, 0.15))
    colocation: float = number(
        "Colocation", "USD/kW/month", 0, 0, 2_000, help="space and power delivery, if paid apart"
    )
    staff: float = number("Staff and upkeep", "USD/year", 0, 0, 1_000_000, help="per accelerator")
    utilisation: float = number("Utilisation", "%", 85, 1, 100, between=(50, 95), help="useful hours of all hours")


@frozen
class Outputs:
    """Per accelerator; `parts` add up to `own`."""

    own: float = figure("A useful hour, owned", "USD/hour")
    rented: float = figure("A useful hour, rented", "USD/hour")
    own_clock: float = figure("An hour of the clock, owned", "USD/hour", help="idle or not")
    break_even: float = figure(
        "Buying is cheaper above", "% utilisation", help="against rent on demand; above 100: never"
    )
    recovery: float = figure("Capital recovery factor", "1/year")
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


CALCULATOR = Calculator(
    calculate, "GPU-hour cost", "What does a useful hour cost, bought or rented?",
    headline="own",
    formula=(
        "owned = (capital x CRF / 8,760 h + power x PUE x price + colocation + staff) / utilisation",
        "CRF = r / (1 - (1 + r)^-n), on capital less the discounted residual value",
        "rented = rent x (1 + overhead) / utilisation where idle hours are paid, else rent x (1 + overhead)",
        "break-even utilisation = owned hour of the clock / (rent on demand x (1 + overhead))",
    ),
    sources=(
        Reference("Capital recovery factor, NREL's simple levelised cost of energy", "https://www.nrel.gov/analysis/tech-lcoe-documentation.html"),
        Reference("Uptime Institute, Global Data Center Survey 2025", UPTIME),
    ),
    lesson="prices",
    machine="gb200-nvl72",
    notes=("A list price is an offer, not what large buyers pay.",),
)  # fmt: skip
