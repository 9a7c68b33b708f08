"""What others archived or saved is taken in with its own dates, once, and readable by other tools afterwards."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pipelines.archive.importer import AddReport
from pipelines.archive.store import Archive
from pipelines.model.capture import DateBasis, RecordType
from pipelines.problems import Reason
from tests.archive_kit import HTML, STAMP, ForeignWarc, run_tool, stored_heads, warc_files

SHARED = Path(__file__).parents[3] / "../shared"
URL = "https://maker.example/product"
WHEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


def _crawl(gzip_records: bool = True) -> ForeignWarc:
    """Six records as a crawler writes them: two pages, a revisit, and what is no capture."""
    warc = ForeignWarc(gzip_records)
    warc.info()
    warc.response(URL, b"", kind="request")
    warc.response(URL, b"<p>72 packages</p>")
    digest = "sha1:" + base64.b32encode(hashlib.sha1(b"<p>72 packages</p>").digest()).decode()
    warc.revisit(URL, digest, URL, "2024-05-06T07:08:09Z", "2024-06-01T00:00:00Z")
    warc.other("https://maker.example/doc.pdf", "resource", b"%PDF-1.4", "application/pdf", "2023-01-02T03:04:05Z")
    warc.other(URL, "conversion", b"72 packages", "text/plain", "2024-05-06T07:08:10Z")
    warc.other(URL, "metadata", b"fetchTimeMs: 12\r\n", "application/warc-fields")
    return warc


def _add(root: Path, path: Path, url: str | None = None, when: datetime | date | None = None) -> AddReport:
    with Archive(root, run_stamp=STAMP) as archive:
        return archive.add(path, "maker", url, when)


def _check_with_other_tools(root: Path) -> None:
    for path in warc_files(root):
        checked = run_tool("warcio.cli", "check", str(path))
        assert (checked.returncode, checked.stdout) == (0, "")
        assert run_tool("fastwarc.cli", "check", "-q", str(path)).returncode == 0


@pytest.mark.parametrize("form", ["records", "plain", "whole"])
def test_warc_of_others(tmp_path: Path, form: str) -> None:
    """Gzipped by record, not at all, or as one whole: the same captures."""
    warc = _crawl(form == "records")
    path = tmp_path / ("crawl.warc" if form == "plain" else "crawl.warc.gz")
    path.write_bytes(gzip.compress(warc.buffer.getvalue()) if form == "whole" else warc.buffer.getvalue())
    root = tmp_path / "archive"
    report = _add(root, path)
    assert (len(report.added), report.held, report.passed_over, report.refused) == (4, (), 3, ())
    with Archive(root) as archive:
        captures = list(archive.captures())
        assert [(capture.captured_at, capture.record_type, capture.media_type) for capture in captures] == [
            (datetime(2023, 1, 2, 3, 4, 5, tzinfo=UTC), RecordType.RESOURCE, "application/pdf"),
            (WHEN, RecordType.RESPONSE, "text/html"),
            (datetime(2024, 5, 6, 7, 8, 10, tzinfo=UTC), RecordType.CONVERSION, "text/plain"),
            (datetime(2024, 6, 1, tzinfo=UTC), RecordType.REVISIT, "text/html"),
        ]
        assert {capture.date_basis for capture in captures} == {DateBasis.WARC_DATE}
        bodies = [b"%PDF-1.4", b"<p>72 packages</p>", b"72 packages", b"<p>72 packages</p>"]
        assert [archive.payload(capture) for capture in captures] == bodies
        assert captures[3].refers_to == captures[1].capture_id
        assert captures[1].payload_sha256 == hashlib.sha256(b"<p>72 packages</p>").hexdigest()
        assert archive.verify().problems == ()
        assert (archive.reindex(), list(archive.captures())) == (4, captures)
    _check_with_other_tools(root)
    again = _add(root, path)
    assert (again.added, len(again.held), again.passed_over, again.refused) == ((), 4, 3, ())


def test_only_the_records_of_an_address(tmp_path: Path) -> None:
    path = _crawl().save(tmp_path / "crawl.warc.gz")
    report = _add(tmp_path / "archive", path, "https://maker.example/doc.pdf")
    assert ([capture.url for capture in report.added], report.passed_over) == (["https://maker.example/doc.pdf"], 6)


def test_common_crawl_style_headers(tmp_path: Path) -> None:
    """Common Crawl stores the body decoded, renames the headers that say otherwise, and cuts long bodies."""
    warc = ForeignWarc()
    renamed = (*HTML, ("X-Crawl-Content-Encoding", "gzip"), ("X-Crawl-Transfer-Encoding", "chunked"))
    fields = {
        "WARC-Truncated": "length",
        "WARC-Identified-Payload-Type": "text/html",
        "WARC-Warcinfo-ID": "<urn:uuid:0>",
    }
    warc.response(URL, b"<p>cut", fields=fields, headers=renamed)
    root = tmp_path / "archive"
    [capture] = _add(root, warc.save(tmp_path / "cc.warc.gz")).added
    with Archive(root) as archive:
        assert archive.payload(capture) == b"<p>cut"
        raw = stored_heads(archive, capture)
    assert raw.version == "WARC/1.0"
    assert dict(raw.warc_headers)["WARC-Truncated"] == "length"
    assert raw.http_headers == renamed
    _check_with_other_tools(root)


def test_a_digest_of_the_body_without_its_chunks_is_set_aside(tmp_path: Path) -> None:
    digest = "sha1:" + base64.b32encode(hashlib.sha1(b"hello").digest()).decode()
    warc = ForeignWarc()
    chunked = (*HTML, ("Transfer-Encoding", "chunked"))
    warc.response(URL, b"5\r\nhello\r\n0\r\n\r\n", fields={"WARC-Payload-Digest": digest}, headers=chunked)
    root = tmp_path / "archive"
    [capture] = _add(root, warc.save(tmp_path / "a.warc.gz")).added
    with Archive(root) as archive:
        assert archive.payload(capture) == b"hello"
        assert dict(stored_heads(archive, capture).warc_headers)["X-Rackledger-Original-Payload-Digest"] == digest
        assert archive.verify().problems == ()
    _check_with_other_tools(root)


def test_forged_and_dangling_records_are_refused(tmp_path: Path) -> None:
    warc = ForeignWarc()
    wrong = "sha1:" + base64.b32encode(bytes(20)).decode()
    warc.response(URL, b"forged", fields={"WARC-Payload-Digest": wrong})
    warc.response(URL, b"forged", fields={"WARC-Block-Digest": wrong})
    warc.revisit(URL, wrong, URL, "2020-01-01T00:00:00Z", "2024-06-01T00:00:00Z")
    warc.response(URL, b"good", fields={"WARC-Payload-Digest": "xxh3:0011"})
    report = _add(tmp_path / "archive", warc.save(tmp_path / "a.warc.gz"))
    assert [(item.place, item.reason) for item in report.refused] == [
        (f"a.warc.gz, record {number}", Reason.RECORD_DAMAGED) for number in (1, 2, 3)
    ]
    assert report.refused[2].detail == "a revisit of a record that is not held"
    assert [capture.payload_sha256 for capture in report.added] == [hashlib.sha256(b"good").hexdigest()]
    _check_with_other_tools(tmp_path / "archive")


@pytest.mark.parametrize(("cut", "kept"), [(1, 4), (40, 4), (500, 3), (800, 2), (1300, 0)])
def test_a_file_that_ends_early_gives_what_it_has(tmp_path: Path, cut: int, kept: int) -> None:
    path = _crawl().save(tmp_path / "crawl.warc.gz")
    path.write_bytes(path.read_bytes()[:-cut])
    report = _add(tmp_path / "archive", path)
    assert report.refused[-1].reason == Reason.ARCHIVE_TRUNCATED
    assert report.refused[-1].detail == "the file cannot be read on: the file ends inside the record"
    assert len(report.added) == kept
    with Archive(tmp_path / "archive") as archive:
        assert list(archive.captures()) == sorted(report.added, key=lambda capture: capture.captured_at)
        assert archive.verify().problems == ()


@pytest.mark.parametrize("content", [b"", b"not a warc", b"\x1f\x8b\x08rubbish", gzip.compress(b""), b"\0" * 999])
def test_what_is_no_warc_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(content)
    report = _add(tmp_path / "archive", path)
    assert (report.added, len(report.refused)) == ((), 1)


def test_a_large_foreign_body_goes_through_the_disk(tmp_path: Path) -> None:
    body = os.urandom(9_000_000)
    warc = ForeignWarc()
    warc.response(URL, body)
    [capture] = _add(tmp_path / "archive", warc.save(tmp_path / "big.warc.gz")).added
    with Archive(tmp_path / "archive") as archive:
        assert archive.payload(capture) == body


def test_plain_files_keep_their_dates(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(b"<p>page</p>")
    os.utime(page, (1_700_000_000, 1_700_000_000))
    root = tmp_path / "archive"
    [by_file] = _add(root, page).added
    [by_word] = _add(root, page, URL, date(2024, 2, 3)).added
    [by_instant] = _add(root, page, URL, datetime(2024, 2, 3, 4, tzinfo=UTC)).added
    assert (by_file.url, by_file.date_basis) == ("file:///page.html", DateBasis.FILE_MTIME)
    assert by_file.captured_at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert (by_word.url, by_word.captured_at) == (URL, datetime(2024, 2, 3, tzinfo=UTC))
    assert (by_instant.captured_at, by_instant.date_basis) == (datetime(2024, 2, 3, 4, tzinfo=UTC), DateBasis.GIVEN)
    assert (by_file.status, by_file.media_type, by_file.record_type) == (200, "text/html", RecordType.RESOURCE)
    with Archive(root) as archive:
        assert [archive.payload(capture) for capture in archive.captures()] == [b"<p>page</p>"] * 3
        assert archive.verify().problems == ()
        assert archive.reindex() == 3
        assert set(archive.captures()) == {by_file, by_word, by_instant}
    _check_with_other_tools(root)
    assert len(_add(root, page, URL, date(2024, 2, 3)).held) == 1
    page.touch()
    assert len(_add(root, page).held) == 1
    page.write_bytes(b"<p>changed</p>")
    assert len(_add(root, page).added) == 1


def test_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    (folder / "deep").mkdir(parents=True)
    (folder / "a b.html").write_bytes(b"a")
    (folder / "deep/paper.pdf").write_bytes(b"%PDF-1.7")
    (folder / "deep/notes.md").write_bytes(b"# notes")
    (folder / "deep/saved-page").write_bytes(b"\xef\xbb\xbf <!DOCTYPE HTML><p>")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / ".hidden.txt").write_bytes(b"hidden")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (tmp_path / "outside.txt").write_bytes(b"outside")
    _crawl().save(folder / "z.warc.gz")
    root = tmp_path / "archive"
    report = _add(root, folder)
    assert [(capture.url, capture.media_type) for capture in report.added[:4]] == [
        ("file:///saved/a%20b.html", "text/html"),
        ("file:///saved/deep/notes.md", "text/markdown"),
        ("file:///saved/deep/paper.pdf", "application/pdf"),
        ("file:///saved/deep/saved-page", "text/html"),
    ]
    assert (len(report.added), [item.place for item in report.refused]) == (8, ["picture.png"])
    assert report.refused[0].reason == Reason.MEDIA_TYPE_UNKNOWN
    assert len(_add(root, folder).held) == 8
    (folder / "z.warc.gz").unlink()
    based = _add(tmp_path / "other", folder, "https://maker.example/docs", date(2024, 1, 1))
    assert [capture.url for capture in based.added][:2] == [
        "https://maker.example/docs/a%20b.html",
        "https://maker.example/docs/deep/notes.md",
    ]


def test_names_of_any_kind(tmp_path: Path) -> None:
    """A link that was named itself, a folder named by a dot, a name that is no UTF-8."""
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "#1?.txt").write_bytes(b"one")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.txt")).write_bytes(b"two")
    (tmp_path / "link.txt").symlink_to(folder / "#1?.txt")
    root = tmp_path / "archive"
    assert [capture.url for capture in _add(root, tmp_path / "link.txt").added] == ["file:///link.txt"]
    found = _add(root, folder / ".." / "saved").added
    assert [capture.url for capture in found] == ["file:///saved/%231%3F.txt", "file:///saved/%FF.txt"]


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    path = _crawl().save(tmp_path / "crawl.warc.gz")
    root = tmp_path / "archive"
    with pytest.raises(ValueError, match="dates of their own"):
        _add(root, path, None, date(2024, 1, 1))
    with pytest.raises(ValueError, match="no time zone"):
        _add(root, path, None, datetime(2024, 1, 1))  # noqa: DTZ001
    with pytest.raises(ValueError, match="only http and https"):
        _add(root, path, "maker.example")
    with pytest.raises(FileNotFoundError):
        _add(root, tmp_path / "nothing")


def test_the_documents_of_the_gold_set(tmp_path: Path) -> None:
    """Real pages from the shared folder, added as a folder."""
    folder = SHARED / "gold/docs"
    if not folder.is_dir():
        pytest.skip("the shared folder with real pages is not beside the repository")
    files = [path for path in folder.rglob("*") if path.is_file()]
    report = _add(tmp_path / "archive", folder)
    assert len(report.added) + len(report.refused) + len(report.held) == len(files)
    assert len(report.added) > 20
    with Archive(tmp_path / "archive") as archive:
        for capture in archive.captures():
            relative = capture.url.removeprefix("file:///docs/")
            assert archive.payload(capture) == (folder / relative).read_bytes()
        assert archive.verify().problems == ()
    _check_with_other_tools(tmp_path / "archive")
