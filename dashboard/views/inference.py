"""Benchmarks: MLPerf Inference results of one benchmark in one scenario, so that unlike things share no axis."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import inference as charts
from dashboard.charts import rounds
from dashboard.columns import columns
from dashboard.components import CardParts, as_of, choose_one, kept_card, later, open_page
from dashboard.components.beside import claimed_gains
from dashboard.components.results import narrow, results_table, say_what_is_not_held, words_of
from dashboard.components.tables import Rows
from dashboard.headlines import rounds as headlines
from dashboard.navigation import Page
from dashboard.queries import Ledger, once
from dashboard.queries.inference import Choices, results_of
from dashboard.views.inference_result import compare_results, show_result
from pipelines.registry.comparability import rounds_compare, rule
from warehouse.answers import evidence, formats

PAGE = Page("Benchmarks", 1, "Inference", "speed", "MLPerf Inference results, each with its evidence.")
CHARTS = ("inference_points", "inference_best", "inference_per_watt")

CATEGORIES = {"datacenter": "Datacenter", "edge": "Edge"}
COLUMNS = columns(
    "evidence result unit result_per_accelerator accelerators submitter accelerator_raw system_name round stated_on "
    "division availability weight_type power_w result_per_watt inferred_from valid normalisation_warnings problem url",
    accelerators="Accelerators [packages]",
    stated_on="Published",
    url="Files",
)
BEST = columns(
    "best_per_accelerator unit generation round stated_on accelerators best_result best_submitter "
    "best_availability warnings evidence url",
    stated_on="Published",
    accelerators="Accelerators [packages]",
    url="Files",
)
NOT_VERIFIED = "Values per accelerator and per watt are computed here and are not verified by MLCommons."


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "MLPerf Inference: throughput and latency",
        "Every reviewed result of the rounds held, one benchmark and scenario at a time: scenarios measure different "
        "things. A result says what one submitter's system did, not what the market runs.",
        needs=("facts.mlperf_inference", "marts.mlperf_inference_best", "marts.rounds_held"),
    )
    choices = _filters(ledger)
    if choices is None:
        st.info(
            "This version holds no MLPerf Inference results. Add a round with `rackledger archive add`, then `make "
            "run`."
        )
        return
    say_what_is_not_held(ledger, "inference")
    for text in once(ledger, _compared, choices)[1]:
        st.caption(formats.escape_markdown(text))
    kept_card(ledger, _points, choices)
    later(partial(_below, ledger, choices))


def _below(ledger: Ledger, choices: Choices) -> None:
    kept_card(ledger, _over_rounds, choices)
    if _shown(ledger, choices)["result_per_watt"].notna().any():
        kept_card(ledger, _per_watt, choices)
    else:
        st.caption("No result of this choice has a measured power; a rated power such as TDP may not stand in for it.")
    rows = once(ledger, _rows, choices)
    if not rows.frame.empty:
        _table(ledger, rows)
    claimed_gains(ledger, choices.day)


def _filters(ledger: Ledger) -> Choices | None:
    first, second, third, fourth, last = st.columns([2, 4, 3, 2, 2])
    day = as_of(ledger, where=last)
    category = choose_one("Category", list(CATEGORIES), key="category", names=CATEGORIES, where=first)
    known = ledger.frame_of("inference.benchmarks", category=category)
    if known.empty:
        return None
    titles = dict(zip(known["benchmark"], known["title"], strict=True))
    benchmark = choose_one("Benchmark", list(titles), key="benchmark", names=titles, where=second)
    shapes = ledger.frame_of("inference.shapes", category=category, benchmark=benchmark)
    scenario = choose_one("Scenario", list(dict.fromkeys(shapes["scenario"])), key="scenario", where=third)
    of_scenario = shapes[shapes["scenario"] == scenario]
    accuracy = choose_one("Accuracy target", list(of_scenario["accuracy_class"]), key="accuracy", where=fourth)
    offered = results_of(ledger, Choices(category, benchmark, scenario, accuracy, day=day))
    held = list(dict.fromkeys(offered["round"]))
    return Choices(category, benchmark, scenario, accuracy, narrow(ledger, offered, held), day, titles[benchmark])


def _comparable(results: pd.DataFrame, choices: Choices) -> tuple[pd.DataFrame, list[str]]:
    """Results of the newest round and of rounds that may be compared with it, and what is said about the others."""
    if results.empty:
        return results, []
    newest = str(results["round"].iloc[0])
    verdicts = {
        name: rounds_compare("inference", choices.benchmark, name, newest, choices.scenario)
        for name in dict.fromkeys(results["round"])
    }
    refused = sorted(name for name, verdict in verdicts.items() if verdict is False)
    unsaid = sorted(name for name, verdict in verdicts.items() if verdict is None)
    says = []
    if refused:
        held = rule("mlperf-compatible-versions")
        says.append(
            f"Left out of the charts: {', '.join(refused)}, not comparable with {newest}. {held.says} ({held.source})"
        )
    if unsaid:
        says.append(f"MLCommons' table does not say whether {', '.join(unsaid)} may be compared with {newest}.")
    return results[~results["round"].isin(refused)], says


def _compared(ledger: Ledger, choices: Choices) -> tuple[pd.DataFrame, list[str]]:
    return _comparable(results_of(ledger, choices), choices)


def _shown(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    return once(ledger, _compared, choices)[0]


def _rows(ledger: Ledger, choices: Choices) -> Rows:
    return Rows.of(results_of(ledger, choices), COLUMNS, chosen_by=("result", "result_key"))


def _footnote(ledger: Ledger, results: pd.DataFrame, choices: Choices) -> str:
    names = ", ".join(sorted(set(results["round"])))
    return evidence.mlperf_footnote_of_many(
        "inference", names, f"{choices.benchmark}, {choices.scenario}", formats.day(ledger.built_at)
    )


def _points(ledger: Ledger, choices: Choices) -> CardParts:
    drawn = charts.drawable(_shown(ledger, choices))
    unit = str(drawn["unit"].iloc[0]) if not drawn.empty else ""
    drawn = drawn[drawn["unit"] == unit]
    is_more = drawn.empty or bool(drawn["is_higher_better"].iloc[0])
    drawn = rounds.in_series(
        drawn, ledger.frame_of("results.generation_names"), charts.RESULT, unit=unit, is_less_better=not is_more
    )
    asks = "What do systems of different size achieve?"
    meta = words_of(ledger, choices.day)(
        id="inference_points",
        title=headlines.largest_title(drawn, unit) or asks,
        subtitle=f"{asks} {choices.title}, {choices.scenario}: one mark a result, {unit} against accelerator "
        f"packages. {'More' if is_more else 'Less'} is better.",
        how_to_read="Both axes are logarithmic. A straight line up and right is perfect scaling. Marks far from their "
        "neighbours run other software, precision or accuracy targets: open the table.",
        columns=COLUMNS,
        footnotes=(_footnote(ledger, drawn, choices),) if not drawn.empty else (),
        caveats=("A submitter chooses what to submit; what is absent says nothing.", NOT_VERIFIED),
        empty="No result with a figure and accelerators fits these filters. Remove one, or choose another scenario.",
    )
    return CardParts(partial(charts.against_count, unit=unit), drawn, meta)


def _over_rounds(ledger: Ledger, choices: Choices) -> CardParts:
    best = ledger.frame_of("inference.best", **choices.asked())
    best, _ = _comparable(best.iloc[::-1], choices)
    best = best.iloc[::-1].reset_index(drop=True)
    unit = str(best["unit"].iloc[0]) if not best.empty else ""
    column, asks = "best_per_accelerator", "What did each generation gain from round to round?"
    best = rounds.in_series(
        best, ledger.frame_of("results.generation_names"), column, unit=unit, is_less_better=False, at_end=True
    )
    per = "per accelerator"
    meta = words_of(ledger, choices.day)(
        id="inference_best",
        title=headlines.best_title(best, column, unit, is_less_better=False, per=per) or asks,
        subtitle=f"{asks} {choices.title}, {choices.scenario}: best closed-division {unit} {per}, derived.",
        how_to_read="A line rises as software and systems of one generation get better. Systems of different size "
        "stand side by side: the tooltip names the count and what to mind. The filters above do not apply here.",
        columns=BEST,
        footnotes=(_footnote(ledger, best, choices),) if not best.empty else (),
        caveats=(NOT_VERIFIED,),
        empty="Nothing can be divided fairly here: a latency does not divide by accelerators, or no count is known.",
    )
    return CardParts(partial(charts.best_over_rounds, unit=unit), best, meta)


def _per_watt(ledger: Ledger, choices: Choices) -> CardParts:
    """The results with a measured power; there is one at least."""
    results = _shown(ledger, choices)
    measured = results[results["result_per_watt"].notna()].reset_index(drop=True)
    unit = str(measured["unit"].iloc[0])
    column, asks = "result_per_watt", "How much performance does a watt bring?"
    measured = rounds.in_series(
        measured, ledger.frame_of("results.generation_names"), column, unit=f"{unit} per W", is_less_better=False
    )
    meta = words_of(ledger, choices.day)(
        id="inference_per_watt",
        title=headlines.watt_title(measured, unit) or asks,
        subtitle=f"{asks} {choices.title}, {choices.scenario}: {unit} per watt of measured system power.",
        how_to_read="Only results with a measured power run are here. Performance with and without power runs are "
        "different results and are not compared.",
        columns=COLUMNS,
        footnotes=(_footnote(ledger, measured, choices),),
        caveats=(NOT_VERIFIED,),
    )
    return CardParts(partial(charts.per_watt, unit=unit), measured, meta)


def _table(ledger: Ledger, rows: Rows) -> None:
    farms = int(rows.frame["is_farm"].sum())
    says = f" {farms:,} rows belong to submission farms of near-equal systems." if farms else ""
    alt = "MLPerf Inference results"
    results_table(ledger, "inference.result", rows, COLUMNS, show_result, says=f"newest round first.{says}", alt=alt)
    compare_results(ledger, rows.frame)


EXCERPT = Choices("datacenter", "llama2-70b", "Offline", "99.9")
EXCERPT_POWER = Choices("datacenter", "resnet", "Offline")


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page: for the benchmark with most results, or for the one with most power runs."""
    chosen = EXCERPT_POWER if chart == "inference_per_watt" else EXCERPT
    known = ledger.frame_of("inference.benchmarks", category=chosen.category)
    titles = dict(zip(known["benchmark"], known["title"], strict=True))
    choices = replace(chosen, title=titles.get(chosen.benchmark, chosen.benchmark))
    make = {"inference_points": _points, "inference_best": _over_rounds, "inference_per_watt": _per_watt}[chart]
    if make is not _per_watt or _shown(ledger, choices)["result_per_watt"].notna().any():
        kept_card(ledger, make, choices)
