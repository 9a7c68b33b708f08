"""A chart as PNG or SVG, drawn here without a browser or network.

For print with its words, sources, name and terms in it; for a page the chart alone in one of its two layouts, in the
reader's theme.
"""

from __future__ import annotations

import html
import re
import textwrap
from typing import Any

import altair as alt
import vl_convert

from dashboard.charts.kit import HEIGHTS, NARROW_AT, WIDE_AT
from dashboard.charts.lettering import text_width
from dashboard.charts.theme import FONT, configuration, ink, pairs
from dashboard.components.figure import ChartMeta, Drawn, records, with_data
from dashboard.painter import NO_NETWORK
from pipelines.frozen import frozen

WIDTH, LINE = 1_100, 150
# The page's font is not on the machine that draws; this one is wider at the same size, its bold the more so.
STAND_IN, NARROWER, BOLD_NARROWER = "DejaVu Sans Condensed, DejaVu Sans, sans-serif", 0.79, 0.74
BOLD = {"600", "700", "bold"}
PAGE_PADDING = {"left": 0, "right": 0, "top": 0, "bottom": 20}  # Streamlit's around a chart
# On a page the reader's own font draws the words, each as wide as the chart's own font would draw it.
READERS = "Source Sans 3, Source Sans Pro, Arial, Helvetica, sans-serif"
_TEXT = re.compile(r"<text\b([^>]*)>([^<]+)</text>")
_SIZE, _WEIGHT = re.compile(r'font-size="([\d.]+)px"'), re.compile(r'font-weight="(\w+)"')
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
LAYOUTS = (round(WIDE_AT), round(NARROW_AT))
TOP = ("title", "width", "height", "usermeta", "autosize", "datasets", "params", "$schema")


@frozen
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


def screen_sizes(heights: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Width and height of the wide and of the narrow layout."""
    return (LAYOUTS[0], heights[0]), (LAYOUTS[1], heights[1])


def screen(chart: Drawn, size: tuple[int, int]) -> bytes:
    """The chart alone as SVG of exactly this size, for light and dark ground."""
    spec, config = _alone(chart, size, 4, READERS, 1, 1)
    text: str = vl_convert.vegalite_to_svg(spec, config=config, allowed_base_urls=NO_NETWORK)
    fitted = _TEXT.sub(_fitted, text)
    return re.sub(r"(<svg\b[^>]*>)", lambda found: found[1] + _dark_style(text), fitted, count=1).encode()


def on_page(chart: Drawn, size: tuple[int, int]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The chart alone as Streamlit draws it on a page, with its configuration; see `as_reader_sees` for its words."""
    return _alone(chart, size, PAGE_PADDING, STAND_IN, NARROWER, BOLD_NARROWER)


def as_reader_sees(size: float, weight: str | None) -> float:
    """The size in the page's font of words that were laid out in the stand-in's."""
    return round(size / (BOLD_NARROWER if weight in BOLD else NARROWER), 2)


def _alone(
    chart: Drawn, size: tuple[int, int], padding: Any, font: str, narrower: float, bold: float
) -> tuple[dict[str, Any], dict[str, Any]]:
    spec = _with_rows(chart)
    config = configuration() | {"font": FONT, "padding": padding}
    for part in (spec, config):
        _restyle(part, font, narrower, bold)
    return spec | {"width": size[0], "height": size[1], "autosize": {"type": "fit", "contains": "padding"}}, config


def _fitted(found: re.Match[str]) -> str:
    """A text with the width that its place was chosen for, whatever font the reader has."""
    size, weight = _SIZE.search(found[1]), _WEIGHT.search(found[1])
    if size is None or not found[2].strip():
        return found[0]
    is_bold = weight is not None and weight[1] in BOLD
    width = text_width(html.unescape(found[2]), float(size[1]), 600 if is_bold else 400)
    return f'<text{found[1]} textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs">{found[2]}</text>'


def _dark_style(svg_text: str) -> str:
    """The other colour of each that the image has, for readers on dark ground."""
    rules = [
        f'[{part}="{light}"]{{{part}:{dark}}}'
        for light, dark in dict(pairs()).items()
        for part in ("fill", "stroke")
        if f'{part}="{light}"' in svg_text
    ]
    return f"<style>@media (prefers-color-scheme:dark){{{''.join(rules)}}}</style>"


def specification(chart: Drawn, words: Words) -> dict[str, Any]:
    """Vega-Lite with the rows in it, the title and question above, sources, name, date, terms and address below."""
    spec = _with_rows(chart)
    spec.setdefault("width", WIDTH)
    if HEIGHTS in spec.get("usermeta", {}):
        spec["height"] = spec["usermeta"][HEIGHTS][0]
    spec["title"] = {
        "text": textwrap.wrap(words.meta.title, 90),
        "subtitle": textwrap.wrap(words.meta.subtitle, LINE),
    }
    _restyle(spec)
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


def _restyle(part: Any, font: str = STAND_IN, narrower: float = NARROWER, bold: float = BOLD_NARROWER) -> None:
    """The page's font becomes one at hand, a little smaller, so that words keep their width."""
    if isinstance(part, list):
        for inner in part:
            _restyle(inner, font, narrower, bold)
    elif isinstance(part, dict):
        by = bold if str(part.get("fontWeight")) in BOLD else narrower
        for key, value in part.items():
            if key == "font" and value == FONT:
                part[key] = font
            elif key.lower().endswith("fontsize") and isinstance(value, int | float):
                part[key] = round(value * by, 2)
            elif key not in {"values", "data", "datasets", "title"}:
                _restyle(value, font, narrower, bold)


def _with_rows(chart: Drawn) -> dict[str, Any]:
    """The chart with its rows in it: Altair's own way goes through settings that are global to all threads."""
    drawn = with_data(chart.copy(deep=True), lambda frame: alt.InlineData(values=records(frame)))
    spec: dict[str, Any] = drawn.to_dict()
    spec.pop("config", None)
    return spec
