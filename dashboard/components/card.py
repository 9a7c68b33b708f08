"""The chart card: a chart with its words, sources, rows, downloads and citation, drawn the same everywhere.

Nothing here knows what a page shows: the page hands over a frame, a pure function that draws it, and the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import bundle, images
from dashboard.components.bundle import Edition
from dashboard.components.download import download_button
from dashboard.components.figure import ChartMeta, cite, signature
from dashboard.components.page import link_to
from dashboard.components.prepared import PICK, Draw, Prepared, prepare
from dashboard.components.provenance import FigureSource
from dashboard.components.share import ROOM_FOR_WORDS, embeddable, snippet
from dashboard.components.still import still_of
from dashboard.components.tables import rows_table
from dashboard.queries import Ledger, kept
from dashboard.queries.sources import publishers
from pipelines.frozen import frozen
from warehouse.answers import formats

ROWS_SHOWN = 2_000
TABS = ("Chart", "Table", "Sources", "Download", "Share")
SOURCE_COLUMNS = columns("publisher rows_held claimants_named evidence first_stated last_stated url")
HOW_TO_READ = "how-to-read-the-market-signal"  # the heading that every lesson has
_whole_at: ContextVar[str] = ContextVar("whole_at", default="")  # the page of a card that is drawn small
_collected: ContextVar[list[tuple[Prepared, ChartMeta]] | None] = ContextVar("collected", default=None)


@frozen
class _Card:
    """Everything a card needs to be drawn again by itself."""

    prepared: Prepared
    meta: ChartMeta
    edition: Edition


@frozen
class CardParts:
    """What a card is made of, see `chart_card`; `behind` holds the rows when marks are sums over rows."""

    draw: Draw
    frame: pd.DataFrame
    meta: ChartMeta
    behind: pd.DataFrame | None = None

    def prepared(self, names: Mapping[str, str] | None = None) -> Prepared | None:
        """The chart ready to be sent; None for one without a row. Raises UnsourcedFigure."""
        if self.frame.empty:
            FigureSource.of(self.frame, self.behind)
            return None
        return prepare(self.draw, self.frame, self.meta, self.behind, names)


def kept_card(ledger: Ledger, make: Callable[..., CardParts], *given: object) -> None:
    """Draw the card that a function of a module makes of the ledger and plain values (texts, days, tuples of them).

    It is made once a version and set of values, for all visitors: a page that is asked again computes nothing.
    """

    def ready() -> tuple[Prepared | None, ChartMeta]:
        parts = make(ledger, *given)
        return parts.prepared(publishers(ledger)), parts.meta

    _show(*kept(ledger, f"card {make.__module__}.{make.__qualname__}", given, ready), ledger)


Chosen = tuple[object, ...]


def first_card(make: Callable[..., CardParts], *given: object) -> Callable[[Ledger], None]:
    """What draws a card of the newest day with these values after it: its page's first choices."""
    return first_card_of(make, lambda ledger: (ledger.built_at.date(), *given))


def first_card_of(
    make: Callable[..., CardParts], choose: Callable[[Ledger], Chosen | None]
) -> Callable[[Ledger], None]:
    """What draws a card with the values that are chosen from the ledger; nothing where there are none."""

    def draw(ledger: Ledger) -> None:
        if (chosen := choose(ledger)) is not None:
            kept_card(ledger, make, *chosen)

    return draw


def chart_card(draw: Draw, frame: pd.DataFrame, meta: ChartMeta, *, ledger: Ledger) -> None:
    """Draw a frame as a card.

    `draw` is pure: frame to Altair chart, all encodings with their types; a function of a module, or a
    functools.partial of one over plain values and frames, so that the chart can be kept for the next visitor. A click
    on a mark shows the rows behind it. Raises UnsourcedFigure for a frame without tag, source, and date or key.
    """
    _show(CardParts(draw, frame, meta).prepared(publishers(ledger)), meta, ledger)


