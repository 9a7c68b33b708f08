"""What every calculator can do: read inputs, low/typical/high, what moves the answer, the breakdown as rows. Pure."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pipelines.frozen import frozen
from warehouse.calculators.base.model import Calculator, I, InputOrigin, InputSpec, O

NUDGE = 0.1  # inputs without a range are moved by ten percent to show what they weigh
MOST_CORNERS = 10  # ranged inputs taken together: two to this many evaluations
RANGE = ".."


class InputError(ValueError):
    """An input that cannot be used; `name` is the field, the message says what was expected."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@frozen
class Range:
    """What an input may be: low <= typical <= high."""

    low: float
    typical: float
    high: float


@frozen
class Spread:
    """The headline at its least, with typical inputs, and at its most, over all corners of the ranged inputs."""

    low: float
    typical: float
    high: float
    ranged: tuple[str, ...]


@frozen
class Bar:
    """One bar of the tornado: the headline with one input at its low and at its high end, all others typical."""

    name: str
    label: str
    at_low: float
    at_high: float
    input_low: float
    input_high: float
    is_nudged: bool

    @property
    def swing(self) -> float:
        return abs(self.at_high - self.at_low)


def read(calculator: Calculator[I, O], given: Mapping[str, Any]) -> I:
    """Typed inputs from numbers or texts; what is not given takes its default. Raises InputError."""
    specs, values = calculator.specs(), dict(calculator.defaults())
    for name, value in given.items():
        if name not in specs:
            raise InputError(name, f"{calculator.id} has no input {name!r}; it has: {', '.join(specs)}")
        values[name] = checked(name, specs[name], value)
    return calculator.inputs(**values)


def checked(name: str, spec: InputSpec, value: Any) -> float | str:
    """One value as the input's type and within its bounds. Raises InputError."""
    if spec.options:
        if value not in spec.options:
            raise InputError(name, f"{spec.label}: expected one of {', '.join(spec.options)}; found {value!r}")
        return str(value)
    try:
        found = float(str(value).replace(",", ""))
    except ValueError:
        raise InputError(
            name, f"{spec.label}: expected a number in {spec.unit or 'no unit'}, found {value!r}"
        ) from None
    if not math.isfinite(found) or not spec.least <= found <= spec.most:
        bounds = f"{spec.least:,g} to {spec.most:,g} {spec.unit}".rstrip()
        raise InputError(name, f"{spec.label}: expected {bounds}, found {found:,g}")
    if spec.whole and found != int(found):
        raise InputError(name, f"{spec.label}: expected a whole number, found {found:,g}")
    return found


def read_range(name: str, spec: InputSpec, text: str) -> Range:
    """'1.5..2..3' as low, typical and high, '1.5..3' with the middle as typical, '2' as itself. Raises InputError."""
    found = [checked(name, spec, part.strip()) for part in text.split(RANGE)]
    numbers = [value for value in found if isinstance(value, float)]
    if len(numbers) != len(found) or len(numbers) > 3 or numbers != sorted(numbers):
        raise InputError(name, f"{spec.label}: expected low{RANGE}typical{RANGE}high in rising order, found {text!r}")
    if len(numbers) == 2:
        numbers.insert(1, round(sum(numbers) / 2) if spec.whole else sum(numbers) / 2)
    return Range(numbers[0], numbers[len(numbers) // 2], numbers[-1])


def headline(calculator: Calculator[I, O], outputs: O) -> float:
    """The figure that answers the question."""
    return float(getattr(outputs, calculator.headline))


def spread(calculator: Calculator[I, O], inputs: I, ranges: Mapping[str, Range]) -> Spread:
    """Low, typical and high of the headline.

    All corners of the ranged inputs are computed, so the ends are exact where the answer rises or falls with each input
    alone, as the property tests show. Of more than ten ranged inputs the ten that move the answer most are taken.
    """
    typical = headline(calculator, calculator.calculate(inputs))
    used = [bar.name for bar in tornado(calculator, inputs, ranges) if bar.name in ranges][:MOST_CORNERS]
    found = [typical]
    for corner in itertools.product(*((ranges[name].low, ranges[name].high) for name in used)):
        found.append(_with(calculator, inputs, dict(zip(used, corner, strict=True))))
    possible = [value for value in found if math.isfinite(value)]
    return Spread(min(possible, default=typical), typical, max(possible, default=typical), tuple(used))


def tornado(calculator: Calculator[I, O], inputs: I, ranges: Mapping[str, Range]) -> list[Bar]:
    """Each numeric input moved alone, the largest swing first; without a range it is moved by ten percent."""
    bars = []
    for name, spec in calculator.specs().items():
        if spec.options:
            continue
        low, high = _ends(spec, float(getattr(inputs, name)), ranges.get(name))
        if low == high:
            continue
        ends = [_with(calculator, inputs, {name: value}) for value in (low, high)]
        if all(math.isfinite(end) for end in ends):
            bars.append(Bar(name, spec.label, ends[0], ends[1], low, high, name not in ranges))
    return sorted(bars, key=lambda bar: -bar.swing)


def default_ranges(calculator: Calculator[I, O], inputs: I) -> dict[str, Range]:
    """The ranges that the calculator itself gives, where the input still stands at its default."""
    found = {}
    for name, spec in calculator.specs().items():
        value = getattr(inputs, name)
        if spec.low is not None and spec.high is not None and spec.low <= value <= spec.high:
            found[name] = Range(spec.low, value, spec.high)
    return found


@frozen
class CalculatorRun:
    """One run of a calculator: what went in, with origins and ranges, and what came out."""

    calculator: Calculator[Any, Any]
    inputs: Any
    outputs: Any
    origins: Mapping[str, InputOrigin]
    ranges: Mapping[str, Range]

    @property
    def spread(self) -> Spread:
        """Low, typical and high of the headline."""
        return spread(self.calculator, self.inputs, self.ranges)

    @property
    def bars(self) -> list[Bar]:
        """What each input moves, the largest swing first."""
        return tornado(self.calculator, self.inputs, self.ranges)

    def csv(self) -> str:
        """The breakdown as one CSV: inputs with units and origins, figures, and the parts."""
        file, figures = io.StringIO(), self.calculator.figures()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("kind", "name", "value", "unit", "note"))
        for name, spec in self.calculator.specs().items():
            origin = self.origins[name].words() if name in self.origins else ""
            writer.writerow(("input", spec.label, getattr(self.inputs, name), spec.unit, origin))
        for name, shown in figures.items():
            writer.writerow(("figure", shown.label, getattr(self.outputs, name), shown.unit, shown.help))
        for part in self.outputs.parts:
            writer.writerow(("part", part.label, part.value, figures[self.calculator.total].unit, part.why))
        return file.getvalue()


def _ends(spec: InputSpec, value: float, given: Range | None) -> tuple[float, float]:
    if given is not None:
        return given.low, given.high
    low, high = value * (1 - NUDGE), value * (1 + NUDGE)
    if spec.whole:
        low, high = math.floor(low), math.ceil(high)
    return max(spec.least, low), min(spec.most, high)


def _with(calculator: Calculator[I, O], inputs: I, changed: Mapping[str, float]) -> float:
    """The headline with some inputs changed; NaN where that combination has no answer."""
    values = asdict(inputs) | dict(changed)  # type: ignore[call-overload]
    try:
        return headline(calculator, calculator.calculate(calculator.inputs(**values)))
    except InputError:
        return math.nan
