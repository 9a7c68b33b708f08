"""`rackledger calc`: the calculators on the command line, with the ledger's figures as defaults.

The calculators load only when one is asked for: the other commands must not pay for them.
"""

from __future__ import annotations

import datetime as dt
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from pipelines.commands import EXIT_USAGE
from pipelines.commands.terminal import ask_warehouse, fail, load_settings, out, print_json, read_day, table

if TYPE_CHECKING:
    from warehouse.answers.defaults import Default, Machine
    from warehouse.calculators.base.model import Calculator, InputSpec


class Format(StrEnum):
    table = "table"
    json = "json"
    csv = "csv"


class _Calculators(TyperGroup):
    """One command a calculator, made from its inputs when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        from warehouse.calculators import CALCULATORS

        return list(CALCULATORS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _command(cmd_name) if cmd_name in self.list_commands(ctx) else None


app = typer.Typer(
    cls=_Calculators,
    no_args_is_help=True,
    help="Calculators: cost, fit, power, reliability. Each starts from the ledger's figures and names their sources.",
)


@app.callback()
def calc() -> None:
    """Calculators: cost, fit, power, reliability. Each starts from the ledger's figures and names their sources.

    Example: rackledger calc fit --machine gb200-nvl72 --parameters 671 --precision fp8
    """


def _command(name: str) -> Any:
    from warehouse.answers.defaults import MACHINES
    from warehouse.calculators import CALCULATORS

    calculator = CALCULATORS[name]
    names = ", ".join(machine.id for machine in MACHINES)
    parameters = [_option(field, spec) for field, spec in calculator.specs().items()]
    parameters += [
        _parameter("machine", str, calculator.machine, f"Whose figures to start from: {names}."),
        _parameter("as_of", str, "", "Use what the ledger knew on this day, YYYY-MM-DD."),
        _parameter("output", Format, Format.table, "How to print.", "--format", "-f"),
    ]
    command = typer.Typer(rich_markup_mode=None)
    command.command(name, help=_help(calculator))(_function(calculator, parameters))
    return typer.main.get_command(command)


def _help(calculator: Calculator[Any, Any]) -> str:
    lines = [calculator.question, "", "\b", *calculator.formula, ""]
    lines += ["A number may be a range, low..typical..high: the answer then is one too."]
    return "\n\n".join(["\n".join(lines), *(f"Source: {s.says}, {s.url}" for s in calculator.sources)])


def _function(calculator: Calculator[Any, Any], parameters: list[inspect.Parameter]) -> Callable[..., None]:
    def run(**options: Any) -> None:
        _run(calculator, options)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _option(name: str, spec: InputSpec) -> inspect.Parameter:
    if spec.options:
        return _parameter(name, str, "", f"{spec.label}: {', '.join(spec.options)}.")
    text = f"{spec.label} [{spec.unit}]." + (f" {spec.help[0].upper()}{spec.help[1:]}." if spec.help else "")
    return _parameter(name, str, "", text)


def _parameter(name: str, kind: type, default: Any, text: str, *flags: str) -> inspect.Parameter:
    declared = flags or (f"--{name.replace('_', '-')}",)
    annotation = Annotated[kind, typer.Option(*declared, help=text, show_default=False)]  # type: ignore[valid-type]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _run(calculator: Calculator[Any, Any], options: dict[str, Any]) -> None:
    from warehouse.calculators.base import engine

    output, day, machine = (
        options.pop("output"),
        read_day("--as-of", options.pop("as_of")),
        _machine(options.pop("machine")),
    )
    given = {name: text for name, text in options.items() if text != ""}
    specs = calculator.specs()
    words = {name: text for name, text in given.items() if specs[name].options}
    found = _ledger_defaults(calculator, machine, words | _first_words(specs, words), day)
    try:
        ranges = {n: engine.read_range(n, specs[n], text) for n, text in given.items() if not specs[n].options}
        values = {name: default.value for name, default in found.items()} | words
        inputs = engine.read(calculator, values | {name: found.typical for name, found in ranges.items()})
        outputs = calculator.calculate(inputs)
    except engine.InputError as error:
        fail(f"--{error.name.replace('_', '-')}: {error}", EXIT_USAGE)
    uncertain = engine.default_ranges(calculator, inputs)
    uncertain |= {name: found for name, found in ranges.items() if found.low < found.high}
    uncertain = {n: r for n, r in uncertain.items() if n not in ranges or ranges[n].low < ranges[n].high}
    is_table = output is Format.table
    origins = {name: _says(name, given, found, spec, with_url=not is_table) for name, spec in specs.items()}
    if output is Format.csv:
        sys.stdout.write(engine.breakdown_csv(calculator, inputs, outputs, origins))
    elif output is Format.json:
        print_json(_as_json(calculator, inputs, outputs, origins, uncertain))
    else:
        _print(calculator, inputs, outputs, origins, uncertain)


def _machine(name: str) -> Machine | None:
    from warehouse.answers.defaults import MACHINES

    if not name:
        return None
    known = {machine.id: machine for machine in MACHINES}
    if name not in known:
        fail(f"--machine: expected one of {', '.join(known)}; found {name!r}", EXIT_USAGE)
    return known[name]


def _ledger_defaults(
    calculator: Calculator[Any, Any], machine: Machine | None, words: Mapping[str, str], day: dt.date | None
) -> dict[str, Default]:
    from warehouse.answers.defaults import defaults, know

    known = ask_warehouse(load_settings(), lambda ask: know(ask, day, [calculator]), None)
    return {} if known is None else defaults(known, calculator, machine, words)


def _first_words(specs: Mapping[str, InputSpec], given: Mapping[str, str]) -> dict[str, str]:
    return {name: spec.options[0] for name, spec in specs.items() if spec.options and name not in given}


def _says(name: str, given: Mapping[str, str], found: Mapping[str, Default], spec: InputSpec, *, with_url: bool) -> str:
    """Where an input comes from, in one line."""
    if name in given:
        return "yours"
    origin = found[name].origin if name in found else spec.origin
    parts = [origin.kind.value, origin.evidence, origin.stated_on, origin.says, origin.url if with_url else ""]
    return ", ".join(part for part in parts if part) if not spec.options else ""


def _print(
    calculator: Calculator[Any, Any],
    inputs: Any,
    outputs: Any,
    origins: Mapping[str, str],
    ranges: Mapping[str, Any],
) -> None:
    from warehouse.calculators.base import engine

    figures, specs = calculator.figures(), calculator.specs()
    table(calculator.question, ("figure", "value", "unit"), _figures(figures.items(), outputs))
    spread = engine.spread(calculator, inputs, ranges)
    if spread.low < spread.high:
        names = ", ".join(specs[name].label.lower() for name in spread.ranged)
        shown = figures[calculator.headline]
        out.print(
            f"{shown.label}: {spread.low:,.4g} to {spread.high:,.4g} {shown.unit} over the ranges of {names}\n",
            markup=False,
        )
    total = figures[calculator.total]
    table(
        f"Why: {total.label}", ("part", total.unit, "how"), [(p.label, p.value, p.why) for p in engine.parts(outputs)]
    )
    rows = [(s.label, _shown(getattr(inputs, name)), s.unit, origins[name]) for name, s in specs.items()]
    table("Inputs", ("input", "value", "unit", "from"), rows, caption="--format json names each source's address.")
    bars = engine.tornado(calculator, inputs, ranges)[:5]
    moved = [(b.label, b.input_low, b.input_high, b.at_low, b.at_high) for b in bars]
    table("What moves it most", ("input", "from", "to", "answer from", "answer to"), moved)
    for note in calculator.notes:
        out.print(note, markup=False)


def _figures(figures: Iterable[tuple[str, Any]], outputs: Any) -> list[tuple[str, str, str]]:
    return [(spec.label, _shown(getattr(outputs, name)), spec.unit) for name, spec in figures]


def _shown(value: Any) -> str:
    return f"{value:,.6g}" if isinstance(value, float | int) else str(value)


def _as_json(
    calculator: Calculator[Any, Any],
    inputs: Any,
    outputs: Any,
    origins: Mapping[str, str],
    ranges: Mapping[str, Any],
) -> dict[str, Any]:
    from dataclasses import asdict

    from warehouse.calculators.base import engine

    specs, figures = calculator.specs(), calculator.figures()
    return {
        "calculator": calculator.id,
        "inputs": {
            name: {"value": getattr(inputs, name), "unit": spec.unit, "from": origins[name]}
            for name, spec in specs.items()
        },
        "figures": {name: {"value": getattr(outputs, name), "unit": spec.unit} for name, spec in figures.items()},
        "parts": [asdict(part) for part in engine.parts(outputs)],
        "spread": asdict(engine.spread(calculator, inputs, ranges)),
        "sensitivity": [asdict(bar) for bar in engine.tornado(calculator, inputs, ranges)],
    }
