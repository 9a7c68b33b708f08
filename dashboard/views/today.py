"""Today: a few figures that sum up, and what changed since a day: claims, rounds, slips, renames, conflicts, prices."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import open_page, rows_table
from dashboard.components.page import link_to
from dashboard.excerpts import small_chart
from dashboard.navigation import Page
from dashboard.queries import Ledger
from dashboard.queries import today as queries
from warehouse.answers import claim_words, evidence, formats

PAGE = Page("Today", 1, "Today", "today", "What is new in the AI-hardware market, with evidence.")

FRESH_DAYS = 45
CLAIMS_SHOWN = 500
CLAIMS = columns("stated_on subject metric_title value_words evidence claimant claim_id url")
ROUNDS = columns("stated_on suite round n_results n_submitters evidence url", stated_on="Published", url="Files")
REVISIONS = columns(
    "stated_on is_at_the_latest subject period_words shift_days evidence claimant claim_id url",
    is_at_the_latest="On that day or before",
    subject="Product",
    period_words="Now promised",
)
RENAMES = columns("stated_on name system said_by evidence url", stated_on="Since", system="Known here as")
CONFLICTS = columns(
    "stated_on subject metric_title ratio likely_cause claims claim_id", stated_on="Opened", claim_id="Stands"
)
PRICES = columns(
    "name change_percent from_usd to_usd from_on stated_on n_providers source_id evidence url",
    name="Accelerator",
    stated_on="Last day",
)
H100 = "nvidia-h100"
HEADLINES = ("density_over_time", "stratification_age", "roadmap_slips", "prices_over_time", "inference_best")


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Today in the ledger",
        "A public, dated, evidence-graded ledger of the AI-hardware market: every figure leads to who said it, when, "
        "and how firmly. Choose a day to see what is new since then.",
        needs=("evidence.claims", "marts.density", "marts.prices"),
    )
    _tiles(ledger)
    newest = ledger.built_at.date()
    since = st.date_input(
        "New since",
        value=newest - dt.timedelta(days=365),
        max_value=newest,
        key="since",
        bind="query-params",
        format="YYYY-MM-DD",
        width=180,
    )
    day = since if isinstance(since, dt.date) else newest
    _changes(ledger, day)
    _headlines(ledger)


def _tiles(ledger: Ledger) -> None:
    now = ledger.built_at.date()
    tiles = st.container(horizontal=True)
    held = queries.headline(ledger)
    for row in queries.densest(ledger).sort_values("state", ascending=False).itertuples():
        label = "Densest rack shipping" if row.state == "running" else "Densest rack announced"
        href = formats.page_address("evidence", claim=str(row.claim_id))
        told = _told(f"{row.system}.", row.evidence, row.stated_on, now, href)
        tiles.metric(label, formats.quantity(float(str(row.value)), str(row.unit)), help=told, border=True)
    for row in queries.hour_price(ledger, H100).itertuples():
        panel = f"Median of {row.n_providers} providers, {row.source_id}."
        told = _told(panel, row.evidence, row.stated_on, now, formats.safe_url(row.url))
        tiles.metric("H100 on demand", formats.quantity(float(str(row.value)), "USD/h"), help=told, border=True)
    tiles.metric("MLPerf results", formats.count(held["results"]), help="Rows of both MLPerf tables.", border=True)
    tiles.metric("Claims", formats.count(held["claims"]), help=f"By {int(held['claimants'])} claimants.", border=True)
    tiles.metric("In dispute", formats.count(held["conflicts"]), help="Sets of rival claims.", border=True)
    with st.container(horizontal=True, gap="small"):
        link_to("density", "Density", icon=":material/view_module:")
        link_to("roadmap", "Roadmap and slips", icon=":material/timeline:")
        link_to("prices", "Prices", icon=":material/payments:")
        link_to("inference", "Inference results", icon=":material/speed:")
        link_to("conflicts", "Conflicts", icon=":material/balance:")


def _headlines(ledger: Ledger) -> None:
    """Five charts in small, each with the way to its page; made after what is new, so that it is seen first."""
    st.header("The market in five charts", anchor="charts")
    columns = st.columns(2)
    for place, chart in enumerate(HEADLINES):
        with columns[place % 2]:
            small_chart(ledger, chart)


def _told(what: str, tag: object, stated_on: object, now: dt.date, href: str) -> str:
    """What a tile's figure is, its tag and day, and the way to who said it."""
    unchanged = formats.unchanged_since(stated_on, now, FRESH_DAYS)
    since = f", {unchanged}" if unchanged else ""
    words = f"{what} {evidence.mark(str(tag))}, stated {formats.day(stated_on)}{since}."
    return f"{formats.escape_markdown(words)} [Who said it](<{href}>)"


def _changes(ledger: Ledger, since: dt.date) -> None:
    claims = claim_words.with_words(queries.changes(ledger, "claims", since).head(CLAIMS_SHOWN))
    revisions = queries.changes(ledger, "revisions", since)
    revisions = revisions.assign(
        period_words=[
            claim_words.period_words(a, b)
            for a, b in zip(revisions["promised_start"], revisions["promised_end"], strict=True)
        ]
    )
    prices = queries.price_moves(ledger, since)
    prices = prices.assign(change_percent=(prices["change"] * 100).round(1))
    sections: list[tuple[str, str, pd.DataFrame, dict[str, str]]] = [
        ("Promises moved", "revisions", revisions, REVISIONS),
        ("Renamed", "renames", queries.changes(ledger, "renames", since), RENAMES),
        ("Conflicts opened", "conflicts", queries.changes(ledger, "conflicts", since), CONFLICTS),
        ("Benchmark rounds", "rounds", queries.changes(ledger, "rounds", since), ROUNDS),
        ("On-demand prices that moved", "prices", prices, PRICES),
        ("New claims", "claims", claims, CLAIMS),
    ]
    empty = [title for title, _, frame, _ in sections if frame.empty]
    for title, key, frame, shown in sections:
        if not frame.empty:
            st.header(f"{title}: {len(frame):,}", anchor=key)
            rows_table(frame, shown, key=key, alt=f"{title} since {formats.day(since)}")
    if empty:
        st.caption(f"Nothing since {formats.day(since)}: {', '.join(title.lower() for title in empty)}.")
