"""Opens the record of a known capture: its heads, and its body as stored."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pipelines.archive.records import HttpHead, RecordError, has_http_head, open_record, read_http_head
from pipelines.frozen import frozen
from pipelines.model.capture import Capture, Headers
from pipelines.problems import InputError, Reason


@frozen
class RawRecord:
    """A record's heads as stored. `first_line` and `http_headers` are empty when it holds no HTTP message."""

    version: str
    warc_headers: Headers
    first_line: str
    http_headers: Headers


def read_raw(root: Path, capture: Capture) -> RawRecord:
    """The heads of a capture's record; InputError RECORD_DAMAGED when it cannot be read."""
    try:
        with (root / capture.warc_path).open("rb") as file:
            record = open_record(file, capture.offset)
            head = read_http_head(record) if has_http_head(record) else HttpHead("", ())
            return RawRecord(record.version, record.fields, head.first_line, head.headers)
    except (RecordError, FileNotFoundError) as error:
        raise _damaged(capture, str(error)) from error


def read_stored(root: Path, capture: Capture, max_bytes: int) -> tuple[HttpHead | None, bytes]:
    """The HTTP head, and the body as stored, of a capture that carries its bytes.

    Raises InputError: RECORD_DAMAGED when the record cannot be read or its body is not the one that was captured,
    BODY_TOO_LARGE when the body has more than `max_bytes`.
    """
    parts: list[bytes] = []
    left = max_bytes
    digest = hashlib.sha256()
    try:
        with (root / capture.warc_path).open("rb") as file:
            record = open_record(file, capture.offset)
            head = read_http_head(record) if has_http_head(record) else None
            while piece := record.read():
                left -= len(piece)
                if left < 0:
                    detail = f"the stored body has more than {max_bytes} bytes"
                    raise InputError(Reason.BODY_TOO_LARGE, capture.url, detail)
                digest.update(piece)
                parts.append(piece)
            record.finish()
    except (RecordError, FileNotFoundError) as error:
        raise _damaged(capture, str(error)) from error
    if digest.hexdigest() != capture.payload_sha256:
        raise _damaged(capture, "the body is not the one that was captured")
    return head, b"".join(parts)


def _damaged(capture: Capture, detail: str) -> InputError:
    return InputError(Reason.RECORD_DAMAGED, f"{capture.warc_path} at {capture.offset}", detail)
