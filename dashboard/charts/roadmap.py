"""Charts of roadmaps: promises as tracks, slips, odds of being late, figures per die. Pure."""

from __future__ import annotations

import datetime as dt
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts import kit
from dashboard.charts.lettering import GAP, text_width
from dashboard.charts.series import Axis, of_series
from dashboard.charts.theme import by_maker, ink, maker_or_other, maker_scale
from dashboard.columns import DAYS, tips
from dashboard.headlines.tracks import CAME_MARK, DONE, EARLIER, ENDED, LATE, OTHERS, PAST, SAID, STANDING

WIDE_ROW, NARROW_ROW, LANE_GAP, LANE_HEAD, TOP = 22.5, 38.0, 9.0, 24.0, 30.0
NAMES, VERDICTS, LANES = 330, 200, 92
BOX = 5.5
RIGHT = f"({kit.NARROW} ? width - 6 : width - {VERDICTS})"
X_NAME = f"({kit.NARROW} ? 0 : {NAMES - 14})"


def tracks(
    rows: pd.DataFrame, *, boxes: pd.DataFrame, marks: pd.DataFrame, day: dt.date, now: str = kit.TODAY
) -> alt.LayerChart:
    """A row a promise, lanes of makers: boxes are promised windows, marks what was said, came, slipped or ended.

    The frames are those of `headlines.tracks.Tracks`. On a phone only what is past due or due soon is shown, name and
    verdict above its track.
    """
    rows, boxes, marks = (part.assign(maker=maker_or_other(part["maker"])) for part in (rows, boxes, marks))
    placed, heads, height, narrow_height = _placed(rows)
    latest = pd.to_datetime(boxes["ends"]).max() - pd.Timedelta(days=1) if len(boxes) else pd.Timestamp(day)
    first, last = day.year - 2, max(int(latest.year), day.year + 1)
    scale = alt.Scale(
        domain=[f"{first}-01-01", f"{last}-12-31"],
        range=[{"expr": f"{kit.NARROW} ? 4 : {NAMES}"}, {"expr": RIGHT}],
        nice=False,
    )
    where = placed[["track", "y_wide", "y_narrow", "verdict", "name", "stage", "maker_name"]]
    windows, points = boxes.merge(where, on="track"), marks.merge(where, on="track")
    layers = [
        *_years(first, last, scale),
        *kit.future(day, height, now=now, end=RIGHT),
        *_lanes(heads),
        *_lines(points, scale),
        *_windows(windows, scale),
        *_late(points, scale),
        *_points(points, scale),
        *_words(placed),
        _standing(windows, scale),
    ]
    return kit.layered(layers, height, narrow_height)


def _placed(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, float, float]:
    """Rows and lane heads with their places in both layouts, and both heights."""
    wide, narrow = TOP + 14, TOP
    places, heads = [], []
    for (maker, name), lane in rows.groupby(["maker", "maker_name"], sort=False):
        near = bool(lane["is_near"].any())
        heads.append((maker, name, wide - 14, wide, narrow - 2 if near else None, narrow + 10 if near else None))
        narrow += LANE_HEAD if near else 0
        for is_near in lane["is_near"]:
            places.append((wide, narrow + 26 if is_near else None))
            wide, narrow = wide + WIDE_ROW, narrow + (NARROW_ROW if is_near else 0)
        wide, narrow = wide + LANE_GAP, narrow + (LANE_GAP if near else 0)
    placed = rows.reset_index(drop=True).join(pd.DataFrame(places, columns=["y_wide", "y_narrow"]))
    columns = ["maker", "maker_name", "line_wide", "y_wide", "line_narrow", "y_narrow"]
    return placed, pd.DataFrame(heads, columns=columns), wide + 14, narrow + 24


def _y(shift: float = 0.0) -> alt.Value[Any]:
    """The height of a row in the layout shown."""
    return kit.at(f"({kit.NARROW} ? datum.y_narrow : datum.y_wide) + {shift}")


def _shown(rows: pd.DataFrame) -> alt.Chart:
    return kit.in_layout(alt.Chart(rows), "y")


def _x(field: str, scale: alt.Scale) -> alt.X:
    return alt.X(f"{field}:T", scale=scale, axis=None)


