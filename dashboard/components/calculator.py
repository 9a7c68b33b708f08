"""A calculator on a page: inputs bound to the address, each with where its default is from; answer, parts, tornado.

Nothing is computed here: `warehouse.calculators` computes, `warehouse.answers.defaults` asks the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import calculators as charts
from dashboard.components.card import chart_card
from dashboard.components.download import download_button
from dashboard.components.page import link_to
from dashboard.components.state import choose_one
from dashboard.components.words import cards_words_of
from dashboard.queries import Ledger
from warehouse.answers import evidence, formats
from warehouse.answers.defaults import MACHINES, Default, Known, Machine, defaults
from warehouse.calculators.base import engine
from warehouse.calculators.base.engine import CalculatorRun
from warehouse.calculators.base.model import ASSUMED, YOURS, Calculator, InputOrigin, InputSpec, OriginKind

WORDS = cards_words_of(__file__)
SOURCE = "rackledger_calculators"
TORNADO_BARS = 8


def key_of(calculator: Calculator[Any, Any], name: str) -> str:
    """The address's name of an input."""
    return f"{calculator.id}.{name}"


def ask_inputs(calculator: Calculator[Any, Any], known: Known) -> CalculatorRun | None:
    """Draw the inputs and compute; a message at the input, and None, where the inputs have no answer."""
    machine = _machine(calculator, known)
    specs = calculator.specs()
    words = {name: _choice(calculator, name, spec, known) for name, spec in specs.items() if spec.options}
    found = defaults(known, calculator, machine, words)
    values: dict[str, Any] = dict(words)
    origins: dict[str, InputOrigin] = {}
    numbers = [name for name, spec in specs.items() if not spec.options]
    columns = st.columns(2)
    for place, name in enumerate(numbers):
        with columns[place % 2]:
            values[name], origins[name] = _number(calculator, name, specs[name], found.get(name))
    ranges = _ranges(calculator, values)
    try:
        inputs = engine.read(calculator, values)
        outputs = calculator.calculate(inputs)
    except engine.InputError as error:
        st.error(formats.escape_markdown(str(error)))
        return None
    return CalculatorRun(calculator, inputs, outputs, origins, engine.default_ranges(calculator, inputs) | ranges)


def _machine(calculator: Calculator[Any, Any], known: Known) -> Machine | None:
    """The machine whose figures are the defaults, where the calculator takes any from one."""
    if not any(spec.cell for spec in calculator.specs().values()):
        return None
    first = [machine.id for machine in MACHINES if machine.id == calculator.machine]
    order = first + [machine.id for machine in MACHINES if machine.id not in first]
    names = {machine.id: machine.name for machine in MACHINES}
    says = "Its figures in the ledger become the defaults below; every one can be changed."
    chosen = _starting("Start from the figures of", order, calculator, known, "machine", says, names)
    return next(machine for machine in MACHINES if machine.id == chosen)


def _starting(
    label: str, options: Sequence[str], calculator: Calculator[Any, Any], known: Known, name: str, says: str | None,
    names: Mapping[str, str],
) -> str:  # fmt: skip
    """A choice from which other inputs start."""
    chosen = st.selectbox(
        label, options, format_func=lambda option: names.get(option, option), key=key_of(calculator, name),
        bind="query-params", on_change=_start_again, args=(calculator, known), help=says,
    )  # fmt: skip
    return str(chosen)


def _start_again(calculator: Calculator[Any, Any], known: Known) -> None:
    """Another machine or precision was chosen: the inputs that come from it start from its figures again."""
    chosen = st.session_state.get(key_of(calculator, "machine"))
    machine = next((machine for machine in MACHINES if machine.id == chosen), None)
    specs = calculator.specs()
    words = {
        name: str(st.session_state.get(key_of(calculator, name), spec.options[0]))
        for name, spec in specs.items()
        if spec.options
    }
    found = defaults(known, calculator, machine, words)
    for name, spec in specs.items():
        if spec.cell:
            value = found[name].value if name in found else float(calculator.defaults()[name])
            st.session_state[key_of(calculator, name)] = _typed(spec, value)


