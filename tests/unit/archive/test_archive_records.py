"""Reading records: fields, heads, framing, and the way past damage."""

from __future__ import annotations

import io
import zlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.archive.decode import decode_body, unchunk
from pipelines.archive.entries import parse_content_type, parse_date
from pipelines.archive.records import Flaw, Found, HttpHead, Record, parse_fields, read_http_head, walk
from pipelines.archive.warc import http_head, warc_date
from pipelines.problems import InputError, Reason


def _member(block: bytes, length: int | None = None, tail: bytes = b"\r\n\r\n") -> bytes:
    size = len(block) if length is None else length
    record = b"WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: %d\r\n\r\n" % size + block + tail
    deflate = zlib.compressobj(wbits=31)
    return deflate.compress(record) + deflate.flush()


def _walk(data: bytes, start: int = 0) -> list[Found[bytes] | Flaw]:
    return list(walk(io.BytesIO(data), lambda record: b"".join(iter(record.read, b"")), start))


def test_walk_gives_number_place_and_value() -> None:
    members = [_member(b"one"), _member(b""), _member(b"x" * 200_000)]
    found = _walk(b"".join(members))
    assert [(item.number, item.offset, item.length) for item in found if isinstance(item, Found)] == [
        (1, 0, len(members[0])),
        (2, len(members[0]), len(members[1])),
        (3, len(members[0]) + len(members[1]), len(members[2])),
    ]
    assert [item.value for item in found if isinstance(item, Found)] == [b"one", b"", b"x" * 200_000]


@pytest.mark.parametrize(
    ("bad", "detail"),
    [
        (_member(b"one", 4, b""), "the block ends 1 bytes before its Content-Length"),
        (_member(b"one", 2), "the record ends with b'e\\r\\n\\r\\n', expected two blank lines"),
        (_member(b"one", tail=b"\r\n"), "the record ends with b'\\r\\n', expected two blank lines"),
        (b"rubbish", "gzip: Error -3 while decompressing data: incorrect header check"),
        (zlib.compressobj(wbits=31).flush(), "no WARC header"),
        (_member(b"one")[:-8] + bytes(8), "gzip: Error -3 while decompressing data: incorrect data check"),
    ],
)
def test_a_bad_record_between_good_ones(bad: bytes, detail: str) -> None:
    good = _member(b"good")
    found = _walk(good + bad + good)
    assert found[1] == Flaw(2, len(good), len(good) + len(bad), Reason.RECORD_DAMAGED, detail)
    assert [item.value for item in found if isinstance(item, Found)] == [b"good", b"good"]
    assert [item.number for item in found] == [1, 2, 3]
    last = _walk(good + bad)[-1]
    assert isinstance(last, Flaw)
    assert last.end is None


def test_a_cut_record_is_torn_at_every_byte() -> None:
    good, cut = _member(b"good"), _member(b"the last one" * 20)
    for size in range(1, len(cut)):
        found = _walk(good + cut[:size])
        assert found[1] == Flaw(2, len(good), None, Reason.RECORD_TORN, "the file ends inside the record"), size


@given(st.binary(max_size=300))
def test_walk_ends_on_any_bytes(data: bytes) -> None:
    for item in _walk(data + _member(b"good")):
        assert item.number >= 1


def test_head_is_split_at_the_first_blank_line() -> None:
    for head, rest in ((b"HTTP/1.1 200 OK\r\nA: 1\r\n\r\n", b"\r\n\r\nbody"), (b"HTTP/1.1 200 OK\nA: 1\n\n", b"body")):
        size = str(len(head + rest))
        for step in (1, 3, 1000):
            stream = io.BytesIO(head + rest + b"more")
            record = Record("WARC/1.1", (("Content-Length", size),), lambda n, s=stream, k=step: s.read(min(n, k)))  # type: ignore[misc]
            assert read_http_head(record) == HttpHead("HTTP/1.1 200 OK", (("A", "1"),))
            assert b"".join(iter(record.read, b"")) == rest


def test_fields_are_trimmed_and_folded_lines_joined() -> None:
    first, fields = parse_fields(b"WARC/1.0\r\nA:  b \r\nLong: one\r\n\ttwo\r\nNo-Value\r\nB: \xff", "utf-8")
    assert (first, fields) == ("WARC/1.0", (("A", "b"), ("Long", "one two"), ("No-Value", ""), ("B", "\xff")))


@pytest.mark.parametrize(
    ("first_line", "status"),
    [("HTTP/1.1 200 OK", 200), ("HTTP/2 404", 404), ("HTTP/1.1", 0), ("HTTP/1.1 2000", 0), ("", 0)],
)
def test_status_of_a_first_line(first_line: str, status: int) -> None:
    assert HttpHead(first_line, ()).status == status


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("text/html; charset=UTF-8", ("text/html", "utf-8")),
        ("Text/HTML;charset='iso-8859-1'", ("text/html", "iso-8859-1")),
        ('text/plain; format=flowed; CHARSET = "x-sjis"', ("text/plain", "x-sjis")),
        ("application/pdf", ("application/pdf", None)),
        ("text/html; charset=", ("text/html", None)),
        ("", ("", None)),
    ],
)
def test_content_type(printed: str, expected: tuple[str, str | None]) -> None:
    assert parse_content_type(printed) == expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("2026-03-01T12:00:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00:00.5Z", datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)),
        ("2026-03-01T12:00:00.123456789Z", datetime(2026, 3, 1, 12, 0, 0, 123_456, tzinfo=UTC)),
        ("2026-13-01T12:00:00Z", datetime(1970, 1, 1, tzinfo=UTC)),
        ("yesterday", datetime(1970, 1, 1, tzinfo=UTC)),
    ],
)
def test_warc_date(printed: str, expected: datetime) -> None:
    assert parse_date(printed) == expected


@given(st.datetimes(timezones=st.timezones(), min_value=datetime(1971, 1, 1)))  # noqa: DTZ001
def test_dates_come_back(instant: datetime) -> None:
    assert parse_date(warc_date(instant)) == instant.astimezone(UTC)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
        (b"2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\n\r\n", b"hello"),
        (b"5\r\nhello\r\n", b"hello"),
        (b"5\r\nhel", b"hel"),
        (b"hello", b"hello"),
        (b"5\r\nhello world", b"5\r\nhello world"),
        (b"", b""),
    ],
)
def test_unchunk(body: bytes, expected: bytes) -> None:
    assert unchunk(body) == expected


def _outcome(coding: str, body: bytes) -> Reason | None:
    try:
        decoded = decode_body(HttpHead("", (("Content-Encoding", coding),)), body, 1000, "x")
    except InputError as error:
        return error.reason
    assert len(decoded) <= 1000
    return None


@given(st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br"]), st.binary(max_size=200))
def test_any_bytes_decode_or_fail_cleanly(coding: str, body: bytes) -> None:
    expected = {None, Reason.BODY_TOO_LARGE, Reason.BODY_TRUNCATED, Reason.BODY_UNDECODABLE}
    for start in (b"", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd"):
        assert _outcome(coding, start + body) in expected


def test_head_text_that_never_was_latin_1_goes_out_as_utf_8() -> None:
    assert (
        http_head("HTTP/1.1 200 OK", (("A", "\xe9"), ("B", "€")))
        == b"HTTP/1.1 200 OK\r\nA: \xe9\r\nB: \xe2\x82\xac\r\n\r\n"
    )
