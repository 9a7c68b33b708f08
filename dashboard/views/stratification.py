"""Who has it: which layer of the market has which generation in service, since when, and how long it took."""

from __future__ import annotations

import datetime as dt
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import layers as charts
from dashboard.columns import columns
from dashboard.components import CardParts, ChartMeta, Filter, as_of, choose_one, kept_card, later, open_page
from dashboard.components.state import Choices, choose_in, fitting
from dashboard.components.tables import short_table, show_short_table
from dashboard.headlines import adoption, words
from dashboard.navigation import Page
from dashboard.queries import Ledger, once
from dashboard.queries import layers as queries
from warehouse.answers import formats

PAGE = Page("Who has it", 1, "Who has it", "layers", "Which layer runs which generation, since when.")
CHARTS = ("adoption_shares", "stratification_age", "stratification_stock", "stratification_revenue")

MAKERS = {
    "nvidia": "NVIDIA", "amd": "AMD", "google": "Google", "aws": "AWS", "huawei": "Huawei", "intel": "Intel",
    "microsoft": "Microsoft", "meta": "Meta",
}  # fmt: skip
FIRST = dt.date(2020, 1, 1)
SERVICE = columns(
    "organisation short_name kind on_high evidence stated_on layer is_known_by_only available_on retired_on url",
    short_name="Generation",
    on_high="First on or by",
    is_known_by_only="Only known by then",
)
FIRSTS = columns(
    "organisation generation_name layer age_high_days on_high kind is_known_by_only evidence stated_on url",
    on_high="First on or by",
    is_known_by_only="Only known by then",
    age_high_days="After availability [days]",
)
THESIS = columns(
    "generation_name earlier_layer later_layer verdict lag_months low_months high_months earlier_organisations "
    "later_organisations is_young evidence"
)
STOCK = columns("owner layer generation_name units units_low units_high calendar_quarter evidence url")
REVENUE = columns("company segment calendar_quarter value_usd form evidence stated_on caveats url")
MEASURE = "cumulative"


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Who has it",
        "Which layer of the market has which generation in service, since when, and how long it took.",
        needs=("marts.adoption", "marts.age_at_adoption", "marts.ageing_verdict"),
    )
    first, second = st.columns([4, 1])
    maker = choose_one("Maker", list(MAKERS), key="maker", names=MAKERS, where=first)
    day = as_of(ledger, where=second)
    of_maker = _service(ledger, maker, day, ())
    chosen = choose_in(
        of_maker,
        Filter("layer", "Layer", names=adoption.LAYERS),
        Filter(
            "generation", "Generation", names=dict(zip(of_maker["generation"], of_maker["short_name"], strict=True))
        ),
        Filter("organisation", "Organisation"),
    )
    kept_card(ledger, _shares, maker, day, chosen)
    later(partial(_below, ledger, maker, day))


def _below(ledger: Ledger, maker: str, day: dt.date) -> None:
    kept_card(ledger, _ages, maker, day)
    _thesis(ledger, day)
    kept_card(ledger, _stock, day)
    kept_card(ledger, _revenue, day)


def _service(ledger: Ledger, maker: str, day: dt.date, chosen: Choices) -> pd.DataFrame:
    service = ledger.frame_of("layers.service", day=day)
    return fitting(service[service["vendor"] == maker], chosen)


def _shares(ledger: Ledger, maker: str, day: dt.date, chosen: Choices = ()) -> CardParts:
    service = _service(ledger, maker, day, chosen)
    known = queries.known(ledger, day)
    generations, layers = adoption.generations(service, maker), adoption.layers(service, known)
    shown = service[service["generation"].isin(generations) & service["layer"].isin(layers)]
    lines = adoption.lines(shown, known, day, FIRST)
    before = adoption.had(shown, _year_before(day))
    ago = pd.DataFrame(
        [(layer, generation, n) for (layer, generation), n in before.items()], columns=["layer", "generation", "had"]
    )
    ends = pd.DataFrame(list(adoption.last_dated(shown).items()), columns=["layer", "on"])
    meta = ChartMeta(
        id="adoption_shares",
        title=adoption.title(shown, known, generations) or f"Who has each {MAKERS[maker]} generation in service?",
        subtitle=f"Who has each {MAKERS[maker]} generation in service? Share of the organisations of each layer the "
        "record knows. Filled dot: dated event; ring: known by that day.",
        how_to_read="One panel is a layer of the market, one line a generation; it steps up when one more is "
        "known to have it. At its end stands how many have it now, and below how many had it a year before. After the "
        "last event with a day of its own the ground is grey: steps there are days of looking. Plans, previews and "
        "benchmark results are no service; a retirement takes a step down.",
        lesson="layers",
        as_of=day,
        columns=SERVICE,
        footnotes=_left_out(service, shown),
        caveats=("An organisation without a row is one of whom nothing is stated, not one that has none.",),
        empty=f"Nobody is on record with a generation of {MAKERS[maker]} in service by this day, for these choices.",
    )
    return CardParts(partial(charts.shares, day=day, ago=ago, ends=ends), lines, meta, service)


