"""sources.yaml and its schema: what is read, how mistakes are told, and what the real file covers."""

from __future__ import annotations

import ast
import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from typer.testing import CliRunner

from pipelines.archive.store import Archive
from pipelines.commands import sources as command
from pipelines.model.capture import Exchange
from pipelines.model.evidence import Evidence
from pipelines.settings import Settings
from pipelines.source_model import Group, Kind, Layer, Signal, Source, Status, parse_cadence, parse_size
from pipelines.sources import Mistake, SourceCatalog, SourcesError, load_sources, parse_sources
from warehouse.read import SCHEMA_VERSION

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "../shared"
REAL = ROOT / "sources.yaml"

ENTRY = """\
sources:
  example_feed:
    title: Example newsroom
    publisher: example
    producer: Example
    group: press
    layer: all
    signals: [roadmap]
    kind: feed
    parser: feed
    evidence: reported
    status: active
    allowed_hosts: [www.example.org]
    urls:
      - https://www.example.org/feed
    cadence: 6h
    terms: robots allow
    licence: facts only
"""


@pytest.fixture(scope="module")
def real() -> SourceCatalog:
    return load_sources(REAL)


def mistakes(text: str) -> list[tuple[str, str, int, str, str]]:
    with pytest.raises(SourcesError) as caught:
        parse_sources(text)
    return [(m.source_id, m.field, m.line, m.expected, m.found) for m in caught.value.mistakes]


def fields(**changes: Any) -> dict[str, Any]:
    entry: dict[str, Any] = yaml.safe_load(ENTRY)["sources"]["example_feed"]
    return {"id": "example_feed", **entry, **changes}


def test_an_entry_is_read_with_its_defaults() -> None:
    source = parse_sources(ENTRY)["example_feed"]
    assert source.id == "example_feed"
    assert source.kind is Kind.FEED
    assert source.signals == (Signal.ROADMAP,)
    assert source.evidence is Evidence.REPORTED
    assert source.cadence == dt.timedelta(hours=6)
    assert source.urls == ("https://www.example.org/feed",)
    assert (source.politeness.delay_s, source.max_new_items, source.size_cap_bytes) == (2.0, 20, 20_000_000)
    assert (source.is_local, source.link_only, source.is_fetched) == (False, False, True)
    assert source.cited_as == "Example, Example newsroom, https://www.example.org/feed"


def test_a_source_cannot_be_changed() -> None:
    source = parse_sources(ENTRY)["example_feed"]
    with pytest.raises(ValidationError, match="frozen"):
        source.title = "other"  # type: ignore[misc]


MISTAKEN = """\
provider_denylist:
  - provider: Vast.ai
    names: [vast]
sources:
  example_feed:
    title: Example newsroom
    publisher: Example Inc.
    producer: Example
    group: press
    layer: cloud
    signals: [roadmap, rumour]
    kind: feed
    parser: feed
    evidence: reported
    status: active
    allowed_hosts: [www.example.org]
    urls:
      - https://www.example.org/feed
      - https://cdn.example.org/feed
    cadense: 6h
    terms: robots allow
    licence: facts only
    politeness: {delay: 3.0}
    size_cap_bytes: 50 parsecs
  Bad-Id:
    title: ''
    publisher: example
    producer: Example
    group: press
    layer: all
    signals: []
    kind: listing
    parser: html
    evidence: true
    status: active
    allowed_hosts: ['https://www.example.org']
    urls: [https://www.example.org/news]
    cadence: soon
    terms: robots allow
    licence: facts only
  second_feed:
    title: Second
    title: Again
"""


def test_all_mistakes_are_told_at_once_with_their_lines() -> None:
    found = mistakes(MISTAKEN)
    places = [(source_id, field, line) for source_id, field, line, _, _ in found]
    missing = [name for name, info in Source.model_fields.items() if info.is_required() and name not in ("id", "title")]
    assert places == [
        ("", "provider_denylist.0.reason", 2),
        ("example_feed", "cadence", 5),
        ("example_feed", "publisher", 7),
        ("example_feed", "layer", 10),
        ("example_feed", "signals.1", 11),
        ("example_feed", "urls.1", 19),
        ("example_feed", "cadense", 20),
        ("example_feed", "politeness.delay", 23),
        ("example_feed", "size_cap_bytes", 24),
        ("Bad-Id", "id", 25),
        ("Bad-Id", "items", 25),
        ("Bad-Id", "title", 26),
        ("Bad-Id", "signals", 31),
        ("Bad-Id", "evidence", 34),
        ("Bad-Id", "allowed_hosts.0", 36),
        ("Bad-Id", "cadence", 38),
        *(("second_feed", name, 41) for name in sorted(missing)),
        ("second_feed", "title", 43),
    ]


