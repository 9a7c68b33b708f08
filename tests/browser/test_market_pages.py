"""Each page of the market in real Chromium: its figures equal SQL's on the file, and its address restores it."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from pipelines.frozen import frozen
from tests.browser.conftest import settle
from warehouse.read import Warehouse

pytestmark = pytest.mark.browser
PNG = b"\x89PNG\r\n\x1a\n"
REST_WHEN_WANTED = """addEventListener("click", (event) => {
  if (event.target.closest(".st-key-rest_of_page") && !window.wanted) event.stopImmediatePropagation();
}, true)"""


@pytest.fixture
def ledger(published: Path) -> Iterator[Warehouse]:
    with Warehouse(published) as warehouse:
        yield warehouse


@frozen
class Chart:
    """A chart on a page: with which address it shows what, and the rows that SQL says are behind it by their key."""

    page: str
    chart: str
    key: str
    sql: str
    filtered: str
    filtered_sql: str
    shows: dict[str, str] = field(default_factory=dict)


_SYSTEMS = "marts.density WHERE metric = 'power' AND per = 'rack' AND available_start IS NOT NULL"
_SERVICE = "marts.adoption_as_of(DATE '9999-12-31', with_benchmarks := false) WHERE vendor = 'nvidia'"
_LLAMA = """facts.mlperf_inference
    WHERE benchmark_id = 'llama2-70b' AND scenario = 'Offline' AND accuracy_class = '99.9' AND round = 'v6.1'
    AND result > 0 AND accelerators > 0 AND list_contains(string_split(category, ','), 'datacenter')"""
CHARTS = [
    Chart(
        "density?question=Power+per+rack", "density_over_time", "claim_id",
        f"SELECT coalesce(claim_id, '') FROM {_SYSTEMS}",
        "&tag=vendor", f"SELECT claim_id FROM {_SYSTEMS} AND evidence = 'vendor'",
    ),
    Chart(
        "roadmap?", "roadmap_timeline", "statement_id",
        "SELECT statement_id FROM marts.roadmap WHERE promised_start IS NOT NULL",
        "&milestone=in+production",
        "SELECT statement_id FROM marts.roadmap WHERE promised_start IS NOT NULL AND milestone = 'production'",
    ),
    Chart(
        "stratification?", "adoption_shares", "row_key",
        f"SELECT row_key FROM {_SERVICE}",
        "&layer=Neoclouds",
        f"SELECT row_key FROM {_SERVICE} AND layer = 'neocloud'",
    ),
    Chart(
        "inference?benchmark=Llama+2+70B&scenario=Offline&accuracy=99.9&round=v6.1", "inference_points", "result_key",
        f"SELECT result_key FROM {_LLAMA}",
        "&submitter=NVIDIA",
        f"SELECT result_key FROM {_LLAMA} AND submitter = 'NVIDIA'",
    ),
]  # fmt: skip


def keys(ledger: Warehouse, sql: str) -> set[str]:
    return {str(next(iter(row.values()))) for row in ledger.rows(sql)}


def card(page: Page, chart: str) -> Any:
    return page.locator(f".st-key-card_{chart}")


def csv_of(page: Page, chart: str) -> list[dict[str, str]]:
    """The rows of a card, as its CSV holds them."""
    with page.expect_download() as waited:
        card(page, chart).get_by_role("tab", name="Download").click()
        card(page, chart).get_by_role("button", name="Rows (CSV)").click()
    return list(csv.DictReader(io.StringIO(Path(waited.value.path()).read_text(encoding="utf-8-sig"))))


@pytest.mark.parametrize("case", CHARTS, ids=lambda case: case.chart)
def test_the_rows_of_a_chart_are_those_of_the_file_also_filtered_and_in_a_fresh_browser(
    page: Page, browser: Browser, site: str, ledger: Warehouse, case: Chart
) -> None:
    page.goto(f"{site}/{case.page}")
    settle(page)
    found = {row[case.key] for row in csv_of(page, case.chart)}
    assert found == keys(ledger, case.sql)
    page.goto(f"{site}/{case.page}{case.filtered}")
    settle(page)
    found = {row[case.key] for row in csv_of(page, case.chart)}
    assert found == keys(ledger, case.filtered_sql)
    assert 0 < len(found) < len(keys(ledger, case.sql)), "a filter that leaves all or nothing proves nothing"
    fresh = browser.new_context(accept_downloads=True).new_page()
    try:
        fresh.goto(page.url)
        settle(fresh)
        assert {row[case.key] for row in csv_of(fresh, case.chart)} == found
    finally:
        fresh.context.close()


def test_downloads_open(page: Page, site: str) -> None:
    page.goto(f"{site}/density")
    settle(page)
    card(page, "density_over_time").get_by_role("tab", name="Download").click()
    with page.expect_download() as image:
        page.get_by_role("button", name="Image (PNG)").click()
    assert Path(image.value.path()).read_bytes().startswith(PNG)
    with page.expect_download() as drawing:
        page.get_by_role("button", name="Image (SVG)").click()
    assert "<svg" in Path(drawing.value.path()).read_text(encoding="utf-8")[:400]
    with page.expect_download() as bundle:
        page.get_by_role("button", name="All in one (zip)").click()
    with zipfile.ZipFile(Path(bundle.value.path())) as archive:
        names = {name.rsplit("/", 1)[1] for name in archive.namelist()}
    assert {"metadata.json", "README.txt"} <= names
    assert any(name.endswith(".csv") for name in names)


def test_a_day_chosen_in_the_address_replays_the_roadmap(page: Page, site: str, ledger: Warehouse) -> None:
    page.goto(f"{site}/roadmap?as_of=2025-04-01")
    settle(page)
    found = {row["statement_id"] for row in csv_of(page, "roadmap_timeline")}
    known = "SELECT statement_id FROM marts.roadmap_as_of(DATE '2025-04-01') WHERE promised_start IS NOT NULL"
    assert found == keys(ledger, known)
    assert len(found) < len(keys(ledger, "SELECT statement_id FROM marts.roadmap"))


def test_prices_are_the_medians_of_the_file(page: Page, site: str, ledger: Warehouse) -> None:
    page.goto(f"{site}/prices")
    settle(page)
    rows = csv_of(page, "prices_over_time")
    asked = re.search(r"What does an hour of (.+?) cost\?", card(page, "prices_over_time").inner_text())
    assert asked is not None
    expected = ledger.rows(
        """SELECT sum(p.median_usd_per_gpu_hour) AS total, count(*) AS n FROM marts.prices AS p
           JOIN registry.accelerators AS a ON a.accelerator_id = p.accelerator_model
           WHERE a.name = ? AND p.period = 'day' AND p.accelerator_grain = 'model' AND p.price_type = 'on_demand'
             AND p.layer = 'all'""",
        [asked[1]],
    )[0]
    assert len(rows) == expected["n"]
    assert sum(float(row["median_usd_per_gpu_hour"]) for row in rows) == pytest.approx(expected["total"], rel=1e-6)


def test_evidence_finds_what_sql_finds(page: Page, site: str, ledger: Warehouse) -> None:
    (found,) = ledger.rows(
        """SELECT count(*) AS n FROM (
               SELECT lower(concat_ws(' ', c.subject, c.claimant, c.metric, m.title, c.value_text, c.printed)) AS words
               FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric)
           WHERE words LIKE '%gb200%' AND words LIKE '%power%'"""
    )
    page.goto(f"{site}/evidence?q=GB200+power")
    settle(page)
    expect(page.get_by_text(f"{found['n']:,} claims, newest first.")).to_be_visible()
    page.goto(f"{site}/evidence?q=no+such+thing+anywhere")
    expect(page.get_by_text("No claim fits.")).to_be_visible()


def test_a_claims_page_says_who_when_how_firmly_and_where(page: Page, site: str, ledger: Warehouse) -> None:
    (claim,) = ledger.rows(
        """SELECT claim_id, claimant, stated_on, modality, url FROM evidence.claims
           WHERE subject_id = 'nvidia-rubin-ultra-kyber' AND metric = 'power' AND evidence = 'reported'
             AND claimant = 'NVIDIA' AND stated_on IS NOT NULL ORDER BY claim_id LIMIT 1"""
    )
    page.goto(f"{site}/evidence?claim={claim['claim_id']}")
    settle(page)
    box = page.locator(".st-key-claim")
    for text in ("600 kW", claim["claimant"], str(claim["stated_on"]), claim["modality"]):
        expect(box.get_by_text(text, exact=True).first).to_be_visible()
    assert box.get_by_role("link", name="Where it is said").get_attribute("href") == claim["url"]


def test_conflicts_are_counted_and_one_opens_by_its_address(page: Page, site: str, ledger: Warehouse) -> None:
    rows = ledger.rows("SELECT conflict_id, subject, claims FROM evidence.conflicts ORDER BY conflict_id")
    page.goto(f"{site}/conflicts?conflict={rows[0]['conflict_id']}")
    settle(page)
    expect(page.get_by_text(f"{len(rows):,} sets; contradictions on accelerators and systems first")).to_be_visible()
    expect(page.get_by_role("heading", name=f"Who says what: {rows[0]['subject']}")).to_be_visible()


def test_a_conflict_is_chosen_by_its_name_and_marked_in_the_list(page: Page, site: str) -> None:
    page.goto(f"{site}/conflicts?conflicts.kind=contradiction")
    settle(page)
    listed = page.get_by_role("table", name="Sets of rival claims").or_(
        page.get_by_role("region", name="Sets of rival claims").locator("table")
    )
    second = listed.locator("tbody tr").nth(1)
    expect(listed.locator("tr[aria-current]")).to_have_count(1)
    subject = second.get_by_role("rowheader").inner_text()
    second.get_by_role("link").click()
    expect(page.get_by_role("heading", level=2, name=f"Who says what: {subject}")).to_be_in_viewport()
    expect(second).to_have_attribute("aria-current", "true")
    assert "conflicts.kind=contradiction" in page.url


def test_the_first_claims_are_read_before_the_long_table_takes_their_place(page: Page, site: str) -> None:
    page.add_init_script(REST_WHEN_WANTED)
    page.goto(f"{site}/evidence")
    rows = page.get_by_role("region", name="The newest claims found").locator("tbody tr")
    expect(rows.first).to_be_visible()
    box = page.locator(".first-rows").bounding_box()
    page.evaluate("window.wanted = true")
    grid = page.get_by_test_id("stDataFrame").first
    expect(grid).to_be_visible()
    expect(rows).to_have_count(0)
    assert box
    assert grid.bounding_box() == pytest.approx(box, abs=2)


def test_sources_are_all_listed_and_found_by_word(page: Page, site: str, ledger: Warehouse) -> None:
    (found,) = ledger.rows("SELECT count(*) AS n FROM evidence.sources")
    page.goto(f"{site}/sources")
    settle(page)
    expect(page.get_by_text(f"{found['n']} of {found['n']} sources")).to_be_visible()


def test_a_thing_shows_its_cells_with_their_claims(page: Page, site: str, ledger: Warehouse) -> None:
    page.goto(f"{site}/thing?id=nvidia-gb200-nvl72")
    settle(page)
    expect(page.get_by_text("NVIDIA GB200 NVL72").first).to_be_visible()
    stated = ledger.rows(
        """SELECT DISTINCT claim_id FROM marts.sheets
           WHERE system_id = 'nvidia-gb200-nvl72' AND state = 'stated' AND claim_id IS NOT NULL"""
    )
    assert len(stated) > 5
    for cell in stated:
        expect(page.locator(f"a[href*='{cell['claim_id']}']").first).to_be_visible()


def test_the_first_page_answers_in_five_sentences_and_each_leads_to_its_room(page: Page, site: str) -> None:
    page.goto(site)
    settle(page)
    board = page.locator(".board")
    for topic, room in (
        ("Density", "racks"), ("Who has the newest generation", "who-has-it"), ("Promises", "roadmap"),
        ("Price of an hour", "prices"), ("Audited record", "benchmarks"),
    ):  # fmt: skip
        card = board.locator(".card", has=page.locator(".topic", has_text=re.compile(f"^{topic}$")))
        expect(card.get_by_role("heading")).to_have_text(re.compile(r"\d"))
        expect(card.locator(".tag")).to_have_count(1)
        assert str(card.locator(".room").get_attribute("href")).endswith(room)
    first = board.get_by_role("img").first.bounding_box()
    assert first is not None
    assert first["y"] + first["height"] < 600
    expect(board.get_by_text("Last seven days")).to_be_visible()
    board.get_by_role("link", name="Racks", exact=True).click()
    page.wait_for_url("**/racks")


def test_what_the_reader_has_opened_stays_open_while_the_rest_of_the_page_comes(page: Page, site: str) -> None:
    page.add_init_script(REST_WHEN_WANTED)
    page.goto(f"{site}/evidence")
    first = page.get_by_role("region", name="The newest claims found").get_by_role("link").first
    page.goto(f"{site}/{first.get_attribute('href')}")
    page.get_by_role("button", name="Cite this").click()
    citation = page.get_by_text(re.compile("^@misc{rackledger-"))
    expect(citation).to_be_visible()
    page.evaluate("window.wanted = true")
    settle(page)
    expect(page.get_by_role("heading", name="Search", exact=True)).to_be_visible()
    expect(citation).to_be_visible()
