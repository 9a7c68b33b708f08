"""Benchmarks: MLPerf Training and HPC results by round, benchmark, submitter and accelerator generation."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import rounds
from dashboard.charts import training as charts
from dashboard.columns import columns
from dashboard.components import CardParts, as_of, choose_one, kept_card, later, open_page
from dashboard.components.beside import claimed_gains
from dashboard.components.results import narrow, results_table, say_what_is_not_held, words_of
from dashboard.components.tables import Rows
from dashboard.headlines import rounds as headlines
from dashboard.navigation import Page
from dashboard.queries import Ledger, once
from dashboard.queries.training import Choices, results_of
from dashboard.views.result import show_result
from warehouse.answers import evidence, formats

PAGE = Page("Benchmarks", 2, "Training", "timer", "MLPerf Training results, each with its evidence.")
CHARTS = ("training_time", "training_scaling", "training_best")

SUITES = {"training": "Training", "hpc": "HPC"}
COLUMNS = columns(
    "evidence score_minutes accelerators submitter accelerator_raw system round stated_on division "
    "availability n_runs problem url",
    accelerators="Accelerators [packages]",
    stated_on="Published",
    url="Files",
)
BEST_COLUMNS = columns(
    "best_minutes stated_on generation round median_minutes n_results best_submitter "
    "speedup_over_previous_generation evidence url",
    stated_on="Round's publication",
    n_results="Results",
    best_submitter="Submitter of the best",
    url="Files",
)
SCALING_COLUMNS = columns(
    "accelerator_name accelerators scaling_efficiency base_accelerators best_minutes round stated_on best_submitter "
    "evidence url",
    stated_on="Round's publication",
    accelerators="Accelerators [packages]",
    url="Files",
)
QUESTION = "How does time to train fall with more accelerators?"
NOT_VERIFIED = "Speed-ups and efficiencies are computed here and are not verified by MLCommons."


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "MLPerf Training: time to train",
        "Every reviewed result of the rounds held, scored by the official rules. Shorter is better. "
        "A result says what one submitter's system did, not what the market runs.",
        needs=("facts.mlperf_training", "marts.mlperf_training_best", "marts.rounds_held"),
    )
    held = ledger.frame_of("training.rounds")
    if held.empty:
        st.info("This version holds no MLPerf results. Add a round with `rackledger archive add`, then `make run`.")
        return
    choices = _filters(ledger, held)
    say_what_is_not_held(ledger, "training", "hpc")
    kept_card(ledger, _points, choices)
    later(partial(_below, ledger, choices))


def _below(ledger: Ledger, choices: Choices) -> None:
    kept_card(ledger, _scaling, choices)
    _over_rounds(ledger, choices)
    rows = once(ledger, _rows, choices)
    if not rows.frame.empty:
        _table(ledger, rows)
    claimed_gains(ledger, choices.day)


def _filters(ledger: Ledger, held: pd.DataFrame) -> Choices:
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
    offered = results_of(ledger, Choices(suite, benchmark, day=day))
    in_order = [r for r in held[held["suite"] == suite]["round"] if r in set(offered["round"])]
    return Choices(suite, benchmark, narrow(ledger, offered, in_order), day, titles[benchmark])


def _footnote(ledger: Ledger, names: list[str], choices: Choices) -> str:
    retrieved = formats.day(ledger.built_at)
    return evidence.mlperf_footnote_of_many(choices.suite, ", ".join(names), choices.benchmark, retrieved)


def _points(ledger: Ledger, choices: Choices) -> CardParts:
    results = results_of(ledger, choices)
    drawn = rounds.in_series(
        charts.drawable(results),
        ledger.frame_of("results.generation_names"),
        charts.SCORE,
        unit="min",
        is_less_better=True,
    )
    left_out = len(results) - len(drawn)
    says = f" {left_out} results without a score or without accelerators stand in the table only." if left_out else ""
    meta = words_of(ledger, choices.day)(
        id="training_time",
        title=headlines.fastest_title(drawn, choices.title) or QUESTION,
        subtitle=f"{QUESTION} {choices.title}: one mark a result, minutes against accelerator packages.{says}",
        how_to_read="Both axes are logarithmic. A line straight down and right would be perfect scaling: twice the "
        "accelerators, half the time. Marks far above their neighbours are slower systems or other software.",
        columns=COLUMNS,
        footnotes=(_footnote(ledger, sorted(set(drawn["round"])), choices),),
        caveats=("A submitter chooses what to submit; what is absent says nothing.",),
        empty="No result with a score and accelerators fits these filters. Remove one of them, or choose another round "
        "or benchmark.",
    )
    return CardParts(charts.time_against_count, drawn, meta)


def _scaling(ledger: Ledger, choices: Choices) -> CardParts:
    lines = headlines.scaling(ledger.frame_of("training.scaling", **choices.asked()))
    meta = words_of(ledger, choices.day)(
        id="training_scaling",
        title=headlines.scaling_title(lines, choices.title)
        or "What is left of perfect speed-up with more accelerators?",
        subtitle=f"What is left of perfect speed-up with more accelerators? {choices.title}, closed division: "
        "one submitter's times with one accelerator in one round, against its best per accelerator at a smaller count.",
        how_to_read="At 100 % twice the accelerators take half the time. A line stays within one submitter, "
        "accelerator and round; where a larger count does better per accelerator it becomes the measure of those "
        "above it. The counts can still be different systems. The filters do not apply.",
        columns=SCALING_COLUMNS,
        footnotes=(_footnote(ledger, sorted(set(lines["round"])), choices),) if len(lines) else (),
        caveats=(NOT_VERIFIED,),
        empty="No accelerator has results at two counts in one round: there is no scaling to show.",
    )
    return CardParts(charts.scaling, lines, meta)


def _over_rounds(ledger: Ledger, choices: Choices) -> None:
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


def _best(ledger: Ledger, choices: Choices, wanted: str) -> CardParts:
    n_accelerators = int(wanted.replace(",", ""))
    best = rounds.in_series(
        ledger.frame_of("training.best_by_round", accelerators=n_accelerators, **choices.asked()),
        ledger.frame_of("results.generation_names"), "best_minutes", unit="min", is_less_better=True, at_end=True,
    )  # fmt: skip
    per = f"on {wanted} accelerators"
    gained = "What did each generation gain from round to round?"
    meta = words_of(ledger, choices.day)(
        id="training_best",
        title=headlines.best_title(best, "best_minutes", "min", is_less_better=True, per=per) or gained,
        subtitle=f"{gained} {choices.title} {per}: best closed-division minutes of each generation.",
        how_to_read="A line falls as software and systems of one generation get better. A gain from round to round "
        "mixes hardware, software and changes of the rules. The filters above do not apply: all rounds are shown.",
        columns=BEST_COLUMNS,
        footnotes=(_footnote(ledger, sorted(set(best["round"])), choices),),
        caveats=(NOT_VERIFIED,),
    )
    return CardParts(charts.best_over_rounds, best, meta)


def _rows(ledger: Ledger, choices: Choices) -> Rows:
    return Rows.of(results_of(ledger, choices), COLUMNS, chosen_by=("result", "result_key"))


def _table(ledger: Ledger, rows: Rows) -> None:
    results_table(
        ledger, "training.result", rows, COLUMNS, show_result, says="fastest first.", alt="MLPerf Training results"
    )


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    known = ledger.frame_of("training.benchmarks", suite=next(iter(SUITES)))
    if known.empty:
        return
    first = known.iloc[0]
    choices = Choices(next(iter(SUITES)), str(first["benchmark"]), title=str(first["title"]))
    if chart == "training_best":
        counts = ledger.frame_of("training.counts_over_rounds", **choices.asked())
        if not counts.empty:
            kept_card(ledger, _best, choices, formats.count(counts["accelerators"].iloc[0]))
        return
    kept_card(ledger, _points if chart == "training_time" else _scaling, choices)