def _show(prepared: Prepared | None, meta: ChartMeta, ledger: Ledger) -> None:
    collected = _collected.get()
    if collected is not None:
        collected += [(prepared, meta)] if prepared else []
        return
    if page := _whole_at.get():
        _small(prepared, meta, page)
        return
    with st.container(border=True, key=f"card_{meta.id}"):
        st.header(formats.escape_markdown(meta.title), anchor=meta.id.replace("_", "-"))
        with st.container(key=f"{meta.id}_question"):
            st.markdown(formats.escape_markdown(meta.subtitle))
        if prepared is None:
            st.info(formats.escape_markdown(meta.empty))
            return
        _content(_Card(prepared, meta, Edition(ledger.version, ledger.built_at.date(), _address(meta))))


@contextmanager
def small_cards(page: str) -> Iterator[None]:
    """Inside, a card is only its chart with sources and a link to the page where it stands whole."""
    token = _whole_at.set(page)
    try:
        yield
    finally:
        _whole_at.reset(token)


@contextmanager
def collected_cards() -> Iterator[list[tuple[Prepared, ChartMeta]]]:
    """Inside, a card that has a chart is put into the list and not drawn."""
    found: list[tuple[Prepared, ChartMeta]] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def _small(prepared: Prepared | None, meta: ChartMeta, page: str) -> None:
    with st.container(border=True, key=f"small_{meta.id}"):
        st.markdown(f"**{formats.escape_markdown(meta.title)}**")
        st.caption(formats.escape_markdown(meta.subtitle))
        if prepared is None:
            st.info(formats.escape_markdown(meta.empty))
        else:
            with chart_space(f"{meta.id}_small", prepared):
                drawn(prepared, f"{meta.id}_small")
            st.caption(formats.escape_markdown(prepared.line))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            with st.popover("How to read this", icon=":material/help:", type="tertiary"):
                st.markdown(formats.escape_markdown(meta.how_to_read))
            link_to(page, "The whole chart", icon=":material/open_in_full:")


@st.fragment
def _content(card: _Card) -> None:
    """The tabs of a card; only this is drawn again after a click in it, and only the open tab is made."""
    tabs = st.tabs(TABS, key=f"{card.meta.id}_tabs", on_change="rerun")
    for tab, draw in zip(tabs, (_chart, _table, _sources, _downloads, _share), strict=True):
        with tab:
            if tab.open:
                draw(card)


def _chart(card: _Card) -> None:
    """Chart, foot, and the rows of a chosen mark."""
    meta, prepared = card.meta, card.prepared
    chosen = None
    with chart_space(f"{meta.id}_chart", prepared):
        if prepared.is_pickable:
            event = drawn(prepared, f"{meta.id}_chart", on_select="rerun", selection_mode=PICK)
            chosen = matching(prepared.source.behind, _picked(event))
        else:
            drawn(prepared, f"{meta.id}_chart")
    _foot(card)
    if chosen is not None:
        _chosen_rows(card, chosen)


def drawn(prepared: Prepared, key: str, **more: Any) -> Any:
    """The chart itself, as wide as its place and, where it has heights of its own, as high."""
    height: Any = "stretch" if prepared.heights else "content"
    return st.vega_lite_chart(
        spec=prepared.specification(), width="stretch", height=height, theme=None, alt=prepared.alt, key=key, **more
    )


@contextmanager
def chart_space(key: str, prepared: Prepared) -> Iterator[None]:
    """A place that is as high as the chart will be before anything is drawn, so that nothing moves while it comes.

    Its name carries the heights of both layouts: the frame's script reads them there as soon as the place stands.
    """
    wide, narrow = prepared.heights or (prepared.least_height, prepared.least_height)
    still = still_of(prepared)
    kind = "still_fixed_space" if still else "fixed_space" if prepared.heights else "space"
    with st.container(key=f"{key}_frame"), st.container(key=f"{key}_{kind}_{wide}_{narrow}"):
        st.html(still) if still else st.empty()  # the chart keeps its place among its neighbours
        yield


def _foot(card: _Card) -> None:
    """Who spoke, what was left out, and name, date and licence: what also stands on the image."""
    meta = card.meta
    says, mine = st.columns([5, 3])
    with says:
        st.caption("\n\n".join(formats.escape_markdown(text) for text in (card.prepared.line, *meta.footnotes)))
    with mine:
        st.caption(formats.escape_markdown(signature(meta, card.edition.built_on)), text_alignment="right")
        with st.container(horizontal=True, horizontal_alignment="right", gap="small"):
            _how_to_read(meta)


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


