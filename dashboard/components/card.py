"""The chart card: a chart with its words, sources, rows, downloads and citation, drawn the same everywhere.

Nothing here knows what a page shows: the page hands over a frame, a pure function that draws it, and the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import pandas as pd
import streamlit as st

from dashboard.components import bundle, images
from dashboard.components.bundle import Edition
from dashboard.components.figure import ChartMeta, cite
from dashboard.components.page import link_to
from dashboard.components.prepared import PICK, Draw, Prepared, prepare
from dashboard.components.provenance import FigureSource
from dashboard.components.tables import rows_table
from dashboard.queries import Ledger
from warehouse.answers import formats

ROWS_SHOWN = 2_000
HOW_TO_READ = "how-to-read-the-market-signal"  # the heading that every lesson has
_excerpt: ContextVar[Excerpt | None] = ContextVar("excerpt", default=None)


@dataclass(frozen=True, slots=True)
class _Card:
    """Everything a card needs to be drawn again by itself."""

    prepared: Prepared
    meta: ChartMeta
    edition: Edition

    @property
    def source(self) -> FigureSource:
        return self.prepared.source

    @property
    def line(self) -> str:
        return self.prepared.line


def chart_card(
    draw: Draw,
    frame: pd.DataFrame,
    meta: ChartMeta,
    *,
    ledger: Ledger,
    behind: pd.DataFrame | None = None,
    alt_says: str = "",
) -> None:
    """Draw a frame as a card.

    `draw` is pure: frame to Altair chart, all encodings with their types; a function of a module, or a
    functools.partial of one over plain values and frames, so that the chart can be kept for the next visitor. `behind`
    holds the rows when marks are sums over rows. A click on a mark shows the rows behind it. `alt_says` replaces the
    alt text made from the frame.
    Raises UnsourcedFigure for a frame without tag, source, and date or key.
    """
    excerpt = _excerpt.get()
    if excerpt is not None:
        _small(prepare(draw, frame, meta, behind, alt_says) if not frame.empty else None, meta, excerpt)
        return
    with st.container(border=True, key=f"card_{meta.id}"):
        st.header(formats.escape_markdown(meta.title), anchor=meta.id.replace("_", "-"))
        st.caption(formats.escape_markdown(meta.subtitle))
        if frame.empty:
            FigureSource.of(frame, behind)
            st.info(formats.escape_markdown(meta.empty))
            return
        edition = Edition(ledger.version, ledger.built_at.date(), _address(meta))
        _content(_Card(prepare(draw, frame, meta, behind, alt_says), meta, edition))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Where the whole chart stands: the page's address and the state that shows it."""

    page: str
    state: tuple[tuple[str, str], ...] = ()


@contextmanager
def small_cards(excerpt: Excerpt) -> Iterator[None]:
    """Inside, a card is only its chart with sources and a link to the page where it stands whole."""
    token = _excerpt.set(excerpt)
    try:
        yield
    finally:
        _excerpt.reset(token)


def _small(prepared: Prepared | None, meta: ChartMeta, excerpt: Excerpt) -> None:
    with st.container(border=True, key=f"small_{meta.id}"):
        st.markdown(f"**{formats.escape_markdown(meta.title)}**")
        st.caption(formats.escape_markdown(meta.subtitle))
        if prepared is None:
            st.info(formats.escape_markdown(meta.empty))
        else:
            st.vega_lite_chart(spec=prepared.specification(), width="stretch", alt=prepared.alt, key=f"{meta.id}_small")
            st.caption(formats.escape_markdown(prepared.line))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.popover("How to read this", icon=":material/help:", type="tertiary"):
                st.markdown(formats.escape_markdown(meta.how_to_read))
            state: dict[str, Any] = dict(excerpt.state)
            link_to(excerpt.page, "The whole chart", icon=":material/open_in_full:", **state)


@st.fragment
def _content(card: _Card) -> None:
    """Chart, source line, controls, and the rows of a chosen mark; only this is drawn again after a click in it."""
    meta, prepared = card.meta, card.prepared
    spec, key, chosen = prepared.specification(), f"{meta.id}_chart", None
    if prepared.is_pickable:
        event = st.vega_lite_chart(
            spec=spec, width="stretch", alt=prepared.alt, on_select="rerun", selection_mode=PICK, key=key
        )
        chosen = matching(prepared.source.behind, _picked(event))
    else:
        st.vega_lite_chart(spec=spec, width="stretch", alt=prepared.alt, key=key)
    known = f" As known on {formats.day(meta.as_of)}." if meta.as_of else ""
    st.caption(formats.escape_markdown(card.line + known))
    for text in meta.footnotes:
        st.caption(formats.escape_markdown(text))
    with st.container(horizontal=True, gap="small"):
        _how_to_read(meta)
        _downloads(card)
        _citation(card)
    if chosen is not None:
        _chosen_rows(card, chosen)
    _table(card)


