"""What the frame loads ahead, keeps free and says of heights."""

from __future__ import annotations

import re

from dashboard.charts.kit import BREAK
from dashboard.frame import ahead, file_bytes
from dashboard.navigation import page_entries
from dashboard.server import INDEX, PAGES

START = (
    'const m=(m.f=["./Table.a1.js","./base.b2.js","../css/Table.c3.css","./Html.d4.js","./clean.e5.js"]);'
    "lazy(()=>H(()=>import(`./Table.a1.js`),__vite__mapDeps([0,1,2]),import.meta.url)),"
    "lazy(()=>H(()=>import(`./Html.d4.js`).then(e=>e.n),__vite__mapDeps([3,1,4]),import.meta.url))"
)


def test_a_part_needs_the_scripts_that_the_start_script_lists_for_it() -> None:
    assert ahead.scripts_of("Table", START) == ["Table.a1.js", "base.b2.js"]
    assert ahead.scripts_of("Html", START) == ["Html.d4.js", "base.b2.js", "clean.e5.js"]
    assert ahead.scripts_of("Chart", START) == []
    assert ahead.scripts_of("Html", "another form") == []


def test_pages_name_the_scripts_of_their_parts_and_each_of_them_is_there() -> None:
    with_charts = {entry.path for entry in page_entries() if {"chart_card", "kept_card"} & entry.uses}
    with_tables = {entry.path for entry in page_entries() if {"rows_table", "results_table", "Rows"} & entry.uses}
    assert {"racks", "roadmap", "who-has-it", "sites", "conflicts"} <= with_charts
    assert {"evidence", "conflicts", "prices", "training", "queue"} <= with_tables
    assert not {"today", "method"} & (with_charts | with_tables)
    with_lower_part = {entry.path for entry in page_entries() if "later" in entry.uses}
    assert {"training", "prices"} <= with_lower_part
    for path, text in PAGES.items():
        named = re.findall(r'modulepreload" (?:fetchpriority="low" )?crossorigin href="\./(static/js/[^"]+)"', text)
        assert all((ahead.STATIC / name).is_file() for name in named)
        assert len(named) == len(set(named))
        assert text.index('fetchpriority="low"') > text.index('type="module"')
        assert any("ArrowVegaLiteChart" in name for name in named) is (path in with_charts)
        assert any("/DataFrame." in name for name in named) is (path in with_tables - with_lower_part | {"sql"})
    assert ahead.links(INDEX, ()).count("Html.") == 1


def test_every_part_that_is_named_ahead_is_one_of_streamlit() -> None:
    for name, parts in ahead.PARTS.items():
        assert all(ahead.links(INDEX, {name}).count(f"/{part}.") == 1 for part in parts), name


def test_the_stylesheet_breaks_where_charts_do() -> None:
    assert f"@container (max-width: {BREAK}px)" in file_bytes("frame.css").decode()
