"""Benchmarks: MLPerf Training and HPC results by round, benchmark, submitter and accelerator generation."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import evidence, formats, queries
from dashboard.charts import training as charts
from dashboard.charts.theme import label_of
from dashboard.queries import Choices, Ledger
from dashboard.views.frame import ledger_or_stop, version_line
from dashboard.views.result import show_result

SUITES = {"training": "Training", "hpc": "HPC"}
COLUMNS = {
    "evidence": st.column_config.TextColumn("Evidence", help="How firmly the score is held."),
    "score_minutes": st.column_config.NumberColumn("Minutes", format="%.4g", help="Official time to train."),
    "accelerators": st.column_config.NumberColumn("Accelerators", format="localized"),
    "submitter": st.column_config.TextColumn("Submitter"),
    "accelerator_raw": st.column_config.TextColumn("Accelerator as submitted"),
    "system": st.column_config.TextColumn("System"),
    "round": st.column_config.TextColumn("Round"),
    "stated_on": st.column_config.DateColumn("Published"),
    "division": st.column_config.TextColumn("Division"),
    "availability": st.column_config.TextColumn("Availability"),
    "n_runs": st.column_config.NumberColumn("Runs"),
    "problem": st.column_config.TextColumn("Problem", help="What was odd in the input of this row."),
    "url": st.column_config.LinkColumn("Files", display_text="GitHub"),
}


def show() -> None:
    """Draw the page."""
    ledger = ledger_or_stop()
    st.title("MLPerf Training: time to train")
    st.markdown(
        "Every reviewed result of every round, scored by the official rules. Shorter is better. "
        "A result says what one submitter's system did, not what the market runs."
    )
    rounds = queries.rounds(ledger)
    if rounds.empty:
        st.info("This version holds no MLPerf results. Add a round with `rackledger archive add`, then `make run`.")
        return
    choices = _filters(ledger, rounds)
    results = queries.results(ledger, choices)
    if results.empty:
        st.info("No result fits these filters. Remove one of them, or choose another round or benchmark.")
        return
    generations = queries.generation_names(ledger)
    left, right = st.columns(2, gap="large")
    with left:
        _points(results, generations, choices)
    with right:
        _over_rounds(ledger, generations, choices)
    _table(ledger, results)
    retrieved = formats.day(ledger.built_at)
    named = ", ".join(sorted(set(results["round"])))
    st.caption(evidence.mlperf_footnote_of_many(choices.suite, named, choices.benchmark, retrieved))
    version_line(ledger)


def _filters(ledger: Ledger, rounds: pd.DataFrame) -> Choices:
    """The filters; every one is bound to the address, so a copied link shows the same."""
    first, second = st.columns([1, 3])
    suite = first.segmented_control(
        "Suite", list(SUITES), format_func=SUITES.__getitem__, default="training", required=True, key="suite",
        bind="query-params",
    )  # fmt: skip
    suite = str(suite or "training")
    known = queries.benchmarks(ledger, suite)
    titles = dict(zip(known["benchmark"], known["title"], strict=True))
    benchmark = second.selectbox(
        "Benchmark", list(titles), key="benchmark", bind="query-params",
        help="The model that is trained. One model keeps one name here, also where rounds called it differently: "
        + formats.escape_markdown("; ".join(f"{name}: {title}" for name, title in titles.items())),
    )  # fmt: skip
    benchmark = str(benchmark or next(iter(titles)))
    offered = queries.results(ledger, Choices(suite, benchmark))
    in_order = [r for r in rounds[rounds["suite"] == suite]["round"] if r in set(offered["round"])]
    columns = st.columns(5)
    picked = [
        _pick(columns[0], "Rounds", "round", in_order),
        _pick(columns[1], "Division", "division", sorted(set(offered["division"]))),
        _pick(columns[2], "Availability", "availability", sorted(set(offered["availability"]))),
        _pick(columns[3], "Submitter", "submitter", sorted(set(offered["submitter"]), key=str.lower)),
        _pick(columns[4], "Generation", "generation", _ordered(ledger, offered), _names(ledger)),
    ]
    return Choices(suite, benchmark, *picked)


def _pick(
    column: st.delta_generator.DeltaGenerator,
    label: str,
    key: str,
    options: list[str],
    names: dict[str, str] | None = None,
) -> tuple[str, ...]:
    """One multi-choice filter; nothing chosen means all, so that an address without it says the same everywhere."""
    shown = names or {}
    chosen = column.multiselect(
        label,
        options,
        key=key,
        bind="query-params",
        placeholder="All",
        format_func=lambda value: shown.get(value, value),
    )
    return tuple(chosen)


def _names(ledger: Ledger) -> dict[str, str]:
    frame = queries.generation_names(ledger)
    return {str(row.generation): label_of(str(row.vendor_name), str(row.name)) for row in frame.itertuples()}


def _ordered(ledger: Ledger, offered: pd.DataFrame) -> list[str]:
    """Generations in the order of vendor and age, then what has none."""
    order = list(queries.generation_names(ledger)["generation"])
    present = set(offered["generation"])
    return [name for name in order if name in present] + sorted(present - set(order))


def _points(results: pd.DataFrame, generations: pd.DataFrame, choices: Choices) -> None:
    st.subheader("Time to train against accelerators")
    st.caption("One mark a result; both axes logarithmic. Straight down and right is perfect scaling.")
    n_drawn, n_results = len(charts.drawable(results)), len(results)
    if n_drawn < n_results:
        st.caption(f"{n_results - n_drawn} results without a score or without accelerators stand in the table only.")
    if n_drawn:
        chart = charts.time_against_count(results, generations)
        st.altair_chart(chart, width="stretch", alt=charts.describe_points(results, choices.benchmark))
    else:
        st.info("None of these results has a score and accelerators; the table says why.")


def _over_rounds(ledger: Ledger, generations: pd.DataFrame, choices: Choices) -> None:
    st.subheader("Best time over rounds, per generation")
    counts = queries.counts_over_rounds(ledger, choices.suite, choices.benchmark)
    if counts.empty:
        st.info("No closed-division result with a known accelerator count: nothing to follow over rounds.")
        return
    options = [int(n) for n in counts["accelerators"]]
    wanted = st.selectbox(
        "At this many accelerators", options, key="at", bind="query-params", format_func=formats.count,
        help="Only results with the same accelerator count are followed from round to round.",
    )  # fmt: skip
    best = queries.best_by_round(ledger, choices.suite, choices.benchmark, int(wanted or options[0]))
    st.caption(
        "Closed division, all rounds. A gain from round to round mixes hardware, software and changes of the rules."
    )
    chart = charts.best_over_rounds(best, generations)
    st.altair_chart(chart, width="stretch", alt=f"Line chart: {len(best)} best times of {choices.benchmark} by round.")


def _table(ledger: Ledger, results: pd.DataFrame) -> None:
    st.subheader("Results")
    st.caption(f"{len(results):,} results, fastest first. Choose a row to see its evidence.")
    shown = results.assign(evidence=[evidence.mark(tag) for tag in results["evidence"]])[list(COLUMNS)]
    event = st.dataframe(
        shown, hide_index=True, column_config=COLUMNS, on_select="rerun", selection_mode="single-row", key="rows",
        height=min(420, 38 + 35 * len(shown)),
    )  # fmt: skip
    st.download_button(
        "Download these rows (CSV)", results.to_csv(index=False).encode(), "mlperf_training.csv", "text/csv",
        icon=":material/download:",
    )  # fmt: skip
    rows = event["selection"]["rows"]
    if rows:
        st.query_params["result"] = str(results.iloc[rows[0]]["result_key"])
    key = st.query_params.get("result")
    if key:
        found = queries.result(ledger, key)
        if found is None:
            st.info("The link names a result that this version does not hold.")
        else:
            show_result(found)