@pytest.mark.parametrize(
    ("field", "expected", "value"),
    [
        ("publisher", "an organisation's id: lower-case letters, digits and single hyphens", "'Example Inc.'"),
        ("cadence", "a value (the field is required)", "nothing"),
        ("layer", "one of 'hyperscale', 'neocloud', 'enterprise', 'science', 'vendor' or 'all'", "'cloud'"),
        ("urls.1", "a URL whose host is one of allowed_hosts (www.example.org)", "'https://cdn.example.org/feed'"),
        ("cadense", "a field of the schema (is 'cadence' meant?)", "unknown field 'cadense'"),
        ("politeness.delay", "a field of the schema (is 'delay_s' meant?)", "unknown field 'delay'"),
        ("size_cap_bytes", "a size such as 50 MB, 3 GB or a whole number of bytes", "'50 parsecs'"),
    ],
)
def test_a_mistake_says_what_was_expected_and_found(field: str, expected: str, value: str) -> None:
    told = {f: (e, v) for source_id, f, _, e, v in mistakes(MISTAKEN) if source_id == "example_feed"}
    assert told[field] == (expected, value)


def test_the_error_prints_one_line_a_mistake() -> None:
    text = ENTRY.replace("cadence: 6h", "cadence: 6 hours")
    with pytest.raises(SourcesError) as caught:
        parse_sources(text, "my.yaml")
    assert str(caught.value) == (
        "my.yaml: 1 mistake\n"
        "  line 16: example_feed.cadence: expected a number of hours or days such as 6h, 1d, 30d; found '6 hours'"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sources: [", ("", "", 1, "well-formed YAML")),
        ("sources:\n\tx: 1\n", ("", "", 2, "well-formed YAML")),
        (
            "sources:\n  a: {published_on: 2026-02-30}",
            ("a", "published_on", 2, "a value that exists (day is out of range for month)"),
        ),
        ("sources: {a: \x07}", ("", "", 1, "printable text")),
        ("- 1", ("", "", 1, "a mapping with `sources`")),
        ("", ("", "", 1, "a mapping with `sources`")),
        ("sources: {}", ("", "sources", 1, "a mapping of source ids to sources")),
        ("sauces: {}\nsources: {a: 3}", ("", "sauces", 1, "one of provider_denylist, sources")),
        ("sources: &a\n  b: *a\n", ("b", "", 2, "a value")),
    ],
)
def test_a_file_that_is_no_list_of_sources(text: str, expected: tuple[str, str, int, str]) -> None:
    assert expected in [mistake[:4] for mistake in mistakes(text)]


def test_a_missing_file_is_one_mistake(tmp_path: Path) -> None:
    with pytest.raises(SourcesError) as caught:
        load_sources(tmp_path / "none.yaml")
    assert [m.expected for m in caught.value.mistakes] == ["a readable UTF-8 file"]


