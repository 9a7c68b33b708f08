"""What is appended comes back: captures, payloads, revisits, validators, heads, and the same from a new index."""

from __future__ import annotations

import gzip
import shutil
import tracemalloc
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import brotli
import pytest
import zstandard

from pipelines.archive.store import Archive
from pipelines.model.capture import Capture, DateBasis, RecordType, Validators, capture_id
from pipelines.problems import InputError, Reason
from tests.archive_kit import HTML, STAMP, START, exchange, stored_heads, warc_files

HELLO_SHA256 = "a5652be1ca864d36d25cfb54a41f384e2de1b3acf7513a925d72ed7258fdc0ae"


def test_capture_says_what_was_fetched(tmp_path: Path) -> None:
    headers = (*HTML, ("ETag", 'W/"7"'), ("Last-Modified", "Sun, 01 Mar 2026 10:00:00 GMT"))
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        capture = archive.append(exchange(headers=headers, final_url="https://news.example/b"))
    assert capture == Capture(
        capture_id=capture_id("news", "https://news.example/a", START, 200, HELLO_SHA256),
        source_id="news",
        url="https://news.example/a",
        final_url="https://news.example/b",
        captured_at=START,
        status=200,
        media_type="text/html",
        charset_hint="utf-8",
        payload_sha256=HELLO_SHA256,
        byte_count=12,
        is_revisit=False,
        refers_to=None,
        warc_path="warc/news/20260301T120000Z-000.warc.gz",
        offset=capture.offset,
        etag='W/"7"',
        last_modified="Sun, 01 Mar 2026 10:00:00 GMT",
        date_basis=DateBasis.FETCHED,
        record_type=RecordType.RESPONSE,
    )
    with Archive(tmp_path) as reader:
        assert list(reader.captures()) == [capture]
        assert reader.payload(capture) == b"<p>hello</p>"


