"""A chart as PNG or SVG, drawn here without a browser or network, with its title, units and source line in it."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import altair as alt
import pandas as pd
import vl_convert

from dashboard.components.figure import ChartMeta, Drawn

WIDTH, LINE = 900, 120
NO_NETWORK: list[str] = ["https://nothing.invalid/"]  # an empty list would be read as 'any'
CONFIG: dict[str, Any] = {
    "background": "#ffffff",
    "font": "DejaVu Sans, sans-serif",
    "title": {"anchor": "start", "fontSize": 16, "subtitleFontSize": 11, "subtitleColor": "#444444", "offset": 12},
    "axis": {"labelColor": "#333333", "titleColor": "#333333", "gridColor": "#e4e4e4"},
}


def png(chart: Drawn, meta: ChartMeta, source_line: str) -> bytes:
    """The chart as PNG at twice its size."""
    image: bytes = vl_convert.vegalite_to_png(
        specification(chart, meta, source_line), scale=2, config=CONFIG, allowed_base_urls=NO_NETWORK
    )
    return image


def svg(chart: Drawn, meta: ChartMeta, source_line: str) -> bytes:
    """The chart as SVG."""
    text: str = vl_convert.vegalite_to_svg(
        specification(chart, meta, source_line), config=CONFIG, allowed_base_urls=NO_NETWORK
    )
    return text.encode()


def specification(chart: Drawn, meta: ChartMeta, source_line: str) -> dict[str, Any]:
    """Vega-Lite with the rows in it and the words above it.

    The rows are put in by hand: Altair's own way goes through settings that are global to all threads.
    """
    spec: dict[str, Any] = _with_rows(chart.copy(deep=True)).to_dict()
    if "width" not in spec and "spec" not in spec and not set(spec) & {"hconcat", "vconcat", "concat"}:
        spec["width"] = WIDTH
    below = [meta.subtitle, source_line, *meta.footnotes]
    lines = [line for text in below for line in textwrap.wrap(text, LINE)]
    spec["title"] = {"text": textwrap.wrap(meta.title, LINE - 30), "subtitle": lines}
    return spec


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
