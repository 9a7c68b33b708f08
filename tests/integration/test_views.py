"""Every page's script on the committed facts: cold, warm, on early days and with filters that leave nothing."""

from __future__ import annotations

import functools
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from dashboard.addresses import state_name
from dashboard.lesson_book import lessons
from dashboard.navigation import page_entries
from dashboard.queries import corrections
from pipelines.settings import PREFIX, PROJECT_ROOT
from warehouse.answers.corrections import BENCHMARK, ORGANISATION, THING, Correction
from warehouse.calculators import CALCULATORS
from warehouse.read import Warehouse

PATHS = [entry.path for entry in page_entries()]
EMPTIED = {
    "racks": {"system": "no such system"},
    "evidence": {"q": "nothing is called so"},
    "things": {"q": "nothing is called so"},
    "thing": {"id": "no-such-thing"},
    "compare": {"thing": "no-such-thing"},
    "conflicts": {"conflict": "no-such-conflict"},
    "sources": {"source": "no-such-source"},
    "training": {"benchmark": "no-such-benchmark", "result": "no-such-result"},
    "benchmarks": {"benchmark": "no such benchmark", "result": "no-such-result"},
    "learn": {"lesson": "no-such-lesson"},
    "calculators": {"calc": "no-such-calculator"},
    "data": {"q": "nothing is called so"},
}
# each run of a test looks through all installed packages for components; they stay the same
COMPONENTS = functools.cache(manifest_scanner.scan_component_manifests)


def script(path: str) -> None:
    """What the app's own script does for one page."""
    from dashboard.components.state import begin_page
    from dashboard.navigation import page_entries as entries

    begin_page(path)
    next(entry for entry in entries() if entry.path == path).show()


@pytest.fixture
def on_market(market: Warehouse, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    monkeypatch.setenv(PREFIX + "DATA", str(tmp_path / "data"))
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", COMPONENTS)
    # a script under test takes the place of the main module, which processes started later would run again
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


def run(path: str, **state: str) -> Any:
    test = AppTest.from_function(script, args=(path,), default_timeout=120)
    for name, value in state.items():
        test.query_params[state_name(path, name)] = value
    test.run()
    assert [error.message for error in test.exception] == []
    return test


@pytest.mark.usefixtures("on_market")
@pytest.mark.parametrize("path", PATHS)
def test_a_page_runs_cold_and_warm_alike(path: str) -> None:
    first, again = run(path), run(path)
    assert [title.value for title in first.title] == [title.value for title in again.title]
    assert len(first.title) == 1
    assert [error.value for error in first.error] == []


@pytest.mark.usefixtures("on_market")
@pytest.mark.parametrize("path", ["racks", "roadmap", "who-has-it", "evidence", "things"])
def test_a_page_of_a_day_before_anything_was_stated_says_so(path: str) -> None:
    test = run(path, as_of="2018-01-01")
    assert test.info or test.caption, path


@pytest.mark.usefixtures("on_market")
@pytest.mark.parametrize("path", EMPTIED)
def test_a_link_to_what_is_not_there_says_so(path: str) -> None:
    run(path, **EMPTIED[path])


@pytest.mark.usefixtures("on_market")
@pytest.mark.parametrize("name", CALCULATORS)
def test_a_calculator_answers_or_says_why_not(name: str) -> None:
    test = run("calculators", calc=name)
    assert len(test.metric) == 1
    assert [error.value for error in test.error] == []


@pytest.mark.usefixtures("on_market")
@pytest.mark.parametrize("name", lessons())
def test_a_lesson_runs_with_its_charts(name: str) -> None:
    test = run("learn", lesson=name)
    assert len(test.radio) == 5
    assert not [info.value for info in test.info if "No result" in info.value or "Nothing can" in info.value]


def test_nothing_is_drawn_around_the_parts_that_ask_for_evidence() -> None:
    """Charts and tables of rows exist in the components alone, and a card refuses rows without tag, source and date."""
    drawing = re.compile(
        r"\.(altair_chart|vega_lite_chart|line_chart|bar_chart|area_chart|scatter_chart|plotly_chart|pyplot|graphviz_chart|"
        r"pydeck_chart|map|dataframe|data_editor|table|html|json|write)\("
    )
    for path in sorted((PROJECT_ROOT / "dashboard").rglob("*.py")):
        if path.parent.name != "components":
            found = [line for line in path.read_text(encoding="utf-8").splitlines() if drawing.search(line)]
            assert [line for line in found if "st." in line or "columns" in line] == [], path
        assert "unsafe_allow_html" not in path.read_text(encoding="utf-8")


@pytest.mark.usefixtures("on_market")
@pytest.mark.parametrize(
    ("path", "name", "family"),
    [("org", "coreweave", ORGANISATION), ("benchmark", "llama2-70b", BENCHMARK), ("thing", "nvidia-h100", THING)],
)
def test_what_was_put_right_stands_on_its_page(
    path: str, name: str, family: str, market: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_right = Correction(name, "<b>Figure", "8 before", "9 now", "2026-07-02", "misread", "", "", "v", family)
    others = [replace(put_right, subject_id="another", figure="of another"), replace(put_right, family="another kind")]
    versions = [(Path("0"), Path("1")), (Path("1"), Path("z"))]  # the second is newer than what is shown
    monkeypatch.setattr(corrections, "pairs", lambda published: versions)
    monkeypatch.setattr(
        corrections, "between", lambda older, newer: [put_right, *others] if newer.name == "1" else [put_right]
    )
    monkeypatch.setattr(corrections, "once", lambda ledger, make: make(ledger))
    shown = "".join(str(each.proto.body) for each in run(path, id=name).get("html"))
    assert shown.count("Corrections</h2>") == 1
    assert shown.count("was 8 before") == 1
    assert "&lt;b&gt;Figure" in shown