def _sources(card: _Card) -> None:
    """Who printed the rows: one line a page's publisher, with who was quoted, evidence, days and one address."""
    found = card.prepared.source.sources()
    st.caption(f"{len(card.prepared.source.behind):,} rows, printed by {len(found):,}.")
    rows_table(found, SOURCE_COLUMNS, key=f"{card.meta.id}_sources", alt=f"Sources of: {card.meta.title}")


def _downloads(card: _Card) -> None:
    """Files, made when they are asked for and not before; the address of this very view, and how to cite it."""
    meta, line, rows, edition = card.meta, card.prepared.line, card.prepared.source.behind, card.edition
    citation = cite(meta, edition.version, edition.built_on, edition.address)

    def all_in_one() -> bytes:
        return bundle.zip_bytes(meta, rows, line, edition, citation)

    words = images.Words(meta, line, signature(meta, edition.built_on), edition.address)
    files: list[tuple[str, str, str, Callable[[], bytes]]] = [
        ("All in one (zip)", "zip", "application/zip", all_in_one),
        ("Rows (CSV)", "csv", "text/csv", lambda: bundle.csv_bytes(rows)),
        ("Image (PNG)", "png", "image/png", lambda: images.png(card.prepared.chart, words)),
        ("Image (SVG)", "svg", "image/svg+xml", lambda: images.svg(card.prepared.chart, words)),
    ]
    with st.container(horizontal=True, gap="small"):
        for label, ending, mime, make in files:
            download_button(label, make, f"{meta.id}.{ending}", mime, key=f"{meta.id}_{ending}")
    st.caption("The zip holds the rows, each column's unit, terms, caveats and the citation.")
    st.caption("This view")
    st.code(edition.address, language=None, wrap_lines=True)
    st.caption("Cite this")
    st.code(citation.plain, language=None, wrap_lines=True)
    st.code(citation.bibtex, language=None, wrap_lines=True)


def _share(card: _Card) -> None:
    """The address of this very view, and how to put the chart into another page."""
    st.caption("Share this view")
    st.code(card.edition.address, language=None, wrap_lines=True)
    if card.meta.id in embeddable:
        page, _, query = card.edition.address.partition("#")[0].partition("?")
        height = (card.prepared.heights or (card.prepared.least_height,))[0] + ROOM_FOR_WORDS
        st.caption("Embed the chart with these choices, always of the newest version")
        root = f"{page.rpartition('/')[0]}/"
        st.code(snippet(card.meta.id, card.meta.title, height, root, query), language=None, wrap_lines=True)


def _table(card: _Card) -> None:
    """The rows behind the chart."""
    meta, rows = card.meta, card.prepared.source.behind
    st.caption(f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}.")
    rows_table(rows.head(ROWS_SHOWN), all_columns(meta), key=f"{meta.id}_rows", alt=f"Rows of: {meta.title}")
    if len(rows) > ROWS_SHOWN:
        st.caption(f"The first {ROWS_SHOWN:,} rows; the download holds all.")


def _chosen_rows(card: _Card, chosen: pd.DataFrame) -> None:
    with st.container(border=True, key=f"{card.meta.id}_chosen"):
        st.caption(f"Behind the chosen mark: {len(chosen):,} {'row' if len(chosen) == 1 else 'rows'}.")
        alt = f"Rows behind the chosen mark of: {card.meta.title}"
        rows_table(chosen.head(ROWS_SHOWN), all_columns(card.meta), key=f"{card.meta.id}_behind", alt=alt)


def all_columns(meta: ChartMeta) -> dict[str, str]:
    """The columns of the meta, and always tag, date, claim and address: two clicks to who said it and when."""
    always = {"evidence": "Evidence", "stated_on": "Stated", "claim_id": "Claim", "url": "Where"}
    return dict(meta.columns) | {name: label for name, label in always.items() if name not in meta.columns}


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
