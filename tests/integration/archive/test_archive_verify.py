"""Every damage is found, and the report names file, record number and offset; other tools agree."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from pipelines.archive.store import Archive
from pipelines.model.capture import Capture
from pipelines.problems import InputError, Reason
from tests.archive_kit import HTML, STAMP, exchange, run_tool, warc_files

# Records of the file that `_filled` makes: 1 warcinfo, then request and response of each capture.
_RECORD_OF = {0: 3, 1: 5, 2: 7}


def _filled(root: Path) -> list[Capture]:
    with Archive(root, run_stamp=STAMP) as archive:
        return [archive.append(exchange(i, f"https://news.example/{i}", f"page {i}".encode())) for i in range(3)]


def _rewrite(path: Path, offset: int, old: bytes, new: bytes) -> None:
    """Change a record and pack it again, so that only its digests can tell."""
    data = path.read_bytes()
    inflate = zlib.decompressobj(wbits=31)
    record = inflate.decompress(data[offset:])
    assert record.count(old) == 1
    deflate = zlib.compressobj(wbits=31)
    member = deflate.compress(record.replace(old, new)) + deflate.flush()
    path.write_bytes(data[:offset] + member + inflate.unused_data)


def test_a_sound_archive(tmp_path: Path) -> None:
    _filled(tmp_path)
    with Archive(tmp_path) as archive:
        report = archive.verify()
    assert (report.files, report.records, report.captures, report.is_sound) == (1, 7, 3, True)
    assert report.digests == 13  # block and payload of six records, and warcinfo's block
    assert report.byte_count == warc_files(tmp_path)[0].stat().st_size


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_forged_body_is_found(tmp_path: Path, at: int) -> None:
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    _rewrite(path, captures[at].offset, f"page {at}".encode(), b"forged")
    with Archive(tmp_path) as archive:
        problems = archive.verify().problems
        with pytest.raises(InputError) as caught:
            archive.payload(captures[at])
    assert caught.value.reason == Reason.RECORD_DAMAGED
    mine = [problem for problem in problems if problem.offset == captures[at].offset]
    assert [(problem.warc_path, problem.record_number, problem.reason) for problem in mine] == [
        (captures[at].warc_path, _RECORD_OF[at], Reason.RECORD_DAMAGED)
    ] * 2
    assert [problem.detail.split(" is ")[0] for problem in mine] == ["block digest", "payload digest"]
    assert run_tool("warcio.cli", "check", str(path)).returncode == 1


def test_a_forged_header_is_found_by_the_block_digest(tmp_path: Path) -> None:
    captures = _filled(tmp_path)
    _rewrite(warc_files(tmp_path)[0], captures[2].offset, b"UTF-8", b"UTF-9")
    with Archive(tmp_path) as archive:
        [problem] = archive.verify().problems
    assert (problem.record_number, problem.offset) == (7, captures[2].offset)
    assert problem.detail.startswith("block digest is sha256:")


def test_each_flipped_byte_is_found_where_it_is(tmp_path: Path) -> None:
    """Bit rot anywhere in a record in the middle: that record is named, and no other."""
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    whole = path.read_bytes()
    start = captures[1].offset
    following = whole.index(b"\x1f\x8b\x08", start + 1)
    unseen = []
    for position in range(start, following):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x10]) + whole[position + 1 :])
        with Archive(tmp_path) as archive:
            problems = archive.verify().problems
        if not problems:
            unseen.append(position - start)
            continue
        assert {(problem.record_number, problem.offset) for problem in problems} == {(5, start)}, position
    # A gzip member's modification time, extra flags and system have no bearing on its content and no checksum.
    assert set(unseen) <= {4, 5, 6, 7, 8, 9}
    path.write_bytes(whole)


def test_records_behind_a_damaged_one_are_still_read(tmp_path: Path) -> None:
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    data = bytearray(path.read_bytes())
    data[captures[1].offset + 30 : captures[1].offset + 60] = bytes(30)
    path.write_bytes(data)
    with Archive(tmp_path) as archive:
        assert archive.payload(captures[0]) == b"page 0"
        assert archive.payload(captures[2]) == b"page 2"
        assert archive.reindex() == 2
        assert list(archive.captures()) == [captures[0], captures[2]]
        assert archive.repair().is_clean
    assert path.read_bytes() == bytes(data)


def test_rubbish_between_records_is_named(tmp_path: Path) -> None:
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    data = path.read_bytes()
    path.write_bytes(data[: captures[2].offset] + b"\0" * 100_000 + data[captures[2].offset :])
    (tmp_path / "index/news" / f"{STAMP}-000.jsonl").unlink()
    with Archive(tmp_path) as archive:
        [problem] = archive.verify().problems
        assert (problem.offset, problem.record_number) == (captures[2].offset, 7)
        assert [capture.url for capture in archive.captures()] == [capture.url for capture in captures]


def test_a_missing_file_and_a_missing_record_are_found(tmp_path: Path) -> None:
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    data = path.read_bytes()
    path.write_bytes(data[: captures[2].offset])
    with Archive(tmp_path) as archive:
        [cut_off] = archive.verify().problems
        path.write_bytes(data[: captures[1].offset] + data[captures[2].offset :] + data[captures[1].offset :])
        problems = archive.verify().problems
        assert [problem.offset for problem in problems if "no such record" in problem.detail] != []
        path.unlink()
        missing = archive.verify().problems
    assert cut_off.offset == captures[2].offset
    assert cut_off.detail == "the file ends before the record of a capture of https://news.example/2"
    assert [(problem.offset, problem.detail) for problem in missing] == [
        (capture.offset, f"the file is missing, and with it the record of a capture of {capture.url}")
        for capture in captures
    ]


def test_a_revisit_of_a_damaged_record_is_named(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        first = archive.append(exchange(body=b"the page"))
        second = archive.append(exchange(1, body=b"the page"))
        _rewrite(warc_files(tmp_path)[0], first.offset, b"the page", b"forged")
        problems = archive.verify().problems
    assert [problem.detail for problem in problems if "revisit" in problem.detail] == [
        f"the record that this revisit of {second.url} points to is not there or not sound"
    ]


def test_other_tools_accept_every_file(tmp_path: Path) -> None:
    body = tmp_path / "big"
    body.write_bytes(bytes(range(256)) * 8000)
    root = tmp_path / "archive"
    with Archive(root, run_stamp=STAMP, roll_bytes=4000) as archive:
        for number in range(6):
            archive.append(exchange(number, f"https://news.example/{number % 4}", b"x" * (number % 3)))
        archive.append(exchange(7, "https://news.example/0", b"", 304, (("ETag", '"1"'),)))
        archive.append(exchange(8, "https://news.example/big", body))
        archive.append(exchange(9, "https://news.example/é?q=ü", b"<p>", headers=(*HTML, ("X", "é"))))
        archive.append(exchange(10, "https://news.example/none", b"", 204, ()))
    files = warc_files(root)
    assert len(files) > 1
    for path in files:
        checked = run_tool("warcio.cli", "check", str(path))
        assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
        fast = run_tool("fastwarc.cli", "check", "-q", str(path))
        assert (fast.returncode, fast.stderr) == (0, "")
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, parse_http=True, strict_mode=True):
                assert record.headers.status_line == "WARC/1.1"
                # FastWARC compares a revisit's payload digest, which the standard demands, with the body left out.
                if record.record_type not in (WarcRecordType.revisit, WarcRecordType.warcinfo):
                    assert record.verify_payload_digest()
