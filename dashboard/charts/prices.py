"""Charts of prices: the median by source over time with the range of offers; thin panels show points, no line. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts.theme import SHAPES, legend
from dashboard.columns import tips

HEIGHT = 400
HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#B8860B", "#7A7A7A")


def over_time(frame: pd.DataFrame) -> alt.LayerChart:
    """A line a source and layer: median USD per accelerator hour; the band is lowest to highest offer.

    A day with fewer than three providers (`is_thin`) is a point of its own: no line is drawn through it.
    """
    lines = sorted(set(frame["line"]))
    colour = alt.Color("line:N", scale=alt.Scale(domain=lines, range=list(HUES[: len(lines)])), legend=legend())
    shape = alt.Shape("line:N", scale=alt.Scale(domain=lines, range=list(SHAPES[: len(lines)])), legend=legend())
    x = alt.X("stated_on:T", title=None)
    money = alt.Axis(format="$,.2f")
    base = alt.Chart(frame)
    thick = base.transform_filter("!datum.is_thin")
    band = thick.mark_area(opacity=0.12).encode(
        x=x,
        y=alt.Y("low_usd_per_gpu_hour:Q", title="USD per accelerator hour", axis=money),
        y2="high_usd_per_gpu_hour:Q",
        color=colour,
    )
    line = thick.mark_line(strokeWidth=2).encode(x=x, y=alt.Y("median_usd_per_gpu_hour:Q"), color=colour)
    points = base.mark_point(size=45, opacity=0.9, filled=True).encode(
        x=x,
        y=alt.Y("median_usd_per_gpu_hour:Q"),
        color=colour,
        shape=shape,
        tooltip=tips(
            "line stated_on median_usd_per_gpu_hour low_usd_per_gpu_hour high_usd_per_gpu_hour n_offers n_providers "
            "is_thin evidence"
        ),
    )
    chart: alt.LayerChart = (band + line + points).properties(height=HEIGHT)
    return chart
