"""The evidence of one MLPerf result: who, when, how firmly, from which files, and what was odd."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.components.tables import detail_table, pairs_table
from warehouse.answers import evidence, formats

FILES_SHOWN = 60


def show_result(row: dict[str, Any]) -> None:
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
        typed = {name: _plain(value) for name, value in raw.items()}
        pairs_table(typed, key="result_system", alt="System description")
        _link("The description on GitHub", row["system_url"])


def _link(label: str, address: object) -> None:
    """A button to a web address; nothing for an address of another kind."""
    url = formats.safe_url(address)
    if url:
        st.link_button(label, url, icon=":material/open_in_new:")


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
