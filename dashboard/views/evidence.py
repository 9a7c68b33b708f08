"""Evidence: search all claims; a claim's page says who says it, where it is written, and what is said against it."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import claims as charts
from dashboard.components import as_of, chart_card, choose_many, chosen_key, later, rows_table, words_of
from dashboard.components.page import link_to, watch_this
from dashboard.components.state import search_words
from dashboard.components.tables import Rows, first_rows
from dashboard.queries import Ledger, once
from dashboard.queries import claims as queries
from pipelines.settings import current_settings
from warehouse.answers import claim_words, evidence, formats, passages

WORDS = words_of(__file__)


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    wanted = chosen_key("claim")
    if wanted:
        found = ledger.first("claims.claim", claim=wanted)
        if found is None:
            st.info("The link names a claim that this version does not hold. Search for its subject below.")
        else:
            _claim(ledger, found)
    _search(ledger)


def _search(ledger: Ledger) -> None:
    st.header("Search", anchor="search")
    offered = queries.options(ledger)
    first, second = st.columns([3, 1])
    words = search_words(
        "Words", key="q", placeholder="subject, metric, claimant, for example: GB200 power", where=first
    )
    day = as_of(ledger, where=second)
    columns = st.columns(3)
    titles = dict(zip(offered["metric"]["metric"], offered["metric"]["title"], strict=True))
    metrics = choose_many("Metric", list(titles), key="metric", names=titles, where=columns[0])
    claimants = choose_many("Claimant", list(offered["claimant"]["claimant"]), key="claimant", where=columns[1])
    tags = choose_many("Evidence", list(offered["evidence"]["evidence"]), key="tag", where=columns[2])
    rows = once(ledger, _found, words, day, metrics, claimants, tags)
    n_rows = len(rows.frame)
    if not n_rows:
        st.info("No claim fits. Remove a word or a filter, or choose a later day.")
        return
    shown = f"{n_rows:,} claims, newest first."
    if n_rows == queries.MOST:
        shown = f"The {n_rows:,} newest claims; narrow the search to see the others."
    st.caption(f"{shown} Open one with its link.")
    later(partial(_listed, rows), meanwhile=first_rows(rows, WORDS.tables["rows"], "The newest claims found"))


def _listed(rows: Rows) -> None:
    rows_table(rows, WORDS.tables["rows"], key="claims", alt="Claims found")


def _found(
    ledger: Ledger,
    words: str,
    day: dt.date,
    metrics: tuple[str, ...],
    claimants: tuple[str, ...],
    tags: tuple[str, ...],
) -> Rows:
    found = queries.search(ledger, words, day, metrics=metrics, claimants=claimants, tags=tags)
    return Rows.of(claim_words.with_words(found), WORDS.tables["rows"])


def _claim(ledger: Ledger, row: dict[str, Any]) -> None:
    with st.container(border=True, key="claim"):
        st.header(formats.escape_markdown(claim_words.value_words(row)), anchor="claim")
        counted = claim_words.counting_words(row["qualifiers"])
        qualifiers = f" ({counted})" if counted else ""
        st.markdown(formats.escape_markdown(f"{row['metric_title'] or row['metric']}{qualifiers} of {row['subject']}"))
        _tiles(row)
        for text in claim_words.caveat_words(row["caveats"]):
            st.caption(formats.escape_markdown(f"Caveat: {text}"))
        if claim_words.words(row["note"]):
            st.caption(formats.escape_markdown(f"Note: {row['note']}"))
        with st.container(horizontal=True, gap="small"):
            if claim_words.words(row["subject_id"]):
                link_to("thing", f"All about {row['subject']}", icon=":material/memory:", id=row["subject_id"])
            address = formats.safe_url(row["url"])
            if address:
                st.link_button("Where it is said", address, icon=":material/open_in_new:", type="tertiary")
            _cite(ledger, row)
            if claim_words.words(row["subject_id"]):
                what = f"{row['metric_title'] or row['metric']} of {row['subject']}"
                watch_this(row["subject_id"], row["metric"], what, key="watch")
        _mentions(ledger, row)
        _checks(ledger, row)
    _conflicts(ledger, row)
    _history(ledger, row)


def _tiles(row: dict[str, Any]) -> None:
    tiles = st.container(horizontal=True)
    tiles.metric("Says", formats.escape_markdown(row["claimant"]))
    tiles.metric("Evidence", evidence.mark(row["evidence"]), help=evidence.meaning(row["evidence"]))
    tiles.metric("Stated", claim_words.stated_words(row))
    tiles.metric("How firm", row["modality"])
    tiles.metric(
        "Claimants",
        formats.count(row["claimants"]),
        help="Independent claimants that say the same within the tolerance.",
    )
    holds = claim_words.period_words(row["period_start"], row["period_end"])
    if holds:
        tiles.metric("Holds for", holds)
    if claim_words.words(row["arithmetic"]):
        tiles.metric("Against its parts", formats.escape_markdown(row["arithmetic"]))


def _cite(ledger: Ledger, row: dict[str, Any]) -> None:
    address = f"{(st.context.url or '').split('?')[0]}?claim={row['claim_id']}"
    said = claim_words.sentence(row)
    plain = f"{said} Claim {row['claim_id']} of rackledger, version {ledger.version}, {address}"
    bibtex = (
        f"@misc{{rackledger-{row['claim_id']},\n  title = {{{{{said}}}}},\n  author = {{{{{row['claimant']}}}}},\n"
        f"  year = {{{formats.day(row['stated_on'])[:4]}}},\n  url = {{{row['url']}}},\n"
        f"  note = {{Claim {row['claim_id']} of rackledger, version {ledger.version}, {address}}}\n}}\n"
    )
    with st.popover("Cite this", icon=":material/format_quote:", type="tertiary"):
        st.code(plain, language=None, wrap_lines=True)
        st.code(bibtex, language=None, wrap_lines=True)


def _mentions(ledger: Ledger, row: dict[str, Any]) -> None:
    frame = ledger.frame_of("claims.mentions", claim=row["claim_id"])
    st.subheader("Where it is written", anchor=False)
    rows_table(frame, WORDS.tables["mentions"], key="mentions", alt="Places that carry the claim")
    lake = current_settings().lake
    for mention in frame.head(3).to_dict("records"):
        if claim_words.words(mention["document_id"]) and pd.notna(mention["context_start"]):
            start, end = int(mention["context_start"]), int(mention["context_end"])
            found = passages.passage(lake, mention["source_id"], mention["document_id"], start, end)
            if found is not None:
                before, at, after = found
                st.caption(formats.escape_markdown(f"From your own archive, {mention['publisher']}:"))
                st.text(f"… {before}»{at}«{after} …")


def _checks(ledger: Ledger, row: dict[str, Any]) -> None:
    for check in ledger.frame_of("claims.arithmetic", claim=row["claim_id"]).to_dict("records"):
        text = f"{check['rule']}: {check['formula']}, stated {check['stated']:g}: {check['verdict']}"
        st.caption(formats.escape_markdown(text))


def _conflicts(ledger: Ledger, row: dict[str, Any]) -> None:
    for conflict in ledger.frame_of("claims.conflicts", claim=row["claim_id"]).to_dict("records"):
        likely = claim_words.words(conflict["likely_cause"])
        cause = f" Likely cause: {likely}." if likely else ""
        stands = "This claim stands." if conflict["claim_id"] == row["claim_id"] else "Another claim stands."
        text = f"In dispute: {conflict['claims']} claims by {conflict['claimants']} claimants differ.{cause} {stands}"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(formats.escape_markdown(text))
            link_to("conflicts", "See all sides", icon=":material/balance:", conflict=conflict["conflict_id"])


def _history(ledger: Ledger, row: dict[str, Any]) -> None:
    frame = claim_words.with_words(ledger.frame_of("claims.history", subject=row["subject_key"], metric=row["metric"]))
    if len(frame) < 2:
        return
    frame = frame.assign(is_shown=frame["claim_id"] == row["claim_id"])
    is_date = frame["value_start"].notna().all()
    if not is_date and not frame["value"].notna().any():
        return
    meta = WORDS.card("claim_history", subject=row["subject"], metric=row["metric_title"] or row["metric"])
    drawn = frame if is_date else frame[frame["value"].notna()]
    chart_card(charts.periods_over_time if is_date else charts.values_over_time, drawn, meta, ledger=ledger)


EXCERPT = ("nvidia-gb200-nvl72", "power")


def _first(ledger: Ledger) -> None:
    """The history of one much-told figure: the power of a rack."""
    subject, metric = EXCERPT
    row = ledger.first("claims.history_of", subject=subject, metric=metric)
    if row is not None:
        _history(ledger, row)


CHARTS = {"claim_history": _first}
