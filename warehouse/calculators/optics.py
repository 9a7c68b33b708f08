"""What the optics of a scale-out network draw: pluggable modules against co-packaged optics."""

from __future__ import annotations

import math

from pipelines.frozen import frozen
from warehouse.calculators.base.engine import InputError
from warehouse.calculators.base.model import Calculator, Lookup, Part, Reference, figure, number
from warehouse.calculators.base.quantity import q, to

MOST_TIERS = 5


@frozen(kw_only=True)
class Inputs:
    """A non-blocking fat tree of one kind of switch."""

    accelerators: float = number("Accelerators", "count", 10_000, 1, 10_000_000, whole=True)
    ports: float = number("Network ports an accelerator", "count", 1, 1, 16, whole=True)
    radix: float = number(
        "Ports of a switch",
        "count",
        144,
        4,
        4_096,
        whole=True,
        lookup=Lookup("nvidia-quantum-x-photonics", "port_count", (("per", "switch"),)),
    )
    pluggable: float = number(
        "Pluggable optics of a port",
        "W",
        30,
        0.1,
        200,
        between=(25, 30),
        help="one end of one link; a module draws this for each of its ports",
        lookup=Lookup("pluggable 800G optics", "port_power", (("counted_as", "port"),)),
    )
    packaged: float = number(
        "A co-packaged port",
        "W",
        9,
        0.1,
        200,
        lookup=Lookup("nvidia-quantum-x-photonics", "port_power", (("counted_as", "port"),)),
    )
    cage_ports: float = number(
        "Ports of a pluggable module",
        "count",
        2,
        1,
        16,
        whole=True,
        help="one module sits in one cage",
        lookup=Lookup("nvidia-quantum-x800", "port_count", (("per", "cage"),)),
    )
    price: float = number(
        "Price of a pluggable module",
        "USD",
        1_000,
        0,
        20_000,
        lookup=Lookup("nvidia-quantum-x-photonics", "price", (("per", "cage avoided"),)),
    )


@frozen
class Outputs:
    """`parts` add up to `pluggable`."""

    pluggable: float = figure("All pluggable", "kW")
    packaged: float = figure("Switches with co-packaged optics", "kW", help="the accelerators' own ends stay pluggable")
    saved: float = figure("Saved", "kW")
    saved_share: float = figure("Saved", "%")
    tiers: float = figure("Levels of the fat tree", "count")
    ends: float = figure("Optical ends a port", "count", help="two for each level")
    watts: float = figure("All pluggable, an accelerator", "W")
    watts_packaged: float = figure("With co-packaged optics, an accelerator", "W")
    switches: float = figure("Switches", "count", help="ports of all levels over the ports of one switch")
    modules: float = figure("Modules not bought", "count", help="the switches' cages that stay empty")
    modules_price: float = figure("Price of the modules not bought", "USD")
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


CALCULATOR = Calculator(
    calculate, "Network optics power", "What do the optics of a cluster draw, pluggable or co-packaged?",
    headline="pluggable",
    formula=(
        "levels: the fewest t with ports <= 2 (radix / 2)^t",
        "optical ends = 2 t for each port; one at the accelerator, 2 t - 1 at switches",
        "power = ends x W of an end; with co-packaged optics the switches' ends take the lower figure",
        "modules not bought = optical ends at switches / ports of a module; the accelerators' own stay",
    ),
    sources=(Reference("Leiserson 1985, Fat-trees", "https://doi.org/10.1109/TC.1985.6312192"),),
    lesson="interconnect",
    notes=("All links are taken as optical; short copper links inside a row save some ends.",),
)  # fmt: skip
