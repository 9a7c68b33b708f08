"""Hostile text in names, titles, terms and addresses does nothing: on no page, in no chart, in no download."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Dialog, Page, expect

from dashboard.navigation import page_entries
from tests.browser.conftest import is_outside, leave, listening, serve, settle
from tests.browser.planting import plant
from tests.hostile import STRINGS, csv_harm, harm_in
from warehouse.outcome import REFUSED, Ending, note
from warehouse.read import Warehouse

pytestmark = pytest.mark.browser
TEXTS = {
    "facts.mlperf_training": (
        "submitter", "system", "system_name", "accelerator_raw", "availability", "problem", "url", "repository",
    ),
    "facts.mlperf_inference": (
        "submitter", "system", "system_name", "accelerator_raw", "system_notes", "framework", "problem", "url",
    ),
    "facts.cloud_offers": ("provider_raw", "provider", "accelerator_raw", "region", "url", "offer_url"),
    "facts.clusters": ("cluster", "owner_raw", "chip_raw", "url"),
    "facts.top500": ("name", "computer", "site", "manufacturer", "url"),
    "marts.mlperf_training_best": ("best_submitter", "best_system", "url"),
    "marts.mlperf_inference_best": ("best_submitter", "best_system", "best_system_name", "url"),
    "marts.accelerators": ("subject", "value_text", "claimant", "printed", "url"),
    "marts.systems": ("subject", "value_text", "claimant", "printed", "url"),
    "marts.density": ("claimant", "formula", "url"),
    "marts.roadmap": ("subject", "claimant", "printed_by", "url"),
    "marts.slips": ("subject", "first_claimant", "latest_claimant", "first_url", "latest_url"),
    "marts.forecasts": ("subject", "claimant", "criterion", "note", "url"),
    "marts.prices": ("low_provider", "high_provider", "url"),
    "evidence.claims": ("subject", "value_text", "claimant", "printed", "ref", "note", "url"),
    "evidence.mentions": ("subject", "claimant", "publisher", "printed", "note", "url"),
    "evidence.conflicts": ("subject",),
    "evidence.unmatched": ("name",),
    "evidence.sources": ("title", "publisher", "producer", "terms", "licence", "citation", "urls", "page_url"),
    "registry.generations": ("name",),
    "registry.organisations": ("name",),
    "registry.accelerators": ("name",),
    "registry.systems": ("name",),
    "registry.metrics": ("title",),
}  # fmt: skip


@pytest.fixture(scope="module")
def planted_site(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    planted = plant(published, tmp_path_factory.mktemp("planted") / "rackledger.duckdb", TEXTS)
    note(planted, Ending(REFUSED, dt.datetime(2026, 3, 14, tzinfo=dt.UTC), "\n".join(STRINGS)))
    yield from serve(planted)


@pytest.fixture
def watched(tab: Page) -> Iterator[Page]:
    """A page that fails its test when anything outside is asked for, or a dialog opens."""
    wrong: list[str] = []

    def close(dialog: Dialog) -> None:
        wrong.append(dialog.message)
        dialog.dismiss()  # an open one holds the tab

    heard: dict[str, Callable[[Any], None]] = {
        "request": lambda request: wrong.append(request.url) if is_outside(request.url) else None,
        "dialog": close,
        "pageerror": lambda error: wrong.append(str(error)),
        "console": lambda message: wrong.append(message.text) if "Content Security" in message.text else None,
    }
    yield from listening(tab, heard, wrong)
    leave(tab)


@pytest.mark.parametrize("path", ["", *(entry.path for entry in page_entries()[1:])])
def test_no_page_does_anything_with_it(watched: Page, planted_site: str, path: str) -> None:
    watched.goto(f"{planted_site}/{path}")
    settle(watched)
    watched.wait_for_load_state("networkidle")
    assert watched.get_by_test_id("stException").count() == 0
    assert harm_in(watched) == []


@pytest.mark.parametrize("number", range(0, 10, 3))
def test_the_evidence_of_a_result_shows_it_as_text(watched: Page, planted_site: str, number: int) -> None:
    watched.goto(f"{planted_site}/training?benchmark=Llama+3.1+405B")
    settle(watched)
    table = watched.get_by_test_id("stDataFrame").first
    for _ in range(6):
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        assert box is not None
        watched.mouse.click(box["x"] + 16, box["y"] + 54 + 35 * number)
        watched.wait_for_timeout(1500)
        if "result=" in watched.url:
            break
    assert "result=" in watched.url
    settle(watched)
    assert harm_in(watched) == []


@pytest.mark.parametrize("source", ["alcf_machines", "amd_newsroom", "mlperf_training", "azure_blog"])
def test_a_source_shows_its_terms_as_text(watched: Page, planted_site: str, source: str) -> None:
    watched.goto(f"{planted_site}/sources?source={source}")
    settle(watched)
    watched.wait_for_timeout(500)
    assert harm_in(watched) == []


def test_why_a_run_was_refused_is_shown_as_text(watched: Page, planted_site: str) -> None:
    watched.goto(f"{planted_site}/sources")
    settle(watched)
    expect(
        watched.get_by_text("The run of 2026-03-14 was refused: what is shown is the version before.")
    ).to_be_visible()
    why = watched.get_by_test_id("stExpander").filter(has_text="Why it was refused")
    why.locator("summary").click()
    expect(why.get_by_text(STRINGS[0])).to_be_visible()
    assert harm_in(watched) == []


@pytest.mark.parametrize(
    ("path", "sql"),
    [
        ("evidence?claim=", "SELECT claim_id FROM evidence.claims ORDER BY hash(claim_id) LIMIT 5"),
        ("conflicts?conflict=", "SELECT conflict_id FROM evidence.conflicts ORDER BY hash(conflict_id) LIMIT 2"),
        ("thing?id=", "SELECT DISTINCT system_id FROM marts.systems ORDER BY hash(system_id) LIMIT 2"),
        ("thing?id=", "SELECT DISTINCT model_id FROM marts.accelerators ORDER BY hash(model_id) LIMIT 2"),
    ],
)
def test_the_page_of_one_thing_shows_it_as_text(
    watched: Page, planted_site: str, published: Path, path: str, sql: str
) -> None:
    with Warehouse(published) as warehouse:
        keys = [next(iter(row.values())) for row in warehouse.rows(sql)]
    assert keys
    for key in keys:
        watched.goto(f"{planted_site}/{path}{quote(str(key))}")
        settle(watched)
        watched.wait_for_timeout(500)
        assert watched.get_by_test_id("stException").count() == 0
        assert harm_in(watched) == []


def test_downloads_hold_no_formula_and_no_script(watched: Page, planted_site: str) -> None:
    watched.goto(f"{planted_site}/training")
    settle(watched)
    files: dict[str, bytes] = {}
    watched.get_by_role("tab", name="Download").first.click()
    for label in ("All in one (zip)", "Rows (CSV)", "Image (SVG)", "Image (PNG)"):
        with watched.expect_download() as download:
            watched.get_by_role("button", name=label).click()
        files[label] = Path(download.value.path()).read_bytes()
    rows = files["Rows (CSV)"].decode()
    assert "planted" in rows
    assert csv_harm(rows) == []
    with zipfile.ZipFile(io.BytesIO(files["All in one (zip)"])) as archive:
        names = sorted(Path(name).name for name in archive.namelist())
        assert names == ["README.txt", "citation.bib", "data.csv", "metadata.json"]
        assert archive.read("training_time/data.csv").decode() == rows
    image = ElementTree.fromstring(files["Image (SVG)"])
    assert {element.tag.rpartition("}")[2] for element in image.iter()} <= {
        "svg",
        "g",
        "path",
        "text",
        "rect",
        "line",
        "title",
        "defs",
        "clipPath",
        "style",
        "tspan",
    }
    assert [name for element in image.iter() for name in element.attrib if name.endswith("href")] == []
    assert files["Image (PNG)"].startswith(b"\x89PNG\r\n\x1a\n")


def test_a_tooltip_shows_it_as_text(watched: Page, planted_site: str) -> None:
    watched.goto(f"{planted_site}/training?benchmark=Llama+3.1+405B")
    settle(watched)
    marks = watched.get_by_test_id("stVegaLiteChart").first.locator("svg path[aria-roledescription='point']")
    marks.first.wait_for(state="attached")
    for place in range(0, min(marks.count(), 45), 5):
        marks.nth(place).hover(force=True)
        watched.wait_for_timeout(150)
        assert (
            watched.locator("#vg-tooltip-element img, #vg-tooltip-element script, #vg-tooltip-element a").count() == 0
        )
        assert harm_in(watched) == []
