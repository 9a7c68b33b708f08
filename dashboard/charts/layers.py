"""Charts of who has what: shares of each layer over time, months to adoption, stock, revenue. Pure."""

from __future__ import annotations

import datetime as dt
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts import kit
from dashboard.charts.kit import NARROW
from dashboard.charts.lettering import GAP, spread, text_width
from dashboard.charts.series import Axis, of_series
from dashboard.charts.theme import generation_colour, ink
from dashboard.columns import tips
from dashboard.headlines import adoption, words

ACROSS, PANEL, PANEL_HIGH, PANEL_TOP = 3, 262, 172, 44
NARROW_PANEL = 240
LEFT, RIGHT = 38, 132
LINE_GAP = 31.0
_COLUMN = f"({NARROW} ? 0 : datum.column * width / {ACROSS})"
_INNER = f"({NARROW} ? width - {LEFT + RIGHT} : width / {ACROSS} - {LEFT + RIGHT})"
_TOP = f"({NARROW} ? datum.top_narrow : datum.top_wide)"


def _across(frac: str = "datum.frac") -> dict[str, str]:
    return {"expr": f"{_COLUMN} + {LEFT} + {frac} * {_INNER}"}


def _down(share: str = "datum.share") -> dict[str, str]:
    return {"expr": f"{_TOP} + (1 - {share}) * {PANEL_HIGH}"}


def shares(frame: pd.DataFrame, *, day: dt.date, ago: pd.DataFrame, ends: pd.DataFrame) -> alt.LayerChart:
    """A panel a layer, a line a generation: share of the layer's organisations that have it in service.

    `frame` has `adoption.lines`' columns; `ago` layer, generation and has of a year before; `ends` layer and the last
    dated event's day (`on`). All panels have one scale.
    """
    order = [layer for layer in adoption.LAYERS if layer in set(frame["layer"])]
    first = pd.Timestamp(frame["on"].min()).to_period("Y").start_time
    placed = _placed(frame, order, first, day)
    colour = alt.Color(
        "generation:N",
        scale=_generation_scale(placed["generation"]),
        legend=None,
    )
    base = alt.Chart(placed)
    steps: dict[str, Any] = {"interpolate": "step-after", "aria": False}
    line = base.encode(x=alt.value(_across()), y=alt.value(_down()), detail="line:N")
    layers: list[Any] = [
        *_grounds(placed, order, ends, first, day),
        line.mark_line(strokeWidth=4.2, color=ink("second"), opacity=0.45, **steps),
        line.mark_line(strokeWidth=2.6, **steps).encode(color=colour),
        *_ends(placed, ago, colour),
    ]
    tooltip = kit.tips(layer_name="Layer", short_name="Generation", told="Have it", on_words="On or by")
    for is_by in (True, False):
        dots = placed[placed["is_step"] & (placed["is_known_by_only"] == is_by)]
        if dots.empty:
            continue  # a mark without rows would be announced without a name
        ring: dict[str, Any] = {"fill": ink("card"), "strokeWidth": 1.4} if is_by else {}
        layers.append(
            alt.Chart(dots)
            .mark_point(filled=not is_by, size=20, opacity=1, **ring)
            .encode(x=alt.value(_across()), y=alt.value(_down()), color=colour, tooltip=tooltip)
        )
    rows = (len(order) + ACROSS - 1) // ACROSS
    return kit.layered(layers, PANEL * rows, NARROW_PANEL * len(order))


def _generation_scale(generations: Any) -> alt.Scale:
    named = sorted(set(generations))
    return alt.Scale(domain=named, range=[generation_colour(name) for name in named])


