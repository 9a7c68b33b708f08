"""Charts of racks: kW over time with labels at the marks, dot lists of what a rack holds, and who says what. Pure."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts import kit
from dashboard.charts.lettering import GAP, Box, Label, text_width
from dashboard.charts.theme import by_evidence, by_maker, ink, maker_or_other
from dashboard.columns import NUMBERS, tips
from dashboard.headlines import racks
from dashboard.headlines.words import figure

HEIGHT, NARROW_HEIGHT = 520, 440
LOW, HIGH = 5.0, 1300.0
TICKS = (5, 10, 20, 50, 100, 200, 500, 1000)
FEW = 5
POINT = 88
SHAPES: dict[str, str] = {
    racks.STATED: "circle",
    racks.MEASURED: "triangle-down",
    racks.ESTIMATE: "M0,-1.2L1.2,0L0,1.2L-1.2,0ZM0,-0.62L-0.62,0L0,0.62L0.62,0Z",
    racks.COMPUTED: "cross",
    racks.PROMISED: "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0ZM-0.6,0A0.6,0.6,0,1,0,0.6,0A0.6,0.6,0,1,0,-0.6,0Z",
    racks.WITHDRAWN: "M-1.3,1L1,-1.3L1.3,-1L-1,1.3ZM-0.8,0A0.8,0.8,0,1,1,0.8,0A0.8,0.8,0,1,1,-0.8,0Z",
    racks.RANGE: "M-0.5,-1.2H0.5V1.2H-0.5Z",
    racks.LIMIT: "M-1.3,-0.35H1.3V0.05H0.18V1.3H-0.18V0.05H-1.3Z",
    racks.FLOOR: "M-1.3,0.35H1.3V-0.05H0.18V-1.3H-0.18V-0.05H-1.3Z",
}
TOOLTIP = [
    *kit.tips(name="Rack"),
    alt.Tooltip("amount:Q", title="kW per rack", format=NUMBERS),
    *kit.tips(basis="Basis", period="To be had", said_by="Says", tag="Evidence", said_on="Stated"),
]


def over_time(
    frame: pd.DataFrame,
    *,
    day: dt.date,
    now: str = kit.TODAY,
    bands: tuple[float, float] | None = None,
) -> alt.LayerChart:
    """Statements on racks against the day the rack can be had; `frame` has `racks.marks`' columns, amounts in kW.

    Colour is the maker, the mark the basis; all statements on one rack stand above each other, joined by a hairline.
    `bands` are to where air cools and from where liquid does, in kW.
    """
    low, high = _bounds(frame)
    domain = _years(frame, day)
    x = alt.X(
        "at:T",
        title=None,
        scale=alt.Scale(domain=[f"{domain[0]}-01-01", f"{domain[1]}-01-01"], nice=False),
        axis=alt.Axis(
            values=[f"{year}-01-01" for year in range(domain[0], domain[1] + 1)],
            format="%Y", grid=False, labelAlign="center", labelOverlap=True, tickSize=5,
        ),
    )  # fmt: skip
    y = _y("amount:Q", low, high)
    colour = by_maker("maker")
    base = alt.Chart(frame.assign(maker=maker_or_other(frame["maker"]))).encode(x=x)
    placed = _placed(frame, domain, low, high)
    layers: list[Any] = _bands(*bands, low, high, racks.between(frame, *bands)) if bands else []
    layers += kit.future(day, HEIGHT, now=now)
    layers += _joined(frame, x, low, high)
    layers.append(
        base.transform_filter("datum.amount_low < datum.amount_high")
        .mark_rule(strokeWidth=6, strokeCap="round", opacity=0.85, aria=False)
        .encode(y=_y("amount_low:Q", low, high), y2="amount_high:Q", color=colour)
    )
    place, text = ("at", "middle"), by_maker("maker", is_text=True)
    layers += kit.named_at_marks(placed, x, _y("middle:Q", low, high), place, "name", colour=text)
    layers += _key(sorted(set(frame["basis"]), key=racks.BASES.index))
    shapes = alt.Scale(domain=list(SHAPES), range=list(SHAPES.values()))
    layers.append(
        base.mark_point(filled=True, size=POINT, opacity=1, stroke=ink("card"), strokeWidth=0.6).encode(
            y=y, color=colour, shape=alt.Shape("basis:N", scale=shapes, legend=None), tooltip=TOOLTIP
        )
    )
    return kit.layered(layers, HEIGHT, NARROW_HEIGHT)


def _bounds(frame: pd.DataFrame) -> tuple[float, float]:
    """The scale of the study, wider where the rows need it."""
    low, high = float(frame["amount_low"].min()), float(frame["amount_high"].max())
    return min(LOW, low * 0.8), max(HIGH, high * 1.3)


def _years(frame: pd.DataFrame, day: dt.date) -> tuple[int, int]:
    first = int(pd.to_datetime(frame["at"]).dt.year.min())
    last = int(pd.to_datetime(frame["at"]).dt.year.max())
    return min(racks.FIRST_YEAR, first), max(last, day.year) + 2


def _y(field: str, low: float, high: float) -> alt.Y:
    ticks = [tick for tick in TICKS if low <= tick <= high]
    axis = alt.Axis(values=ticks, format=",d", domain=False, ticks=False, labelPadding=8)
    return alt.Y(field, title=None, scale=alt.Scale(type="log", domain=[low, high], nice=False), axis=axis)


def _bands(air_to: float, liquid_from: float, low: float, high: float, between: tuple[str, str]) -> list[alt.Chart]:
    rows = pd.DataFrame({
        "foot": [low, air_to, liquid_from],
        "head": [air_to, liquid_from, high],
        "cooling": ["air", "between", "liquid"],
        "name": ["Air", between[0], "Liquid only"],
        "told": ["", between[1], f"no air-cooled rack above {figure(air_to)} kW"],
    })  # fmt: skip
    rows["says"] = [f"{name}: {told}" if told else name for name, told in zip(rows["name"], rows["told"], strict=True)]
    colours = alt.Scale(domain=["air", "between", "liquid"], range=[ink("air"), ink("between"), ink("liquid")])
    base = alt.Chart(rows)
    areas = base.mark_rect(aria=False).encode(
        x=alt.value(0),
        x2=kit.at("width"),
        y=_y("foot:Q", low, high),
        y2="head:Q",
        color=alt.Color("cooling:N", scale=colours, legend=None),
    )
    at_left = base.encode(x=alt.value(10), y=_y("foot:Q", low, high))
    name = kit.either("datum.says", "datum.name")
    text = at_left.mark_text(
        align="left", baseline="bottom", dy=-7, fontSize=kit.SMALL, fontWeight=600, color=ink("second"), text=name
    )
    return [areas, text]


def _joined(frame: pd.DataFrame, x: alt.X, low: float, high: float) -> list[alt.Chart]:
    """Hairlines from the lowest to the highest statement on a rack."""
    spans = frame.groupby("system_id", as_index=False).agg(
        at=("at", "first"), foot=("amount_low", "min"), head=("amount_high", "max")
    )
    spans = spans[spans["foot"] < spans["head"]]
    line = alt.Chart(spans).mark_rule(strokeWidth=1, color=ink("quiet"), aria=False)
    return [line.encode(x=x, y=_y("foot:Q", low, high), y2="head:Q")]


def _placed(frame: pd.DataFrame, domain: tuple[int, int], low: float, high: float) -> pd.DataFrame:
    """One row a rack with the place of its label in both layouts; without one where there is no room."""
    table = racks.systems(frame).assign(middle=lambda rows: (rows["low"] * rows["high"]) ** 0.5)
    table["maker"] = maker_or_other(table["maker"])
    # A phone has few labels: they go to those that have a colour of their own first.
    table = table.sort_values("maker", key=lambda makers: makers == "other", kind="stable", ignore_index=True)
    table["name_width"] = [text_width(name, kit.LABEL, 600) + GAP for name in table["name"]]
    for layout, width, height, limit in (
        ("wide", kit.WIDE_AT - 40, HEIGHT - 24, len(table)),
        ("narrow", kit.NARROW_AT - 34, NARROW_HEIGHT - 24, FEW),
    ):
        table = _in_layout(table, frame, layout, _scales(domain, low, high, width, height), (width, height), limit)
    return table


Scales = tuple[Callable[[Any], float], Callable[[float], float]]


def _scales(domain: tuple[int, int], low: float, high: float, width: float, height: float) -> Scales:
    start, end = pd.Timestamp(f"{domain[0]}-01-01"), pd.Timestamp(f"{domain[1]}-01-01")
    spread = pd.Series([low, high]).map(math.log)

    def across(at: Any) -> float:
        return float((pd.Timestamp(at) - start) / (end - start)) * width

    def down(amount: float) -> float:
        return float((spread[1] - math.log(amount)) / (spread[1] - spread[0])) * height

    return across, down


def _in_layout(
    table: pd.DataFrame, frame: pd.DataFrame, layout: str, scales: Scales, size: tuple[float, float], limit: int
) -> pd.DataFrame:
    across, down = scales
    taken = [
        Box(across(at) - 7, down(head) - 7, across(at) + 7, down(foot) + 7)
        for at, foot, head in zip(frame["at"], frame["amount_low"], frame["amount_high"], strict=True)
    ]
    taken.append(Box(0, 0, KEY_WIDTH, KEY_HEIGHT) if layout == "wide" else Box(0, 0, 1, 1))
    labels = [
        Label(across(row.at), down(float(row.middle)), float(row.name_width) + text_width(str(row.told), kit.LABEL), 17)  # type: ignore[arg-type]
        for row in table.head(limit).itertuples()
    ]
    return kit.with_places(table, layout, labels, Box(0, 0, *size), taken)


KEY_WIDTH, KEY_HEIGHT, KEY_ROW = 285.0, 116.0, 22


def _key(bases: list[str]) -> list[alt.Chart]:
    """What the shapes mean, in the corner where the chart is empty; on a phone the words below say it."""
    half = (len(bases) + 1) // 2
    rows = pd.DataFrame({
        "basis": bases,
        "left": [20 + 135 * (place // half) for place in range(len(bases))],
        "row": [20 + KEY_ROW * (place % half) for place in range(len(bases))],
    })  # fmt: skip
    seen = kit.either(1, 0)
    base = alt.Chart(rows).encode(
        x=kit.at("datum.left"), y=kit.at("datum.row")
    )  # fmt: skip
    shapes = alt.Scale(domain=list(SHAPES), range=list(SHAPES.values()))
    ground = (
        alt.Chart(pd.DataFrame({"one": [1]}))
        .mark_rect(color=ink("card"), stroke=ink("rule"), cornerRadius=3, opacity=seen, aria=False)
        .encode(x=alt.value(6), x2=alt.value(KEY_WIDTH), y=alt.value(6), y2=alt.value(20 + KEY_ROW * half))
    )
    symbol = base.mark_point(filled=True, size=POINT, color=ink("second"), opacity=seen, aria=False).encode(
        shape=alt.Shape("basis:N", scale=shapes, legend=None)
    )
    text = base.mark_text(
        align="left", dx=13, fontSize=kit.SMALL, color=ink("second"), opacity=seen, aria=False, baseline="middle"
    ).encode(text="basis:N")
    return [ground, symbol, text]


ROW, TOP = 24, 14


def held(frame: pd.DataFrame, *, unit: str) -> alt.LayerChart:
    """A line a rack, largest first: name and year, a line from zero, its mark (hollow where promised) and figure.

    `frame` has `racks.held`' columns; amounts in the unit.
    """
    rows = frame.assign(
        maker=maker_or_other(frame["maker"]),
        row=[TOP + ROW * place for place in range(len(frame))],
        told=[
            f"{sign}{figure(amount)} {unit}".strip()
            for sign, amount in zip(frame["sign"], frame["amount"], strict=True)
        ],
    )  # fmt: skip
    widest = max(text_width(name, kit.LABEL, 600) for name in rows["name"])
    left = min(widest, 230.0) + 64
    at = f"min({left}, width * 0.46)"
    top = float(rows["amount"].max())
    scale = alt.Scale(domain=[0, top], range=[{"expr": at}, {"expr": "width - 78"}], nice=False)
    x = alt.X("amount:Q", scale=scale, axis=None)
    y = kit.at("datum.row")
    colour = by_maker("maker")
    base = alt.Chart(rows).encode(y=y)
    stems = [
        base.transform_filter(f"datum.is_promise == {word}")
        .mark_rule(strokeWidth=1.6, opacity=0.75, strokeDash=dash, aria=False)
        .encode(x=x, x2=kit.at(at), color=colour)
        for word, dash in (("true", [2, 3]), ("false", [1, 0]))
    ]
    name = base.mark_text(
        align="right",
        baseline="middle",
        fontSize=kit.LABEL,
        fontWeight=600,
        limit={"expr": f"{at} - 60"},
        aria=False,
    )
    year = base.mark_text(align="right", baseline="middle", fontSize=kit.SMALL, color=ink("quiet"), aria=False)
    value = base.mark_text(align="left", baseline="middle", dx=10, fontSize=kit.LABEL, fontWeight=600, aria=False)
    tooltip = kit.tips(name="Rack", told="Holds", year="To be had")
    shape = alt.Shape(
        "is_promise:N",
        scale=alt.Scale(domain=[False, True], range=["circle", SHAPES[racks.PROMISED]]),
        legend=None,
    )
    layers = [
        *stems,
        name.encode(x=kit.at(f"{at} - 54"), text="name:N"),
        year.encode(x=kit.at(f"{at} - 8"), text="year:N"),
        value.encode(x=x, text="told:N"),
        base.mark_point(filled=True, size=POINT, opacity=1).encode(x=x, color=colour, shape=shape, tooltip=tooltip),
    ]
    height = TOP + ROW * len(rows)
    return kit.layered(layers, height, height)


MAP_LEFT, MAP_TOP, MAP_ROW = 150, 64, 30


def said_map(frame: pd.DataFrame) -> alt.LayerChart:
    """A row a maker, a column a cell: of how many of its racks somebody states it; 'nothing stated' where of none.

    `frame` has `racks.said`'s columns: vendor, maker_name, cell, said, racks, told, row, column.
    """
    wide = f"(width - {MAP_LEFT}) / {int(frame['column'].max()) + 1}"
    left = f"({MAP_LEFT} + datum.column * {wide})"
    down = kit.at(f"{MAP_TOP} + (datum.row + 0.5) * {MAP_ROW}")
    middle = kit.at(f"{left} + {wide} / 2")
    base = alt.Chart(frame)
    boxes = base.mark_rect(stroke=ink("card"), strokeWidth=2).encode(
        x=kit.at(left),
        x2=kit.at(f"{left} + {wide}"),
        y=kit.at(f"{MAP_TOP} + datum.row * {MAP_ROW}"),
        y2=kit.at(f"{MAP_TOP} + (datum.row + 1) * {MAP_ROW}"),
        color=alt.condition("datum.said > 0", alt.value(ink("liquid")), alt.value(ink("panel"))),
        tooltip=kit.tips(maker_name="Maker", cell="Figure", told="Racks it is stated of"),
    )
    short = kit.either("datum.told", "datum.said > 0 ? datum.said : '·'")
    text: dict[str, Any] = {"baseline": "middle", "fontSize": kit.SMALL, "aria": False}
    told = [
        base.transform_filter(f"datum.said {test}")
        .mark_text(text=short, color=ink(name), **text)
        .encode(x=middle, y=down)
        for test, name in (("> 0", "text"), ("== 0", "quiet"))
    ]
    makers, cells = frame.drop_duplicates("row"), frame.drop_duplicates("column")
    makers = makers.assign(vendor=maker_or_other(makers["vendor"]))
    names = (
        alt.Chart(makers)
        .mark_text(align="left", baseline="middle", fontSize=kit.LABEL, fontWeight=600, aria=False, limit=MAP_LEFT - 8)
        .encode(x=alt.value(0), y=down, text="maker_name:N", color=by_maker("vendor", is_text=True))
    )
    heads = (
        alt.Chart(cells)
        .mark_text(angle=kit.either(0, 305), align=kit.either("'center'", "'left'"), color=ink("second"), **text)
        .encode(x=middle, y=alt.value(MAP_TOP - 14), text="cell:N")
    )
    height = MAP_TOP + MAP_ROW * len(makers)
    return kit.layered([names, heads, boxes, *told], height, height)


def side_by_side(frame: pd.DataFrame, *, unit: str) -> alt.LayerChart:
    """A line a system, a mark a claim: the spread of what is said of each. `frame` has the rows of `market.density`."""
    order = list(dict.fromkeys(frame.sort_values(["available_start", "system"])["system"]))
    y = alt.Y("system:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False))
    x = alt.X("value:Q", title=unit, axis=alt.Axis(format=NUMBERS, tickCount=6))
    base = alt.Chart(frame.assign(vendor=maker_or_other(frame["vendor"])))
    spread = (
        base.transform_aggregate(low="min(value)", high="max(value)", groupby=["system"])
        .mark_rule(strokeWidth=2, opacity=0.4, color=ink("quiet"), aria=False)
        .encode(y=y, x=alt.X("low:Q", title=unit), x2="high:Q")
    )
    tooltip = tips(
        "system value per formula claimant evidence stated_on available_start modality", value=f"Value [{unit}]"
    )
    points = base.mark_point(filled=True, size=100, opacity=0.9).encode(
        y=y, x=x, color=by_maker("vendor"), shape=by_evidence(shown=frame["evidence"], columns=1),
        tooltip=tooltip,
    )  # fmt: skip
    chart: alt.LayerChart = (spread + points).properties(height=24 * len(order) + 130)
    return chart