def _year_before(day: dt.date) -> dt.date:
    return (pd.Timestamp(day) - pd.DateOffset(years=1)).date()


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


def _ages(ledger: Ledger, maker: str, day: dt.date) -> CardParts:
    frame = ledger.frame_of("layers.ages", day=day)
    firsts = ledger.frame_of("layers.first_adoptions", day=day)
    firsts = firsts[firsts["vendor"] == maker].reset_index(drop=True)
    frame = frame[frame["vendor"] == maker].assign(
        short_name=lambda rows: rows["generation"].map(
            dict(zip(firsts["generation"], firsts["short_name"], strict=True))
        )
    )
    told, dots = adoption.ages(frame, firsts)
    meta = ChartMeta(
        id="stratification_age",
        title=adoption.ages_title(frame) or "How long after first availability does a layer take a generation up?",
        subtitle="How long after first availability does a layer have a generation? A small dot is an organisation; "
        "the large dot is the median, the bar its 90 % interval.",
        how_to_read="Months from a generation's first availability until half of a layer's organisations that took "
        "it had it. Deliveries, offers, service, training runs and benchmarks count, plans and previews do not. With "
        "fewer than five dated organisations no median is drawn. Of a young generation the late adopters are still to "
        "come.",
        lesson="layers",
        columns=FIRSTS,
        as_of=day,
        footnotes=(f"{queries.verdict(ledger, day)} {_told_at(frame)}".strip(),),
        caveats=("Only what somebody published is known; many first sightings are 'known by' days.",),
        empty="No generation of this maker has an organisation with a dated event in a layer.",
    )
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
    return short_table(ledger.frame_of("layers.thesis", day=day), THESIS, "Lags between layers")


def _stock(ledger: Ledger, day: dt.date) -> CardParts:
    frame = ledger.frame_of("layers.stock", day=day, measure=MEASURE)
    latest = frame[frame["period_end"] == frame["period_end"].max()].reset_index(drop=True)
    when = f" at the end of {latest['calendar_quarter'].iloc[0]}" if len(latest) else ""
    meta = ChartMeta(
        id="stratification_stock",
        title=adoption.stock_title(latest) if len(latest) else "What do the owners hold?",
        subtitle=f"What do the owners hold? Share of each owner's estimated accelerators by generation{when}.",
        as_of=day,
        empty="No estimate of what owners hold had been published by this day. Choose a later one.",
        how_to_read="This is a model's estimate with ranges of 5 to 95 percent (in the table), not a count; it stands "
        "beside the observations above and is never added to them.",
        lesson="layers",
        columns=STOCK,
        caveats=("Estimated; retirements of chips are not modelled.",),
        licence="Epoch AI, CC BY 4.0",
    )
    return CardParts(charts.stock, adoption.stock(latest) if len(latest) else latest, meta, latest)


def _revenue(ledger: Ledger, day: dt.date) -> CardParts:
    rows = ledger.frame_of("layers.revenue_split", day=day)
    frame = adoption.revenue(rows) if len(rows) else rows
    meta = ChartMeta(
        id="stratification_revenue",
        title=(adoption.revenue_title(frame) if len(rows) else "") or "Who pays for it, by audited revenue?",
        as_of=day,
        empty="No revenue by segment had been filed by this day. Choose a later one.",
        subtitle="Who pays for it? Revenue by segment and quarter as filed, USD.",
        how_to_read="Filed revenue is audited, but its segments are the filer's own; a customer may buy via another.",
        lesson="layers",
        columns=REVENUE,
    )
    return CardParts(charts.revenue, frame, meta)


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    maker, day = next(iter(MAKERS)), ledger.built_at.date()
    if chart == "adoption_shares":
        kept_card(ledger, _shares, maker, day)
    elif chart == "stratification_age":
        kept_card(ledger, _ages, maker, day)
    else:
        kept_card(ledger, _stock if chart == "stratification_stock" else _revenue, day)