def _how_to_read(meta: ChartMeta) -> None:
    with st.popover("How to read this", icon=":material/help:", type="tertiary"):
        st.markdown(formats.escape_markdown(meta.how_to_read))
        for text in meta.caveats:
            st.markdown(f"- {formats.escape_markdown(text)}")
        if meta.lesson:
            st.markdown(f"[The lesson on this](<{lesson_address(meta.lesson)}>)")


def lesson_address(lesson: str) -> str:
    """The section of a lesson that says how to read its charts."""
    return f"{formats.page_address('learn', lesson=lesson)}#{HOW_TO_READ}"


def _downloads(card: _Card) -> None:
    """Files are made when they are asked for, not before."""
    meta, line, rows = card.meta, card.line, card.source.behind
    citation = cite(meta, card.edition.version, card.edition.built_on, card.edition.address)

    def all_in_one() -> bytes:
        return bundle.zip_bytes(meta, rows, line, card.edition, citation)

    files: list[tuple[str, str, str, Callable[[], bytes]]] = [
        ("All in one (zip)", "zip", "application/zip", all_in_one),
        ("Rows (CSV)", "csv", "text/csv", lambda: bundle.csv_bytes(rows)),
        ("Image (PNG)", "png", "image/png", lambda: images.png(card.prepared.chart, meta, line)),
        ("Image (SVG)", "svg", "image/svg+xml", lambda: images.svg(card.prepared.chart, meta, line)),
    ]
    with st.popover("Download", icon=":material/download:", type="tertiary"):
        for label, ending, mime, make in files:
            st.download_button(
                label, make, f"{meta.id}.{ending}", mime, key=f"{meta.id}_{ending}", on_click="ignore", width="stretch"
            )
        st.caption("The zip holds the rows, each column's unit, terms, caveats and the citation.")


def _citation(card: _Card) -> None:
    citation = cite(card.meta, card.edition.version, card.edition.built_on, card.edition.address)
    with st.popover("Cite this", icon=":material/format_quote:", type="tertiary"):
        st.code(citation.plain, language=None, wrap_lines=True)
        st.code(citation.bibtex, language=None, wrap_lines=True)


def _table(card: _Card) -> None:
    """The rows behind the chart; made only while open."""
    meta, rows = card.meta, card.source.behind
    label = f"Table: {len(rows):,} rows"
    with st.expander(label, icon=":material/table:", key=f"{meta.id}_table", on_change="rerun") as table:
        if table.open:
            rows_table(rows.head(ROWS_SHOWN), _columns(card), key=f"{meta.id}_rows", alt=f"Rows of: {meta.title}")
            if len(rows) > ROWS_SHOWN:
                st.caption(f"The first {ROWS_SHOWN:,} rows; the download holds all.")


def _chosen_rows(card: _Card, chosen: pd.DataFrame) -> None:
    with st.container(border=True, key=f"{card.meta.id}_chosen"):
        st.caption(f"Behind the chosen mark: {len(chosen):,} {'row' if len(chosen) == 1 else 'rows'}.")
        alt_says = f"Rows behind the chosen mark of: {card.meta.title}"
        rows_table(chosen.head(ROWS_SHOWN), _columns(card), key=f"{card.meta.id}_behind", alt=alt_says)


def _columns(card: _Card) -> dict[str, str]:
    """The columns of the meta, and always tag, date, claim and address: two clicks to who said it and when."""
    always = {"evidence": "Evidence", "stated_on": "Stated", "claim_id": "Claim", "url": "Where"}
    return dict(card.meta.columns) | {name: label for name, label in always.items() if name not in card.meta.columns}


def _picked(event: Any) -> dict[str, Any]:
    """The fields of the mark that was clicked; {} when none was."""
    found = event["selection"].get(PICK) or []
    return dict(found[0]) if found else {}


def matching(rows: pd.DataFrame, picked: dict[str, Any]) -> pd.DataFrame | None:
    """The rows that have a mark's values; None when no mark is picked. Dates come from the browser in milliseconds."""
    wanted = {name: value for name, value in picked.items() if name in rows.columns}
    if not wanted:
        return None
    keep = pd.Series(True, index=rows.index)
    for name, value in wanted.items():
        column = rows[name]
        if pd.api.types.is_datetime64_any_dtype(column):
            keep &= column == pd.Timestamp(value, unit="ms")
        else:
            keep &= column.isna() if value is None else column == value
    return rows[keep]


def _address(meta: ChartMeta) -> str:
    """The address of this view, with its state, down to this card."""
    scheme, place, path, _, _ = urlsplit(st.context.url or "")
    query = urlencode([(key, value) for key in st.query_params for value in st.query_params.get_all(key)])
    return urlunsplit((scheme, place, path, query, meta.id.replace("_", "-")))
