"""How many racks a site feeds and cools: power, liquid, air, coolant flow."""

from __future__ import annotations

import math

from pipelines.frozen import frozen
from warehouse.calculators.base.model import Calculator, Part, Reference, cited, figure, number
from warehouse.calculators.base.quantity import q, to

UPTIME = "https://intelligence.uptimeinstitute.com/resource/uptime-institute-global-data-center-survey-2025"
HEAT_OF_WATER = 4.186  # kJ/(kg K) at about 20 degrees; a glycol mix takes less heat and needs more flow


@frozen(kw_only=True)
class Inputs:
    """A site and one kind of rack."""

    site: float = number("Power of the site", "MW", 100, 0.001, 100_000, help="all of it, cooling included")
    pue: float = number(
        "PUE",
        "ratio",
        1.2,
        1,
        3,
        between=(1.1, 1.54),
        help="1.1 to 1.2 is said of modern liquid-cooled halls; 1.54 was the survey average of 2025 (Uptime Institute)",
    )
    other: float = number(
        "Other equipment", "%", 10, 0, 90, between=(5, 20), help="storage, network, control: share of the IT power"
    )
    rack: float = number("Power of a rack", "kW", 120, 0.1, 5_000, between=(120, 132), cell="rack_power")
    accelerators: float = number("Accelerators in a rack", "count", 72, 1, 10_000, whole=True, cell="domain")
    liquid: float = number("Heat taken by liquid", "%", 80, 0, 100, between=(80, 100), cell="liquid_share")
    warming: float = number("Warming of the coolant", "kelvin", 10, 0.5, 60, between=(8, 15))
    air_limit: float = number(
        "Heat that air takes",
        "kW",
        30,
        0.1,
        200,
        help="per rack of this hall",
        origin=cited("few sites have racks above 30 kW", UPTIME, "2025-07-31", "measured"),
    )


@frozen
class Outputs:
    """`parts` add up to `site_power`."""

    racks: float = figure("Racks", "count")
    accelerators: float = figure("Accelerators", "count")
    flow: float = figure(
        "Coolant for a rack", "L/minute", help="water; power x liquid share / (4.186 kJ/kg K x warming)"
    )
    site_flow: float = figure("Coolant for the site", "L/minute")
    air: float = figure("Heat left to the air, a rack", "kW")
    is_cooled: str = figure("The air of the hall suffices", "")
    watts: float = figure("Site power for an accelerator", "kW", help="everything of the site shared among them")
    site_power: float = figure("Power of the site", "MW")
    parts: tuple[Part, ...] = ()


def coolant_flow(kilowatts: float, warming: float) -> float:
    """Litres of water a minute that carry the heat away, warming by so many kelvin; a litre is taken as a kilogram."""
    heat = q(HEAT_OF_WATER, "kilowatt*second/(kilogram*kelvin)") * q(warming, "kelvin")
    mass = q(kilowatts, "kilowatt") / heat
    return to(mass * q(1, "litre/kilogram"), "litre/minute")


def calculate(inputs: Inputs) -> Outputs:
    """Racks = floor(site / PUE x (1 - other) / power of a rack)."""
    it_power = inputs.site * 1_000 / inputs.pue
    for_racks = it_power * (1 - inputs.other / 100)
    racks = math.floor(for_racks / inputs.rack + 1e-9)
    flow = coolant_flow(inputs.rack * inputs.liquid / 100, inputs.warming)
    air = inputs.rack * (1 - inputs.liquid / 100)
    accelerators = racks * inputs.accelerators
    used = racks * inputs.rack
    megawatts = {
        "Racks": (used, "racks x power of a rack"),
        "Other equipment": (it_power - for_racks, "a share of the IT power"),
        "Cooling and losses": (inputs.site * 1_000 - it_power, "site - site / PUE"),
        "Left over": (for_racks - used, "less than one rack"),
    }
    parts = tuple(Part(label, to(q(value, "kilowatt"), "megawatt"), why) for label, (value, why) in megawatts.items())
    return Outputs(
        racks=racks,
        accelerators=accelerators,
        flow=flow,
        site_flow=flow * racks,
        air=air,
        is_cooled="yes" if air <= inputs.air_limit else "no",
        watts=inputs.site * 1_000 / accelerators if accelerators else math.inf,
        site_power=sum(part.value for part in parts),
        parts=parts,
    )


CALCULATOR = Calculator(
    calculate, "Rack power and cooling", "How many racks does a site feed, and does it cool them?",
    headline="accelerators",
    formula=(
        "racks = floor(site power / PUE x (1 - other equipment) / power of a rack)",
        "coolant in L/min = liquid-cooled kW x 60 / (4.186 x warming in K)",
        "heat left to the air = power of a rack x (1 - liquid share), against what the hall's air takes",
    ),
    sources=(Reference("Uptime Institute, Global Data Center Survey 2025", UPTIME),),
    lesson="density",
    total="site_power",
    machine="gb200-nvl72",
    notes=("Peak power is taken as drawn all the time; power provisioning keeps reserves that are not in it.",),
)  # fmt: skip
