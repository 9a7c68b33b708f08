"""The figure of scale-up and scale-out: what a model fits on, over the real machines of the ledger."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import calculators as charts
from dashboard.components.card import chart_card
from dashboard.components.state import choose_one
from dashboard.components.tables import rows_table
from dashboard.components.words import cards_words_of
from dashboard.queries import Ledger
from dashboard.queries.defaults import known_figures
from pipelines.frozen import frozen
from warehouse.answers import formats
from warehouse.answers.defaults import MACHINES, Default, Known, Machine, machine_cell
from warehouse.calculators import fit
from warehouse.calculators.base import engine
from warehouse.calculators.base.model import InputOrigin
from warehouse.calculators.base.shapes import SHAPES

WORDS = cards_words_of(__file__)
SIZES = (8, 70, 120, 200, 405, 671, 1_000, 2_000, 5_000, 10_000)
CONTEXTS = (1_000, 8_000, 32_000, 128_000, 1_000_000)
BATCHES = (1, 4, 16, 64, 256, 1_024)
# The inputs of the calculator that a machine must give, and the figure of the machine that each one is.
NEEDED = {"memory": "memory", "bandwidth": "memory_bandwidth", "domain": "domain", "scale_up": "scale_up"}


def ask_model() -> fit.Inputs:
    """The figure's own controls: size, precision, context and users, kept in the address."""
    first, second = st.columns(2)
    size = first.select_slider(
        "Model size [billion parameters]", SIZES, value=405, key="fit.size", bind="query-params",
        format_func=lambda value: f"{value:,}",
    )  # fmt: skip
    with second:
        precision = choose_one("Precision of weights", ("bf16", "fp8", "fp4"), key="fit.bits")
    third, fourth = st.columns(2)
    context = third.select_slider(
        "Context [tokens]", CONTEXTS, value=8_000, key="fit.tokens", bind="query-params",
        format_func=lambda value: f"{value:,}",
    )  # fmt: skip
    batch = fourth.select_slider(
        "Requests at once", BATCHES, value=16, key="fit.users", bind="query-params",
        format_func=lambda value: f"{value:,}",
    )  # fmt: skip
    inputs: fit.Inputs = engine.read(
        fit.CALCULATOR, {"parameters": size, "active": size, "precision": precision, "context": context, "batch": batch}
    )
    return _shaped(inputs)


def _shaped(inputs: fit.Inputs) -> fit.Inputs:
    """Layers and heads of the published model that is nearest in size: they set the KV cache."""
    nearest = min(SHAPES.values(), key=lambda shape: abs(shape.parameters - inputs.parameters))
    return replace(
        inputs, layers=nearest.layers, hidden=nearest.hidden, kv_heads=nearest.kv_heads, head_size=nearest.head_size
    )


def fit_figure(ledger: Ledger, inputs: fit.Inputs) -> None:
    """Chart and table over the machines; a machine whose figures nobody has stated is named below."""
    known = known_figures(ledger)
    fitted = [found for machine in MACHINES if (found := _on(known, machine, inputs))]
    held = {each.machine.id for each in fitted}
    left_out = [machine.name for machine in MACHINES if machine.id not in held]
    need = sum(fit.memory_need(inputs)) / 1e12
    frame = pd.DataFrame(
        [row for each in fitted for row in _levels(each)],
        columns=["machine", "level", "capacity", "fits", "claimant", "evidence", "stated_on", "claim_id", "url"],
    )
    frame["stated_on"] = pd.to_datetime(frame["stated_on"])
    meta = WORDS.card("fit_ladder", need=formats.quantity(need, "TB"))
    chart_card(partial(charts.ladder, need=need), frame, meta, ledger=ledger)
    table = pd.DataFrame([_row(each) for each in fitted])
    rows_table(table, WORDS.tables["fits"], key="fit_table", alt="What the model fits on, by machine")
    if left_out:
        st.caption(formats.escape_markdown(f"No dated figure for all that is needed: {', '.join(left_out)}."))


@frozen
class _Fitted:
    """A machine with the model on it: its memory as stated, whether its network is known, and the answer."""

    machine: Machine
    memory: Default
    has_network: bool
    answer: fit.Outputs


def _on(known: Known, machine: Machine, inputs: fit.Inputs) -> _Fitted | None:
    """None where nobody has stated all that is needed."""
    cells = {field: machine_cell(known, machine, cell) for field, cell in NEEDED.items()}
    stated: dict[str, Any] = {field: cell.value for field, cell in cells.items() if cell}
    memory = cells["memory"]
    if memory is None or len(stated) < len(NEEDED):
        return None
    out = machine_cell(known, machine, "scale_out")
    if out is not None:
        stated["scale_out"] = out.value
    answer = fit.calculate(replace(inputs, **stated))
    return _Fitted(machine, memory, out is not None, answer)


def _levels(fitted: _Fitted) -> list[dict[str, Any]]:
    memory, answer = fitted.memory, fitted.answer
    domain = round(answer.domain_memory * 1_000 / memory.value)
    counts = {fit.Level.ACCELERATOR: 1, fit.Level.NODE: min(fit.NODE, domain), fit.Level.DOMAIN: domain}
    if domain <= fit.NODE:
        del counts[fit.Level.DOMAIN]
    return [
        {
            "machine": fitted.machine.name,
            "level": level.value,
            "capacity": memory.value * count / 1_000,
            "fits": "yes" if answer.accelerators <= count else "no",
            "claimant": memory.origin.says,
            **_source(memory.origin, is_derived=count > 1),
        }
        for level, count in counts.items()
    ]


def _source(origin: InputOrigin, *, is_derived: bool) -> dict[str, Any]:
    tag = "derived" if is_derived else origin.evidence
    stated_on = pd.to_datetime(origin.stated_on, errors="coerce")  # 'undated' where the page names no day
    return {"evidence": tag, "stated_on": stated_on, "claim_id": origin.claim_id, "url": origin.url}


def _row(fitted: _Fitted) -> dict[str, Any]:
    answer, has_hop = fitted.answer, fitted.has_network or fitted.answer.level != fit.Level.OUT
    no_network = f"{answer.verdict.split(':')[0]}. No dated figure for its network."
    return {
        "machine": fitted.machine.name,
        "fits_on": answer.level,
        "accelerators": int(answer.accelerators),
        "hop": answer.slowest_hop if has_hop else None,
        "reason": answer.verdict if fitted.has_network else no_network,
        **_source(fitted.memory.origin, is_derived=True),
    }
