"""A chart's picture, drawn here, that stands in its place until the browser has drawn the chart itself.

Drawing in the browser begins with two megabytes of scripts; the reader sees the finding a good part of a second
earlier. Both layouts are sent, and `frame.js` puts in the one that fits, as wide as the place: what lies along the axis
is stretched, words and symbols are not (`--u` is by how much they would be). Colours follow the reader's theme by the
page's own style sheet. To a screen reader it is nothing: the chart has its own words.
"""

from __future__ import annotations

import html
import itertools
import re
import threading
from collections import OrderedDict

from lxml import etree

from dashboard.components import images
from dashboard.components.prepared import Prepared
from dashboard.painter import Painter

WIDTHS = {"wide": 1_174, "narrow": 332}  # of the place of a chart on a common screen and on a phone
MOST_KEPT = 100
_SVG = "{http://www.w3.org/2000/svg}"
_SHAPES = {"g", "path", "line", "rect", "text", "defs", "clipPath"}
_KEPT = {
    "transform", "d", "x", "y", "x2", "y2", "width", "height", "id", "clip-path", "text-anchor", "font-size",
    "font-weight", "font-style", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-linecap", "stroke-linejoin", "opacity",
}  # fmt: skip
_MOVED = re.compile(r"(translate\([^)]*\))\s*(.*)")
_LONG = re.compile(r"(-?\d+\.\d)\d+")
_kept: OrderedDict[int, tuple[Prepared, str]] = OrderedDict()
_lock, _numbers = threading.Lock(), itertools.count()


def still_of(prepared: Prepared) -> str:
    """The picture as HTML; '' where none was made ahead."""
    found = _kept.get(id(prepared))
    return found[1] if found else ""


def make_still(chart: Prepared, painter: Painter) -> None:
    """Draw the picture and keep it. A chart without heights of its own has none: its place is not known.

    Raises ChildProcessError and ValueError as the painter does.
    """
    if chart.heights is None or still_of(chart):
        return
    sizes = zip(WIDTHS, zip(WIDTHS.values(), chart.heights, strict=True), strict=True)
    drawn = {name: picture(painter.svg(*images.on_page(chart.chart, size))) for name, size in sizes}
    told = "".join(f" data-{name}='{_quoted(svg)}'" for name, svg in drawn.items())
    with _lock:
        _kept[id(chart)] = (chart, f'<div class="still" aria-hidden="true"{told}></div>')
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def _quoted(text: str) -> str:
    """Text between single quotes: an SVG is full of double ones."""
    return html.escape(text, quote=False).replace("'", "&#39;")


def picture(svg: str) -> str:
    """An SVG with only its shapes: marked `same` what keeps its form when the picture is stretched."""
    root = etree.fromstring(svg)
    whole = etree.Element("svg", viewBox=root.get("viewBox"), preserveAspectRatio="none")
    prefix = f"still{next(_numbers)}-"  # a clip's name is the page's, so no two pictures may share one
    for part in root:
        _copy(part, whole, prefix)
    return str(etree.tostring(whole, encoding="unicode"))


def _copy(part: etree._Element, into: etree._Element, prefix: str) -> None:
    name = part.tag.removeprefix(_SVG)
    if name not in _SHAPES or (name == "path" and not part.get("d")) or part.get("class") == "background":
        return
    given = {key: value for key, value in part.attrib.items() if key in _KEPT}
    given |= {key: _LONG.sub(r"\1", given[key]) for key in ("d", "transform") if key in given}
    if "id" in given:
        given["id"] = prefix + given["id"]
    if "clip-path" in given:
        given["clip-path"] = given["clip-path"].replace("#", f"#{prefix}")
    moved = _MOVED.fullmatch(given.get("transform", ""))
    if moved and (name == "text" or part.get("aria-roledescription") == "point"):
        into = etree.SubElement(etree.SubElement(into, "g", transform=moved[1]), "g", {"class": "same"})
        given["transform"] = moved[2]
    if name == "text" and "font-size" in given:
        size = images.as_reader_sees(float(given["font-size"].removesuffix("px")), given.get("font-weight"))
        given["font-size"] = f"{size}px"
    given = {key: value for key, value in given.items() if value and value != "translate(0,0)"}
    made = etree.SubElement(into, name, given) if given or name != "g" else into
    made.text = part.text if name == "text" else made.text
    for inner in part:
        _copy(inner, made, prefix)
