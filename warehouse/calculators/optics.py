"""What the optics of a scale-out network draw: pluggable modules against co-packaged optics."""

from __future__ import annotations

import math

from pipelines.frozen import frozen
from warehouse.calculators.base.engine import InputError
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs
from warehouse.calculators.base.quantity import q, to

MOST_TIERS = 5


@inputs
class Inputs:
    """A non-blocking fat tree of one kind of switch."""

    accelerators: float = DECLARED
    ports: float = DECLARED
    radix: float = DECLARED
    pluggable: float = DECLARED
    packaged: float = DECLARED
    cage_ports: float = DECLARED
    price: float = DECLARED


@frozen
class Outputs:
    """`parts` add up to `pluggable`."""

    pluggable: float
    packaged: float
    saved: float
    saved_share: float
    tiers: float
    ends: float
    watts: float
    watts_packaged: float
    switches: float
    modules: float
    modules_price: float
    parts: tuple[Part, ...] = ()


def fat_tree_levels(ends: float, radix: float) -> int:
    """The fewest levels of a non-blocking fat tree with so many end ports: t levels carry 2 (radix / 2)^t.

    Leiserson 1985. Raises InputError where five levels do not suffice.
    """
    for tiers in range(1, MOST_TIERS + 1):
        if ends <= (radix if tiers == 1 else 2 * (radix / 2) ** tiers):
            return tiers
    raise InputError(
        "radix", f"{ends:,.0f} ports need more than {MOST_TIERS} levels of switches with {radix:,.0f} ports"
    )


def optics_power(ports: float, watts: float) -> float:
    """Ports x watts, in kW."""
    return to(ports * q(watts, "watt"), "kilowatt")


def calculate(inputs: Inputs) -> Outputs:
    """Each port of an accelerator crosses 2 t optical ends: its own, and 2 t - 1 of switches."""
    links = inputs.accelerators * inputs.ports
    tiers = fat_tree_levels(links, inputs.radix)
    own = optics_power(links, inputs.pluggable)
    at_switches = links * (2 * tiers - 1)
    parts = [Part("At the accelerators", own, "one end a port")]
    for level in range(1, tiers + 1):
        ends = links * (1 if level == tiers else 2)
        parts.append(
            Part(f"Switches, level {level}", optics_power(ends, inputs.pluggable), "down and up ends of the level")
        )
    all_pluggable = sum(part.value for part in parts)
    packaged = own + optics_power(at_switches, inputs.packaged)
    modules = math.ceil(at_switches / inputs.cage_ports)
    return Outputs(
        pluggable=all_pluggable,
        packaged=packaged,
        saved=all_pluggable - packaged,
        saved_share=100 * (1 - packaged / all_pluggable),
        tiers=tiers,
        ends=2 * tiers,
        watts=all_pluggable * 1_000 / inputs.accelerators,
        watts_packaged=packaged * 1_000 / inputs.accelerators,
        switches=math.ceil(at_switches / inputs.radix),
        modules=modules,
        modules_price=modules * inputs.price,
        parts=tuple(parts),
    )


CALCULATOR = calculator(calculate)
