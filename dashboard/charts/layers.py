"""Charts of stratification: generations by layer over time, age at adoption, stock. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts.rounds import by_generation
from dashboard.charts.theme import by_layer, legend
from dashboard.columns import tips

QUARTER = alt.Axis(format="%Y-%m", labelAngle=0, tickCount=6)


def generations_of(frame: pd.DataFrame) -> pd.DataFrame:
    """The generations of a frame with vendor, name and place, as the palette takes them."""
    named = frame[["generation", "vendor", "generation_name", "ordinal"]].drop_duplicates("generation")
    split = [str(name).partition(" ") for name in named["generation_name"]]
    return named.assign(vendor_name=[vendor for vendor, _, _ in split], name=[name for _, _, name in split])


def by_quarter(frame: pd.DataFrame, generations: pd.DataFrame, *, is_share: bool) -> alt.Chart:
    """A row a layer, a bar a quarter, stacked by generation as shares or as counts of the row's own largest quarter.

    `frame` has layer, quarter, generation, ordinal, vendor, records, organisations. The bars are placed here,
    for a chart
    of several panels cannot take the width of its page.
    """
    named, colour, _ = by_generation(_stacked(frame, is_share=is_share), generations)
    layers = sorted(set(named["layer"]))
    names = ", ".join(f"'{layer}'" for layer in layers)
    chart: alt.Chart = (
        alt.Chart(named)
        .mark_bar()
        .encode(
            x=alt.X("quarter_start:T", title=None, axis=QUARTER),
            x2=alt.X2("quarter_end:T"),
            y=alt.Y(
                "low:Q",
                title=None,
                scale=alt.Scale(domain=[0, len(layers)], reverse=True, nice=False),
                axis=alt.Axis(
                    values=[index + 0.5 for index in range(len(layers))],
                    labelExpr=f"[{names}][floor(datum.value)]",
                    ticks=False,
                    grid=False,
                    domain=False,
                ),
            ),
            y2=alt.Y2("high:Q"),
            color=colour,
            tooltip=[
                *tips(
                    "layer generation_name quarter_start records organisations evidence", quarter_start="Quarter from"
                ),
                alt.Tooltip("share:Q", title="Share of the quarter", format=".0%"),
            ],
        )
        .properties(height=92 * len(layers) + 190)
    )
    return chart


def _stacked(frame: pd.DataFrame, *, is_share: bool) -> pd.DataFrame:
    """Bars with `low` and `high` between a row's number and the next, older generations at the bottom."""
    ordered = frame.sort_values(["layer", "quarter", "vendor", "ordinal"], ascending=[True, True, True, True])
    cell = ordered.groupby(["layer", "quarter"])["records"]
    total = cell.transform("sum")
    largest = total if is_share else total.groupby(ordered["layer"]).transform("max")
    row = ordered["layer"].map({layer: index for index, layer in enumerate(sorted(set(ordered["layer"])))})
    upto = cell.cumsum()
    quarter = pd.to_datetime(ordered["quarter"])
    return ordered.assign(
        quarter_start=quarter,
        quarter_end=quarter + pd.Timedelta(days=78),
        share=ordered["records"] / total,
        low=row + 0.95 - 0.85 * (upto - ordered["records"]) / largest,
        high=row + 0.95 - 0.85 * upto / largest,
    )


def ages(frame: pd.DataFrame) -> alt.LayerChart:
    """A line a generation, a mark a layer: median age in months, with its 90 % interval as a bar."""
    order = list(dict.fromkeys(frame.sort_values("available_on")["generation_name"]))
    y = alt.Y("generation_name:N", sort=order, title=None, axis=alt.Axis(labelLimit=200, labelOverlap=False))
    colour, shape = by_layer("layer", sorted(set(frame["layer"])))
    offset = alt.YOffset("layer:N")
    base = alt.Chart(frame).encode(y=y, yOffset=offset, color=colour)
    x = alt.X("median_months:Q", title="Age of the generation (months since first availability)")
    tooltip = tips(
        "generation_name layer median_months low_months high_months organisations known_by_only is_young evidence"
    )
    chart: alt.LayerChart = (
        base.mark_rule(strokeWidth=4, opacity=0.35).encode(x=alt.X("low_months:Q"), x2="high_months:Q")
        + base.mark_point(filled=True, size=70).encode(x=x, shape=shape, tooltip=tooltip)
    ).properties(height=max(48 * len(order) + 120, 260))
    return chart


def stock(frame: pd.DataFrame, generations: pd.DataFrame) -> alt.Chart:
    """A bar an owner: share of its estimated chips by generation at one quarter's end."""
    named, colour, _ = by_generation(frame, generations)
    order = list(named.groupby("owner")["units"].sum().sort_values(ascending=False).index)
    chart: alt.Chart = (
        alt.Chart(named)
        .mark_bar()
        .encode(
            y=alt.Y("owner:N", sort=order, title=None, axis=alt.Axis(labelLimit=160, labelOverlap=False)),
            x=alt.X("units:Q", stack="normalize", title="Share of estimated accelerators", axis=alt.Axis(format="%")),
            color=colour,
            tooltip=tips("owner generation_name units units_low units_high calendar_quarter evidence"),
        )
        .properties(height=30 * len(order) + 130)
    )
    return chart


def revenue(frame: pd.DataFrame) -> alt.Chart:
    """Bars a quarter: audited revenue by segment, beside each other."""
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_bar()
        .encode(
            x=alt.X("calendar_quarter:N", title=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("segment:N"),
            y=alt.Y("value_usd:Q", title="USD", axis=alt.Axis(format="$,.2s")),
            color=alt.Color(
                "segment:N", legend=legend(), scale=alt.Scale(range=["#0072B2", "#D55E00", "#009E73", "#CC79A7"])
            ),
            tooltip=tips("company segment calendar_quarter value_usd evidence stated_on"),
        )
        .properties(height=300)
    )
    return chart
