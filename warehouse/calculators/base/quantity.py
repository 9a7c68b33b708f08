"""Quantities of the calculators: numbers with units of the one Pint registry, so that a wrong dimension raises."""

from __future__ import annotations

from typing import Any, TypeAlias

import pint

from pipelines.units import ureg

Quantity: TypeAlias = "pint.Quantity[Any]"

HOURS_A_YEAR = 8_760.0  # as the cited formulas count it; a mean year has 8,766


def q(value: float, unit: str) -> Quantity:
    """A number in a unit of the registry, such as 'USD/hour' or 'kilowatt'."""
    return ureg.Quantity(value, unit)


def to(quantity: Quantity, unit: str) -> float:
    """The number in another unit; raises pint.DimensionalityError for a unit of another dimension."""
    return float(quantity.to(unit).magnitude)