def _choice(calculator: Calculator[Any, Any], name: str, spec: InputSpec, known: Known) -> str:
    key = key_of(calculator, name)
    if name == "precision":
        says = formats.escape_markdown(spec.help)
        return _starting(spec.label, spec.options, calculator, known, name, says or None, {})
    return choose_one(spec.label, spec.options, key=key, help=formats.escape_markdown(spec.help) or None)


def _number(
    calculator: Calculator[Any, Any], name: str, spec: InputSpec, default: Default | None
) -> tuple[float, InputOrigin]:
    """A number with its unit, and under it where its value comes from."""
    start = default.value if default else float(calculator.defaults()[name])
    value = st.number_input(
        formats.escape_markdown(f"{spec.label} [{spec.unit}]"),
        min_value=_typed(spec, spec.least),
        max_value=_typed(spec, spec.most),
        value=_typed(spec, start),
        format=None if spec.whole else "%.6g",
        step=_typed(spec, max(1.0, 10 ** (len(str(int(start))) - 2)) if spec.whole else max(start / 10, 1e-4)),
        key=key_of(calculator, name),
        bind="query-params",
        help=formats.escape_markdown(spec.help) or None,
    )
    origin = _origin(float(value), start, default, spec)
    st.markdown(f":small[{_origin_words(origin)}]")  # a caption is too pale for the links in it
    return float(value), origin


def _typed(spec: InputSpec, value: float) -> Any:
    """Streamlit wants all numbers of one field in one type."""
    return round(value) if spec.whole else float(value)


def _origin(value: float, start: float, default: Default | None, spec: InputSpec) -> InputOrigin:
    if abs(value - start) > 1e-9 * max(1.0, abs(start)):
        return YOURS
    if default is not None:
        return default.origin
    return ASSUMED if spec.cell or spec.lookup else spec.origin


def _origin_words(origin: InputOrigin) -> str:
    """'▲ V vendor, 2025-03-18 · NVIDIA GB200, NVIDIA · claim', 'assumption', 'yours'."""
    if origin.kind is OriginKind.YOURS:
        return "✎ yours"
    if origin.kind is OriginKind.ASSUMPTION:
        return "… assumption: no sourced value is known"
    says = formats.escape_markdown(f"{evidence.mark(origin.evidence)}, {origin.stated_on}: {origin.says}")
    if origin.claim_id:
        return f"{says} · [claim](<{formats.page_address('evidence', claim=origin.claim_id)}>)"
    return f"{says} · [source](<{formats.safe_url(origin.url)}>)"


def _ranges(calculator: Calculator[Any, Any], values: Mapping[str, Any]) -> dict[str, engine.Range]:
    """What the reader says an input may be; unreadable ranges are named and left out."""
    found: dict[str, engine.Range] = {}
    with st.expander("Ranges: what is not certain", icon=":material/swap_horiz:"):
        st.caption("Low and high of an input, as in 3..6. The answer is then given with its own low and high.")
        columns = st.columns(2)
        ranged = [(name, spec) for name, spec in calculator.specs().items() if spec.low is not None]
        for place, (name, spec) in enumerate(ranged):
            text = columns[place % 2].text_input(
                formats.escape_markdown(f"{spec.label}, from..to [{spec.unit}]"),
                value=f"{spec.low:g}{engine.RANGE}{spec.high:g}",
                key=key_of(calculator, f"{name}_range"),
                bind="query-params",
            )
            try:
                ends = engine.read_range(name, spec, text or "")
            except engine.InputError as error:
                st.caption(formats.escape_markdown(str(error)))
                continue
            if ends.low <= values[name] <= ends.high:
                found[name] = engine.Range(ends.low, values[name], ends.high)
    return found


def show_answer(ledger: Ledger, answer: CalculatorRun) -> None:
    """The headline with its range, the other figures, the parts, and what moves it most."""
    calculator = answer.calculator
    figures = calculator.figures()
    headline = figures[calculator.headline]
    spread = answer.spread
    with st.container(border=True, key="answer"):
        st.metric(headline.label, formats.quantity(spread.typical, headline.unit), help=headline.help or None)
        if spread.low < spread.high:
            ends = " to ".join(formats.quantity(value, headline.unit) for value in (spread.low, spread.high))
            names = ", ".join(calculator.specs()[name].label.lower() for name in spread.ranged)
            st.caption(formats.escape_markdown(f"{ends} over the ranges of {names}."))
        st.caption(formats.escape_markdown(_evidence_line(answer)))
        rows = [
            f"| {formats.escape_markdown(spec.label)} | {_cell(getattr(answer.outputs, name), spec.unit)} |"
            for name, spec in figures.items()
            if name != calculator.headline
        ]
        st.markdown("\n".join(["| Also | |", "|---|---|", *rows]))
    _parts(ledger, answer)
    _tornado(ledger, answer)
    _how(answer)


