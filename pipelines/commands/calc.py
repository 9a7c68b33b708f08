"""`rackledger calc`: the calculators on the command line, with the ledger's figures as defaults.

The calculators load only when one is asked for: the other commands must not pay for them.
"""

from __future__ import annotations

import datetime as dt
import inspect
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from pipelines.commands import EXIT_USAGE
from pipelines.commands.terminal import (
    TableFormat,
    ask_warehouse,
    fail,
    load_settings,
    out,
    print_json,
    read_day,
    table,
)
from pipelines.suggest import did_you_mean

if TYPE_CHECKING:
    from warehouse.answers.defaults import Machine
    from warehouse.calculators.base.engine import CalculatorRun
    from warehouse.calculators.base.model import Calculator, InputSpec


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
        _parameter("output", TableFormat, TableFormat.table, "How to print.", "--format", "-f"),
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
    output, machine = options.pop("output"), _machine(options.pop("machine"))
    day = read_day("--as-of", options.pop("as_of"))
    run = _answer(calculator, machine, day, {name: text for name, text in options.items() if text != ""})
    if output is TableFormat.csv:
        sys.stdout.write(run.csv())
    elif output is TableFormat.json:
        from warehouse.answers import calculations

        print_json(calculations.as_json(run))
    else:
        _print(run)


def _answer(
    calculator: Calculator[Any, Any], machine: Machine | None, day: dt.date | None, given: Mapping[str, str]
) -> CalculatorRun:
    """The run; an input that cannot be used ends the command with 2."""
    from warehouse.answers import calculations
    from warehouse.answers.defaults import know
    from warehouse.calculators.base.engine import InputError

    known = ask_warehouse(load_settings(), lambda ask: know(ask, day, [calculator]), None)
    try:
        return calculations.run(calculator, machine, known, given)
    except InputError as error:
        fail(f"--{error.name.replace('_', '-')}: {error}", EXIT_USAGE)


def _machine(name: str) -> Machine | None:
    from warehouse.answers.defaults import MACHINES

    if not name:
        return None
    known = {machine.id: machine for machine in MACHINES}
    if name not in known:
        fail(f"--machine: expected one of {', '.join(known)}; found {name!r}{did_you_mean(name, known)}", EXIT_USAGE)
    return known[name]


def _print(run: CalculatorRun) -> None:
    from warehouse.answers import calculations

    calculator, spread = run.calculator, run.spread
    figures, specs = calculator.figures(), calculator.specs()
    shown = [(spec.label, _shown(getattr(run.outputs, name)), spec.unit) for name, spec in figures.items()]
    table(calculator.question, ("figure", "value", "unit"), shown)
    if spread.low < spread.high:
        names = ", ".join(specs[name].label.lower() for name in spread.ranged)
        headline = figures[calculator.headline]
        ends = f"{headline.label}: {spread.low:,.4g} to {spread.high:,.4g} {headline.unit}"
        out.print(f"{ends} over the ranges of {names}\n", markup=False)
    total = figures[calculator.total]
    parts = [(part.label, part.value, part.why) for part in run.outputs.parts]
    table(f"Why: {total.label}", ("part", total.unit, "how"), parts)
    rows = [
        (spec.label, _shown(getattr(run.inputs, n)), spec.unit, calculations.origin_words(run, n, with_address=False))
        for n, spec in specs.items()
    ]
    table("Inputs", ("input", "value", "unit", "from"), rows, caption="--format json names each source's address.")
    moved = [(bar.label, bar.input_low, bar.input_high, bar.at_low, bar.at_high) for bar in run.bars[:5]]
    table("What moves it most", ("input", "from", "to", "answer from", "answer to"), moved)
    for note in calculator.notes:
        out.print(note, markup=False)


def _shown(value: Any) -> str:
    return f"{value:,.6g}" if isinstance(value, float | int) else str(value)
