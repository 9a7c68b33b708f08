"""Documents, claims and market tables of one archive: what each step reads, takes over, and leaves to others."""

from __future__ import annotations

import datetime as dt
import json
import textwrap
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pipelines.parse.sources
from pipelines.archive.store import Archive
from pipelines.assets import claims_step
from pipelines.assets.claims_step import build_claims
from pipelines.assets.copies_step import build_copies, sketch_version
from pipelines.assets.documents_step import build_documents
from pipelines.assets.market_step import build_market
from pipelines.lake import Lake
from pipelines.model.claim import ExtractedClaim, Origin
from pipelines.model.document import Document
from pipelines.parse.parsers import find_parser, parser_names
from pipelines.sources import SourceCatalog, SourcesError, parse_sources
from pipelines.upkeep.worker import budget

ENTRY = """
  {id}:
    title: Example
    publisher: example
    producer: Example
    group: press
    layer: all
    signals: [density]
    kind: {kind}
    parser: {parser}
    evidence: {evidence}
    status: active
    allowed_hosts: [example.org]
    urls: [https://example.org/{id}]
    cadence: 1d
    terms: allowed
    licence: CC0
"""
PAGE = "<html><title>Rack</title><h1>Rack</h1><p>The NVIDIA GB300 NVL72 draws {kw} kW per rack.</p></html>"


def catalog(*entries: str, denied: str = "[]") -> SourceCatalog:
    return parse_sources(f"provider_denylist: {denied}\nsources:" + "".join(entries))


def page(name: str = "racks", **changes: str) -> str:
    return ENTRY.format(**{"id": name, "kind": "page", "parser": "html", "evidence": "reported"} | changes)


def prices(name: str = "prices", **changes: str) -> str:
    return ENTRY.format(**{"id": name, "kind": "api", "parser": "gpurentalprices", "evidence": "observed"} | changes)


def keep(folder: Path, source: str, body: str, day: int, url: str = "") -> None:
    """Put a body into the archive as captured on a day of March 2026."""
    (folder / "archive").mkdir(exist_ok=True)
    path = folder / f"{source}-{day}.{'html' if body.startswith('<') else 'json'}"
    path.write_text(body)
    with Archive(folder / "archive", run_stamp=f"{source}-{day}") as archive:
        archive.add(path, source, url or f"https://example.org/{source}", dt.datetime(2026, 3, day, tzinfo=dt.UTC))


def snapshot(*providers: str) -> str:
    """A price list in gpurentalprices' form."""
    seen = "2026-03-01T05:00:00Z"
    offers = [{"provider": name, "gpu": "h100", "usd_hr": 2.5, "kind": "on-demand"} for name in providers]
    looks = {name: {"ok": True, "stale": False, "last_verified": seen} for name in providers}
    return json.dumps({"date": "2026-03-01", "offers": offers, "providers": looks})


def documents(folder: Path, found: SourceCatalog) -> list[dict[str, Any]]:
    outcomes = build_documents(found, folder / "archive", folder / "lake", 1)
    return [dict(outcome.counts) | {"source": outcome.partition} for outcome in outcomes]


def claims(folder: Path, found: SourceCatalog) -> dict[str, Any]:
    documents(folder, found)
    (outcome,) = build_claims(found, folder / "lake", 1)
    assert outcome.error == ""
    return dict(outcome.counts)


def market(folder: Path, found: SourceCatalog) -> dict[str, Any]:
    (outcome,) = build_market(found, found, folder / "archive", folder / "lake")
    assert outcome.error == ""
    return dict(outcome.counts)


def column(folder: Path, table: str, partition: str, name: str) -> list[Any]:
    found: list[Any] = Lake(folder / "lake").read(table, partition).column(name).to_pylist()
    return found


def test_a_new_document_source_is_an_entry_and_nothing_else(tmp_path: Path) -> None:
    keep(tmp_path, "racks", PAGE.format(kw=140), 1)
    (made,) = documents(tmp_path, catalog(page()))
    assert made == {"source": "racks", "captures": 1, "documents": 1, "unreadable": 0, "read_now": 1}
    assert column(tmp_path, "documents", "racks", "title") == ["Rack"]