def _cell(value: Any, unit: str) -> str:
    if isinstance(value, str):
        return formats.escape_markdown(value)
    return formats.escape_markdown(formats.quantity(float(value), "" if unit == "count" else unit))


def _evidence_line(answer: CalculatorRun) -> str:
    """'+ D derived here from 3 claims or sources, 2 assumptions and 1 figure of yours.'"""
    kinds = [origin.kind for origin in answer.origins.values()]
    sourced = sum(kind in (OriginKind.LEDGER, OriginKind.CITED) for kind in kinds)
    assumed, own = kinds.count(OriginKind.ASSUMPTION), kinds.count(OriginKind.YOURS)
    return (
        f"{evidence.mark('derived')}: computed here from {sourced} claims or sources, {assumed} assumptions and "
        f"{own} figures of yours."
    )


def _parts(ledger: Ledger, answer: CalculatorRun) -> None:
    calculator = answer.calculator
    total = calculator.figures()[calculator.total]
    whole = formats.quantity(float(getattr(answer.outputs, calculator.total)), total.unit)
    frame = pd.DataFrame(
        [
            {"part": part.label, "value": part.value, "why": part.why, "derivation_id": f"{calculator.id}:{part.label}"}
            for part in answer.outputs.parts
        ]
    ).assign(evidence="derived", source_id=SOURCE, url=calculator.sources[0].url)
    meta = WORDS.card(
        "parts", id=f"{calculator.id.replace('-', '_')}_parts", total=total, label=total.label.lower(), whole=whole
    )  # fmt: skip
    meta = replace(meta, lesson=calculator.lesson, caveats=calculator.notes)
    chart_card(partial(charts.parts, unit=total.unit), frame, meta, ledger=ledger)


def _tornado(ledger: Ledger, answer: CalculatorRun) -> None:
    calculator = answer.calculator
    headline = calculator.figures()[calculator.headline]
    bars = answer.bars[:TORNADO_BARS]
    frame = pd.DataFrame(
        [
            {
                "input": bar.label,
                "at_low": bar.at_low,
                "at_high": bar.at_high,
                "moved": f"{bar.input_low:,.4g} to {bar.input_high:,.4g} {calculator.specs()[bar.name].unit}"
                + (" (ten percent either way)" if bar.is_nudged else ""),
                "derivation_id": f"{calculator.id}:{bar.name}",
            }
            for bar in bars
            if bar.swing > 0
        ],
        columns=["input", "at_low", "at_high", "moved", "derivation_id"],
    ).assign(evidence="derived", source_id=SOURCE, url=calculator.sources[0].url)
    meta = WORDS.card("tornado", id=f"{calculator.id.replace('-', '_')}_tornado", headline=headline)
    meta = replace(meta, lesson=calculator.lesson)
    typical = engine.headline(calculator, answer.outputs)
    chart_card(partial(charts.tornado, unit=headline.unit, typical=typical), frame, meta, ledger=ledger)


def _how(answer: CalculatorRun) -> None:
    calculator = answer.calculator
    st.header("How it is computed", anchor="how")
    st.code("\n".join(calculator.formula), language=None, wrap_lines=True)
    for source in calculator.sources:
        st.markdown(f"- [{formats.escape_markdown(source.says)}](<{source.url}>)")
    for note in calculator.notes:
        st.caption(formats.escape_markdown(note))
    with st.container(horizontal=True, gap="small"):
        download_button(
            "Breakdown (CSV)", lambda: answer.csv().encode(), f"{calculator.id}.csv", "text/csv", key="breakdown",
            icon=":material/download:",
        )  # fmt: skip
        link_to("learn", "The lesson on this", icon=":material/school:", lesson=calculator.lesson)
    st.caption(f"On the command line: rackledger calc {calculator.id} --help")
