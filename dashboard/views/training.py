"""Benchmarks: MLPerf Training and HPC results by round, benchmark, submitter and accelerator generation."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import training as charts
from dashboard.components import CardParts, as_of, choose_one, first_card_of, kept_card, later, words_of
from dashboard.components.beside import claimed_gains
from dashboard.components.results import in_series, narrow, results_table, rounds_card, say_what_is_not_held
from dashboard.components.tables import Rows
from dashboard.headlines import rounds as headlines
from dashboard.queries import Ledger, once
from dashboard.queries.results import OfTraining
from dashboard.views.result import show_training
from warehouse.answers import formats

WORDS = words_of(__file__)

SUITES = {"training": "Training", "hpc": "HPC"}


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    held = ledger.frame_of("training.rounds")
    if held.empty:
        st.info("This version holds no MLPerf results. Add a round with `rackledger archive add`, then `make run`.")
        return
    choices = _filters(ledger, held)
    say_what_is_not_held(ledger, "training", "hpc")
    kept_card(ledger, _points, choices)
    later(partial(_below, ledger, choices))


def _below(ledger: Ledger, choices: OfTraining) -> None:
    kept_card(ledger, _scaling, choices)
    _over_rounds(ledger, choices)
    rows = once(ledger, _rows, choices)
    if not rows.frame.empty:
        columns, alt = WORDS.tables["rows"], "MLPerf Training results"
        results_table(ledger, "training.result", rows, columns, show_training, says="fastest first.", alt=alt)
    claimed_gains(ledger, choices.day)


def _filters(ledger: Ledger, held: pd.DataFrame) -> OfTraining:
    """The filters; every one is bound to the address, so a copied link shows the same."""
    first, second, third = st.columns([2, 4, 1])
    day = as_of(ledger, where=third)
    suite = choose_one("Suite", list(SUITES), key="suite", names=SUITES, where=first)
    known = ledger.frame_of("training.benchmarks", suite=suite)
    titles = dict(zip(known["benchmark"], known["title"], strict=True))
    benchmark = choose_one(
        "Benchmark", list(titles), key="benchmark", names=titles, where=second,
        help="The model that is trained. One model keeps one name here, also where rounds called it differently.",
    )  # fmt: skip
    offered = OfTraining(suite, benchmark, day=day).results(ledger)
    in_order = [r for r in held[held["suite"] == suite]["round"] if r in set(offered["round"])]
    return OfTraining(suite, benchmark, narrow(ledger, offered, in_order), day, titles[benchmark])


def _points(ledger: Ledger, choices: OfTraining) -> CardParts:
    results = choices.results(ledger)
    drawn = in_series(ledger, charts.drawable(results), charts.SCORE, "min", is_less_better=True)
    left_out = len(results) - len(drawn)
    says = f" {left_out} results without a score or without accelerators stand in the table only." if left_out else ""
    finding = headlines.fastest_title(drawn, choices.title)
    return rounds_card(
        ledger, WORDS, "training_time", choices, finding, charts.time_against_count, drawn, says=says
    )  # fmt: skip


def _scaling(ledger: Ledger, choices: OfTraining) -> CardParts:
    lines = headlines.scaling(ledger.frame_of("training.scaling", **choices.asked()))
    finding = headlines.scaling_title(lines, choices.title)
    return rounds_card(ledger, WORDS, "training_scaling", choices, finding, charts.scaling, lines)


def _over_rounds(ledger: Ledger, choices: OfTraining) -> None:
    counts = ledger.frame_of("training.counts_over_rounds", **choices.asked())
    if counts.empty:
        st.info("No closed-division result with a known accelerator count: nothing to follow over rounds.")
        return
    options = [formats.count(n) for n in counts["accelerators"]]
    wanted = choose_one(
        "At this many accelerators", options, key="at",
        help="Only results with the same accelerator count are followed from round to round.",
    )  # fmt: skip
    kept_card(ledger, _best, choices, wanted)


def _best(ledger: Ledger, choices: OfTraining, wanted: str) -> CardParts:
    count, per = int(wanted.replace(",", "")), f"on {wanted} accelerators"
    best = ledger.frame_of("training.best_by_round", accelerators=count, **choices.asked())
    best = in_series(ledger, best, "best_minutes", "min", is_less_better=True, at_end=True)
    finding = headlines.best_title(best, "best_minutes", "min", is_less_better=True, per=per)
    return rounds_card(ledger, WORDS, "training_best", choices, finding, charts.best_over_rounds, best, per=per)


def _rows(ledger: Ledger, choices: OfTraining) -> Rows:
    return Rows.of(choices.results(ledger), WORDS.tables["rows"], chosen_by=("result", "result_key"))


def _first(ledger: Ledger) -> tuple[OfTraining] | None:
    suite = next(iter(SUITES))
    known = ledger.first("training.benchmarks", suite=suite)
    return (OfTraining(suite, str(known["benchmark"]), title=str(known["title"])),) if known else None


def _first_count(ledger: Ledger) -> tuple[OfTraining, str] | None:
    chosen = _first(ledger)
    counts = ledger.first("training.counts_over_rounds", **chosen[0].asked()) if chosen else None
    return (*chosen, formats.count(counts["accelerators"])) if chosen and counts else None


CHARTS = {
    "training_time": first_card_of(_points, _first),
    "training_scaling": first_card_of(_scaling, _first),
    "training_best": first_card_of(_best, _first_count),
}
