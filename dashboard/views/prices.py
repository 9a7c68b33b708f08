"""Prices: what an accelerator hour is offered for, by source, layer and kind of price; unlike prices share no line."""

from __future__ import annotations

import datetime as dt
from functools import partial

import streamlit as st

from dashboard.charts import prices as charts
from dashboard.components import (
    CardParts,
    Chosen,
    as_of,
    choose_many,
    choose_one,
    first_card,
    first_card_of,
    kept_card,
    later,
    rows_table,
    words_of,
)
from dashboard.components.tables import Rows
from dashboard.headlines import prices as headlines
from dashboard.queries import Ledger, once
from pipelines.registry.comparability import rule
from warehouse.answers import formats

WORDS = words_of(__file__)

KINDS = WORDS.names["kinds"]


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    offered = ledger.frame_of("prices.offered")
    if offered.empty:
        st.info("This version holds no prices. Capture a source of prices with `rackledger run`, then reload.")
        return
    day = as_of(ledger)
    kept_card(ledger, _cheapest, day)
    later(partial(_below, ledger, day))


def _below(ledger: Ledger, day: dt.date) -> None:
    offered = ledger.frame_of("prices.offered")
    first, second, third = st.columns([2, 2, 2])
    names = dict(zip(offered["accelerator_model"], offered["name"], strict=True))
    model = choose_one("Accelerator", list(names), key="accelerator", names=names, where=first)
    of_model = offered[offered["accelerator_model"] == model]
    kinds = [kind for kind in KINDS if kind in set(of_model["price_type"])] or sorted(set(of_model["price_type"]))
    kind = choose_one("Kind of price", kinds, key="kind", names=KINDS, where=second)
    layers = sorted(set(of_model[of_model["price_type"] == kind]["layer"]) - {"all"})
    chosen = choose_many("Layers apart", layers, key="layer", where=third, help="Without a choice all layers together.")
    kept_card(ledger, _series, day, model, names[model], kind, chosen or ("all",))
    _offers(once(ledger, _offer_rows, model, kind, day), names[model])


def _cheapest(ledger: Ledger, day: dt.date) -> CardParts:
    offers = ledger.frame_of("prices.neocloud_offers", day=day)
    table = headlines.cheapest(offers, ledger.frame_of("prices.neocloud_medians", day=day))
    shown = offers[offers["accelerator_model"].isin(set(table["accelerator_model"]))].reset_index(drop=True)
    meta = WORDS.card("prices_cheapest", headlines.title(table), as_of=day)
    return CardParts(charts.cheapest, table, meta, shown)


def _series(ledger: Ledger, day: dt.date, model: str, name: str, price_type: str, layers: tuple[str, ...]) -> CardParts:
    frame = ledger.frame_of("prices.series", model=model, price_type=price_type, layers=layers, day=day)
    kind = KINDS.get(price_type, price_type)
    thin = int(frame["is_thin"].sum()) if not frame.empty else 0
    last = frame["stated_on"].max() if not frame.empty else None
    unchanged = formats.unchanged_since(last, day, 14) if last is not None else ""
    says = f" {unchanged.capitalize()}." if unchanged else ""
    finding, unlike = headlines.series_title(frame, name, kind), rule("unlike-prices").says
    meta = WORDS.card(
        "prices_over_time", finding, as_of=day, name=name, kind=kind, says=says, thin=thin, unlike=unlike
    )  # fmt: skip
    return CardParts(charts.over_time, headlines.in_series(frame) if len(frame) else frame, meta)


def _offer_rows(ledger: Ledger, model: str, price_type: str, day: dt.date) -> Rows:
    return Rows.of(
        ledger.frame_of("prices.offers", model=model, price_type=price_type, day=day), WORDS.tables["offers"]
    )


def _offers(rows: Rows, name: str) -> None:
    st.header("Offers", anchor="offers")
    if rows.frame.empty:
        st.info("No such offer was listed at the last look.")
        return
    st.caption(f"{len(rows.frame):,} offers listed at the last look of each source, cheapest first.")
    rows_table(rows, WORDS.tables["offers"], key="offers", alt=f"Offers of {name}")


def _most_offered(ledger: Ledger) -> Chosen | None:
    """The accelerator that most offers name."""
    offered = ledger.frame_of("prices.offered")
    if offered.empty:
        return None
    row = offered.iloc[0]
    kind = next(kind for kind in (*KINDS, str(row["price_type"])) if kind in set(offered["price_type"]))
    return ledger.built_at.date(), str(row["accelerator_model"]), str(row["name"]), kind, ("all",)


CHARTS = {
    "prices_cheapest": first_card(_cheapest),
    "prices_over_time": first_card_of(_series, _most_offered),
}