def test_a_new_table_source_is_an_entry_and_a_parser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parsers").mkdir()
    parser = """
        '''One price a line: provider, accelerator, dollars.'''
        from pipelines.model.market import CloudOffer, PricePer, PriceType
        from pipelines.parse.sources.records import Reader, read_csv

        TABLES = ("cloud_offers",)

        def parse(table):
            reader = Reader(table)
            rows = reader.rows(read_csv(table, ("gpu", "usd")), lambda record: CloudOffer(
                stated_on=table.captured_at.date(), scope="", looked_at=table.captured_at, provider="example",
                accelerator_raw=record.text("gpu"), price_type=PriceType.ON_DEMAND, price=record.price("usd", 99),
                price_per=PricePer.ACCELERATOR,
            ))
            return reader.done(cloud_offers=rows)
    """
    (tmp_path / "parsers" / "example_prices.py").write_text(textwrap.dedent(parser))
    places = [*pipelines.parse.sources.__path__, str(tmp_path / "parsers")]
    monkeypatch.setattr(pipelines.parse.sources, "__path__", places)
    keep(tmp_path, "example", "gpu,usd\nH100,2.5\nH200,200\n", 1)
    made = market(tmp_path, catalog(prices("example", parser="example_prices")))
    assert (made["captures"], made["rows"], made["problems"]) == (1, 1, 1)
    assert column(tmp_path, "cloud_offers", "example", "price") == [2.5]


def test_every_parser_is_a_file_and_a_file_without_its_parts_is_none() -> None:
    assert {"html", "pdf", "feed", "markdown", "rst", "text", "top500", "mlperf_inference"} <= parser_names()
    assert not {"dates", "records", "epoch_files", "sources", "document", "parsers"} & parser_names()
    assert find_parser("../sources") is None


def test_a_document_that_is_captured_again_is_not_read_again(tmp_path: Path) -> None:
    keep(tmp_path, "racks", PAGE.format(kw=140), 3)
    assert claims(tmp_path, catalog(page()))["read_now"] == 1
    keep(tmp_path, "racks", PAGE.format(kw=140), 5)
    keep(tmp_path, "racks", PAGE.format(kw=132), 6, "https://example.org/other")
    made = claims(tmp_path, catalog(page()))
    assert (made["documents"], made["read_now"]) == (2, 1)
    seen = zip(*(column(tmp_path, "mentions", "racks", name) for name in ("value", "first_seen")), strict=True)
    assert {(value, first.day) for value, first in seen if value in (140.0, 132.0)} == {(140.0, 3), (132.0, 6)}


def test_a_document_that_an_earlier_capture_carries_was_stated_earlier(tmp_path: Path) -> None:
    keep(tmp_path, "racks", PAGE.format(kw=140), 5)
    claims(tmp_path, catalog(page()))
    keep(tmp_path, "racks", PAGE.format(kw=140), 2)
    assert claims(tmp_path, catalog(page()))["read_now"] == 1
    assert set(column(tmp_path, "mentions", "racks", "stated_not_after")) == {dt.date(2026, 3, 2)}


def test_another_tag_of_the_source_grades_its_claims_again(tmp_path: Path) -> None:
    keep(tmp_path, "racks", PAGE.format(kw=140), 1)
    claims(tmp_path, catalog(page()))
    assert claims(tmp_path, catalog(page(evidence="estimated")))["read_now"] == 1
    assert set(column(tmp_path, "mentions", "racks", "evidence")) == {"estimated"}


def test_copies_are_looked_for_again_when_a_document_came(tmp_path: Path) -> None:
    keep(tmp_path, "racks", PAGE.format(kw=140), 1)
    claims(tmp_path, catalog(page()))
    assert [outcome.error for outcome in build_copies(tmp_path / "lake")] == [""]
    before = Lake(tmp_path / "lake").marks("copies", "all")
    list(build_copies(tmp_path / "lake"))
    assert Lake(tmp_path / "lake").marks("copies", "all") == before
    keep(tmp_path, "racks", PAGE.format(kw=132), 2, "https://example.org/other")
    documents(tmp_path, catalog(page()))
    list(build_copies(tmp_path / "lake"))
    assert Lake(tmp_path / "lake").marks("copies", "all") != before