def test_ids_and_urls_stand_once() -> None:
    body = ENTRY.split("\n", 1)[1]
    assert mistakes(ENTRY + body) == [("example_feed", "", 19, "each key once", "also on line 2")]
    other = body.replace("example_feed", "other_feed")
    assert mistakes(ENTRY + other) == [
        (
            "other_feed",
            "urls.0",
            32,
            "each URL in one source, once",
            "https://www.example.org/feed also in example_feed on line 15",
        )
    ]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://www.example.org/feed",
        "www.example.org/feed",
        "https://www.example.org/feed#top",
        "https://me:secret@www.example.org/feed",
        "https://www.example.org:8443/feed",
        "https://www.example.org/a b",
        "https://www.example.org/{year}",
        "https://[::1",
        "https://WWW.example.com/feed",
    ],
)
def test_a_url_that_is_refused(url: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Source.model_validate(fields(urls=[url]))
    assert [error["loc"] for error in caught.value.errors()] == [("urls", 0)]


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "*.example.org", "example", "www.example.org:443", "WWW.X.ORG"]
)
def test_a_host_that_is_refused(host: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Source.model_validate(fields(allowed_hosts=[host]))
    assert ("allowed_hosts", 0) in [error["loc"] for error in caught.value.errors()]


def test_only_a_local_source_may_name_a_loopback_address() -> None:
    local = fields(is_local=True, allowed_hosts=["127.0.0.1"], urls=["http://127.0.0.1:8080/feed"])
    assert Source.model_validate(local).urls == ("http://127.0.0.1:8080/feed",)
    with pytest.raises(ValidationError):
        Source.model_validate({**local, "is_local": False})


def test_plain_http_is_read_and_warned_about() -> None:
    catalog = parse_sources(ENTRY.replace("https://", "http://"))
    assert catalog.warnings() == (Mistake("example_feed", "urls.0", 15, "https", "http://www.example.org/feed"),)


def test_only_a_skipped_source_may_have_no_url() -> None:
    assert Source.model_validate(fields(urls=[], status="skip")).is_fetched is False
    with pytest.raises(ValidationError, match="at least one URL"):
        Source.model_validate(fields(urls=[]))


def test_only_feeds_and_listings_have_items_and_a_pattern_must_compile() -> None:
    with pytest.raises(ValidationError, match="only a feed or a listing leads to items"):
        Source.model_validate(fields(kind="page", items={"include": "/x/"}))
    with pytest.raises(ValidationError, match="a regular expression"):
        Source.model_validate(fields(items={"include": "(/x/"}))
    with pytest.raises(ValidationError, match=r"items\.include"):
        Source.model_validate(fields(kind="listing"))


@given(st.integers(1, 9999), st.sampled_from([("h", 1), ("d", 24)]))
def test_a_cadence_is_hours_or_days(count: int, unit: tuple[str, int]) -> None:
    assert parse_cadence(f"{count}{unit[0]}") == dt.timedelta(hours=count * unit[1])


@given(st.integers(1, 999), st.sampled_from([("B", 1), ("MB", 10**6), ("GB", 10**9), ("MiB", 2**20)]), st.booleans())
def test_a_size_is_bytes(count: int, unit: tuple[str, int], has_space: bool) -> None:
    assert parse_size(f"{count}{' ' if has_space else ''}{unit[0]}") == count * unit[1]


@pytest.mark.parametrize("value", ["0 MB", "-1", "MB", 0, -5, True, None, 1.5, "5 TB"])
def test_a_size_that_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="a size such as"):
        parse_size(value)


@pytest.mark.parametrize("value", ["0h", "6", "6m", 6, "h", "1w", None, True])
def test_a_cadence_that_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="hours or days"):
        parse_cadence(value)


def test_publishers_and_parsers_are_checked_against_what_is_known() -> None:
    catalog = parse_sources(ENTRY)
    assert catalog.check_publishers({"example"}) == ()
    expected = "an organisation of the registry (is 'exemple' meant?)"
    assert catalog.check_publishers({"exemple"}) == (Mistake("example_feed", "publisher", 4, expected, "'example'"),)
    assert catalog.check_parsers({"feed"}) == ()
    assert catalog.check_parsers({"pdf"}) == (Mistake("example_feed", "parser", 10, "a parser that exists", "'feed'"),)
    skipped = parse_sources(ENTRY.replace("status: active", "status: skip"))
    assert skipped.check_parsers(set()) == ()


def test_adding_a_source_that_a_parser_can_read_is_one_entry(tmp_path: Path, real: SourceCatalog) -> None:
    """The entry alone makes the source appear: it is read, checked and listed, and no code names such a source."""
    path = tmp_path / "sources.yaml"
    path.write_text(REAL.read_text(encoding="utf-8") + "\n" + ENTRY.split("\n", 1)[1], encoding="utf-8")
    assert [s.id for s in load_sources(path)] == [*(s.id for s in real), "example_feed"]
    listed = CliRunner().invoke(command.app, ["list", "--path", str(path), "--json"])
    assert listed.exit_code == 0, listed.output
    assert json.loads(listed.stdout)[-1]["id"] == "example_feed"

    # a publisher's name may stand in code for its own sake
    shared_parser = {s.id for s in real if s.parser != s.id} - {s.publisher for s in real}
    named = {
        f"{file.relative_to(ROOT)}: {node.value}"
        for package in ("pipelines", "warehouse")
        for file in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in shared_parser
    }
    assert named == set()


