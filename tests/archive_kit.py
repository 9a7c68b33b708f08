"""Builds exchanges, and WARC files as others write them, for the archive's tests."""

from __future__ import annotations

import io
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from pipelines.archive.records import HttpHead, has_http_head, open_record, read_http_head
from pipelines.archive.store import Archive
from pipelines.frozen import frozen
from pipelines.model.capture import Capture, Exchange, Headers

START = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
STAMP = "20260301T120000Z"
HTML: Headers = (("Content-Type", "text/html; charset=UTF-8"),)


def exchange(
    seconds: float = 0,
    url: str = "https://news.example/a",
    body: bytes | Path = b"<p>hello</p>",
    status: int = 200,
    headers: Headers = HTML,
    source_id: str = "news",
    final_url: str | None = None,
    request_headers: Headers = (("Host", "news.example"),),
    http_version: str = "HTTP/1.1",
    reason: str = "OK",
) -> Exchange:
    """One exchange, `seconds` after the start of the tests' run."""
    return Exchange(
        source_id=source_id,
        url=url,
        final_url=final_url or url,
        requested_at=START + timedelta(seconds=seconds),
        method="GET",
        request_headers=request_headers,
        status=status,
        reason=reason,
        response_headers=headers,
        body=body,
        http_version=http_version,
    )


@frozen
class StoredHeads:
    """The heads of one capture's own record as they stand in its file."""

    version: str
    warc_headers: Headers
    first_line: str
    http_headers: Headers


def stored_heads(archive: Archive, capture: Capture) -> StoredHeads:
    """What the record of a capture says, whether it carries the bytes or not."""
    with (archive.root / capture.warc_path).open("rb") as file:
        record = open_record(file, capture.offset)
        head = read_http_head(record) if has_http_head(record) else HttpHead("", ())
        return StoredHeads(record.version, record.fields, head.first_line, head.headers)


def warc_files(root: Path) -> list[Path]:
    """The WARC files of an archive."""
    return sorted(root.glob("warc/*/*.warc.gz"))


def run_tool(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run another project's command line tool in this interpreter's environment."""
    code = f"import sys; from {module} import main; sys.exit(main())"
    if module == "warcio.cli":
        code = "import sys; from warcio.cli import main; main(sys.argv[1:])"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


class ForeignWarc:
    """A WARC 1.0 file as crawlers write it, made with warcio alone."""

    def __init__(self, gzip: bool = True, version: str = "1.0") -> None:
        self.buffer = io.BytesIO()
        self.writer = WARCWriter(self.buffer, gzip=gzip, warc_version=version)

    def info(self) -> None:
        """The record that opens a crawl's file."""
        self.writer.write_record(self.writer.create_warcinfo_record("crawl.warc.gz", {"software": "a crawler"}))

    def response(
        self, url: str, body: bytes, when: str = "2024-05-06T07:08:09Z", fields: dict[str, str] | None = None,
        headers: Headers = HTML, kind: str = "response",
    ) -> None:  # fmt: skip
        """A response, or a request before it with `kind`."""
        http = StatusAndHeaders("200 OK" if kind == "response" else "GET / HTTP/1.1", list(headers), "HTTP/1.1")
        if kind == "request":
            http.protocol = ""
        self._write(url, kind, body, {"WARC-Date": when, **(fields or {})}, http_headers=http)

    def revisit(self, url: str, digest: str, of_url: str, of_date: str, when: str) -> None:
        """A revisit without the id of the record it refers to, as WARC 1.0 crawlers write it."""
        http = StatusAndHeaders("200 OK", list(HTML), "HTTP/1.1")
        record = self.writer.create_revisit_record(
            url, digest, of_url, of_date, http_headers=http, warc_headers_dict={"WARC-Date": when}
        )
        self.writer.write_record(record)

    def other(self, url: str, kind: str, body: bytes, content_type: str, when: str = "2024-05-06T07:08:09Z") -> None:
        """A record without an HTTP head: resource, conversion, metadata."""
        self._write(url, kind, body, {"WARC-Date": when}, warc_content_type=content_type)

    def _write(self, url: str, kind: str, body: bytes, fields: dict[str, str], **more: Any) -> None:
        record = self.writer.create_warc_record(
            url, kind, payload=io.BytesIO(body), length=len(body), warc_headers_dict=fields, **more
        )
        self.writer.write_record(record)

    def save(self, path: Path) -> Path:
        """Write what was made to a file."""
        path.write_bytes(self.buffer.getvalue())
        return path