def _years(first: int, last: int, scale: alt.Scale) -> list[alt.Chart]:
    years = pd.DataFrame({
        "begins": pd.to_datetime([f"{year}-01-01" for year in range(first, last + 1)]),
        "middle": pd.to_datetime([f"{year}-07-02" for year in range(first, last + 1)]),
        "year": [str(year) for year in range(first, last + 1)],
    })  # fmt: skip
    base = alt.Chart(years)
    grid = base.mark_rule(color=ink("grid"), aria=False).encode(
        x=_x("begins", scale), y=alt.value(16), y2=kit.at("height - 16")
    )
    text = base.mark_text(baseline="middle", color=ink("second"), fontWeight=600, fontSize=12.5, aria=False)
    return [
        grid,
        text.encode(x=_x("middle", scale), y=alt.value(6), text="year:N"),
        text.encode(x=_x("middle", scale), y=kit.at("height - 5"), text="year:N"),
    ]


def _lanes(heads: pd.DataFrame) -> list[alt.Chart]:
    at = kit.at(f"{kit.NARROW} ? datum.line_narrow : datum.line_wide")
    base = _shown(heads)
    line = base.mark_rule(color=ink("rule"), aria=False).encode(x=alt.value(0), x2=kit.at("width"), y=at)
    name = base.mark_text(align="left", baseline="middle", fontSize=14, fontWeight=600, aria=False, limit=LANES)
    return [line, name.encode(x=alt.value(0), y=_y(), text="maker_name:N", color=by_maker("maker", is_text=True))]


def _lines(points: pd.DataFrame, scale: alt.Scale) -> list[alt.Chart]:
    said = _shown(points[points["kind"] == SAID])
    return [
        said.mark_rule(color=ink("rule"), aria=False, clip=True).encode(x=_x("at", scale), x2="until:T", y=_y()),
        said.mark_point(filled=True, size=26, color=ink("quiet"), opacity=1, aria=False, clip=True).encode(
            x=_x("at", scale), y=_y()
        ),
    ]


def _windows(windows: pd.DataFrame, scale: alt.Scale) -> list[alt.Chart]:
    """Earlier windows dashed, what others say dotted and grey, what came or ended as an outline."""
    made = []
    for kind, dash, colour in ((EARLIER, [3, 2], None), (OTHERS, [1, 2], ink("quiet")), (DONE, [1, 0], None)):
        rows = windows[windows["kind"] == kind]
        look: dict[str, Any] = {"strokeDash": dash, "fillOpacity": 0, "strokeWidth": 1.2, "cornerRadius": 2.5}
        if colour:
            look["stroke"] = colour
        mark = _shown(rows).mark_rect(aria=False, clip=True, **look)
        base = mark.encode(x=_x("starts", scale), x2="ends:T", y=_y(-BOX), y2=_y(BOX))
        made.append(base if colour else base.encode(stroke=_stroke()))
    return made


def _stroke() -> alt.Stroke:
    return alt.Stroke("maker:N", scale=maker_scale(), legend=None)


def _standing(windows: pd.DataFrame, scale: alt.Scale) -> alt.Chart:
    """The windows that stand, on top: they lead to their statements."""
    rows = windows[windows["kind"].isin({STANDING, DONE})]
    tooltip = [
        *kit.tips(maker_name="Maker", name="Product", stage="Stage", verdict="Verdict"),
        alt.Tooltip("starts:T", title="Promised from", format=DAYS), alt.Tooltip("ends:T", title="to", format=DAYS),
    ]  # fmt: skip
    chart: alt.Chart = (
        _shown(rows)
        .mark_rect(strokeWidth=1.5, cornerRadius=2.5, clip=True)
        .encode(
            x=_x("starts", scale),
            x2="ends:T",
            y=_y(-BOX),
            y2=_y(BOX),
            fill=alt.Fill("maker:N", scale=maker_scale(), legend=None),
            stroke=_stroke(),
            fillOpacity=alt.condition(f"datum.kind == '{STANDING}'", alt.value(0.32), alt.value(0.0)),
            tooltip=tooltip,
        )
    )
    return chart


def _late(points: pd.DataFrame, scale: alt.Scale) -> list[alt.Chart]:
    """Red from the promised end to the arrival, or to today with a hollow end."""
    base = _shown(points[points["kind"].isin({LATE, PAST})])
    ends = _shown(points[points["kind"] == PAST])
    return [
        base.mark_rule(color=ink("late"), strokeWidth=3, aria=False, clip=True).encode(
            x=_x("at", scale), x2="until:T", y=_y()
        ),
        ends.mark_point(size=46, stroke=ink("late"), fill=ink("card"), strokeWidth=1.8, opacity=1, aria=False).encode(
            x=_x("until", scale), y=_y()
        ),
    ]


