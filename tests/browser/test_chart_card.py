"""A chart card in real Chromium: a mark leads to its rows, the table opens, files open, a new version is told."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from playwright.sync_api import Page, expect

from dashboard.charts.lettering import GAP, text_width
from tests.browser.conftest import serve, settle
from warehouse.read import Warehouse

pytestmark = pytest.mark.browser
PAGE = "training?benchmark=Llama+3.1+405B&round=v5.0&division=closed"
# At the moment at which the page is shown: its charts, those of them that are drawn, and tables that are drawn.
AT_FIRST = (
    "new MutationObserver((_, watch) => { if ('settling' in document.documentElement.dataset) return;"
    "watch.disconnect();"
    "const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')];"
    "window.atFirst = [charts.length, charts.filter((one) => one.querySelector('svg, canvas')).length,"
    "document.querySelectorAll('[data-testid=stDataFrame] canvas').length]; })"
    ".observe(document, { subtree: true, attributeFilter: ['data-settling'] });"
)


def card(page: Page, site: str) -> None:
    page.goto(f"{site}/{PAGE}")
    settle(page)
    page.locator("svg path[aria-roledescription='point']").first.wait_for(state="attached")


def test_a_click_on_a_mark_shows_the_rows_behind_it(page: Page, site: str) -> None:
    card(page, site)
    page.locator("svg path[aria-roledescription='point']").first.click(force=True)
    expect(page.get_by_text("Behind the chosen mark: 1 row.")).to_be_visible()
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()


def test_what_lies_far_below_is_drawn_when_the_page_stands_without_a_move_of_the_reader(page: Page, site: str) -> None:
    page.add_init_script(AT_FIRST)
    page.goto(f"{site}/{PAGE}")
    charts = page.get_by_test_id("stVegaLiteChart")
    page.wait_for_function("() => window.atFirst")
    there, drawn, tables = page.evaluate("window.atFirst")
    assert (there, drawn, tables) == (1, 1, 0)
    page.get_by_test_id("stDataFrame").locator("canvas").first.wait_for(state="attached")
    assert charts.count() > there
    expect(charts.locator(":scope:not(:has(svg, canvas))")).to_have_count(0)


def test_words_of_a_chart_are_as_wide_as_they_were_placed_for(page: Page, site: str) -> None:
    page.goto(f"{site}/racks")
    settle(page)
    words = page.evaluate(
        """() => [...document.querySelectorAll('[data-testid=stVegaLiteChart] svg text[font-weight="600"]')]
            .map((one) => [one.textContent, parseFloat(one.getAttribute('font-size')), one.getComputedTextLength()])"""
    )
    whole = [each for each in words if not each[0].endswith("…")]  # what Vega cuts was placed for a limit
    assert len(whole) > 10
    assert [each for each in whole if each[2] > text_width(each[0], each[1], 600) + GAP] == []


def test_an_address_leads_far_below_and_a_choice_there_stands_in_it(page: Page, site: str) -> None:
    page.goto(f"{site}/training?training.at=512#training-best")
    settle(page)
    best = page.locator(".st-key-card_training_best")
    expect(best).to_contain_text("on 512 accelerators")
    expect(best.get_by_role("heading", level=2)).to_be_in_viewport()
    page.get_by_role("combobox", name="At this many accelerators").click()
    page.get_by_role("option", name="64", exact=True).click()
    expect(best).to_contain_text("on 64 accelerators")
    assert "training.at=64" in page.url


def test_the_source_line_tells_what_the_file_holds(page: Page, site: str, published: Path) -> None:
    card(page, site)
    with Warehouse(published) as warehouse:
        (found,) = warehouse.rows(
            """SELECT count(*) AS n, min(stated_on) AS first, max(stated_on) AS last FROM facts.mlperf_training
               WHERE benchmark_id = 'llama31_405b' AND round = 'v5.0' AND division = 'closed'
               AND score_minutes IS NOT NULL AND accelerators > 0"""
        )
    assert found["first"] == found["last"]
    expect(page.get_by_text(f"Evidence: ■ A audited {found['n']}. Stated {found['first']}.")).to_be_visible()


def test_the_table_is_made_when_it_is_opened(page: Page, site: str) -> None:
    card(page, site)
    before = page.get_by_test_id("stDataFrame").count()
    page.get_by_role("tab", name="Table").first.click()
    expect(page.get_by_test_id("stDataFrame")).to_have_count(before + 1)


def test_the_zip_names_the_view_and_the_version(page: Page, site: str, published: Path) -> None:
    card(page, site)
    page.get_by_role("tab", name="Download").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="All in one (zip)").click()
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        described = json.loads(archive.read("training_time/metadata.json"))
    with Warehouse(published) as warehouse:
        assert described["version"] == warehouse.publication.version
    assert described["address"].startswith(f"{site}/training?")
    assert "round=v5.0" in described["address"]
    assert described["address"].endswith("#training-time")


@pytest.fixture(scope="module")
def served_copy(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A site of this file's own: to start one costs as much as the tests of it."""
    path = tmp_path_factory.mktemp("own") / "rackledger.duckdb"
    shutil.copyfile(published, path)
    for url in serve(path):
        yield url, path


@pytest.fixture
def own_site(served_copy: tuple[str, Path], published: Path) -> tuple[str, Path]:
    """That site with the published file in place again, which a test may replace."""
    url, path = served_copy
    again = path.with_name("again.duckdb")
    shutil.copyfile(published, again)
    again.replace(path)
    return url, path


def test_a_newer_version_is_told_and_shown_when_asked_for(own_site: tuple[str, Path], page: Page) -> None:
    url, path = own_site
    page.goto(f"{url}/sources")
    settle(page)
    newer = path.with_name("newer.duckdb")
    shutil.copyfile(path, newer)
    with duckdb.connect(str(newer)) as connection:
        connection.execute("UPDATE meta.publication SET version = '20990101T000000Z-newer'")
    newer.replace(path)
    expect(page.get_by_text("A new version was published")).to_be_visible(timeout=60_000)
    expect(page.get_by_text(re.compile("^Version 20990101T000000Z-newer"))).to_have_count(0)
    page.get_by_role("button", name="Reload").click()
    expect(page.get_by_text(re.compile("^Version 20990101T000000Z-newer"))).to_be_visible()
    expect(page.get_by_text("A new version was published")).to_have_count(0)


def test_a_file_of_an_older_schema_says_what_to_run(own_site: tuple[str, Path], page: Page) -> None:
    url, path = own_site
    older = path.with_name("older.duckdb")
    shutil.copyfile(path, older)
    with duckdb.connect(str(older)) as connection:
        connection.execute("UPDATE meta.publication SET schema_version = 0")
    older.replace(path)
    page.goto(f"{url}/data")
    expect(page.get_by_role("heading", name="The warehouse cannot be read")).to_be_visible()
    expect(page.get_by_text("make run").first).to_be_visible()