def test_the_real_file_covers_the_market(real: SourceCatalog) -> None:
    fetched = [s for s in real if s.is_fetched]
    assert len(fetched) >= 60
    assert {signal for s in fetched for signal in s.signals} == set(Signal)
    assert {s.kind for s in fetched} == set(Kind)
    assert {s.group for s in fetched} == set(Group)
    assert {s.layer for s in fetched} == set(Layer)
    clouds = {s.layer for s in fetched if s.group is Group.CLOUD}
    assert clouds == {Layer.HYPERSCALE, Layer.NEOCLOUD, Layer.ENTERPRISE}
    for signal in Signal:
        assert len({s.publisher for s in fetched if signal in s.signals and s.status is Status.ACTIVE}) >= 3, signal


def test_the_real_file_obeys_terms(real: SourceCatalog) -> None:
    assert real.warnings() == ()
    assert not [s.id for s in real if s.is_local]
    for name in ("Vast.ai", "vastai", "RunPod", "runpod", "Shadeform", "Silicon Data"):
        assert real.denied(name) is not None, name
    assert real.denied("Lambda") is None
    refused = ("sk_hynix_newsroom", "next_platform", "the_register", "blocks_and_files", "techpowerup")
    assert {real[i].status for i in refused} == {Status.SKIP}
    headlines = ("nvidia_newsroom", "nvidia_blog", "nvidia_developer_blog", "aws_news_blog", "semianalysis")
    assert all(real[i].link_only for i in headlines)
    denied = [d for s in real for url in s.urls if (d := real.denied(url.split("/")[2])) is not None]
    assert denied == []


def test_the_mlperf_sources_hold_every_round(real: SourceCatalog) -> None:
    training, inference = real["mlperf_training"], real["mlperf_inference"]
    assert (len(training.urls), len(inference.urls)) == (18, 14)
    branch = "https://github.com/mlcommons/{}/archive/refs/heads/{}.tar.gz"
    assert branch.format("training_results_v1.0", "master") in training.urls
    assert branch.format("training_results_v5.0", "main") in training.urls
    assert branch.format("training_results_v6.0", "main") in training.urls
    assert branch.format("hpc_results_v1.0", "master") in training.urls
    assert branch.format("inference_results_v2.1", "master") in inference.urls
    assert branch.format("inference_results_v6.1", "main") in inference.urls
    assert training.size_cap_bytes == 3_000_000_000
    assert set(training.allowed_hosts) == {"github.com", "codeload.github.com"}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared reference folder is not beside the repository")
def test_round_branches_agree_with_the_reference(real: SourceCatalog) -> None:
    facts = json.loads((SHARED / "mlperf/inference/round_facts.json").read_text(encoding="utf-8"))
    urls = "\n".join(real["mlperf_inference"].urls)
    for name, fact in facts.items():
        assert f"inference_results_{name}/archive/refs/heads/{fact.get('branch', 'main')}.tar.gz" in urls
    lists = sorted(p.name for p in (SHARED / "market/top500/raw").glob("TOP500_*"))
    assert sorted(url.rsplit("/", 1)[1] for url in real["top500"].urls) == lists


def test_rows_put_age_beside_cadence() -> None:
    now = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
    source = parse_sources(ENTRY)["example_feed"]
    states = {}
    for hours in (1, 6, 7, 12, 13):
        captures = {"example_feed": now - dt.timedelta(hours=hours)}
        row = command.source_rows([source], now, captures, {"example_feed": 42})[0]
        assert (row.age_hours, row.cadence_hours, row.claims) == (float(hours), 6.0, 42)
        states[hours] = row.state
    assert states == {1: "fresh", 6: "fresh", 7: "due", 12: "due", 13: "late"}
    unknown = command.source_rows([source], now, {}, {})[0]
    assert (unknown.state, unknown.last_capture_at, unknown.age_hours, unknown.claims) == ("never", None, None, None)
    skipped = source.model_copy(update={"status": Status.SKIP})
    assert command.source_rows([skipped], now, {}, {})[0].state == "skipped"


