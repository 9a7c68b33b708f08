"""The site on the committed facts: the values of the pages, only what changed written, no text of others that acts."""

from __future__ import annotations

import datetime as dt
import html
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dashboard.queries import Ledger
from dashboard.queries import things as queries
from dashboard.views.thing import standing
from pipelines.publish import site
from warehouse.answers import site_pages
from warehouse.answers.corrections import BENCHMARK, ORGANISATION, Correction, of_reading
from warehouse.read import Warehouse

ROOT = "https://ledger.test/"


@pytest.fixture(scope="module")
def written(market: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, site.Site]:
    folder = tmp_path_factory.mktemp("site")
    return folder, site.write_site(market.path, folder, ROOT)


def test_the_values_of_a_thing_are_those_of_its_page(written: tuple[Path, site.Site], market: Warehouse) -> None:
    ledger = Ledger(market.path)
    day: dt.date = market.publication.built_at.date()
    for name in ("nvidia-gb300-nvl72", "nvidia-b200"):
        text = (written[0] / "thing" / f"{name}.html").read_text(encoding="utf-8")
        cells = queries.sheet_of(ledger, queries.variants(ledger, name), day)
        shown = re.findall(r"<tr[^>]*><td>[^<]*</td><td>([^<]*)</td>", text.split("What was said beside it")[0])
        assert [html.unescape(each) for each in shown] == [standing(cell).words for cell in cells]
        assert cells


def test_a_figure_of_a_variant_says_which(written: tuple[Path, site.Site], market: Warehouse) -> None:
    ledger, name = Ledger(market.path), "nvidia-h100"
    cells = queries.sheet_of(ledger, queries.variants(ledger, name), market.publication.built_at.date())
    text = (written[0] / "thing" / f"{name}.html").read_text(encoding="utf-8")
    figures = re.findall(r"<tr[^>]*><td>([^<]*)</td>", text.split("What was said beside it")[0])
    told = [(figure, cell) for figure, cell in zip(map(html.unescape, figures), cells, strict=True)]
    assert {cell["subject_id"] == name for _, cell in told} == {True, False}
    for figure, cell in told:
        assert (f", {cell['subject']}" in figure) == (cell["subject_id"] != name), figure


def test_what_was_said_beside_a_figure_and_what_was_put_right_stand_on_its_page(
    written: tuple[Path, site.Site], market: Warehouse
) -> None:
    day = market.publication.built_at.date()
    found = market.rows(
        """SELECT list(DISTINCT p.l.why) AS whys, c.claimant, c.claim_id FROM (
               SELECT unnest(lost) AS l FROM evidence.resolved(?, subjects := ['nvidia-gb200-nvl72'])) AS p
           JOIN evidence.claims AS c ON c.claim_id = p.l.claim_id GROUP BY ALL""",
        [day],
    )
    text = (written[0] / "thing" / "nvidia-gb200-nvl72.html").read_text(encoding="utf-8")
    assert found
    for row in found:
        (line,) = re.findall(f'<tr id="{row["claim_id"]}">(.*)</tr>', text)
        assert any(html.escape(why) in line for why in row["whys"])  # a claim may lose in two cells
        assert html.escape(row["claimant"]) in line
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(ids) == len(set(ids))


def test_a_figure_that_was_put_right_says_when_and_why() -> None:
    entry = {"own_id": "x", "id": "x", "name": "X", "kind": "rack"}
    figure = {
        "subject_id": "x", "metric_title": "Electric power", "metric": "power", "qualifiers": "per rack", "unit": "kW",
        "value_text": None, "evidence": "vendor", "claimant": "Maker", "stated_not_after": None, "url": None,
    }  # fmt: skip
    now = {**figure, "claim_id": "new", "value": 142.0, "stated_on": "2026-05-01"}
    old = {"claim_id": "old", "value": 132.0, "stated_on": "2025-03-18", "stands_id": "new", "why": "superseded"}
    before = {**figure, **old}
    put = {**figure, "decided_on": "2026-06-02", "note": "a typing slip", "was": "1320.0", "was_unit": "kW"}
    decisions = map(of_reading, [
        {**put, "decision": "correct", "value": "142.0", "becomes": "new"},
        {**put, "decision": "reject", "value": "1420", "becomes": ""},
        {**put, "decision": "correct", "value": "1320.0", "becomes": "elsewhere"},
    ])  # fmt: skip
    (page,) = site_pages.thing_pages([entry], [now], [], [before], decisions)
    stands, beside, back, _ = page.tables
    assert (stands.claims, beside.claims) == (("new",), ("old",))
    assert beside.rows[0][:5] == (
        "Electric power, per rack", "132 kW", "142 kW", "superseded", "vendor: Maker, 2025-03-18",
    )  # fmt: skip
    assert [row[1:5] for row in back.rows] == [
        ("1,320 kW", "142 kW", "2026-06-02", "a typing slip"),
        ("1,420 kW", "taken back", "2026-06-02", "a typing slip"),
        ("1,320 kW, read as something else", "1,320 kW", "2026-06-02", "a typing slip"),
    ]
    assert stands.rows[0][2] == "vendor: Maker, 2026-05-01; corrected on 2026-06-02, was 1,320 kW"


def test_nothing_is_written_twice_and_what_went_is_removed(written: tuple[Path, site.Site], market: Warehouse) -> None:
    folder, first = written
    assert first.pages == first.written > 200
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.html")}
    manifest = json.loads((folder / site.MANIFEST).read_text(encoding="utf-8"))
    (folder / site.MANIFEST).write_text(
        json.dumps({**manifest, "thing/gone.html": "x", "../kept.html": "x"}), encoding="utf-8"
    )
    (folder / "thing" / "gone.html").write_text("", encoding="utf-8")
    (folder.parent / "kept.html").write_text("", encoding="utf-8")
    again = site.write_site(market.path, folder, ROOT)
    assert (again.pages, again.written, again.gone) == (first.pages, 0, 1)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.html")} == before
    assert (folder.parent / "kept.html").exists()


