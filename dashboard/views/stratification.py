"""Who has it: which layer of the market has which generation in service, since when, and how long it took."""

from __future__ import annotations

import datetime as dt
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import layers as charts
from dashboard.components import CardParts, Filter, as_of, choose_one, first_card, kept_card, later, words_of
from dashboard.components.state import Choices, choose_in, fitting
from dashboard.components.tables import short_table, show_short_table
from dashboard.headlines import adoption, words
from dashboard.queries import Ledger, once
from dashboard.queries import layers as queries
from warehouse.answers import formats

WORDS = words_of(__file__)

MAKERS = WORDS.names["makers"]
FIRST = dt.date(2020, 1, 1)


MEASURE = "cumulative"


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    first, second = st.columns([4, 1])
    maker = choose_one("Maker", list(MAKERS), key="maker", names=MAKERS, where=first)
    day = as_of(ledger, where=second)
    of_maker = _service(ledger, day, maker, ())
    chosen = choose_in(
        of_maker,
        Filter("layer", "Layer", names=adoption.LAYERS),
        Filter(
            "generation", "Generation", names=dict(zip(of_maker["generation"], of_maker["short_name"], strict=True))
        ),
        Filter("organisation", "Organisation"),
    )
    kept_card(ledger, _shares, day, maker, chosen)
    later(partial(_below, ledger, day, maker))


def _below(ledger: Ledger, day: dt.date, maker: str) -> None:
    kept_card(ledger, _ages, day, maker)
    _thesis(ledger, day)
    kept_card(ledger, _stock, day)
    kept_card(ledger, _revenue, day)


def _service(ledger: Ledger, day: dt.date, maker: str, chosen: Choices) -> pd.DataFrame:
    service = ledger.frame_of("layers.service", day=day)
    return fitting(service[service["vendor"] == maker], chosen)


def _shares(ledger: Ledger, day: dt.date, maker: str, chosen: Choices = ()) -> CardParts:
    service = _service(ledger, day, maker, chosen)
    known = queries.known(ledger, day)
    generations, layers = adoption.generations(service, maker), adoption.layers(service, known)
    shown = service[service["generation"].isin(generations) & service["layer"].isin(layers)]
    lines = adoption.lines(shown, known, day, FIRST)
    before = adoption.had(shown, (pd.Timestamp(day) - pd.DateOffset(years=1)).date())
    ago = pd.DataFrame(
        [(layer, generation, n) for (layer, generation), n in before.items()], columns=["layer", "generation", "had"]
    )
    ends = pd.DataFrame(list(adoption.last_dated(shown).items()), columns=["layer", "on"])
    finding, left = adoption.title(shown, known, generations), _left_out(service, shown)
    meta = WORDS.card("adoption_shares", finding, as_of=day, footnotes=left, maker=MAKERS[maker])
    return CardParts(partial(charts.shares, day=day, ago=ago, ends=ends), lines, meta, service)


def _left_out(service: pd.DataFrame, shown: pd.DataFrame) -> tuple[str, ...]:
    """How many first sightings are only known by a day, and what stands in the table only."""
    by = int(shown["is_known_by_only"].sum())
    rest = len(service) - len(shown)
    says = f"{by} of {len(shown)} first sightings are “known by” days: the generation may have come earlier."
    more = (
        f" {words.sentence(words.counted(rest, 'sighting'))} of other layers or generations: in the table."
        if rest
        else ""
    )
    return (says + more, "Shares describe the record, not the market.")


def _ages(ledger: Ledger, day: dt.date, maker: str) -> CardParts:
    frame = ledger.frame_of("layers.ages", day=day)
    firsts = ledger.frame_of("layers.first_adoptions", day=day)
    firsts = firsts[firsts["vendor"] == maker].reset_index(drop=True)
    frame = frame[frame["vendor"] == maker].assign(
        short_name=lambda rows: rows["generation"].map(
            dict(zip(firsts["generation"], firsts["short_name"], strict=True))
        )
    )
    told, dots = adoption.ages(frame, firsts)
    told_at = f"{queries.verdict(ledger, day)} {_told_at(frame)}".strip()
    meta = WORDS.card("stratification_age", adoption.ages_title(frame), as_of=day, footnotes=(told_at,))
    return CardParts(partial(charts.ages, dots=dots), told, meta, firsts)


def _told_at(ages: pd.DataFrame) -> str:
    """Medians and lags are told at ends of quarters and at the newest day."""
    return f"Medians as told at {formats.day(ages['known_on'].max())}." if len(ages) else ""


def _thesis(ledger: Ledger, day: dt.date) -> None:
    st.header("Do generations age down through the layers?", anchor="thesis")
    verdict, lags = queries.verdict(ledger, day), ledger.frame_of("layers.thesis", day=day)
    st.markdown(formats.escape_markdown(verdict or "Nothing had been told of it by this day. Choose a later one."))
    if len(lags):
        show_short_table(once(ledger, _lags, day))


def _lags(ledger: Ledger, day: dt.date) -> str:
    return short_table(ledger.frame_of("layers.thesis", day=day), WORDS.tables["thesis"], "Lags between layers")


def _stock(ledger: Ledger, day: dt.date) -> CardParts:
    frame = ledger.frame_of("layers.stock", day=day, measure=MEASURE)
    latest = frame[frame["period_end"] == frame["period_end"].max()].reset_index(drop=True)
    when = f" at the end of {latest['calendar_quarter'].iloc[0]}" if len(latest) else ""
    finding = adoption.stock_title(latest) if len(latest) else ""
    meta = WORDS.card("stratification_stock", finding, as_of=day, when=when)
    return CardParts(charts.stock, adoption.stock(latest) if len(latest) else latest, meta, latest)


def _revenue(ledger: Ledger, day: dt.date) -> CardParts:
    rows = ledger.frame_of("layers.revenue_split", day=day)
    frame = adoption.revenue(rows) if len(rows) else rows
    meta = WORDS.card("stratification_revenue", adoption.revenue_title(frame) if len(rows) else "", as_of=day)
    return CardParts(charts.revenue, frame, meta)


CHARTS = {
    "adoption_shares": first_card(_shares, next(iter(MAKERS))),
    "stratification_age": first_card(_ages, next(iter(MAKERS))),
    "stratification_stock": first_card(_stock),
    "stratification_revenue": first_card(_revenue),
}