def test_check_prints_the_count_or_every_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "known_organisations", lambda: {"example"})
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(ENTRY, encoding="utf-8")
    bad.write_text(MISTAKEN, encoding="utf-8")
    fine = CliRunner().invoke(command.app, ["check", "--path", str(good)])
    assert (fine.exit_code, fine.stdout) == (0, "1 sources, all good\n")
    wrong = CliRunner().invoke(command.app, ["check", "--path", str(bad)])
    assert wrong.exit_code == 1
    assert "line 19: example_feed.urls.1: expected a URL whose host is one of allowed_hosts" in wrong.stdout
    as_json = CliRunner().invoke(command.app, ["check", "--json", "--path", str(bad)])
    assert as_json.exit_code == 1
    told = json.loads(as_json.stdout)
    assert told["sources"] == 0
    assert told["mistakes"][0] == {
        "source_id": "",
        "field": "provider_denylist.0.reason",
        "line": 2,
        "expected": "a value (the field is required)",
        "found": "nothing",
    }


def test_check_refuses_a_publisher_that_the_registry_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "known_organisations", lambda: {"other"})
    path = tmp_path / "sources.yaml"
    path.write_text(ENTRY, encoding="utf-8")
    result = CliRunner().invoke(command.app, ["check", "--path", str(path)])
    assert result.exit_code == 1
    assert "example_feed.publisher: expected an organisation of the registry; found 'example'" in result.stdout


def test_list_shows_a_dash_for_what_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKLEDGER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("RACKLEDGER_WAREHOUSE", str(tmp_path / "none.duckdb"))
    path = tmp_path / "sources.yaml"
    path.write_text(ENTRY, encoding="utf-8")
    result = CliRunner().invoke(command.app, ["list", "--path", str(path)])
    assert result.exit_code == 0, result.output
    row = next(line for line in result.stdout.splitlines() if "example_feed" in line)
    assert row.split() == ["example_feed", "feed", "example", "active", "-", "-/6h", "never", "-"]
    none = CliRunner().invoke(command.app, ["list", "--path", str(path), "--status", "skip", "--json"])
    assert json.loads(none.stdout) == []


def _exchange(source_id: str, status: int, at: dt.datetime) -> Exchange:
    url = f"https://www.example.org/{source_id}/{status}"
    headers = (("Content-Type", "text/html"),)
    body = f"{source_id} {at}".encode()
    return Exchange(source_id, url, url, at, "GET", (), status, "-", headers, body)


def test_the_last_capture_is_the_newest_good_one_of_the_archive(tmp_path: Path) -> None:
    first = dt.datetime(2026, 11, 1, 8, tzinfo=dt.UTC)
    settings = Settings(data=tmp_path, warehouse=tmp_path / "none.duckdb")
    with Archive(settings.archive, run_stamp="20261101T080000Z-1") as archive:
        for source_id, status, days in (("one", 200, 0), ("one", 200, 2), ("one", 404, 5), ("two", 500, 1)):
            archive.append(_exchange(source_id, status, first + dt.timedelta(days=days)))
    assert command.last_captures(settings) == {"one": first + dt.timedelta(days=2)}


def test_captures_and_claims_of_a_warehouse_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "w.duckdb"
    settings = Settings(data=tmp_path, warehouse=path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("CREATE SCHEMA meta; CREATE SCHEMA evidence")
        connection.execute(
            "CREATE TABLE meta.publication AS SELECT 'v' AS version, now() AS built_at, 'h' AS content_hash, "
            f"{SCHEMA_VERSION} AS schema_version"
        )
        connection.execute(
            "CREATE TABLE evidence.captures AS "
            "SELECT 'one' AS source_id, TIMESTAMPTZ '2026-11-03 08:00:00+00' AS captured_at"
        )
    assert command.claims_given(settings) == {}
    assert command.last_captures(settings) == {"one": dt.datetime(2026, 11, 3, 8, tzinfo=dt.UTC)}
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE evidence.claims AS SELECT unnest(['one', 'one', 'two']) AS source_id")
    assert command.claims_given(settings) == {"one": 2, "two": 1}


def test_the_documentation_shows_every_field_and_an_entry_that_is_right() -> None:
    text = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    example = text.split("```yaml\n", 1)[1].split("```", 1)[0]
    assert [s.id for s in parse_sources("sources:\n" + example)] == ["example_newsroom"]
    named = set(re.findall(r"`([a-z_]+)`", text.split("## Fields", 1)[1]))
    shown = set(Source.model_fields) - {"id"}
    assert shown - named == set()
    for word in (*Group, *Layer, *Signal, *Kind):
        assert word in named, word
