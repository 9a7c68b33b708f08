"""The page of training results in real Chromium: its figures equal SQL's, and its address restores it."""

from __future__ import annotations

import contextlib
import csv
import io
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import duckdb
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import serve
from warehouse.answers import formats
from warehouse.read import Warehouse

pytestmark = pytest.mark.browser
TIMEOUT = 30_000
KEY = "training-v5.0/IBM+CoreWeave+NVIDIA/results/carina_ngpu1024_ngc25.04_nemo/llama31_405b"
SELECTED = f"/training?benchmark=Llama+3.1+405B&round=v5.0&result={quote(KEY, safe='')}"


def open_page(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("heading", name="Results", exact=True)).to_be_visible(timeout=TIMEOUT)
    page.wait_for_selector(
        "[data-testid='stVegaLiteChart'] canvas, [data-testid='stVegaLiteChart'] svg", timeout=TIMEOUT
    )
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0, timeout=TIMEOUT)


def rows(published: Path, sql: str, *parameters: object) -> list[dict[str, Any]]:
    with Warehouse(published) as warehouse:
        return warehouse.rows(sql, list(parameters))


def test_the_page_opens_on_the_benchmark_most_submitted_in_the_latest_round(
    page: Page, site: str, published: Path
) -> None:
    open_page(page, f"{site}/training")
    (most,) = rows(
        published,
        """SELECT benchmark_id AS b, count(*) AS n,
                  (SELECT count(*) FROM facts.mlperf_training WHERE suite = 'training' AND benchmark_id = b) AS n_all
           FROM facts.mlperf_training WHERE suite = 'training'
           AND stated_on = (SELECT max(stated_on) FROM facts.mlperf_training) GROUP BY 1 ORDER BY n DESC LIMIT 1""",
    )
    expect(page.get_by_text(f"{most['n_all']:,} results, fastest first")).to_be_visible()
    expect(page.get_by_text(re.compile("trademarks of MLCommons Association"))).to_have_count(3)  # a chart each
    expect(page.get_by_text(re.compile("not verified by MLCommons"))).to_have_count(3)


def test_the_figures_shown_are_the_figures_of_the_file(page: Page, site: str, published: Path) -> None:
    open_page(page, f"{site}/training?benchmark=Llama+3.1+405B&round=v5.0&division=closed")
    expected = rows(
        published,
        """SELECT result_key, score_minutes, accelerators FROM facts.mlperf_training
           WHERE suite = 'training' AND round = 'v5.0' AND benchmark_id = 'llama31_405b' AND division = 'closed'
           ORDER BY score_minutes, result_key""",
    )
    expect(page.get_by_text(f"{len(expected)} results, fastest first")).to_be_visible()
    label = page.get_by_test_id("stVegaLiteChart").first.get_attribute("aria-label") or ""
    assert f"{len(expected)} marks" in label
    ends = [formats.minutes(expected[place]["score_minutes"]) for place in (0, -1)]
    assert f"Time to train from {ends[0]} to {ends[1]}" in label
    page.get_by_role("tab", name="Download").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Rows (CSV)").click()
    found = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert [row["result_key"] for row in found] == [row["result_key"] for row in expected]
    assert [float(row["score_minutes"]) for row in found] == pytest.approx([r["score_minutes"] for r in expected])


def test_a_filter_changes_the_rows_and_the_address_and_a_copied_link_restores_it(
    page: Page, site: str, browser: Browser, published: Path
) -> None:
    open_page(page, f"{site}/training?benchmark=Llama+3.1+405B&round=v5.0")
    picker = page.get_by_role("combobox", name=re.compile("Submitter"))
    picker.click()
    picker.fill("Nebius")
    page.get_by_role("option", name="Nebius").click()
    page.keyboard.press("Escape")
    (expected,) = rows(
        published,
        """SELECT count(*) AS n FROM facts.mlperf_training WHERE round = 'v5.0' AND benchmark_id = 'llama31_405b'
           AND submitter = 'Nebius'""",
    )
    text = f"{expected['n']} results, fastest first"
    expect(page.get_by_text(text)).to_be_visible(timeout=TIMEOUT)
    query = parse_qs(urlsplit(page.url).query)
    assert query["training.submitter"] == ["Nebius"]
    assert query["training.round"] == ["v5.0"]
    fresh = browser.new_context().new_page()
    open_page(fresh, page.url)
    expect(fresh.get_by_text(text)).to_be_visible(timeout=TIMEOUT)
    fresh.context.close()


