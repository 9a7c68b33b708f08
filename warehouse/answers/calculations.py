"""A calculator's run with what was given, else the ledger's figures, else the built-in values; and the run as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from warehouse.answers.defaults import Known, Machine, defaults
from warehouse.calculators.base import engine
from warehouse.calculators.base.model import YOURS, Calculator


def run(
    calculator: Calculator[Any, Any], machine: Machine | None, known: Known | None, given: Mapping[str, str]
) -> engine.CalculatorRun:
    """The run. A number may be a range, low..typical..high. Raises engine.InputError, naming the input."""
    specs = calculator.specs()
    for name in given:
        if name not in specs:
            raise engine.InputError(name, f"expected one of {', '.join(specs)}")
    words = {name: given.get(name, spec.options[0]) for name, spec in specs.items() if spec.options}
    found = {} if known is None else defaults(known, calculator, machine, words)
    ranges = {n: engine.read_range(n, specs[n], text) for n, text in given.items() if not specs[n].options}
    values = {name: default.value for name, default in found.items()} | words
    inputs = engine.read(calculator, values | {name: each.typical for name, each in ranges.items()})
    outputs = calculator.calculate(inputs)
    uncertain = engine.default_ranges(calculator, inputs) | ranges
    origins = {
        name: YOURS if name in given else found[name].origin if name in found else spec.origin
        for name, spec in specs.items()
        if name in given or not spec.options
    }
    certain = {name: each for name, each in uncertain.items() if each.low < each.high}
    return engine.CalculatorRun(calculator, inputs, outputs, origins, certain)


def origin_words(made: engine.CalculatorRun, name: str, *, with_address: bool) -> str:
    """Where an input comes from, in one line; '' for a word at its default."""
    origin = made.origins.get(name)
    return origin.words(with_address=with_address) if origin else ""


def as_json(made: engine.CalculatorRun) -> dict[str, Any]:
    """Inputs with their origin, figures, parts, spread and what moves the answer most."""
    specs, figures = made.calculator.specs(), made.calculator.figures()
    return {
        "calculator": made.calculator.id,
        "inputs": {
            name: {
                "value": getattr(made.inputs, name), "unit": spec.unit,
                "from": origin_words(made, name, with_address=True),
            }
            for name, spec in specs.items()
        },
        "figures": {name: {"value": getattr(made.outputs, name), "unit": spec.unit} for name, spec in figures.items()},
        "parts": [asdict(part) for part in made.outputs.parts],
        "spread": asdict(made.spread),
        "sensitivity": [asdict(bar) for bar in made.bars],
    }  # fmt: skip