def _placed(frame: pd.DataFrame, order: list[str], first: pd.Timestamp, day: dt.date) -> pd.DataFrame:
    place = frame["layer"].map({layer: index for index, layer in enumerate(order)})
    on = pd.to_datetime(frame["on"])
    return frame.assign(
        column=place % ACROSS,
        top_wide=PANEL * (place // ACROSS) + PANEL_TOP,
        top_narrow=NARROW_PANEL * place + PANEL_TOP,
        frac=(on - first) / (pd.Timestamp(day) - first),
        line=frame["layer"] + "|" + frame["generation"],
        layer_name=frame["layer"].map(adoption.LAYERS),
        told=[f"{has} of {of}" for has, of in zip(frame["has"], frame["of"], strict=True)],
        on_words=on.dt.strftime("%Y-%m-%d"),
    )


def _grounds(
    placed: pd.DataFrame, order: list[str], ends: pd.DataFrame, first: pd.Timestamp, day: dt.date
) -> list[alt.Chart]:
    """Headings, grid, years, and the grey strip after the last event with a day of its own."""
    panels = placed.drop_duplicates("layer").merge(ends.rename(columns={"on": "ends_on"}), on="layer", how="left")
    span = pd.Timestamp(day) - first
    panels["frac"] = ((pd.to_datetime(panels["ends_on"]) - first) / span).fillna(0.0)
    panels["heading"] = [f"{of} organisations" for of in panels["of"]]
    panels["name_width"] = [text_width(name, 15, 600) + 6 for name in panels["layer_name"]]
    panels["silence"] = [
        f"no dated event after {words.month(pd.Timestamp(on).date())}" if pd.notna(on) else "no dated event"
        for on in panels["ends_on"]
    ]
    base = alt.Chart(panels)
    head: dict[str, Any] = {"align": "left", "baseline": "middle", "aria": False}
    at = kit.at(f"{_TOP} - 26")
    ticks = pd.DataFrame([
        row | {"share": share, "text": f"{share:.0%}" if share in (0, 1) else f"{share * 100:.0f}"}
        for row in panels[["column", "top_wide", "top_narrow"]].to_dict("records")
        for share in (0, 0.25, 0.5, 0.75, 1)
    ])  # fmt: skip
    years = pd.DataFrame([
        row | {"frac": float((pd.Timestamp(f"{year}-01-01") - first) / span), "text": str(year)}
        for row in panels[["column", "top_wide", "top_narrow"]].to_dict("records")
        for year in range(first.year, day.year + 1, 1 if day.year - first.year < 6 else 2)
    ])  # fmt: skip
    grid, axis = alt.Chart(ticks), alt.Chart(years)
    floor = alt.value(_down("0"))
    quiet: dict[str, Any] = {"color": ink("quiet"), "fontSize": kit.SMALL, "baseline": "middle", "aria": False}
    return [
        base.mark_rect(color=ink("panel"), aria=False).encode(
            x=alt.value(_across()), x2=alt.value(_across("1")), y=alt.value(_down("1")), y2=floor
        ),
        grid.mark_rule(color=ink("grid"), aria=False).encode(
            x=alt.value(_across("0")), x2=alt.value(_across("1")), y=alt.value(_down())
        ),
        grid.mark_text(align="right", dx=-7, **quiet).encode(
            x=alt.value(_across("0")), y=alt.value(_down()), text="text:N"
        ),
        axis.mark_rule(color=ink("rule"), aria=False).encode(
            x=alt.value(_across()), y=floor, y2=kit.at(f"{_down('0')['expr']} + 5")
        ),
        axis.mark_text(dy=14, **quiet).encode(x=alt.value(_across()), y=floor, text="text:N"),
        base.mark_text(fontSize=15, fontWeight=600, **head).encode(
            x=kit.at(_COLUMN), y=at, text="layer_name:N"
        ),
        base.mark_text(color=ink("quiet"), fontSize=13, **head).encode(
            x=kit.at(f"{_COLUMN} + datum.name_width"), y=at, text="heading:N"
        ),
        base.mark_text(align="left", dx=4, dy=8, **(quiet | {"fontSize": 11})).encode(
            x=alt.value(_across("0")), y=alt.value(_down("1")), text="silence:N"
        ),
    ]  # fmt: skip


def _ends(placed: pd.DataFrame, ago: pd.DataFrame, colour: alt.Color) -> list[alt.Chart]:
    """Name, count and the count of a year ago right of each line, spread so that none lies on another."""
    last = placed[~placed["is_step"]].merge(
        ago[["layer", "generation", "had"]], on=["layer", "generation"], how="left"
    )  # fmt: skip
    last["before"] = [f"{0 if pd.isna(had) else int(had)} a year ago" for had in last["had"]]
    last["short"] = [_short(name) for name in last["short_name"]]
    last["name_width"] = [text_width(name, kit.LABEL, 600) + GAP for name in last["short"]]
    last["shift"] = 0.0
    for _, group in last.groupby("layer"):
        wanted = [(1 - share) * PANEL_HIGH for share in group["share"]]
        last.loc[group.index, "shift"] = spread(wanted, LINE_GAP, -4, PANEL_HIGH - 6)
    base = alt.Chart(last)
    y = kit.at(f"{_TOP} + datum.shift")
    leader = base.mark_rule(color=ink("rule"), aria=False).encode(
        x=alt.value(_across("1")), x2=kit.at(f"{_across('1')['expr']} + 8"),
        y=alt.value(_down()), y2=y,
    )  # fmt: skip
    text: dict[str, Any] = {"align": "left", "baseline": "middle", "aria": False}
    right = f"{_across('1')['expr']} + 11"
    return [
        leader,
        base.mark_text(fontWeight=600, **text).encode(x=kit.at(right), y=y, text="short:N"),
        base.mark_text(color=ink("second"), **text).encode(x=kit.at(f"{right} + datum.name_width"), y=y, text="told:N"),
        base.mark_text(color=ink("quiet"), fontSize=11, dy=13, **text).encode(x=kit.at(right), y=y, text="before:N"),
    ]


def _short(name: str) -> str:
    """A generation's name where room is scarce: 'Blackwell Ultra' as 'B. Ultra'."""
    first, _, rest = name.partition(" ")
    return f"{first[0]}. {rest}" if rest and len(name) > 12 else name


AGE_ROW, AGE_GAP, AGE_HEAD = 25, 10, 26
AGE_LEFT = 262


def ages(frame: pd.DataFrame, *, dots: pd.DataFrame) -> alt.LayerChart:
    """A block a layer, a row a generation: median months with its 90 % interval, each organisation a small dot.

    `frame` has layer, layer_name, generation, short_name, median_months, low_months, high_months, told, telling;
    `dots` layer, generation, months, organisation, on_words.
    """
    rows = _rows_of_ages(frame)
    low = min(-3.0, float(dots["months"].min())) if len(dots) else -3.0
    high = max(36.0, min(72.0, float(dots["months"].max()))) if len(dots) else 36.0
    scale = alt.Scale(
        domain=[low, high],
        range=[{"expr": f"{NARROW} ? 84 : {AGE_LEFT}"}, {"expr": f"{NARROW} ? width - 76 : width - 250"}],
        nice=False,
    )
    ticks = list(range(0, round(high) + 1, 12))
    x = alt.X(
        "median_months:Q",
        title="months since first availability",
        scale=scale,
        axis=alt.Axis(values=ticks, domain=False, ticks=False),
    )
    y = alt.value(kit.by_layout("y") | {"expr": f"{NARROW} ? datum.y_narrow : datum.y_wide"})
    colour = alt.Color("generation:N", scale=_generation_scale(rows["generation"]), legend=None)
    base = alt.Chart(rows).encode(y=y)
    placed = dots.merge(rows[["layer", "generation", "y_wide", "y_narrow"]], on=["layer", "generation"])
    placed = placed.assign(jitter=[(index * 5) % 9 - 4 for index in range(len(placed))])
    seen = base.transform_filter("isValid(datum.median_months)")
    months = alt.Tooltip("months:Q", title="Months", format=".0f")
    who, when = kit.tips(organisation="Organisation", short_name="Generation"), kit.tips(on_words="First on")
    zero = (
        alt.Chart(pd.DataFrame({"x": [0]}))
        .mark_rule(color=ink("quiet"), aria=False)
        .encode(x=alt.X("x:Q", scale=scale))
    )
    layers: list[Any] = [
        zero,
        *_age_words(rows, base, high),
        seen.mark_rule(strokeWidth=8, strokeCap="round", stroke=ink("second"), opacity=0.3, aria=False).encode(
            x=alt.X("low_months:Q", scale=scale), x2="high_months:Q"
        ),
        seen.mark_rule(strokeWidth=6, strokeCap="round", aria=False).encode(
            x=alt.X("low_months:Q", scale=scale), x2="high_months:Q", color=colour
        ),
        alt.Chart(placed)
        .mark_point(filled=True, size=22, opacity=0.75, yOffset={"expr": "datum.jitter"})
        .encode(x=alt.X("months:Q", scale=scale), y=y, color=colour, tooltip=[*who, months, *when]),
        seen.mark_point(filled=True, size=130, opacity=1, stroke=ink("card"), strokeWidth=1.5).encode(
            x=x,
            color=colour,
            tooltip=tips("generation_name layer median_months low_months high_months organisations known_by_only"),
        ),
    ]  # fmt: skip
    wide, narrow = float(rows["y_wide"].max()) + 70, float(rows["y_narrow"].max()) + 70
    return kit.layered(layers, wide, narrow)


def _age_words(rows: pd.DataFrame, base: alt.Chart, high: float) -> list[alt.Chart]:
    """The names of layers and generations, and what is told at the end of each row."""
    heads = rows.drop_duplicates("layer")
    heading = alt.Chart(heads).mark_text(align="left", fontWeight=600, fontSize=14, **kit.PLAIN).encode(
        x=alt.value(0), y=kit.at(f"{NARROW} ? datum.head_narrow : datum.head_wide"), text="layer_name:N"
    )  # fmt: skip
    end = "max(datum.high_months == null ? 0 : datum.high_months, datum.furthest)"
    telling = kit.at(f"{NARROW} ? width : scale('x', min({end}, {high})) + 12")
    names = base.mark_text(align="right", color=ink("second"), **kit.PLAIN).encode(
        x=kit.at(f"{NARROW} ? 76 : {AGE_LEFT - 16}"), text="short_name:N"
    )
    words = base.mark_text(
        align=kit.either("'left'", "'right'"),
        color=ink("second"),
        text=kit.either("datum.telling", "datum.told"),
        **kit.PLAIN,
    ).encode(x=telling)
    return [heading, names, words]


def _rows_of_ages(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows with their places: a block a layer; on a phone its name stands on a line of its own."""
    wide, narrow = 14.0, 10.0
    places: list[tuple[float, float, float, float]] = []
    for _, group in frame.groupby("layer", sort=False):
        head_wide, head_narrow = wide + AGE_ROW * (len(group) - 1) / 2, narrow
        narrow += AGE_HEAD
        for _ in range(len(group)):
            places.append((wide, narrow, head_wide, head_narrow))
            wide, narrow = wide + AGE_ROW, narrow + AGE_ROW
        wide, narrow = wide + AGE_GAP, narrow + AGE_GAP
    columns = ["y_wide", "y_narrow", "head_wide", "head_narrow"]
    return frame.reset_index(drop=True).join(pd.DataFrame(places, columns=columns))


STOCK_ROW, STOCK_LEFT, LEAST_NAMED = 30, 110, 0.09


def stock(frame: pd.DataFrame) -> alt.LayerChart:
    """A bar an owner: share of its estimated chips by generation at one quarter's end, named where there is room.

    `frame` has `adoption.stock`'s columns.
    """
    order = list(frame.groupby("owner")["units"].sum().sort_values(ascending=False).index)
    rows = frame.assign(
        row=[16 + STOCK_ROW * order.index(owner) for owner in frame["owner"]],
        short=[_short(str(name).partition(" ")[2]) for name in frame["generation_name"]],
    ).sort_values(["owner", "ordinal"])
    rows["end"] = rows.groupby("owner")["units"].cumsum() / rows.groupby("owner")["units"].transform("sum")
    rows["start"] = rows.groupby("owner")["end"].shift().fillna(0.0)
    rows["share"] = rows["end"] - rows["start"]
    left, wide = f"({NARROW} ? 74 : {STOCK_LEFT})", f"(width - ({NARROW} ? 74 : {STOCK_LEFT}))"
    colour = alt.Color("generation:N", scale=_generation_scale(rows["generation"]), legend=None)
    base = alt.Chart(rows)
    y = kit.at("datum.row")
    names = base.mark_text(align="right", limit=kit.either(100, 68), fontWeight=600, **kit.PLAIN).encode(
        x=kit.at(f"{left} - 10"), y=y, text="owner:N"
    )
    bars = base.mark_rect(stroke=ink("card"), strokeWidth=1).encode(
        x=kit.at(f"{left} + datum.start * {wide}"), x2=kit.at(f"{left} + datum.end * {wide}"),
        y=kit.at("datum.row - 11"), y2=kit.at("datum.row + 11"), color=colour,
        tooltip=tips("owner generation_name units units_low units_high calendar_quarter evidence"),
    )  # fmt: skip
    named = base.transform_filter(f"datum.share * width > ({NARROW} ? 62 : 84) && datum.share > {LEAST_NAMED}")
    middle = kit.at(f"{left} + (datum.start + datum.end) / 2 * {wide}")
    words_ = kit.lettered(named.encode(x=middle, y=y), "short", weight=600, fontSize=kit.SMALL, align="center")
    height = 16 + STOCK_ROW * len(order)
    return kit.layered([names, bars, *words_], height, height)


def revenue(frame: pd.DataFrame) -> alt.LayerChart:
    """Lines over quarters: audited revenue by segment, each named at its end. `frame` is of `adoption.revenue`."""
    tooltip = tips("company segment calendar_quarter value_usd evidence stated_on")
    y = Axis("value_usd", "USD a quarter", "linear", "$,.2~s")
    return of_series(frame, x=Axis("on", "", "time"), y=y, tooltip=tooltip, is_joined=True)