def _points(points: pd.DataFrame, scale: alt.Scale) -> list[alt.Chart]:
    came, ended = points[points["kind"] == CAME_MARK], points[points["kind"] == ENDED]
    cross = "M-1,-0.72L-0.72,-1L0,-0.28L0.72,-1L1,-0.72L0.28,0L1,0.72L0.72,1L0,0.28L-0.72,1L-1,0.72L-0.28,0Z"
    return [
        _shown(came).mark_point(
            shape="diamond", filled=True, size=95, opacity=1, stroke=ink("card"), strokeWidth=0.8, aria=False, clip=True
        ).encode(x=_x("at", scale), y=_y(), color=by_maker("maker")),
        _shown(ended).mark_point(
            shape=cross, filled=True, size=85, opacity=1, color=ink("text"), aria=False, clip=True
        ).encode(x=_x("at", scale), y=_y()),
    ]  # fmt: skip


def _words(placed: pd.DataFrame) -> list[alt.Chart]:
    """Name and stage left of the track, the verdict right of it; on a phone both above it."""
    told = placed.assign(
        stage_width=[text_width(stage, kit.LABEL) + GAP if stage else 0.0 for stage in placed["stage"]],
        name_width=[text_width(name, kit.LABEL, 600) + GAP for name in placed["name"]],
        verdict_short=[verdict.partition(", ")[0] for verdict in placed["verdict"]],
    )
    base = _shown(told)
    up = {"expr": f"{kit.NARROW} ? datum.y_narrow - 17 : datum.y_wide"}
    y = alt.value(up)
    align = kit.either("'right'", "'left'")
    layers = [
        base.mark_text(align=align, fontWeight=600, limit=kit.either(NAMES - LANES, "width - 130"), **kit.PLAIN).encode(
            x=kit.at(f"{X_NAME} - ({kit.NARROW} ? 0 : datum.stage_width)"), y=y, text="name:N"
        ),
        base.mark_text(
            align=align,
            color=ink("second"),
            limit={"expr": f"{kit.NARROW} ? max(width - datum.name_width - 130, 1) : 400"},
            **kit.PLAIN,
        ).encode(x=kit.at(f"{X_NAME} + ({kit.NARROW} ? min(datum.name_width, 224) : 0)"), y=y, text="stage:N"),
    ]
    at = kit.at(f"{kit.NARROW} ? width : width - {VERDICTS - 12}")
    for test, colour in (("datum.is_red", ink("late")), ("!datum.is_red", ink("second"))):
        verdict = base.transform_filter(test).transform_calculate(
            verdict_shown=f"{kit.NARROW} ? datum.verdict_short : datum.verdict"
        )
        layers += kit.lettered(
            verdict.encode(x=at, y=y), "verdict_shown", weight=600, color=colour, align=kit.either("'left'", "'right'")
        )
    return layers


def odds(frame: pd.DataFrame) -> alt.LayerChart:
    """A row a group: the share that came late, with its interval. `frame` has the columns of `tracks.odds`."""
    rows = frame.assign(y_wide=[16 + 30 * place for place in range(len(frame))])
    left, right = f"({kit.NARROW} ? 130 : 200)", f"({kit.NARROW} ? width - 74 : width - 300)"
    scale = alt.Scale(domain=[0, 1], range=[{"expr": left}, {"expr": right}], nice=False)
    base = alt.Chart(rows).encode(y=kit.at("datum.y_wide"))
    axis = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1], title="came late", domain=False, ticks=False)
    tooltip = kit.tips(name="Group", told="Of those promised")
    layers = [
        base.mark_rule(strokeWidth=6, strokeCap="round", opacity=0.35, color=ink("second"), aria=False).encode(
            x=alt.X("low:Q", scale=scale, axis=axis), x2="high:Q"
        ),
        base.mark_text(align="right", fontWeight=600, limit=kit.either(180, 116), **kit.PLAIN).encode(
            x=kit.at(f"{left} - 14"), text="name:N"
        ),
        base.mark_text(
            align="left",
            color=ink("second"),
            text=kit.either("datum.told", "datum.late + ' of ' + datum.decided"),
            **kit.PLAIN,
        ).encode(x=kit.at(f"{right} + 14")),
        base.mark_point(filled=True, size=110, opacity=1, color=ink("second")).encode(
            x=alt.X("share:Q", scale=scale), tooltip=tooltip
        ),
    ]
    height = 30 * len(rows) + 56
    return kit.layered(layers, height, height)


SLIPS, SLIP_ROW = 24, 26


