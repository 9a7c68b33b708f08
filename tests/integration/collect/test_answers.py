"""What a server may answer: bodies, validators, refusals, broken and slow connections. Report row and archive, each."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from pipelines.problems import Fault, Reason
from tests.collect_kit import Collected, Handler, Site, dripping, make_source, raw, redirect, reply, reset

PAGE = b"<p>GB300 NVL72 ships</p>"


def test_a_page_with_validators_is_captured_and_then_costs_one_304(site: Site, collected: Collected) -> None:
    site.routes["/a"] = [
        reply(PAGE, ETag='"v1"', Last_Modified="Sun, 01 Mar 2026 10:00:00 GMT", Content_Type="text/html"),
        reply(status="304 Not Modified", ETag='"v1"'),
    ]
    source = make_source("news", site.url("/a"))
    first = collected.run(source).row("news")
    second = collected.run(source).row("news")

    assert (first.fetched, first.unchanged, first.new, first.refused, first.failed) == (1, 0, 1, 0, 0)
    assert first.bytes == len(PAGE)
    assert (second.fetched, second.unchanged, second.new, second.failed, second.bytes) == (0, 1, 0, 0, 0)
    asked = site.asked[-1].headers
    assert asked["if-none-match"] == '"v1"'
    assert asked["if-modified-since"] == "Sun, 01 Mar 2026 10:00:00 GMT"
    original, revisit = collected.captures()
    assert (original.status, original.is_revisit, original.etag) == (200, False, '"v1"')
    assert (revisit.status, revisit.is_revisit, revisit.refers_to) == (304, True, original.capture_id)
    assert collected.payload(revisit) == PAGE


def test_the_same_bytes_again_are_unchanged_and_stored_once(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(PAGE)
    source = make_source("news", site.url("/a"))
    collected.run(source)
    row = collected.run(source).row("news")
    assert (row.fetched, row.unchanged, row.new) == (0, 1, 0)
    assert [capture.is_revisit for capture in collected.captures()] == [False, True]


def test_changed_bytes_are_fetched_but_not_new(site: Site, collected: Collected) -> None:
    site.routes["/a"] = [reply(PAGE), reply(b"<p>renamed</p>")]
    source = make_source("news", site.url("/a"))
    collected.run(source)
    row = collected.run(source).row("news")
    assert (row.fetched, row.unchanged, row.new) == (1, 0, 0)
    assert [collected.payload(capture) for capture in collected.captures()] == [PAGE, b"<p>renamed</p>"]


def test_a_304_that_nobody_asked_for_is_a_failure(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(status="304 Not Modified")
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert row.failures == (Fault(site.url("/a"), Reason.HTTP_STATUS, "answered 304 Not Modified"),)
    assert collected.captures() == []


def test_who_asks_is_said_and_no_cookie_comes_back(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(PAGE, Set_Cookie="id=1; Path=/")
    site.routes["/b"] = reply(PAGE)
    collected.run(make_source("news", site.url("/a"), site.url("/b")))
    for asked in site.asked:
        assert asked.headers["user-agent"] == "rackledger/0.1.0 (+mailto:owner@ledger.example)"
        assert "cookie" not in asked.headers


def test_429_waits_as_many_seconds_as_it_is_asked_to(site: Site, collected: Collected) -> None:
    site.routes["/a"] = [reply(status="429 Too Many Requests", Retry_After="1"), reply(PAGE)]
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert (row.fetched, row.failed) == (1, 0)
    first, second = [asked.at for asked in site.asked if asked.path == "/a"]
    assert second - first >= 0.98
    assert [capture.status for capture in collected.captures()] == [200]


def test_429_waits_until_the_date_it_is_given(site: Site, collected: Collected) -> None:
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    site.routes["/a"] = [
        reply(status="429 Too Many Requests", Retry_After=format_datetime(until, usegmt=True)),
        reply(PAGE),
    ]
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert (row.fetched, row.failed) == (1, 0)
    _, second = [asked.at for asked in site.asked if asked.path == "/a"]
    # the server notes loop seconds; the date is of the clock on the wall
    asked_again = time.time() - (time.monotonic() - second)
    assert asked_again >= until.timestamp() - 0.02
    assert [capture.status for capture in collected.captures()] == [200]


def test_a_longer_pause_than_a_run_has_closes_the_host_for_this_run(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(status="429 Too Many Requests", Retry_After="3600")
    site.routes["/b"] = reply(PAGE)
    row = collected.run(make_source("news", site.url("/a"), site.url("/b"))).row("news")
    asks = "answered 429 Too Many Requests, asks to be left alone for 3600 s"
    assert row.failures == (
        Fault(site.url("/a"), Reason.HTTP_STATUS, asks),
        Fault(site.url("/b"), Reason.HTTP_STATUS, f"news.example was given up in this run: {asks}"),
    )
    assert site.paths() == ["/a"]
    assert collected.captures() == []


def test_500_then_200_is_a_capture_and_no_failure(site: Site, collected: Collected) -> None:
    site.routes["/a"] = [reply(status="500 Internal Server Error"), reply(PAGE)]
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert (row.fetched, row.failed) == (1, 0)
    assert site.paths() == ["/a", "/a"]
    assert [capture.status for capture in collected.captures()] == [200]


def test_500_to_the_end_is_a_failure_after_three_attempts(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"oops", "500 Internal Server Error")
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert row.failures == (Fault(site.url("/a"), Reason.HTTP_STATUS, "answered 500 Internal Server Error"),)
    assert site.paths() == ["/a"] * 3
    assert collected.captures() == []


def test_one_page_that_is_out_of_service_does_not_close_its_host(site: Site, collected: Collected) -> None:
    site.routes |= {"/a": reply(status="503 Service Unavailable"), "/b": reply(PAGE)}
    row = collected.run(make_source("news", site.url("/a"), site.url("/b"))).row("news")
    assert row.failures == (Fault(site.url("/a"), Reason.HTTP_STATUS, "answered 503 Service Unavailable"),)
    assert row.fetched == 1


@pytest.mark.parametrize(("status", "kept"), [("404 Not Found", 1), ("410 Gone", 1), ("403 Forbidden", 0)])
def test_a_page_that_is_gone_is_a_failure_that_is_kept_as_evidence(
    status: str, kept: int, site: Site, collected: Collected
) -> None:
    site.routes["/a"] = reply(b"<p>not here</p>", status)
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert row.failures == (Fault(site.url("/a"), Reason.HTTP_STATUS, f"answered {status}"),)
    assert site.paths() == ["/a"]
    assert [str(capture.status) for capture in collected.captures()] == [status[:3]] * kept


def test_a_reset_connection_is_tried_again(site: Site, collected: Collected) -> None:
    site.routes["/a"] = [reset, reply(PAGE)]
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert (row.fetched, row.failed) == (1, 0)


def test_connections_reset_to_the_end_are_a_failure_and_the_next_page_is_asked(
    site: Site, collected: Collected
) -> None:
    site.routes |= {"/a": reset, "/b": reply(PAGE)}
    row = collected.run(make_source("news", site.url("/a"), site.url("/b"))).row("news")
    assert row.failures == (Fault(site.url("/a"), Reason.CONNECT_FAILED, "the connection broke off before an answer"),)
    assert site.paths() == ["/a", "/a", "/a", "/b"]
    assert [capture.url for capture in collected.captures()] == [site.url("/b")]


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"


@pytest.mark.parametrize(
    ("handler", "detail"),
    [
        (dripping([b"HTTP/1.1 200 OK\r\n", HEAD], 5), "connected, but no answer in time"),
        (dripping([HEAD + b"x", b"y"], 5), "silent for 0.4 s, body not whole"),
        (dripping([HEAD] + [b"x"] * 99, 0.1), "not whole within 1.2 s"),
    ],
    ids=["slow headers", "silent body", "dripping body"],
)
def test_slow_answers_end_in_time_and_leave_nothing(
    handler: Handler, detail: str, site: Site, collected: Collected
) -> None:
    site.routes["/a"] = handler
    row = collected.run(make_source("news", site.url("/a")), read_s=0.4, total_s=1.2).row("news")
    assert row.failures == (Fault(site.url("/a"), Reason.TIMED_OUT, detail),)
    assert site.paths() == ["/a"]
    assert collected.captures() == []


def test_a_body_shorter_than_stated_is_truncated_and_not_kept(site: Site, collected: Collected) -> None:
    site.routes["/a"] = raw(HEAD + b"half", ends=True)
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    detail = "the body broke off after 4 bytes of 100"
    assert row.failures == (Fault(site.url("/a"), Reason.BODY_TRUNCATED, detail),)
    assert site.paths() == ["/a"] * 3
    assert collected.captures() == []


def test_bytes_beyond_the_stated_length_are_neither_kept_nor_taken_for_the_next_answer(
    site: Site, collected: Collected
) -> None:
    surplus = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
    site.routes["/a"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst" + surplus)
    site.routes["/b"] = reply(b"second")
    row = collected.run(make_source("news", site.url("/a"), site.url("/b"))).row("news")
    assert (row.fetched, row.failed, row.bytes) == (2, 0, 11)
    assert [collected.payload(capture) for capture in collected.captures()] == [b"first", b"second"]


def test_chunks_are_joined_and_a_chunked_body_that_breaks_off_is_truncated(site: Site, collected: Collected) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    site.routes["/a"] = raw(head + b"3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n")
    site.routes["/b"] = raw(head + b"3\r\nabc\r\n", ends=True)
    row = collected.run(make_source("news", site.url("/a"), site.url("/b"))).row("news")
    assert row.failures == (Fault(site.url("/b"), Reason.BODY_TRUNCATED, "the body broke off after 3 bytes"),)
    (capture,) = collected.captures()
    assert collected.payload(capture) == b"abcdefg"
    assert capture.byte_count == 7


def test_an_answer_that_is_no_http_is_a_failure(site: Site, collected: Collected) -> None:
    site.routes["/a"] = raw(b"220 ftp.example ready\r\n\r\n", ends=True)
    (failure,) = collected.run(make_source("news", site.url("/a"))).row("news").failures
    assert failure.reason == Reason.CONNECT_FAILED
    assert failure.detail.startswith("the answer is not HTTP: ")


def test_a_redirect_is_followed_and_the_next_run_asks_with_conditions_where_it_leads(
    site: Site, collected: Collected
) -> None:
    site.routes["/old"] = redirect("/new", "301 Moved Permanently")
    site.routes["/new"] = [reply(PAGE, ETag='"n"'), reply(status="304 Not Modified", ETag='"n"')]
    source = make_source("news", site.url("/old"))
    assert collected.run(source).row("news").fetched == 1
    assert collected.run(source).row("news").unchanged == 1
    original, revisit = collected.captures()
    assert (original.url, original.final_url) == (site.url("/old"), site.url("/new"))
    assert revisit.refers_to == original.capture_id


def test_a_charset_that_header_and_page_disagree_on_is_kept_as_served(site: Site, collected: Collected) -> None:
    page = '<meta charset="utf-8"><p>Größe</p>'.encode()
    site.routes["/a"] = reply(page, Content_Type="text/html; charset=ISO-8859-1", X_Odd="gr\xfc\xdf")
    assert collected.run(make_source("news", site.url("/a"))).row("news").fetched == 1
    (capture,) = collected.captures()
    assert collected.payload(capture) == page
    assert (capture.media_type, capture.charset_hint) == ("text/html", "iso-8859-1")


def test_a_large_body_goes_through_a_file(site: Site, collected: Collected) -> None:
    body = bytes(range(256)) * 2000
    site.routes["/a"] = reply(body)
    collected.run(make_source("news", site.url("/a")), in_memory_bytes=1000)
    (capture,) = collected.captures()
    assert collected.payload(capture) == body
