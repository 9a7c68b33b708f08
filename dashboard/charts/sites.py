"""Charts of sites and sales: totals over time, a bar a site with what is planned, chips sold by quarter. Pure."""

from __future__ import annotations

import datetime as dt

import altair as alt
import pandas as pd

from dashboard.charts import kit, series
from dashboard.charts.lettering import text_width
from dashboard.charts.series import Axis
from dashboard.charts.theme import by_maker, ink, maker_or_other, maker_scale
from dashboard.columns import tips

ROW, TOP = 30, 16


def totals(frame: pd.DataFrame, *, day: dt.date, title: str, now: str = kit.TODAY) -> alt.LayerChart:
    """Two stepped lines: what all sites have energised, and with what is planned; the time after the day is hatched."""
    tooltip = tips("series told milestone_on", series="What", told="All sites", milestone_on="From")
    below = kit.future(day, series.HEIGHT, now=now)
    form = ",.0f" if float(frame["amount"].max()) < 1e5 else ",.2~s"
    x, y = Axis("milestone_on", "", "time"), Axis("amount", title, "linear", form)
    return series.of_series(frame, x=x, y=y, tooltip=tooltip, is_joined=True, is_stepped=True, below=below)


def by_site(frame: pd.DataFrame) -> alt.LayerChart:
    """A bar a site: filled what is energised, an outline what is planned. `frame` is of `headlines.sites.by_site`."""
    rows = frame.assign(
        maker=maker_or_other(frame["owner_id"].fillna("")), row=[TOP + ROW * place for place in range(len(frame))]
    )
    widest = min(max(text_width(str(name), kit.LABEL, 600) for name in rows["site"]), 250.0)
    left, right = f"({kit.NARROW} ? 4 : {widest + 16:.0f})", f"({kit.NARROW} ? width - 4 : width - 270)"
    scale = alt.Scale(domain=[0, float(rows["planned"].max())], range=[{"expr": left}, {"expr": right}], nice=False)
    words_at, bar_at = f"datum.row - ({kit.NARROW} ? 7 : 0)", f"datum.row + ({kit.NARROW} ? 8 : 0)"
    base = alt.Chart(rows)
    words = base.encode(y=kit.at(words_at))
    bars = base.encode(x=kit.at(left), y=kit.at(f"{bar_at} - 6"), y2=kit.at(f"{bar_at} + 6"))
    tooltip = kit.tips(site="Site", owner="Owner", told="Has")
    name = words.mark_text(
        align=kit.either("'right'", "'left'"), fontWeight=600, limit=kit.either(250, 150), **kit.PLAIN
    ).encode(x=kit.at(f"{kit.NARROW} ? 4 : {left} - 12"), text="site:N")
    told = words.mark_text(
        align=kit.either("'left'", "'right'"), color=ink("second"), limit=kit.either(262, 190), **kit.PLAIN
    ).encode(x=kit.at(f"{kit.NARROW} ? width - 4 : scale('x', datum.planned) + 10"), text="told:N")
    outline = bars.mark_rect(filled=False, strokeDash=[3, 2], strokeWidth=1.3, aria=False).encode(
        x2=kit.at("scale('x', datum.planned)"),
        stroke=alt.Stroke("maker:N", scale=maker_scale(), legend=None),
    )
    known = base.mark_point(opacity=0, aria=False).encode(
        x=alt.X("planned:Q", scale=scale, axis=None), y=kit.at(bar_at)
    )
    filled = bars.mark_rect().encode(x2=kit.at("scale('x', datum.now)"), color=by_maker("maker"), tooltip=tooltip)
    height = TOP + ROW * len(rows)
    return kit.layered([known, name, outline, told, filled], height, height)


def sales(frame: pd.DataFrame) -> alt.LayerChart:
    """A line a maker: estimated accelerators sold a quarter. `frame` is of `headlines.sites.sales`."""
    told = {"told": "Accelerators, estimated", "chips": "Models", "evidence": "Evidence"}
    tooltip = kit.tips(series="Maker", calendar_quarter="Quarter", **told)
    y = Axis("units", "Accelerators a quarter, estimated", "linear", ",.2~s")
    return series.of_series(frame, x=Axis("on", "", "time"), y=y, tooltip=tooltip, is_joined=True)
