"""Any headers and any bytes come back as they went in, with or without an index, and other tools agree."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from pipelines.archive.store import Archive
from pipelines.model.capture import Exchange
from tests.archive_kit import STAMP, stored_heads, warc_files

TOKEN = st.text("!#$%&'*+-.^_`|~abcXYZ019", min_size=1, max_size=20).filter(
    lambda name: name.lower() not in ("transfer-encoding", "content-encoding")
)
# What HTTP lets stand in a value: visible characters and Latin-1, blanks inside.
VALUE = st.text(
    st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f", exclude_categories=["Cc"]),
    max_size=60,
).map(lambda text: text.strip(" \t"))
HEADERS = st.lists(st.tuples(TOKEN, VALUE), max_size=8).map(tuple)
PATH = st.text("abc/?=&%-._~é", max_size=20)
BODY = st.binary(max_size=400) | st.sampled_from([b"\r\n\r\n", b"WARC/1.1\r\n", b"\x1f\x8b\x08", b"x" * 100_000])
EXCHANGE = st.builds(
    lambda path, moved, when, request, status, reason, response, body, version: Exchange(
        source_id="news",
        url=f"https://news.example/{path}",
        final_url=f"https://news.example/{path}{moved}",
        requested_at=when.replace(tzinfo=UTC),
        method="GET",
        request_headers=request,
        status=status,
        reason=reason,
        response_headers=response,
        body=b"" if status == 304 else body,
        http_version=version,
    ),
    PATH,
    st.sampled_from(["", "x"]),
    st.datetimes(datetime(2000, 1, 1), datetime(2099, 1, 1)),  # noqa: DTZ001
    HEADERS,
    st.sampled_from([200, 203, 301, 304, 404, 503]),
    st.sampled_from(["OK", "", "Not Found"]),
    HEADERS,
    BODY,
    st.sampled_from(["HTTP/1.1", "HTTP/2", "HTTP/1.0", "odd"]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(EXCHANGE, min_size=1, max_size=6, unique_by=lambda exchange: exchange.requested_at))
def test_round_trip(exchanges: list[Exchange]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with Archive(root, run_stamp=STAMP, roll_bytes=3000) as archive:
            captures = [archive.append(exchange) for exchange in exchanges]
        with Archive(root) as archive:
            for exchange, capture in zip(exchanges, captures, strict=True):
                raw = stored_heads(archive, capture)
                assert raw.http_headers == exchange.response_headers
                assert raw.first_line == f"HTTP/1.1 {exchange.status} {exchange.reason}"
                assert (capture.url, capture.final_url) == (exchange.url, exchange.final_url)
                assert (capture.captured_at, capture.status) == (exchange.requested_at, exchange.status)
                if exchange.status != 304:
                    assert archive.payload(capture) == exchange.body
            listed = list(archive.captures())
            assert set(listed) == set(captures)
            assert archive.verify().problems == ()
            shutil.rmtree(root / "index")
            assert archive.reindex() == len(listed)
            assert list(archive.captures()) == listed
        _read_with_other_tools(root, listed_count=len(listed))


def _read_with_other_tools(root: Path, listed_count: int) -> None:
    kinds = (WarcRecordType.response, WarcRecordType.revisit)
    seen = 0
    for path in warc_files(root):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, parse_http=False):
                assert record.verify_block_digest()
                seen += record.record_type in kinds
        with path.open("rb") as stream:
            for record in WarcioIterator(stream, check_digests=True):
                record.content_stream().read()
                assert record.digest_checker.passed is not False
    assert seen == listed_count


@settings(max_examples=40, deadline=None)
@given(EXCHANGE, st.data())
def test_any_damage_is_found_or_harmless(exchange: Exchange, data: st.DataObject) -> None:
    """Flip any one byte of the file: verification finds it, or every capture still reads as before."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with Archive(root, run_stamp=STAMP) as archive:
            archive.append(exchange)
            archive.append(replace(exchange, url="https://news.example/other", body=b"other" * 99, status=200))
            before = [(capture, archive.payload(capture)) for capture in archive.captures()]
        [path] = warc_files(root)
        whole = bytearray(path.read_bytes())
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] ^= data.draw(st.integers(1, 255))
        path.write_bytes(whole)
        with Archive(root) as archive:
            if archive.verify().is_sound:
                assert [(capture, archive.payload(capture)) for capture in archive.captures()] == before
