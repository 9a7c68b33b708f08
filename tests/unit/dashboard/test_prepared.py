"""A chart is made once for what it is made of, and never shown for something else."""

from __future__ import annotations

from functools import partial

import altair as alt
import pandas as pd
import pyarrow as pa
import pytest

from dashboard.components.figure import ChartMeta
from dashboard.components.prepared import PICK, prepare
from dashboard.components.provenance import UnsourcedFigure

META = ChartMeta(id="chart", title="A title", subtitle="Marks.", how_to_read="So.", columns={"power_kw": "Power [kW]"})


def points(frame: pd.DataFrame, size: int = 60) -> alt.Chart:
    """One mark a row."""
    chart: alt.Chart = alt.Chart(frame).mark_point(size=size).encode(x=alt.X("stated_on:T"), y=alt.Y("power_kw:Q"))
    return chart


def layers(frame: pd.DataFrame, names: pd.DataFrame) -> alt.LayerChart:
    """Marks, and rules from a frame of their own."""
    rules: alt.Chart = alt.Chart(names).mark_rule().encode(y=alt.Y("limit:Q"))
    return alt.LayerChart(layer=[points(frame), rules])


def rows(power: float = 120.0) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "claim_id": ["c1", "c2"],
            "power_kw": [power, 264.0],
            "unused": ["<b>x</b>", "y"],
            "evidence": ["vendor", "vendor"],
            "source_id": ["s", "s"],
            "stated_on": pd.to_datetime(["2024-03-18", "2025-11-18"]),
        }
    )


def test_equal_rows_words_and_arguments_give_the_chart_that_was_made() -> None:
    first = prepare(points, rows(), META, None)
    assert prepare(points, rows(), META, None) is first
    assert prepare(partial(points, size=60), rows(), META, None) is not first


@pytest.mark.parametrize("changed", ["rows", "meta", "argument", "behind"])
def test_anything_else_gives_another(changed: str) -> None:
    draw = partial(points, size=70)
    first = prepare(draw, rows(), META, None)
    other = ChartMeta(id="chart", title="Another", subtitle="", how_to_read="")
    second = {
        "rows": lambda: prepare(draw, rows(130.0), META, None),
        "meta": lambda: prepare(draw, rows(), other, None),
        "argument": lambda: prepare(partial(points, size=80), rows(), META, None),
        "behind": lambda: prepare(draw, rows(), META, rows()),
    }[changed]()
    assert second is not first


def test_frames_among_the_arguments_count_by_their_content() -> None:
    limit = pd.DataFrame({"limit": [30.0]})
    first = prepare(partial(layers, names=limit), rows(), META, None)
    assert prepare(partial(layers, names=limit.copy()), rows(), META, None) is first
    higher = prepare(partial(layers, names=limit.assign(limit=40.0)), rows(), META, None)
    assert higher is not first
    assert set(first.rows) == {"rows0", "rows1"}


def test_a_closure_has_no_key_and_is_made_anew() -> None:
    size = 90

    def draw(frame: pd.DataFrame) -> alt.Chart:
        return points(frame, size)

    assert prepare(draw, rows(), META, None) is not prepare(draw, rows(), META, None)


def test_only_columns_that_are_drawn_or_picked_are_sent_and_a_click_picks_the_claim() -> None:
    made = prepare(points, rows(), META, None)
    spec = made.specification()
    with pa.ipc.open_stream(spec["datasets"]["rows0"]) as stream:
        assert stream.read_all().column_names == ["claim_id", "power_kw", "stated_on"]
    assert [(param["name"], param["select"]["fields"]) for param in spec["params"]] == [(PICK, ["claim_id"])]
    assert spec["config"]["view"] == {"stroke": None}
    assert spec["data"] == {"name": "rows0"}


def test_a_frame_without_its_source_is_never_kept_nor_shown() -> None:
    for _ in range(2):
        with pytest.raises(UnsourcedFigure):
            prepare(points, rows().drop(columns="evidence"), META, None)


def test_a_layer_without_a_drawable_row_is_silent_for_screen_readers() -> None:
    made = prepare(partial(layers, names=pd.DataFrame({"limit": [float("nan")]})), rows(), META, None)
    marks, rules = made.specification()["layer"]
    assert "aria" not in marks["mark"]
    assert rules["mark"] == {"type": "rule", "aria": False}


def test_a_layer_that_names_no_column_keeps_its_rows() -> None:
    ground = pd.DataFrame({"unnamed_by_any_mark": [1]})
    made = prepare(partial(with_ground, ground=ground), rows(), META, None)
    with pa.ipc.open_stream(made.rows["rows0"]) as stream:
        assert stream.read_all().num_rows == 1


def with_ground(frame: pd.DataFrame, ground: pd.DataFrame) -> alt.LayerChart:
    """A box behind the marks, at a place that no row says."""
    box: alt.Chart = alt.Chart(ground).mark_rect().encode(x=alt.value(0), x2=alt.value(9))
    return alt.LayerChart(layer=[box, points(frame)])
