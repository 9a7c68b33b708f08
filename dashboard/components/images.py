"""A chart as PNG or SVG, drawn here without a browser or network, with its words, sources, name and terms in it."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd
import vl_convert

from dashboard.charts.kit import HEIGHTS
from dashboard.charts.theme import FONT, configuration, ink
from dashboard.components.figure import ChartMeta, Drawn

WIDTH, LINE = 1_100, 150
NO_NETWORK: list[str] = ["https://nothing.invalid/"]  # an empty list would be read as 'any'
# The page's font is not on the machine that draws; this one is wider at the same size, its bold the more so.
STAND_IN, NARROWER, BOLD_NARROWER = "DejaVu Sans Condensed, DejaVu Sans, sans-serif", 0.79, 0.74
CONFIG: dict[str, Any] = configuration() | {
    "background": "#ffffff",
    "font": STAND_IN,
    "padding": 24,
    "title": {
        "anchor": "start", "fontSize": 21, "subtitleFontSize": 13, "subtitleColor": ink("second"), "offset": 18,
        "color": ink("text"), "subtitlePadding": 8,
    },
}  # fmt: skip
FOOT_SIZE, FOOT_LINE = 11, 15
TOP = ("title", "width", "height", "usermeta", "autosize", "datasets", "params", "$schema")


@dataclass(frozen=True, slots=True)
class Words:
    """What stands on an image beside the chart: its own words, its sources, whose it is and where it stands."""

    meta: ChartMeta
    source_line: str
    signature: str
    address: str


def png(chart: Drawn, words: Words) -> bytes:
    """The chart as PNG at twice its size."""
    image: bytes = vl_convert.vegalite_to_png(
        specification(chart, words), scale=2, config=CONFIG, allowed_base_urls=NO_NETWORK
    )
    return image


def svg(chart: Drawn, words: Words) -> bytes:
    """The chart as SVG."""
    text: str = vl_convert.vegalite_to_svg(specification(chart, words), config=CONFIG, allowed_base_urls=NO_NETWORK)
    return text.encode()


def specification(chart: Drawn, words: Words) -> dict[str, Any]:
    """Vega-Lite with the rows in it, the title and question above, sources, name, date, terms and address below.

    The rows are put in by hand: Altair's own way goes through settings that are global to all threads.
    """
    spec: dict[str, Any] = _with_rows(chart.copy(deep=True)).to_dict()
    spec.pop("config", None)
    is_plain = "spec" not in spec and not set(spec) & {"hconcat", "vconcat", "concat"}
    if "width" not in spec and is_plain:
        spec["width"] = WIDTH
    if HEIGHTS in spec.get("usermeta", {}):
        spec["height"] = spec["usermeta"][HEIGHTS][0]
    spec["title"] = {
        "text": textwrap.wrap(words.meta.title, 90),
        "subtitle": textwrap.wrap(words.meta.subtitle, LINE),
    }
    _restyle(spec)
    if not is_plain:
        spec["title"]["subtitle"] += _foot(words)
        return spec
    return _with_foot(spec, _foot(words))


def _foot(words: Words) -> list[str]:
    texts = [words.source_line, *words.meta.footnotes, f"{words.signature} · {words.address}"]
    return [line for text in texts for line in textwrap.wrap(text, LINE)]


def _with_foot(spec: dict[str, Any], lines: list[str]) -> dict[str, Any]:
    """The chart with lines of text below it, as one more layer, so that the chart's own width stays."""
    whole = {key: spec.pop(key) for key in TOP if key in spec}
    layers = spec.pop("layer", None)
    below = 58 if layers is None or "usermeta" not in whole else 40
    marks = [
        {
            "data": {"values": [{"line": line}]},
            "mark": {
                "type": "text", "align": "left", "baseline": "top", "fontSize": FOOT_SIZE, "color": ink("quiet"),
                "limit": 0,
            },
            "encoding": {
                "text": {"field": "line", "type": "nominal"},
                "x": {"value": 0},
                "y": {"value": {"expr": f"height + {below + place * FOOT_LINE}"}},
            },
        }
        for place, line in enumerate(lines)
    ]  # fmt: skip
    inner = [spec] if layers is None else layers
    shared = {} if layers is None else spec
    return whole | shared | {"layer": [*inner, *marks]}


def _restyle(part: Any) -> None:
    """The page's font becomes the one at hand, a little smaller, so that words keep their width."""
    if isinstance(part, list):
        for inner in part:
            _restyle(inner)
    elif isinstance(part, dict):
        by = BOLD_NARROWER if part.get("fontWeight") in {600, 700, "bold"} else NARROWER
        for key, value in part.items():
            if key == "font" and value == FONT:
                part[key] = STAND_IN
            elif key == "fontSize" and isinstance(value, int | float):
                part[key] = round(value * by, 2)
            elif key not in {"values", "data", "datasets", "title"}:
                _restyle(value)


def _with_rows(chart: Any) -> Any:
    """Frames in the chart and its layers become plain rows."""
    if isinstance(getattr(chart, "data", None), pd.DataFrame):
        chart.data = alt.InlineData(values=_records(chart.data))
    for part in ("layer", "hconcat", "vconcat", "concat"):
        if isinstance(getattr(chart, part, None), list):
            setattr(chart, part, [_with_rows(inner) for inner in getattr(chart, part)])
    if isinstance(getattr(chart, "spec", None), alt.SchemaBase):
        chart.spec = _with_rows(chart.spec)
    return chart


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(
        frame.to_json(orient="records", date_format="iso", default_handler=str, double_precision=15)
    )
    return rows