def test_identical_body_becomes_a_revisit(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        first = archive.append(exchange())
        second = archive.append(exchange(60, headers=(*HTML, ("ETag", '"2"'))))
        raw = stored_heads(archive, second)
        assert (second.is_revisit, second.refers_to, second.byte_count) == (True, first.capture_id, 12)
        assert archive.payload(second) == b"<p>hello</p>"
        assert archive.validators("https://news.example/a") == Validators('"2"', None, first.payload_sha256)
    fields = dict(raw.warc_headers)
    assert fields["WARC-Profile"] == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    assert fields["WARC-Refers-To-Target-URI"] == "https://news.example/a"
    assert fields["WARC-Refers-To-Date"] == "2026-03-01T12:00:00.123456Z"
    assert fields["WARC-Payload-Digest"] == f"sha256:{first.payload_sha256}"
    assert raw.http_headers == (*HTML, ("ETag", '"2"'))


def test_not_modified_becomes_a_revisit_of_what_the_address_last_gave(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        first = archive.append(exchange(body=b"one"))
        archive.append(exchange(1, body=b"two"))
        archive.append(exchange(2, body=b"one"))
        same = archive.append(exchange(3, status=304, reason="Not Modified", headers=(), body=b""))
        raw = stored_heads(archive, same)
        assert (same.status, same.is_revisit, same.refers_to) == (304, True, first.capture_id)
        assert (same.media_type, same.charset_hint, same.byte_count) == ("text/html", "utf-8", 3)
        assert archive.payload(same) == b"one"
        assert raw.first_line == "HTTP/1.1 304 Not Modified"
        assert dict(raw.warc_headers)["WARC-Profile"].endswith("/1.1/revisit/server-not-modified")
        assert [capture.is_revisit for capture in archive.captures()] == [False, False, True, True]


def test_not_modified_without_anything_held_is_a_plain_response(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        capture = archive.append(exchange(status=304, headers=(), body=b""))
        assert (capture.is_revisit, capture.record_type, archive.payload(capture)) == (False, "response", b"")
        assert not archive.has_url("https://news.example/a")


def test_an_error_page_with_the_same_bytes_is_no_revisit_of_a_good_one(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        archive.append(exchange())
        assert not archive.append(exchange(1, status=404, reason="Not Found")).is_revisit
        assert archive.append(exchange(2, status=404, reason="Not Found")).is_revisit


def test_the_same_exchange_twice_is_one_capture(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        first = archive.append(exchange())
        size = warc_files(tmp_path)[0].stat().st_size
        assert archive.append(exchange()) == first
    with Archive(tmp_path, run_stamp="20260302T000000Z") as later:
        assert later.append(exchange()) == first
    assert [path.stat().st_size for path in warc_files(tmp_path)] == [size]


def test_addresses_are_known_by_good_answers_only(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        archive.append(exchange(url="https://news.example/gone", status=404, body=b"gone"))
        archive.append(exchange(url="https://news.example/old", final_url="https://news.example/new", body=b"new"))
        urls = ("gone", "old", "new", "never")
        assert [archive.has_url(f"https://news.example/{name}") for name in urls] == [False, True, True, False]
        assert archive.validators("https://news.example/gone") is None
    with Archive(tmp_path) as later:
        assert [later.has_url(f"https://news.example/{name}") for name in urls] == [False, True, True, False]


@pytest.mark.parametrize(
    ("coding", "stored"),
    [
        ("gzip", gzip.compress(b"page" * 999)),
        ("gzip", gzip.compress(b"page" * 500) + gzip.compress(b"page" * 499)),
        ("x-gzip", gzip.compress(b"page" * 999)),
        ("deflate", zlib.compress(b"page" * 999)),
        ("deflate", zlib.compress(b"page" * 999)[2:-4]),
        ("br", brotli.compress(b"page" * 999)),
        ("zstd", zstandard.compress(b"page" * 999)),
        ("gzip, br", brotli.compress(gzip.compress(b"page" * 999))),
        ("identity", b"page" * 999),
        ("gzip", b"page" * 999),
    ],
    ids=["gzip", "members", "x-gzip", "zlib", "bare-deflate", "br", "zstd", "two", "identity", "stored-decoded"],
)
def test_payload_is_content_decoded(tmp_path: Path, coding: str, stored: bytes) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        capture = archive.append(exchange(body=stored, headers=(*HTML, ("Content-Encoding", coding))))
        assert capture.byte_count == len(stored)
        assert archive.payload(capture) == b"page" * 999


@pytest.mark.parametrize(
    ("coding", "stored", "reason"),
    [
        ("gzip", gzip.compress(bytes(10_000_000)), Reason.BODY_TOO_LARGE),
        ("br", brotli.compress(bytes(10_000_000)), Reason.BODY_TOO_LARGE),
        ("zstd", zstandard.compress(bytes(10_000_000)), Reason.BODY_TOO_LARGE),
        ("identity", bytes(2_000_000), Reason.BODY_TOO_LARGE),
        ("gzip", gzip.compress(b"page" * 99)[:-9], Reason.BODY_TRUNCATED),
        ("br", brotli.compress(b"page" * 99)[:-3], Reason.BODY_TRUNCATED),
        ("zstd", zstandard.compress(b"page" * 99)[:-3], Reason.BODY_TRUNCATED),
        ("gzip", b"\x1f\x8bno gzip at all", Reason.BODY_UNDECODABLE),
        ("br", b"no brotli at all", Reason.BODY_UNDECODABLE),
        ("compress", b"?", Reason.BODY_UNDECODABLE),
    ],
)
def test_payload_refuses_bombs_and_broken_bodies(tmp_path: Path, coding: str, stored: bytes, reason: Reason) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        capture = archive.append(exchange(body=stored, headers=(*HTML, ("Content-Encoding", coding))))
        with pytest.raises(InputError) as caught:
            archive.payload(capture, max_bytes=1_000_000)
    assert caught.value.reason == reason


def test_heads_are_kept_but_for_chunks_and_secrets(tmp_path: Path) -> None:
    headers = (
        ("X-Twice", "1"),
        ("Transfer-Encoding", "chunked"),
        ("X-Twice", "2"),
        ("X-Latin", "\xe9\xff"),
        ("Empty", ""),
    )
    secrets = (("Cookie", "a=b"), ("Authorization", "Basic eDp5"), ("Accept", "*/*"))
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        body = b"5\r\nhello\r\n0\r\n\r\n"
        capture = archive.append(
            exchange(headers=headers, request_headers=secrets, body=body, http_version="HTTP/2", reason="")
        )
        raw = stored_heads(archive, capture)
        assert archive.payload(capture) == body
    assert raw.first_line == "HTTP/1.1 200 "
    assert raw.http_headers == (
        ("X-Twice", "1"), ("X-Archive-Orig-Transfer-Encoding", "chunked"), ("X-Twice", "2"), ("X-Latin", "\xe9\xff"),
        ("Empty", ""),
    )  # fmt: skip
    assert dict(raw.warc_headers)["WARC-Protocol"] == "h2"
    content = gzip.decompress(warc_files(tmp_path)[0].read_bytes())
    assert b"GET /a HTTP/1.1\r\nAccept: */*\r\n\r\n" in content
    assert b"Basic" not in content
    assert b"a=b" not in content


def test_a_body_on_disk_is_streamed_in(tmp_path: Path) -> None:
    body = tmp_path / "body"
    body.write_bytes(bytes(range(256)) * 20_000)
    with Archive(tmp_path / "archive", run_stamp=STAMP) as archive:
        capture = archive.append(exchange(body=body))
        assert (capture.byte_count, archive.payload(capture)) == (5_120_000, body.read_bytes())


def test_memory_stays_flat_for_a_large_body(tmp_path: Path) -> None:
    body = tmp_path / "body"
    with body.open("wb") as file:
        file.truncate(96 << 20)
    with Archive(tmp_path / "archive", run_stamp=STAMP) as archive:
        archive.append(exchange(body=b"first"))
        tracemalloc.start()
        try:
            capture = archive.append(exchange(1, body=body))
            assert archive.verify().problems == ()
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert capture.byte_count == 96 << 20
    assert peak < 4 << 20


def test_files_roll_at_a_size_and_revisits_reach_across(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP, roll_bytes=2000) as archive:
        captures = [
            archive.append(exchange(i, f"https://news.example/{i}", f"{i % 5}".encode() * 50)) for i in range(9)
        ]
        assert [archive.payload(capture) for capture in captures] == [f"{i % 5}".encode() * 50 for i in range(9)]
        assert [capture.is_revisit for capture in captures] == [False] * 5 + [True] * 4
    names = [path.name for path in warc_files(tmp_path)]
    assert names == [f"{STAMP}-{number:03d}.warc.gz" for number in range(len(names))]
    assert len(names) == 4
    with Archive(tmp_path, run_stamp=STAMP, roll_bytes=2000) as again:
        assert again.append(exchange(99, body=b"last")).warc_path == f"warc/news/{names[-1]}"
        assert list(again.captures())[:-1] == captures


def test_the_index_is_derived(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP, roll_bytes=3000) as archive:
        for number in range(12):
            archive.append(exchange(number, f"https://news.example/{number % 7}", f"{number % 5}".encode() * 40))
            archive.append(exchange(number, "https://b.example/", f"{number}".encode(), source_id="b-source"))
        before = list(archive.captures())
        indexes = {path: path.read_bytes() for path in tmp_path.glob("index/*/*.jsonl")}
    shutil.rmtree(tmp_path / "index")
    with Archive(tmp_path) as blind:
        assert list(blind.captures()) == before
        assert blind.validators("https://b.example/") is not None
        assert blind.reindex() == 24
    for path, content in indexes.items():
        assert path.read_bytes().splitlines()[:-1] == content.splitlines()
    with Archive(tmp_path) as reader:
        assert list(reader.captures()) == before
        assert [capture.source_id for capture in reader.captures("b-source")] == ["b-source"] * 12


def test_captures_come_by_source_then_date(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        for seconds, source_id in ((5, "z"), (1, "z"), (9, "a"), (3, "a")):
            archive.append(exchange(seconds, body=str(seconds).encode(), source_id=source_id))
        found = [
            (capture.source_id, int((capture.captured_at - START).total_seconds())) for capture in archive.captures()
        ]
    assert found == [("a", 3), ("a", 9), ("z", 1), ("z", 5)]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"url": "ftp://news.example/a"}, "only http and https"),
        ({"url": "https://news.example/a b"}, "blanks or control"),
        ({"url": "https://news.example/a\r\nWARC-Type: x"}, "blanks or control"),
        ({"status": 42}, "no HTTP status"),
        ({"headers": (("X\r\nY", "1"),)}, "cannot be written"),
        ({"headers": (("X", "1\r\n\r\nbody"),)}, "cannot be written"),
        ({"reason": "OK\r\nX: 1"}, "cannot be written"),
        ({"source_id": "../up"}, "source id"),
        ({"source_id": ""}, "source id"),
    ],
)
def test_what_no_record_can_hold_is_refused(tmp_path: Path, changed: dict[str, object], message: str) -> None:
    with Archive(tmp_path / "archive", run_stamp=STAMP) as archive, pytest.raises(ValueError, match=message):
        archive.append(exchange(**changed))  # type: ignore[arg-type]
    assert not (tmp_path / "archive").exists()


def test_a_naive_date_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        capture_id("news", "https://news.example/", datetime(2026, 3, 1), 200, "")  # noqa: DTZ001
    assert capture_id("news", "https://news.example/", datetime(2026, 3, 1, tzinfo=UTC), 200, "") != ""


def test_an_archive_opened_for_reading_does_not_write(tmp_path: Path) -> None:
    with Archive(tmp_path) as archive:
        assert list(archive.captures()) == []
        assert archive.verify().is_sound
        with pytest.raises(ValueError, match="run_stamp"):
            archive.append(exchange())
    assert list(tmp_path.iterdir()) == []


def test_dates_are_kept_in_utc(tmp_path: Path) -> None:
    local = replace(exchange(), requested_at=START.astimezone(timezone(timedelta(hours=9))))
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        capture = archive.append(local)
        assert (capture.captured_at, capture.captured_at.tzinfo) == (START, UTC)
        assert archive.append(exchange()) == capture