def test_copies_found_one_by_one_are_those_found_at_once(tmp_path: Path) -> None:
    halls = [f"In hall {hall} of site {hall * 3} a GB300 NVL72 rack draws {100 + hall} kW." for hall in range(12)]
    page_of = [" ".join(halls[first:] + halls[:first]) for first in (0, 1, 0, 5)] + ["Another page altogether."]
    found = catalog(page(), page("halls"))
    came = [(number, text, 20 - number) for number, text in enumerate(page_of)]
    for number, text, day in [*came, (0, page_of[0], 1)]:  # the first was there before all others, as is seen last
        source, body = ("racks", "halls")[number % 2], f"<html><title>{number}</title><p>{text}</p></html>"
        keep(tmp_path, source, body, day, f"https://example.org/{number}")
        documents(tmp_path, found)
        assert [outcome.error for outcome in build_copies(tmp_path / "lake") if outcome.error] == []
    lake = Lake(tmp_path / "lake")
    one_by_one = lake.read("copies", "all")
    assert len(one_by_one) == 3
    for table, partition in (("compared", "all"), ("sketched", "halls")):
        lake.drop(table, partition)
        lake.drop("copies", "all")
        list(build_copies(tmp_path / "lake"))
        assert lake.read("copies", "all") == one_by_one
    keep(tmp_path, "halls", "<html><p>of another day</p></html>", 25, "https://example.org/x")
    documents(tmp_path, found)
    lake.write("compared", "all", lake.read("compared", "all"), inputs="another run's", code=sketch_version())
    lake.write("copies", "all", lake.read("copies", "all").slice(1), inputs="mine", code=sketch_version())
    list(build_copies(tmp_path / "lake"))  # the two are not of one run: all are compared
    assert lake.read("copies", "all") == one_by_one


class Counting:
    """A reader that notes what it reads, and does not come to an end with a page that says so."""

    name, version = "counting", "1"

    def __init__(self) -> None:
        self.read: list[str] = []

    def extract(self, document: Document, origin: Origin) -> list[ExtractedClaim]:
        self.read.append(origin.url)
        while "140 kW" in document.text:
            pass
        return []


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    """The only reader, with a fifth of a second for a document."""
    found = Counting()
    monkeypatch.setattr(claims_step, "extractors", lambda: (found,))
    monkeypatch.setattr(claims_step, "budget", partial(budget, seconds=0.2))
    return found


def test_one_new_document_is_one_read_and_a_document_without_end_is_a_problem_and_not_tried_again(
    tmp_path: Path, counting: Counting
) -> None:
    for number, kw in enumerate((130, 140, 150)):
        keep(tmp_path, "racks", PAGE.format(kw=kw), number + 1, f"https://example.org/{number}")
    assert claims(tmp_path, catalog(page()))["documents"] == 3
    assert counting.read == [f"https://example.org/{number}" for number in range(3)]
    assert column(tmp_path, "problems", "claims-racks", "place") == ["https://example.org/1"]
    assert column(tmp_path, "problems", "claims-racks", "reason") == ["over_budget"]
    keep(tmp_path, "racks", PAGE.format(kw=160), 5, "https://example.org/new")
    assert claims(tmp_path, catalog(page()))["read_now"] == 1
    assert counting.read[3:] == ["https://example.org/new"]
    assert column(tmp_path, "problems", "claims-racks", "place") == ["https://example.org/1"]


def test_a_provider_that_forbids_collection_later_loses_the_rows_it_has(tmp_path: Path) -> None:
    keep(tmp_path, "prices", snapshot("nebius", "acme"), 1)
    assert (made := market(tmp_path, catalog(prices())))["denied"] == 0, made
    denied = "[{provider: Acme, names: [acme], reason: forbids}]"
    made = market(tmp_path, catalog(prices(), denied=denied))
    assert (made["denied"], made["read_now"]) == (2, 1)  # an offer and a look
    assert column(tmp_path, "cloud_offers", "prices", "provider") == ["nebius"]


def test_a_table_that_is_read_otherwise_leaves_no_rows_of_its_old_reading(tmp_path: Path) -> None:
    keep(tmp_path, "prices", snapshot("nebius"), 1)
    documents(tmp_path, catalog(prices()))
    market(tmp_path, catalog(prices()))
    now = catalog(page("prices"))
    assert list(build_market(now, now, tmp_path / "archive", tmp_path / "lake")) == []
    assert not Lake(tmp_path / "lake").path("cloud_offers", "prices").exists()
    (made,) = documents(tmp_path, now)
    assert (made["unreadable"], made["read_now"]) == (1, 1)  # JSON is no document, and that is said


def test_problems_of_a_table_are_kept_whichever_step_comes_last(tmp_path: Path) -> None:
    keep(tmp_path, "prices", '{"error": "rate limited"}', 1)
    market(tmp_path, catalog(prices()))
    documents(tmp_path, catalog(prices()))
    assert column(tmp_path, "problems", "prices", "reason") == ["table_unreadable"]


def test_a_source_that_nothing_reads_is_refused_with_its_line() -> None:
    with pytest.raises(SourcesError) as caught:
        catalog(page(), page("other", parser="htmll"))
    (mistake,) = caught.value.mistakes
    assert (mistake.source_id, mistake.field, mistake.line) == ("other", "parser", 28)
    assert mistake.expected == "a parser that exists (is 'html' meant?)"
