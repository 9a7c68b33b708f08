"""The pure parts: links and items, pauses that are asked for, decoded sizes, what is due."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, date, datetime, timedelta

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pipelines.archive.decode import Decoder
from pipelines.collect.client import retry_after_s
from pipelines.collect.discover import Leads, discover
from pipelines.collect.links import canonical, host_of, is_allowed
from pipelines.collect.plan import due, plan
from pipelines.problems import InputError, Reason
from pipelines.source_model import Source
from tests.collect_kit import HOST, make_source

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Sun, 01 Mar 2026 12:01:30 GMT", 90.0),
        ("Sunday, 01-Mar-26 12:01:30 GMT", 90.0),
        ("Sun, 01 Mar 2026 13:01:30 +0100", 90.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("99999999999999999999", 1e9),
        ("soon", None),
        ("-5", None),
        ("１２", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_in_both_forms(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://News.Example:443/a b?q=1#top", "https://news.example/a%20b?q=1"),
        ("http://news.example", "http://news.example/"),
        ("https://news.example/?utm_source=x&id=7&utm_medium=y", "https://news.example/?id=7"),
        ("https://news.example/a?utm_source=x", "https://news.example/a"),
        ("https://news.example/a?q=a%20b&automat=1", "https://news.example/a?q=a%20b&automat=1"),
        ("mailto:a@news.example", None),
        ("javascript:void(0)", None),
        ("https://", None),
        ("http://[::1", None),
    ],
)
def test_one_spelling_for_each_address(url: str, same: str | None) -> None:
    assert canonical(url) == same


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_is_not(text: str) -> None:
    found = canonical("https://news.example/" + text)
    assert found is None or canonical(found) == found
    assert isinstance(host_of(text), str)


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        (f"https://{HOST}/a", True),
        (f"https://{HOST.upper()}/a", True),
        (f"https://www.{HOST}/a", False),
        (f"https://{HOST}.evil.example/a", False),
        (f"https://evil.example@{HOST}/", False),
        (f"https://{HOST}@evil.example/", False),
        (f"https://{HOST}:8443/", False),
        (f"https://{HOST}:443/", True),
        (f"ftp://{HOST}/", False),
        ("not an address", False),
    ],
)
def test_what_a_public_source_may_ask(url: str, allowed: bool) -> None:
    assert is_allowed(make_source("news", f"https://{HOST}/", is_local=False), url) is allowed


def listing(**fields: object) -> Source:
    entry = {"kind": "listing", "items": {"include": "/news/"}, "is_local": False} | fields
    return make_source("news", f"https://{HOST}/list", **entry)


def found(source: Source, payload: bytes, charset: str | None = None) -> Leads:
    return discover(source, payload, f"https://{HOST}/list", charset, DAY)


def test_a_listing_gives_each_link_once_in_order() -> None:
    page = (
        b"<a href=/news/2>B</a><a href='/news/1#c'>A</a><a href=/news/2?utm_source=list>B</a><a href=/list>self</a>"
        b"<a>none</a><a href='http://[bad/news/'>x</a><a href='mailto:x@y/news/'>m</a><a href='https://else.example/news/3'>C</a>"
    )
    leads = found(listing(), page)
    assert leads.items == (f"https://{HOST}/news/2", f"https://{HOST}/news/1")
    assert leads.left_hosts == ("else.example",)


def test_an_excluded_link_is_left() -> None:
    leads = found(listing(items={"include": "/news/", "exclude": "tag"}), b"<a href=/news/tag/x><a href=/news/1>")
    assert leads.items == (f"https://{HOST}/news/1",)


def test_a_link_in_another_charset() -> None:
    assert found(listing(), "<a href='/news/ж'>".encode("cp1251"), "cp1251").items == (f"https://{HOST}/news/%D0%B6",)


def test_an_unknown_charset_and_deep_nesting_do_no_harm() -> None:
    page = b"<div>" * 50_000 + b"<a href=/news/1>x</a>" + b"</div>" * 50_000
    assert found(listing(), page, "klingon").items == (f"https://{HOST}/news/1",)
    assert found(listing(), b"<a href=/news/1>", "klingon").items == (f"https://{HOST}/news/1",)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_listing_or_fail_cleanly(payload: bytes) -> None:
    reasons = []
    try:
        found(listing(), payload)
    except InputError as error:
        reasons.append(error.reason)
    assert reasons in ([], [Reason.DOCUMENT_DAMAGED])


def test_a_broken_sitemap_says_so() -> None:
    with pytest.raises(InputError) as raised:
        found(listing(), b"<urlset><url><loc>https://news.example/news/1</loc>")
    assert raised.value.reason == Reason.DOCUMENT_DAMAGED


def test_an_atom_feed_leads_to_its_pages() -> None:
    atom = (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>A</title>'
        f'<link rel="alternate" href="https://{HOST}/news/1"/></entry></feed>'
    ).encode()
    assert found(make_source("news", f"https://{HOST}/list", kind="feed"), atom).items == (f"https://{HOST}/news/1",)


ENCODERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


@given(
    st.binary(max_size=5000),
    st.lists(st.sampled_from(sorted(ENCODERS)), max_size=3),
    st.integers(min_value=1, max_value=64),
)
def test_the_decoded_size_is_right_however_the_body_is_cut(body: bytes, codings: list[str], step: int) -> None:
    served = body
    for coding in codings:
        served = ENCODERS[coding](served)
    decoder = Decoder(codings, 10**6, "x")
    decoded = [part for start in range(0, len(served), step) for part in decoder.feed(served[start : start + step])]
    decoder.finish()
    assert (decoder.size, b"".join(decoded)) == (len(body), body)


def test_members_of_gzip_are_counted_and_what_follows_is_not() -> None:
    decoder = Decoder(["gzip"], 100, "x")
    decoded = list(decoder.feed(gzip.compress(b"abc") + gzip.compress(b"de") + b"\0\0\0"))
    decoder.finish()
    assert (decoder.size, b"".join(decoded)) == (5, b"abcde")


def test_one_byte_over_the_cap_is_too_much() -> None:
    assert b"".join(Decoder(["gzip"], 100, "x").feed(gzip.compress(bytes(100)))) == bytes(100)
    with pytest.raises(InputError, match="more than 100 bytes once decompressed") as raised:
        list(Decoder(["gzip"], 100, "x").feed(gzip.compress(bytes(101))))
    assert raised.value.reason == Reason.BODY_TOO_LARGE


def test_what_is_planned_and_what_is_due() -> None:
    asked = make_source("asked", f"https://{HOST}/a", is_local=False)
    local = make_source("local", "http://127.0.0.1:1/a", allowed_hosts=["127.0.0.1"])
    never = make_source("never", f"https://{HOST}/a", status="skip")
    planned = plan([asked, local, never])
    assert ([source.id for source in planned.sources], planned.skipped) == (["asked", "local"], ("never",))
    assert planned.opening_hosts == {HOST}
    ages = {"asked": NOW - timedelta(hours=23), "local": NOW - timedelta(hours=22), "never": NOW - timedelta(days=9)}
    assert [source.id for source in due([asked, local, never], ages, NOW)] == ["asked", "never"]
    assert [source.id for source in due([asked], {}, NOW)] == ["asked"]


def test_a_source_that_gave_nothing_is_tried_again_after_a_quarter_of_its_cadence() -> None:
    daily = make_source("daily", f"https://{HOST}/a")
    for hours, is_due in ((1, False), (5, False), (6, True)):
        assert bool(due([daily], {}, NOW, {"daily": NOW - timedelta(hours=hours)})) is is_due
    captured = {"daily": NOW - timedelta(hours=2)}
    assert due([daily], captured, NOW, {"daily": NOW - timedelta(hours=8)}) == ()
