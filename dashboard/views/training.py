"""Benchmarks: MLPerf Training and HPC results by round, benchmark, submitter and accelerator generation."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import training as charts
from dashboard.columns import columns
from dashboard.components import ChartMeta, chart_card, choose_one, open_page
from dashboard.components.beside import claimed_gains
from dashboard.components.results import narrow, results_table, say_what_is_not_held
from dashboard.navigation import Page
from dashboard.queries import Ledger
from dashboard.queries import training as queries
from dashboard.queries.results import generation_names
from dashboard.queries.training import Choices
from dashboard.views.result import show_result
from warehouse.answers import evidence, formats

PAGE = Page("Benchmarks", 2, "Training", "timer", "MLPerf Training results, each with its evidence.")
CHARTS = ("training_time", "training_best")

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
NOT_VERIFIED = "Speed-ups and efficiencies are computed here and are not verified by MLCommons."


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "MLPerf Training: time to train",
        "Every reviewed result of the rounds held, scored by the official rules. Shorter is better. "
        "A result says what one submitter's system did, not what the market runs.",
        needs=("facts.mlperf_training", "marts.mlperf_training_best", "marts.rounds_held"),
    )
    rounds = queries.rounds(ledger)
    if rounds.empty:
        st.info("This version holds no MLPerf results. Add a round with `rackledger archive add`, then `make run`.")
        return
    choices = _filters(ledger, rounds)
    say_what_is_not_held(ledger, "training", "hpc")
    results = queries.results(ledger, choices)
    generations = generation_names(ledger)
    left, right = st.columns(2, gap="medium")
    with left:
        _points(ledger, results, generations, choices)
    with right:
        _over_rounds(ledger, generations, choices)
    if not results.empty:
        _table(ledger, results)
    claimed_gains(ledger)


def _filters(ledger: Ledger, rounds: pd.DataFrame) -> Choices:
    """The filters; every one is bound to the address, so a copied link shows the same."""
    first, second = st.columns([1, 3])
    suite = choose_one("Suite", list(SUITES), key="suite", names=SUITES, where=first)
    known = queries.benchmarks(ledger, suite)
    titles = dict(zip(known["benchmark"], known["title"], strict=True))
    benchmark = choose_one(
        "Benchmark", list(titles), key="benchmark", where=second,
        help="The model that is trained. One model keeps one name here, also where rounds called it differently: "
        + formats.escape_markdown("; ".join(f"{name}: {title}" for name, title in titles.items())),
    )  # fmt: skip
    offered = queries.results(ledger, Choices(suite, benchmark))
    in_order = [r for r in rounds[rounds["suite"] == suite]["round"] if r in set(offered["round"])]
    return Choices(suite, benchmark, narrow(ledger, offered, in_order))


def _footnote(ledger: Ledger, rounds: list[str], choices: Choices) -> str:
    retrieved = formats.day(ledger.built_at)
    return evidence.mlperf_footnote_of_many(choices.suite, ", ".join(rounds), choices.benchmark, retrieved)


def _points(ledger: Ledger, results: pd.DataFrame, generations: pd.DataFrame, choices: Choices) -> None:
    drawn = charts.drawable(results)
    left_out = len(results) - len(drawn)
    says = f" {left_out} results without a score or without accelerators stand in the table only." if left_out else ""
    meta = ChartMeta(
        id="training_time",
        title="How does time to train fall with more accelerators?",
        subtitle=f"{choices.benchmark}: one mark a result, minutes against accelerator packages.{says}",
        how_to_read="Both axes are logarithmic. A line straight down and right would be perfect scaling: twice the "
        "accelerators, half the time. Marks far above their neighbours are slower systems or other software.",
        lesson="mlperf",
        columns=COLUMNS,
        footnotes=(_footnote(ledger, sorted(set(drawn["round"])), choices),),
        caveats=("A submitter chooses what to submit; what is absent says nothing.",),
        empty="No result with a score and accelerators fits these filters. Remove one of them, or choose another round "
        "or benchmark.",
    )
    draw = partial(charts.time_against_count, generations=generations)
    alt_says = charts.describe_points(results, choices.benchmark)
    chart_card(draw, drawn, meta, ledger=ledger, alt_says=alt_says)


def _over_rounds(ledger: Ledger, generations: pd.DataFrame, choices: Choices) -> None:
    counts = queries.counts_over_rounds(ledger, choices.suite, choices.benchmark)
    if counts.empty:
        st.info("No closed-division result with a known accelerator count: nothing to follow over rounds.")
        return
    options = [formats.count(n) for n in counts["accelerators"]]
    wanted = choose_one(
        "At this many accelerators", options, key="at",
        help="Only results with the same accelerator count are followed from round to round.",
    )  # fmt: skip
    _best_chart(ledger, generations, choices, wanted)


def _best_chart(ledger: Ledger, generations: pd.DataFrame, choices: Choices, wanted: str) -> None:
    n_accelerators = int(wanted.replace(",", ""))
    best = queries.best_by_round(ledger, choices.suite, choices.benchmark, n_accelerators)
    meta = ChartMeta(
        id="training_best",
        title="What did each generation gain from round to round?",
        subtitle=f"{choices.benchmark} on {wanted} accelerators: best closed-division minutes of each generation.",
        how_to_read="A line falls as software and systems of one generation get better. A gain from round to round "
        "mixes hardware, software and changes of the rules. The filters above do not apply: all rounds are shown.",
        lesson="mlperf",
        columns=BEST_COLUMNS,
        footnotes=(_footnote(ledger, sorted(set(best["round"])), choices),),
        caveats=(NOT_VERIFIED,),
    )
    chart_card(partial(charts.best_over_rounds, generations=generations), best, meta, ledger=ledger)


def _table(ledger: Ledger, results: pd.DataFrame) -> None:
    find = partial(queries.result, ledger)
    results_table(results, COLUMNS, find, show_result, says="fastest first.", alt="MLPerf Training results")


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    known = queries.benchmarks(ledger, next(iter(SUITES)))
    if known.empty:
        return
    choices = Choices(next(iter(SUITES)), str(known["benchmark"].iloc[0]))
    generations = generation_names(ledger)
    if chart == "training_time":
        _points(ledger, queries.results(ledger, choices), generations, choices)
        return
    counts = queries.counts_over_rounds(ledger, choices.suite, choices.benchmark)
    if not counts.empty:
        _best_chart(ledger, generations, choices, formats.count(counts["accelerators"].iloc[0]))