def test_pages_are_small_without_script_and_listed(written: tuple[Path, site.Site]) -> None:
    folder, _ = written
    listed = json.loads((folder / "search.json").read_text(encoding="utf-8"))
    in_map = [each.text for each in ElementTree.parse(folder / "sitemap.xml").iter() if each.tag.endswith("loc")]
    assert len(in_map) == len(listed) + 1
    assert len({(entry["kind"], entry["name"]) for entry in listed}) == len(listed)  # no two that nobody can tell apart
    for entry in listed:
        text = (folder / entry["href"]).read_text(encoding="utf-8")
        assert len(text.encode()) < 300_000
        assert re.findall(r"<script(?! type=\"application/ld\+json\")([^>]*)", text) == [' src="../search.js" defer']
        json.loads(text.split('ld+json">')[1].split("</script>")[0])
        assert [
            link for link in re.findall(r'href="([^"]*)"', text) if not link.startswith(("https://", "http://", "../"))
        ] == []
    ElementTree.parse(folder / "feeds" / "today.atom")
    told = json.loads((folder / "feeds" / "today.json").read_text(encoding="utf-8"))
    assert told["items"]
    paths = [entry["url"].removeprefix(ROOT).partition("#")[0] or "index.html" for entry in told["items"]]
    assert [path for path in paths if not (folder / path).is_file()] == []


def test_an_organisation_and_a_benchmark_have_pages(written: tuple[Path, site.Site], market: Warehouse) -> None:
    day = market.publication.built_at.date()
    (had,) = market.rows(
        "SELECT count(*) AS n FROM facts.adoption WHERE organisation_id = 'meta' AND stated_not_after <= ?", [day]
    )
    meta = (written[0] / "org" / "meta.html").read_text(encoding="utf-8")
    assert f"Meta: {had['n']} events" in meta
    (fastest,) = market.rows(
        """SELECT best_submitter AS submitter FROM marts.mlperf_training_best
           WHERE benchmark = 'llama31_405b' ORDER BY best_minutes LIMIT 1"""
    )
    text = (written[0] / "benchmark" / "llama31_405b.html").read_text(encoding="utf-8")
    assert html.escape(fastest["submitter"]) in text
    assert '<a href="../thing/nvidia-gb200.html">' in text


def test_text_of_others_is_text() -> None:
    hostile = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)>'
    cell = {
        "subject_id": "x", "metric_title": hostile, "metric": "power", "qualifiers": hostile, "value": None,
        "value_text": hostile, "evidence": "vendor", "claimant": hostile, "stated_on": "2026-01-01",
        "stated_not_after": None, "url": "javascript:alert(1)",
    }  # fmt: skip
    entry = {"own_id": "x", "id": "x", "name": hostile, "kind": "rack"}
    (page,) = site_pages.thing_pages([entry], [cell], [])
    made = page.html(ROOT)
    assert made.count("<script") == 2  # linked data, and the search of every page
    assert "<img" not in made
    assert "javascript:" not in made
    assert json.loads(made.split('ld+json">')[1].split("</script>")[0])["name"] == hostile


def test_an_event_and_a_result_that_were_put_right_say_so_where_they_stand() -> None:
    said = {"evidence": "operator", "claimant": "X", "stated_on": "2026-05-01", "stated_not_after": None, "url": None}
    happened = {
        **said, "row_key": "now", "organisation_id": "x", "generation": "ada", "generation_name": "Ada",
        "kind": "in service", "system": None, "on_low": "2025-03-09", "on_high": "2025-03-09", "accelerators": 1_024,
    }  # fmt: skip
    entry = {"own_id": "x", "id": "x", "name": "X", "kind": "cloud"}
    best = {
        **said, "benchmark_id": "llm", "benchmark": "LLM", "suite": "inference", "category": None,
        "scenario": "Offline", "accuracy_class": None, "round": "v5.0", "accelerator": None, "accelerators": 8,
        "value": 250.0, "unit": "tokens/s", "system": "B", "result_key": "v5.0/B",
    }  # fmt: skip
    when = ("2026-07-02", "misread", "")
    found = [
        Correction("x", "Ada", "8 accelerators, 2025-03-01", "", *when, "now", "v", ORGANISATION),
        Correction("llm", "v5.0, B", "200 tokens/s", "250 tokens/s", *when, "v5.0/B", "v", BENCHMARK),
        Correction("llm", "v5.0, C", "300 tokens/s", "", *when, "", "v", BENCHMARK),
    ]
    (organisation,) = site_pages.organisation_pages([entry], [happened], [], {}, found)
    (benchmark,) = site_pages.benchmark_pages([best], {}, {}, found)
    assert "; corrected on 2026-07-02, was 8 accelerators, 2025-03-01" in str(organisation.tables[0].rows[0])
    assert organisation.tables[1].rows[0][:3] == ("Ada", "8 accelerators, 2025-03-01", "nothing stands")
    assert str(benchmark.tables[0].rows[0][3]).endswith("; corrected on 2026-07-02, was 200 tokens/s")
    assert [row[:3] for row in benchmark.tables[1].rows] == [
        ("v5.0, B", "200 tokens/s", "250 tokens/s"), ("v5.0, C", "300 tokens/s", "nothing stands"),
    ]  # fmt: skip
