"""The schema of sources.yaml: what is read, and how mistakes are told."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pipelines.model.evidence import Evidence
from pipelines.model.reading import Reading
from pipelines.source_model import Kind, Source, parse_cadence, parse_size
from pipelines.sources import Mistake, SourcesError, load_sources, parse_sources

ROOT = Path(__file__).parents[2]

ENTRY = (ROOT / "tests/fixtures/sources_yaml/entry.yaml").read_text(encoding="utf-8")
MISTAKEN = (ROOT / "tests/fixtures/sources_yaml/mistaken.yaml").read_text(encoding="utf-8")


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
    assert source.signals == ("roadmap",)
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


def test_all_mistakes_are_told_at_once_with_their_lines() -> None:
    found = mistakes(MISTAKEN)
    places = [(source_id, field, line) for source_id, field, line, _, _ in found]
    required = [name for name, info in Source.model_fields.items() if info.is_required()]
    missing = [name for name in (*required, "parser") if name not in ("id", "title")]
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


def test_publishers_are_checked_against_what_is_known() -> None:
    catalog = parse_sources(ENTRY)
    assert catalog.check_publishers({"example"}) == ()
    expected = "an organisation of the registry (is 'exemple' meant?)"
    assert catalog.check_publishers({"exemple"}) == (Mistake("example_feed", "publisher", 4, expected, "'example'"),)


@pytest.mark.parametrize(
    ("change", "field", "line", "expected", "found"),
    [
        ("parser: feed", "parser: fead", 10, "a parser that exists (is 'feed' meant?)", "'fead'"),
        ("parser: feed", "parser: rss", 10, "a parser that exists", "'rss'"),
        ("parser: feed", "parser: dates", 10, "a parser that exists", "'dates'"),  # a file, but no parser
        ("parser: feed", "parser: pdf", 10, "feed, for the kind is feed", "'pdf'"),
        ("parser: feed", "parser: top500", 10, "feed, for the kind is feed", "'top500'"),
    ],
)
def test_a_parser_that_no_file_is_or_that_does_not_fit_is_a_mistake(
    change: str, field: str, line: int, expected: str, found: str
) -> None:
    assert mistakes(ENTRY.replace(change, field)) == [("example_feed", "parser", line, expected, found)]


@pytest.mark.parametrize(
    ("kind", "parser", "expected"),
    [
        ("table", "html", "a parser of a table, for the kind is table"),
        ("api", "mlperf_training", "a parser of a table, for the kind is api"),
        ("tarball", "inferencex", "a parser of a round, for the kind is tarball"),
        ("page", "mlperf_inference", "a parser of a document or a table, for the kind is page"),
    ],
)
def test_a_parser_that_does_not_fit_the_kind_is_a_mistake(kind: str, parser: str, expected: str) -> None:
    text = ENTRY.replace("kind: feed", f"kind: {kind}").replace("parser: feed", f"parser: {parser}")
    assert [(m[1], m[3], m[4]) for m in mistakes(text)] == [("parser", expected, repr(parser))]


def test_what_a_source_is_read_as_is_what_its_parser_reads() -> None:
    text = ENTRY.replace("kind: feed", "kind: table").replace("parser: feed", "parser: top500")
    assert parse_sources(text)["example_feed"].read_as is Reading.TABLE
    assert parse_sources(text + "    read_as: table\n")["example_feed"].read_as is Reading.TABLE
    (mistake,) = mistakes(text + "    read_as: document\n")
    assert (mistake[1], mistake[3]) == ("read_as", "table, which the parser 'top500' reads")


def test_only_what_is_never_fetched_may_have_no_parser() -> None:
    text = ENTRY.replace("    parser: feed\n", "")
    (mistake,) = mistakes(text)
    assert (mistake[1], mistake[3]) == ("parser", "the parser that reads it (none only with status skip)")
    assert parse_sources(text.replace("status: active", "status: skip"))["example_feed"].parser is None
