"""Benchmarks: MLPerf Inference results of one benchmark in one scenario, so that unlike things share no axis."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import inference as charts
from dashboard.components import CardParts, as_of, choose_one, first_card_of, kept_card, later, words_of
from dashboard.components.beside import claimed_gains
from dashboard.components.results import in_series, narrow, results_table, rounds_card, say_what_is_not_held
from dashboard.components.tables import Rows
from dashboard.headlines import rounds as headlines
from dashboard.queries import Ledger, once
from dashboard.queries.results import OfInference
from dashboard.views.result import compare_results, show_inference
from pipelines.registry.comparability import rounds_compare, rule
from warehouse.answers import formats

WORDS = words_of(__file__)

CATEGORIES = {"datacenter": "Datacenter", "edge": "Edge"}


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
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


def _below(ledger: Ledger, choices: OfInference) -> None:
    kept_card(ledger, _over_rounds, choices)
    if _shown(ledger, choices)["result_per_watt"].notna().any():
        kept_card(ledger, _per_watt, choices)
    else:
        st.caption("No result of this choice has a measured power; a rated power such as TDP may not stand in for it.")
    rows = once(ledger, _rows, choices)
    if not rows.frame.empty:
        _table(ledger, rows)
    claimed_gains(ledger, choices.day)


def _filters(ledger: Ledger) -> OfInference | None:
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
    offered = OfInference(category, benchmark, scenario, accuracy, day=day).results(ledger)
    held = list(dict.fromkeys(offered["round"]))
    return OfInference(category, benchmark, scenario, accuracy, narrow(ledger, offered, held), day, titles[benchmark])


def _comparable(results: pd.DataFrame, choices: OfInference) -> tuple[pd.DataFrame, list[str]]:
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


def _compared(ledger: Ledger, choices: OfInference) -> tuple[pd.DataFrame, list[str]]:
    return _comparable(choices.results(ledger), choices)


def _shown(ledger: Ledger, choices: OfInference) -> pd.DataFrame:
    return once(ledger, _compared, choices)[0]


def _rows(ledger: Ledger, choices: OfInference) -> Rows:
    return Rows.of(choices.results(ledger), WORDS.tables["rows"], chosen_by=("result", "result_key"))


def _points(ledger: Ledger, choices: OfInference) -> CardParts:
    drawn = charts.drawable(_shown(ledger, choices))
    unit = str(drawn["unit"].iloc[0]) if not drawn.empty else ""
    drawn = drawn[drawn["unit"] == unit]
    is_more = drawn.empty or bool(drawn["is_higher_better"].iloc[0])
    drawn = in_series(ledger, drawn, charts.RESULT, unit, is_less_better=not is_more)
    finding, draw = headlines.largest_title(drawn, unit), partial(charts.against_count, unit=unit)
    better = "More" if is_more else "Less"
    return rounds_card(
        ledger, WORDS, "inference_points", choices, finding, draw, drawn, unit=unit, better=better
    )  # fmt: skip


def _over_rounds(ledger: Ledger, choices: OfInference) -> CardParts:
    best = ledger.frame_of("inference.best", **choices.asked())
    best, _ = _comparable(best.iloc[::-1], choices)
    best = best.iloc[::-1].reset_index(drop=True)
    unit, column = str(best["unit"].iloc[0]) if not best.empty else "", "best_per_accelerator"
    best = in_series(ledger, best, column, unit, is_less_better=False, at_end=True)
    finding = headlines.best_title(best, column, unit, is_less_better=False, per="per accelerator")
    draw = partial(charts.best_over_rounds, unit=unit)
    return rounds_card(ledger, WORDS, "inference_best", choices, finding, draw, best, unit=unit)


def _per_watt(ledger: Ledger, choices: OfInference) -> CardParts:
    """The results with a measured power; there is one at least."""
    results = _shown(ledger, choices)
    measured = results[results["result_per_watt"].notna()].reset_index(drop=True)
    unit = str(measured["unit"].iloc[0])
    measured = in_series(ledger, measured, "result_per_watt", f"{unit} per W", is_less_better=False)
    finding, draw = headlines.watt_title(measured, unit), partial(charts.per_watt, unit=unit)
    return rounds_card(ledger, WORDS, "inference_per_watt", choices, finding, draw, measured, unit=unit)


def _table(ledger: Ledger, rows: Rows) -> None:
    farms = int(rows.frame["is_farm"].sum())
    says = f" {farms:,} rows belong to submission farms of near-equal systems." if farms else ""
    alt = "MLPerf Inference results"
    results_table(
        ledger,
        "inference.result",
        rows,
        WORDS.tables["rows"],
        show_inference,
        says=f"newest round first.{says}",
        alt=alt,
    )
    compare_results(ledger, rows.frame)


def _example(category: str, benchmark: str, accuracy: str = "") -> Callable[[Ledger], tuple[OfInference]]:
    """The choices of a benchmark that is shown elsewhere, with its title."""

    def choose(ledger: Ledger) -> tuple[OfInference]:
        known = ledger.frame_of("inference.benchmarks", category=category)
        titles = dict(zip(known["benchmark"], known["title"], strict=True))
        return (OfInference(category, benchmark, "Offline", accuracy, title=titles.get(benchmark, benchmark)),)

    return choose


def _with_power(ledger: Ledger) -> tuple[OfInference] | None:
    chosen = _example("datacenter", "resnet")(ledger)
    return chosen if _shown(ledger, *chosen)["result_per_watt"].notna().any() else None


_MOST = _example("datacenter", "llama2-70b", "99.9")  # the benchmark with most results; the other has most power runs
CHARTS = {
    "inference_points": first_card_of(_points, _MOST),
    "inference_best": first_card_of(_over_rounds, _MOST),
    "inference_per_watt": first_card_of(_per_watt, _with_power),
}