def test_a_link_to_a_result_opens_its_evidence(page: Page, site: str, published: Path) -> None:
    open_page(page, site + SELECTED)
    (row,) = rows(published, "SELECT * FROM facts.mlperf_training WHERE result_key = ?", KEY)
    expect(page.get_by_role("heading", name="Evidence of the chosen result")).to_be_visible(timeout=TIMEOUT)
    for shown in (f"{row['score_minutes']:,.4g} min", "1,024", "■ A audited", "2025-06-04"):
        expect(page.get_by_test_id("stMetric").filter(has_text=shown)).to_be_visible()
    link = page.get_by_role("link", name=re.compile("Folder on GitHub"))
    assert link.get_attribute("href") == row["url"]
    assert row["commit"] in row["url"]
    expect(
        page.get_by_text(re.compile(r"result ID pending \(entry IBM\+CoreWeave\+NVIDIA/carina_ngpu1024"))
    ).to_be_visible()


def test_choosing_a_row_opens_its_evidence(page: Page, site: str) -> None:
    open_page(page, f"{site}/training?benchmark=Llama+3.1+405B&round=v5.0")
    table = page.get_by_test_id("stDataFrame").first
    heading = page.get_by_role("heading", name="Evidence of the chosen result")
    for _ in range(6):  # the table is a canvas: nothing says when it is ready for a click
        table.scroll_into_view_if_needed()
        box = table.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 16, box["y"] + 54)
        with contextlib.suppress(AssertionError):
            expect(heading).to_be_visible(timeout=5_000)
            break
    expect(heading).to_be_visible()
    assert parse_qs(urlsplit(page.url).query)["result"][0].startswith("training-v5.0/")


def test_a_phone_scrolls_down_only(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()
    open_page(page, site + SELECTED)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    context.close()


def test_a_link_to_a_result_that_is_not_there_says_so(page: Page, site: str) -> None:
    open_page(page, f"{site}/training?result=training-v0.0/nothing")
    expect(page.get_by_text("a result that this version does not hold")).to_be_visible(timeout=TIMEOUT)


def test_the_suite_of_hpc_is_drawn_where_cpu_only_systems_have_no_place_on_the_axes(
    page: Page, site: str, published: Path
) -> None:
    open_page(page, f"{site}/training?suite=HPC&benchmark=CosmoFlow")
    (expected,) = rows(
        published,
        """SELECT count(*) AS n, count(*) FILTER (score_minutes > 0 AND accelerators > 0) AS drawn
           FROM facts.mlperf_training WHERE suite = 'hpc' AND benchmark_id = 'cosmoflow'""",
    )
    assert 0 < expected["drawn"] < expected["n"]
    expect(page.get_by_text(f"{expected['n']} results, fastest first")).to_be_visible(timeout=TIMEOUT)
    left_out = f"{expected['n'] - expected['drawn']} results without a score or without accelerators"
    expect(page.get_by_text(re.compile(left_out))).to_be_visible()


@pytest.mark.parametrize(("state", "says"), [("missing", "There is no warehouse yet"), ("damaged", "cannot be read")])
def test_without_a_good_warehouse_the_page_says_what_to_run(
    browser: Browser, tmp_path: Path, state: str, says: str
) -> None:
    path = tmp_path / "rackledger.duckdb"
    if state == "damaged":
        path.write_bytes(b"not a database" * 1000)
    for url in serve(path):
        page = browser.new_page()
        page.goto(f"{url}/training")
        expect(page.get_by_role("heading", name=re.compile(says))).to_be_visible(timeout=TIMEOUT)
        expect(page.get_by_text("make run").first).to_be_visible()
        page.close()


def test_outside_text_is_shown_as_text(browser: Browser, published: Path, tmp_path: Path) -> None:
    planted = "<img src=x onerror=\"document.title='owned'\"> **bold** $x^2$ [a](javascript:alert(1))"
    path = tmp_path / "planted.duckdb"
    shutil.copyfile(published, path)
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            """UPDATE facts.mlperf_training SET submitter = $1, system_name = $1, accelerator_raw = $1
               WHERE result_key = $2""",
            [planted, KEY],
        )
    for url in serve(path):
        page = browser.new_page()
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
        open_page(page, url + SELECTED)
        expect(page.get_by_text(f"{planted}: {planted}")).to_be_visible(timeout=TIMEOUT)
        assert page.title() != "owned"
        assert page.locator("img[src='x']").count() == 0
        assert page.locator("a[href^='javascript']").count() == 0
        page.close()
