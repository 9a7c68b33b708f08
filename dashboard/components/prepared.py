"""A chart made ready once and shown to many: checked, drawn, described, its rows as Arrow; kept by what it is made of.

Drawing the same chart for every visitor and click was most of a page's time. The key of the memory is the
words, the drawing function with its arguments, and the very rows: another filter gives another key. A function with
values of its own (a closure) has no key, so its chart is made anew each time.
"""

from __future__ import annotations

import functools
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa

from dashboard.charts.kit import HEIGHTS
from dashboard.charts.theme import configuration
from dashboard.components.figure import ChartMeta, Drawn, alt_text, with_data
from dashboard.components.provenance import FigureSource
from pipelines.frozen import frozen

PICK = "pick"
MOST_KEPT = 200
Draw = Callable[[pd.DataFrame], Drawn]
_DEFAULT_VIEW = {"continuousWidth": 300, "continuousHeight": 300}
_kept: OrderedDict[str, Prepared] = OrderedDict()
_lock = threading.Lock()


@frozen
class Prepared:
    """A chart ready to be sent: Vega-Lite as text, its rows as Arrow by name, and what is said of it."""

    chart: Drawn
    source: FigureSource
    alt: str
    line: str
    spec: str
    rows: dict[str, bytes]
    is_pickable: bool
    heights: tuple[int, int] | None = None
    least_height: int = 0

    def specification(self) -> dict[str, Any]:
        """Vega-Lite with its rows, as Streamlit takes it."""
        spec: dict[str, Any] = json.loads(self.spec)
        spec["datasets"] = dict(self.rows)
        return spec


def prepare(
    draw: Draw,
    frame: pd.DataFrame,
    meta: ChartMeta,
    behind: pd.DataFrame | None,
    names: Mapping[str, str] | None = None,
) -> Prepared:
    """The chart, from memory where it was made before; `names` has the sources' publishers. Raises UnsourcedFigure."""
    key = _key(draw, frame, meta, behind)
    if key is None:
        return _make(draw, FigureSource.of(frame, behind, names), meta)
    with _lock:
        found = _kept.get(key)
        if found is not None:
            _kept.move_to_end(key)
            return found
    made = _make(draw, FigureSource.of(frame, behind, names), meta)
    with _lock:
        _kept[key] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


def _make(draw: Draw, source: FigureSource, meta: ChartMeta) -> Prepared:
    chart, line = draw(source.frame), source.line()
    shown, is_pickable = chart, False
    if source.picks:
        shown, is_pickable = _pickable(chart, source.picks), True
    spec, rows = _specification(shown, source.picks)
    told = alt_text(meta, source.frame, line)
    return Prepared(chart, source, told, line, spec, rows, is_pickable, *_space(json.loads(spec)))


def _space(spec: dict[str, Any]) -> tuple[tuple[int, int] | None, int]:
    """The heights of a chart's wide and narrow layout, if it has two; and the height it has at least."""
    found = spec.get("usermeta", {}).get(HEIGHTS)
    height = spec.get("height")
    return (found[0], found[1]) if found else None, height if isinstance(height, int) else 0


def _pickable(chart: Drawn, picks: list[str]) -> Drawn:
    """The chart with a selection by click; in layers the topmost one takes it."""
    click = alt.selection_point(name=PICK, fields=picks, on="click", clear="dblclick", toggle=False)
    if isinstance(chart, alt.LayerChart):
        layered = chart.copy(deep=False)
        layered.layer = [*layered.layer[:-1], layered.layer[-1].add_params(click)]
        return layered
    return chart.add_params(click)


def _specification(chart: Drawn, picks: list[str]) -> tuple[str, dict[str, bytes]]:
    """Vega-Lite with named data, and each frame with only those columns that the chart names."""
    frames: dict[str, pd.DataFrame] = {}

    def put(frame: pd.DataFrame) -> alt.NamedData:
        name = next((known for known, other in frames.items() if other is frame), f"rows{len(frames)}")
        frames[name] = frame
        return alt.NamedData(name=name)

    spec = with_data(chart.copy(deep=True), put).to_dict(validate=False)
    if spec.get("config", {}).get("view") == _DEFAULT_VIEW:
        del spec["config"]["view"]  # Altair's default size; here the page's width is the chart's
    spec["config"] = configuration() | spec.get("config", {})
    _hush_empty(spec, frames, None, {})
    text = json.dumps(spec)
    rows = {}
    for name, frame in frames.items():
        named = [column for column in frame.columns if str(column) in text or column in picks]
        rows[name] = _arrow(frame[named or list(frame.columns[:1])])  # without a column there would be no row
    return text, rows


def _hush_empty(view: dict[str, Any], frames: dict[str, pd.DataFrame], name: str | None, above: dict[str, Any]) -> None:
    """A layer without a drawable row is hidden from screen readers: Vega would announce a mark without a name."""
    name = view.get("data", {}).get("name", name)
    encoding = above | view.get("encoding", {})
    for inner in view.get("layer", []):
        _hush_empty(inner, frames, name, encoding)
    if "mark" not in view or name not in frames:
        return
    placed = [encoding[channel].get("field") for channel in ("x", "y", "x2", "y2") if channel in encoding]
    columns = [column for column in placed if column in frames[name].columns]
    if columns and frames[name][columns].dropna().empty:
        mark = view["mark"]
        view["mark"] = ({"type": mark} if isinstance(mark, str) else mark) | {"aria": False}


def _arrow(frame: pd.DataFrame) -> bytes:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _key(draw: Draw, frame: pd.DataFrame, meta: ChartMeta, behind: pd.DataFrame | None) -> str | None:
    """A digest of everything the chart is made of; None where it cannot be told."""
    digest = hashlib.blake2b(digest_size=20)
    function, arguments = (
        (draw.func, [*draw.args, *sorted(draw.keywords.items())]) if isinstance(draw, functools.partial) else (draw, [])
    )
    if not isinstance(function, FunctionType) or function.__closure__ or "<lambda>" in function.__qualname__:
        return None
    digest.update(f"{function.__module__}.{function.__qualname__}|{meta!r}".encode())
    try:
        for value in (*arguments, frame, behind):
            _feed(digest, value)
    except (pa.ArrowException, TypeError, ValueError):
        return None
    return digest.hexdigest()


def _feed(digest: Any, value: Any) -> None:
    """Put a value into the digest: frames by their content, plain values by their text. Raises TypeError for others."""
    if isinstance(value, pd.DataFrame):
        digest.update(_arrow(value))
    elif isinstance(value, tuple | list):
        digest.update(b"(")
        for inner in value:
            _feed(digest, inner)
        digest.update(b")")
    elif isinstance(value, str | int | float | bool | None) or hasattr(value, "isoformat"):
        digest.update(f"{type(value).__name__}:{value!r}|".encode())
    else:
        raise TypeError(f"no key for {type(value).__name__}")