def slip_bars(frame: pd.DataFrame) -> alt.LayerChart:
    """A row a milestone: the slip in days from middle to middle, with the bounds that the periods' widths allow.

    The largest come first, at most `SLIPS`; the table has all. `frame` has line, vendor, slip_days with its bounds.
    """
    rows = frame.sort_values("slip_days", ascending=False).head(SLIPS).reset_index(drop=True)
    rows = rows.assign(
        maker=maker_or_other(rows["vendor"].fillna("")), row=[14 + SLIP_ROW * place for place in rows.index],
        told=[_days(days) for days in rows["slip_days"]],
    )  # fmt: skip
    left, right = f"({kit.NARROW} ? 150 : 310)", f"({kit.NARROW} ? width - 84 : width - 130)"
    low, high = float(min(rows["slip_low_days"].min(), 0)), float(rows["slip_high_days"].max())
    scale = alt.Scale(domain=[low, high], range=[{"expr": left}, {"expr": right}], nice=False)
    axis = alt.Axis(format=",d", tickCount=6, domain=False, ticks=False)
    base = alt.Chart(rows).encode(y=kit.at("datum.row"))
    tooltip = tips(
        "subject milestone_words slip_days slip_low_days slip_high_days state first_words now_words evidence stated_on",
    )
    zero = alt.Chart(pd.DataFrame({"x": [0]})).mark_rule(color=ink("quiet"), strokeDash=[3, 3], aria=False)
    layers = [
        zero.encode(x=alt.X("x:Q", scale=scale)),
        base.mark_rule(strokeWidth=5, strokeCap="round", opacity=0.35, aria=False).encode(
            x=alt.X("slip_low_days:Q", scale=scale, axis=axis, title="days later than first promised"),
            x2="slip_high_days:Q", color=by_maker("maker"),
        ),
        base.mark_text(align="right", fontWeight=600, limit=kit.either(296, 140), **kit.PLAIN).encode(
            x=kit.at(f"{left} - 12"), text="line:N"
        ),
        base.mark_text(align="left", color=ink("second"), **kit.PLAIN).encode(
            x=kit.at(f"{right} + 14"), text="told:N"
        ),
        base.mark_point(filled=True, size=95, opacity=1).encode(
            x=alt.X("slip_days:Q", scale=scale), color=by_maker("maker"), tooltip=tooltip
        ),
    ]  # fmt: skip
    height = SLIP_ROW * len(rows) + 60
    return kit.layered(layers, height, height)


def _days(days: float) -> str:
    return f"{days / 30.44:,.0f} months" if abs(days) >= 60 else f"{days:,.0f} days"


def per_die(frame: pd.DataFrame, column: str, title: str) -> alt.LayerChart:
    """A mark an accelerator model at its release: one figure per die, joined along each maker's line.

    `frame` is of `headlines.promised.per_die`.
    """
    tooltip = tips(f"name {column} dies_per_package evidence stated_on", name="Accelerator")
    return of_series(
        frame, x=Axis("released_start", "", "time"), y=Axis(column, title, "log"), tooltip=tooltip, is_joined=True
    )


def forecasts(frame: pd.DataFrame, *, day: dt.date, now: str = kit.TODAY) -> alt.LayerChart:
    """A row a forecast from its statement to its due day, the verdict in words. `frame` is of `promised.forecasts`."""
    rows = frame.assign(row=[40 + 46 * place for place in range(len(frame))])
    height = 46 * len(rows) + 60
    first, last = min(rows["stated_on"].min(), pd.Timestamp(day)), max(rows["due_on"].max(), pd.Timestamp(day))
    ends = [f"{first.year}-01-01", f"{last.year}-12-31"]
    left, right = f"({kit.NARROW} ? 4 : 10)", f"({kit.NARROW} ? width - 100 : width - 170)"
    scale = alt.Scale(domain=ends, range=[{"expr": left}, {"expr": right}], nice=False)
    base = alt.Chart(rows).encode(y=kit.at("datum.row"))
    axis = alt.Axis(format="%Y", tickCount="year", domain=False, ticks=False, title=None)
    colour = alt.condition("datum.state == 'missed'", alt.value(ink("late")), alt.value(ink("second")))
    tooltip = tips(
        "criterion claimant stated_on due_on told", criterion="Forecast", claimant="By", stated_on="Stated",
        due_on="Due", told="Verdict",
    )  # fmt: skip
    layers = [
        *kit.future(day, height, now=now, at_top=True, end=right),
        base.mark_rule(strokeWidth=2, strokeDash=[3, 3], aria=False).encode(
            x=alt.X("stated_on:T", scale=scale, axis=axis), x2="due_on:T", color=colour
        ),
        *kit.lettered(base.encode(x=kit.at(left)), "line", align="left", dy=-16, limit={"expr": "width"}),
        base.mark_text(align="left", fontWeight=600, **kit.PLAIN).encode(
            x=kit.at(f"{right} + 14"), text="told:N", color=colour
        ),
        base.mark_point(filled=True, size=90, opacity=1).encode(
            x=alt.X("due_on:T", scale=scale), color=colour, tooltip=tooltip
        ),
    ]
    return kit.layered(layers, height, height)
