"""Charts of prices: the median by source over time with the range of offers; thin panels show points, no line. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts import kit
from dashboard.charts.series import Axis, of_series
from dashboard.charts.theme import by_maker, ink, maker_or_other
from dashboard.columns import tips


def over_time(frame: pd.DataFrame) -> alt.LayerChart:
    """A line a source and layer: median USD per accelerator hour.

    A day with fewer than three providers (`is_thin`) is a point of its own: no line is drawn through it. `frame` is of
    `headlines.prices.in_series`.
    """
    tooltip = tips(
        "line stated_on median_usd_per_gpu_hour low_usd_per_gpu_hour high_usd_per_gpu_hour n_offers n_providers "
        "is_thin evidence"
    )
    y = Axis("median_usd_per_gpu_hour", "USD per accelerator hour", "linear", "$,.2f")
    return of_series(
        frame, x=Axis("stated_on", "", "time"), y=y, tooltip=tooltip, is_joined=True, joined="!datum.is_thin",
    )  # fmt: skip


CHEAP_ROW = 30


def cheapest(frame: pd.DataFrame) -> alt.LayerChart:
    """A row an accelerator: its cheapest offer as a dot, the line reaches to the dearest.

    `frame` has the columns of `headlines.prices.cheapest`.
    """
    rows = frame.assign(
        maker=maker_or_other(frame["vendor"]), row=[14 + CHEAP_ROW * place for place in range(len(frame))]
    )
    left, right = f"({kit.NARROW} ? 96 : 200)", f"({kit.NARROW} ? width - 130 : width - 430)"
    scale = alt.Scale(domain=[0, float(rows["high"].max())], range=[{"expr": left}, {"expr": right}], nice=False)
    axis = alt.Axis(format="$,.0f", tickCount=5, domain=False, ticks=False)
    base = alt.Chart(rows).encode(y=kit.at("datum.row"))
    tooltip = [
        *kit.tips(name="Accelerator"), alt.Tooltip("low:Q", title="Cheapest hour", format="$,.2f"),
        *kit.tips(provider="Provider"), alt.Tooltip("high:Q", title="Dearest hour", format="$,.2f"),
        alt.Tooltip("providers:Q", title="Providers"), *kit.tips(moved="Trend"),
    ]  # fmt: skip
    long = kit.either("datum.told + (datum.moved ? ', ' + datum.moved : '')", "datum.told")
    layers = [
        base.mark_rule(strokeWidth=2, opacity=0.5, aria=False).encode(
            x=alt.X("low:Q", scale=scale, axis=axis, title="USD per accelerator hour"),
            x2="high:Q",
            color=by_maker("maker"),
        ),
        base.mark_text(align="right", fontWeight=600, limit=kit.either(180, 84), **kit.PLAIN).encode(
            x=kit.at(f"{left} - 12"), text="name:N"
        ),
        base.mark_text(align="left", color=ink("second"), text=long, limit=kit.either(410, 118), **kit.PLAIN).encode(
            x=kit.at(f"{right} + 14")
        ),
        base.mark_point(filled=True, size=100, opacity=1).encode(
            x=alt.X("low:Q", scale=scale), color=by_maker("maker"), tooltip=tooltip
        ),
    ]
    height = CHEAP_ROW * len(rows) + 56
    return kit.layered(layers, height, height)
