"""How many racks a site feeds and cools: power, liquid, air, coolant flow."""

from __future__ import annotations

import math

from pipelines.frozen import frozen
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs
from warehouse.calculators.base.quantity import q, to

HEAT_OF_WATER = 4.186  # kJ/(kg K) at about 20 degrees; a glycol mix takes less heat and needs more flow


@inputs
class Inputs:
    """A site and one kind of rack."""

    site: float = DECLARED
    pue: float = DECLARED
    other: float = DECLARED
    rack: float = DECLARED
    accelerators: float = DECLARED
    liquid: float = DECLARED
    warming: float = DECLARED
    air_limit: float = DECLARED


@frozen
class Outputs:
    """`parts` add up to `site_power`."""

    racks: float
    accelerators: float
    flow: float
    site_flow: float
    air: float
    is_cooled: str
    watts: float
    site_power: float
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


CALCULATOR = calculator(calculate)
