"""The picture that stands for a chart until it is drawn: only shapes, words of their own width, no name of another."""

from __future__ import annotations

import re

import altair as alt
import pandas as pd
import pytest
from lxml import html as lxml_html

from dashboard.charts import kit
from dashboard.components import images, still
from dashboard.components.figure import ChartMeta
from dashboard.components.prepared import Prepared, prepare
from dashboard.painter import Painter
from tests.unit.dashboard.test_prepared import META, points, rows

HOSTILE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="a()"><script>a()</script><image href="x"/>'
    '<style>*{}</style><defs><clipPath id="clip1"><rect width="5" height="5"/></clipPath></defs>'
    '<g clip-path="url(#clip1)" onclick="a()"><path d="M0,0L1,1" style="x" stroke="#000"/>'
    '<path aria-roledescription="point" transform="translate(1.23456,2)" d="M0,0Z"/>'
    '<text transform="translate(3,4) rotate(-90)" font-size="9.88px">a &lt;b&gt; "c" \'d\'</text>'
    "<foreignObject><p>b</p></foreignObject></g></svg>"
)


def test_only_shapes_with_their_looks_are_left() -> None:
    made = still.picture(HOSTILE)
    assert not re.search(r"script|image|foreignObject|<p>|\bon\w+=|style|href|aria", made)
    assert 'stroke="#000"' in made
    assert "a &lt;b&gt;" in made


def test_symbols_and_words_keep_their_form_and_lines_are_stretched() -> None:
    whole = lxml_html.fragment_fromstring(still.picture(HOSTILE))
    kept = whole.xpath('//*[@class="same"]')
    assert [[inner.tag for inner in each] for each in kept] == [["path"], ["text"]]
    assert [each.getparent().get("transform") for each in kept] == ["translate(1.2,2)", "translate(3,4)"]
    assert kept[1][0].get("transform") == "rotate(-90)"
    assert kept[1][0].get("font-size") == f"{images.as_reader_sees(9.88, None)}px" == "12.51px"


def test_no_two_pictures_share_the_name_of_a_clip() -> None:
    names = []
    for _ in range(2):
        made = still.picture(HOSTILE)
        (name,) = re.findall(r'id="([^"]+)"', made)
        assert f'clip-path="url(#{name})"' in made
        names.append(name)
    assert len({*names, "clip1"}) == 3


@pytest.fixture
def chart() -> Prepared:
    """A chart with heights of its own."""
    frame = pd.DataFrame(
        {
            "at": pd.to_datetime(["2024-03-01", "2026-06-01"]), "amount": [120.0, 600.0],
            "name": ["it's <b>one</b>", "two"], "evidence": ["vendor", "vendor"], "source_id": ["s", "s"],
            "claim_id": ["c1", "c2"],
            "stated_on": pd.to_datetime(["2024-03-01", "2026-06-01"]),
        }
    )  # fmt: skip
    return prepare(labelled, frame, ChartMeta(id="one", title="One", subtitle="", how_to_read=""), None)


def labelled(frame: pd.DataFrame) -> alt.LayerChart:
    """Marks and words in two layouts."""
    base = alt.Chart(frame).encode(x=alt.X("at:T"), y=alt.Y("amount:Q"))
    words = base.mark_text(align="left", dx=8).encode(text="name:N")
    return kit.layered([base.mark_point(), words], 300, 200)


def test_both_layouts_are_made_once_and_what_is_written_in_a_chart_stays_text(chart: Prepared) -> None:
    assert still.still_of(chart) == ""
    with Painter() as painter:
        still.make_still(chart, painter)
    made = still.still_of(chart)
    place = lxml_html.fragment_fromstring(made)
    assert place.get("aria-hidden") == "true"
    for name, (width, high) in {"wide": (1_174, 300), "narrow": (332, 200)}.items():
        drawn = lxml_html.fragment_fromstring(place.get(f"data-{name}"))
        assert drawn.get("viewbox") == f"0 0 {width} {high}"
        assert "it's <b>one</b>" in drawn.text_content()
        assert not drawn.xpath("//b")
    with Painter() as painter:
        still.make_still(chart, painter)
        assert painter._process is None, "it was made before"


def test_a_chart_whose_height_nobody_knows_has_no_picture() -> None:
    plain = prepare(points, rows(), META, None)
    with Painter() as painter:
        still.make_still(plain, painter)
    assert still.still_of(plain) == ""


def test_what_cannot_be_drawn_is_told_and_the_next_is_drawn() -> None:
    with Painter() as painter:
        with pytest.raises(ValueError, match=r"\S"):
            painter.svg({"mark": "no such mark", "data": {"values": []}}, {})
        assert painter.svg({"mark": "point", "data": {"values": [{}]}, "encoding": {}}, {}).startswith("<svg")


def test_a_process_that_ended_is_told() -> None:
    with Painter() as painter:
        painter.svg({"mark": "point", "data": {"values": [{}]}}, {})
        assert painter._process
        painter._process.kill()
        painter._process.wait()
        with pytest.raises(ChildProcessError, match="ended"):
            painter.svg({"mark": "point", "data": {"values": [{}]}}, {})
