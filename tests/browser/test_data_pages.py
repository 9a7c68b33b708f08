"""Sources, data and SQL in real Chromium: their figures are the file's, their links restore them, their files open."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import duckdb
import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.queries.examples import EXAMPLES, Example
from tests.browser.conftest import settle
from warehouse.read import Warehouse
from warehouse.sandbox import Sandbox

pytestmark = pytest.mark.browser


def rows(published: Path, sql: str, *parameters: object) -> list[dict[str, Any]]:
    with Warehouse(published) as warehouse:
        return warehouse.rows(sql, list(parameters))


def test_the_states_of_sources_add_up_to_all_of_them(page: Page, site: str, published: Path) -> None:
    page.goto(f"{site}/sources")
    settle(page)
    expect(page.get_by_test_id("stMetricValue")).to_have_count(4)
    tiles = page.get_by_test_id("stMetricValue").all_inner_texts()
    (counted,) = rows(
        published, "SELECT count(*) AS n, count(*) FILTER (status = 'skip') AS skipped FROM evidence.sources"
    )
    assert sum(int(text.replace(",", "")) for text in tiles) == counted["n"]
    skipped = page.get_by_test_id("stMetric").filter(has_text="not collected").get_by_test_id("stMetricValue")
    expect(skipped).to_have_text(f"{counted['skipped']:,}")


def test_a_search_of_sources_is_in_the_address_and_a_link_opens_one(page: Page, site: str, published: Path) -> None:
    page.goto(f"{site}/sources?q=mlcommons+training&source=mlperf_training")
    settle(page)
    expect(page.get_by_role("textbox", name="Search")).to_have_value("mlcommons training")
    expect(page.get_by_text(re.compile(r"^1 of \d+ sources"))).to_be_visible()
    (source,) = rows(published, "SELECT * FROM evidence.sources WHERE source_id = 'mlperf_training'")
    expect(page.get_by_role("heading", name=source["title"])).to_be_visible()
    for text in (source["licence"], source["terms"], source["citation"]):
        expect(page.get_by_test_id("stText").get_by_text(text, exact=True)).to_be_visible()
    (figures,) = rows(
        published,
        """SELECT (SELECT count(*) FROM facts.mlperf_training WHERE source_id = 'mlperf_training')
                + (SELECT count(*) FROM facts.mlperf_systems WHERE source_id = 'mlperf_training') AS n""",
    )
    shown = page.get_by_test_id("stMetric").filter(has_text="Figures").get_by_test_id("stMetricValue")
    expect(shown).to_have_text(f"{figures['n']:,}")


def test_published_files_open_and_are_what_their_digests_say(page: Page, site: str, published: Path) -> None:
    page.goto(f"{site}/data")
    settle(page)
    expect(page.get_by_role("heading", name="Downloads")).to_be_visible()
    request = page.context.request
    version = request.get(f"{site}/files/latest.json").json()["version"]
    assert version == rows(published, "SELECT version FROM meta.publication")[0]["version"]
    listed = request.get(f"{site}/files/latest/SHA256SUMS").text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in listed)}
    for name in ("rackledger.duckdb", "facts.mlperf_training.csv", "facts.mlperf_training.parquet"):
        answer = request.get(f"{site}/files/{version}/{name}")
        assert hashlib.sha256(answer.body()).hexdigest() == sums[name]
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    text = request.get(f"{site}/files/latest/facts.mlperf_training.csv").text()
    (counted,) = rows(published, "SELECT count(*) AS n FROM facts.mlperf_training")
    assert len(list(csv.reader(io.StringIO(text)))) == counted["n"] + 1
    described = json.loads(request.get(f"{site}/files/latest/datapackage.json").text())
    assert described["version"] == version


@pytest.mark.parametrize(
    "path",
    [
        "files/latest/nothing.csv",
        "files/latest/..%2f..%2frackledger.duckdb",
        "files/..%2f/rackledger.duckdb",
        "files/.hidden/x",
        "files/20200101T000000Z-00000000/rackledger.duckdb",
    ],
)
def test_only_published_files_are_served(page: Page, site: str, path: str) -> None:
    assert page.context.request.get(f"{site}/{path}").status in (400, 404)


def test_the_dictionary_is_searched_by_meaning_and_leads_to_sql(page: Page, site: str, published: Path) -> None:
    page.goto(f"{site}/data?table=facts.mlperf_training&q=time+train")
    settle(page)
    (counted,) = rows(
        published,
        """SELECT count(*) AS n FROM meta.columns WHERE "table" = 'facts.mlperf_training'
           AND lower("table" || ' ' || "column" || ' ' || says || ' ' || unit) LIKE '%time%'
           AND lower("table" || ' ' || "column" || ' ' || says || ' ' || unit) LIKE '%train%'""",
    )
    assert counted["n"] > 0
    expect(page.get_by_text(f"{counted['n']} columns", exact=True)).to_be_visible()
    page.get_by_role("link", name="Ask this table in SQL").click()
    expect(page.get_by_role("textbox", name="Statement")).to_have_value("FROM facts.mlperf_training LIMIT 100")
    expect(page.get_by_text(re.compile("^100 rows in "))).to_be_visible()


def test_a_statement_runs_is_shared_by_its_address_and_its_rows_come_as_csv(
    page: Page, site: str, published: Path, browser: Browser
) -> None:
    sql = "SELECT round, count(*) AS n FROM facts.mlperf_training GROUP BY round ORDER BY round"
    page.goto(f"{site}/sql")
    settle(page)
    page.get_by_role("textbox", name="Statement").fill(sql)
    page.get_by_role("button", name="Run").click()
    expected = rows(published, sql)
    expect(page.get_by_text(re.compile(f"^{len(expected)} rows in "))).to_be_visible()
    assert parse_qs(urlsplit(page.url).query)["sql"] == [sql]
    with page.expect_download() as download:
        page.get_by_role("button", name="Download these rows").click()
    found = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert [(row["round"], int(row["n"])) for row in found] == [(row["round"], row["n"]) for row in expected]
    other = browser.new_context().new_page()
    other.goto(page.url)
    settle(other)
    expect(other.get_by_role("textbox", name="Statement")).to_have_value(sql)
    expect(other.get_by_text(re.compile(f"^{len(expected)} rows in "))).to_be_visible()
    other.context.close()


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("DROP TABLE facts.mlperf_training", "Only statements that read may run here"),
        ("SELECT * FROM read_csv('/etc/passwd')", "The function read_csv may not be used"),
        ("SELECT repeat('x', 4000000000)", "more memory than a statement may take"),
        ("SELECT nothing FROM facts.mlperf_training", "nothing"),
    ],
)
def test_what_may_not_run_is_said_and_the_page_goes_on(page: Page, site: str, sql: str, says: str) -> None:
    page.goto(f"{site}/sql?sql={quote(sql)}")
    settle(page)
    expect(page.get_by_test_id("stMain").get_by_text(says).last).to_be_visible()
    page.get_by_role("button", name="Which tables are there?").click()
    expect(page.get_by_text(re.compile(r"^\d+ rows in "))).to_be_visible()


@pytest.fixture(scope="module")
def sandbox(published: Path) -> Iterator[Sandbox]:
    """One process for all examples: it opens a copy of the file, which takes seconds."""
    found = Sandbox(published, processes=1)
    yield found
    found.close()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.id)
def test_every_example_runs_and_gives_rows(sandbox: Sandbox, example: Example) -> None:
    answer = sandbox.ask(example.sql)
    assert answer.table.num_rows > 0
    assert not answer.is_cut


def test_the_answer_of_the_page_is_the_answer_of_the_file(published: Path) -> None:
    with duckdb.connect(str(published), read_only=True) as connection:
        row = connection.execute("SELECT count(*) FROM meta.tables").fetchone()
    assert row is not None
    assert row[0] == rows(published, "SELECT count(*) AS n FROM meta.tables")[0]["n"]
