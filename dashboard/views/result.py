"""The evidence of one MLPerf result of either suite, and two results of Inference with what differs between them."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import choose_many
from dashboard.components.tables import detail_table, pairs_table
from dashboard.queries import Ledger
from pipelines.registry.comparability import Compared, compare
from warehouse.answers import evidence, formats

FILES_SHOWN = 60


def show_training(row: dict[str, Any]) -> None:
    """Draw the evidence of a result below the table."""
    with st.container(border=True):
        st.subheader("Evidence of the chosen result")
        st.text(f"{row['submitter']}: {row['system_name'] or row['system']}")
        first, second, third, fourth = st.columns(4)
        first.metric("Time to train", formats.minutes(row["score_minutes"]))
        second.metric("Accelerators", formats.count(row["accelerators"]))
        third.metric("Evidence", evidence.mark(row["evidence"]), help=evidence.meaning(row["evidence"]))
        fourth.metric(
            "Published",
            formats.day(row["stated_on"]) or "not stated",
            help=f"Basis of the date: {row['stated_on_basis']}.",
        )
        left, right = st.columns(2, gap="large")
        with left:
            _scoring(row)
        with right:
            _files(row)
        _system(row)
        st.caption(formats.escape_markdown(evidence.mlperf_footnote(row, is_derived=True)))


def _scoring(row: dict[str, Any]) -> None:
    st.markdown("**How the score came about**")
    facts = {
        "round": f"{row['suite']} {row['round']}",
        "benchmark as named in the round": row["benchmark"],
        "division, availability": f"{row['division']}, {row['availability']}",
        "runs found": formats.count(row["n_runs"]),
        "runs the rules ask for": formats.count(row["n_runs_required"]),
        "runs that did not count": formats.count(row["n_not_converged"]),
        "mean of the runs that count": formats.minutes(row["raw_minutes"]),
        "scaling factor, as committed": formats.ratio(row["scaling_factor"]) or "none given",
        "read from": row["origin"],
        "repository": row["repository"],
        "commit": row["commit"] or "not recorded",
        "caveats": row["caveats"] or "none",
        "problems": row["problem"] or "none",
    }
    pairs_table(facts, key="result_facts", alt="What is known of the result")


def _files(row: dict[str, Any]) -> None:
    st.markdown("**The very files**")
    _link("Folder on GitHub", row["url"])
    paths = formats.paths_of(row["member_paths"])
    if not paths:
        st.caption("This row comes from a table of computed scores; its files are in the folder.")
        return
    revision = str(row["commit"] or row["branch"] or "main")
    links = [formats.file_link(row["repository"], revision, path) for path in paths]
    inside = [path.removeprefix(f"{row['member_dir']}/") for path in paths]
    frame = pd.DataFrame({"file": inside, "link": links}).head(FILES_SHOWN)
    labels = {"file": f"{len(paths)} files", "link": "at the commit"}
    detail_table(frame, labels, key="result_files", alt="Files of the result")


def _system(row: dict[str, Any]) -> None:
    text = row["system_json"]
    if not isinstance(text, str):
        return
    with st.expander("System description, as typed by the submitter (▲ V vendor, not audited)"):
        raw = json.loads(text)
        typed = {name: value if isinstance(value, str) else json.dumps(value) for name, value in raw.items()}
        pairs_table(typed, key="result_system", alt="System description")
        _link("The description on GitHub", row["system_url"])


def _link(label: str, address: object) -> None:
    """A button to a web address; nothing for an address of another kind."""
    url = formats.safe_url(address)
    if url:
        st.link_button(label, url, icon=":material/open_in_new:")


COMPARED = columns(
    "result unit result_per_accelerator accelerators nodes accelerator_raw host_processor framework weight_type "
    "accuracy_class accuracy power_w result_per_watt round division availability scenario inferred_from result_id",
    accelerators="Accelerators",
    power_w="Measured power, W",
)


def show_inference(row: dict[str, Any]) -> None:
    """Draw the evidence of a result below the table."""
    with st.container(border=True, key="result"):
        st.subheader("Evidence of the chosen result", anchor="result")
        st.text(f"{row['submitter']}: {row['system_name'] or row['system']}")
        tiles = st.container(horizontal=True)
        tiles.metric("Result", f"{formats.quantity(row['result'], '')} {row['unit']}")
        tiles.metric("Accelerators", formats.count(row["accelerators"]))
        tiles.metric("Evidence", evidence.mark(row["evidence"]), help=evidence.meaning(row["evidence"]))
        tiles.metric("Published", formats.day(row["stated_on"]) or "not stated")
        facts = {label: _words(row.get(name)) for name, label in COMPARED.items()}
        facts |= {
            "Summary's figure": _words(row["result_summary"]),
            "Detail log's figure": _words(row["result_detail"]),
            "Valid, as the log states": _words(row["valid"]),
            "Read from": _words(row["origin"]),
            "Caveats": row["caveats"] or "none",
            "Problems": row["problem"] or "none",
        }
        pairs_table(facts, key="result_facts", alt="What is known of the result")
        address = formats.safe_url(row["url"])
        if address:
            st.link_button("Folder on GitHub", address, icon=":material/open_in_new:", type="tertiary")
        paths = formats.paths_of(row["member_paths"])
        if paths:
            st.caption(formats.escape_markdown(f"Files read: {', '.join(paths[:12])}"))
        st.caption(formats.escape_markdown(evidence.mlperf_footnote(row, is_derived=True)))


def _words(value: Any) -> str:
    if value is None or (not hasattr(value, "__len__") and pd.isna(value)):
        return "not stated"
    return f"{value:,.6g}" if isinstance(value, float) else str(value)


def compare_results(ledger: Ledger, results: pd.DataFrame) -> None:
    """Two results side by side; what differs is marked, and what may not be compared is refused with the rule."""
    if results.empty:
        return
    st.header("Compare two results", anchor="compare")
    names = {
        str(row.result_key): f"{row.round} {row.submitter}: {row.system_name} ({row.accelerators} accelerators)"
        for row in results.head(400).itertuples()
    }
    wanted = choose_many("Two results", list(names), key="compare", names=names)
    if len(wanted) != 2:
        st.caption("Choose two of the results above.")
        return
    rows = [row for row in (ledger.first("inference.result", key=key) for key in wanted) if row is not None]
    if len(rows) != 2:
        st.info("The link names a result that this version does not hold.")
        return
    one, other = rows
    verdict = compare([_figure(one), _figure(other)])
    if not verdict.is_allowed:
        st.warning(formats.escape_markdown(verdict.refusal))
        return
    table = pd.DataFrame(
        {
            "field": list(COMPARED.values()),
            "first": [_words(one.get(name)) for name in COMPARED],
            "second": [_words(other.get(name)) for name in COMPARED],
        }
    )
    table["differs"] = table["first"] != table["second"]
    labels = {
        "field": "",
        "first": f"{one['submitter']} {one['round']}",
        "second": f"{other['submitter']} {other['round']}",
        "differs": "Differs",
    }
    detail_table(table, labels, key="compared", alt="Two results side by side")
    for text in verdict.notes:
        st.caption(formats.escape_markdown(text))


def _figure(row: dict[str, Any]) -> Compared:
    told = {name: str(row[name]) for name in ("round", "scenario")}
    benchmark, has_power_run = str(row["benchmark_id"]), bool(row["has_power"])
    return Compared(kind="mlperf", suite="inference", benchmark=benchmark, has_power_run=has_power_run, **told)
