"""The one way in: the bytes of a capture → a Document, whatever the format, or InputError with the reason."""

from __future__ import annotations

from datetime import datetime, timedelta

from pipelines.model.document import Document
from pipelines.parse.challenge import challenge_in
from pipelines.parse.media import detect_format
from pipelines.parse.parsers import find_parser
from pipelines.problems import InputError, Reason


def parse_document(
    payload: bytes, *, media_type: str | None, charset: str | None, url: str | None, captured_at: datetime
) -> Document:
    """The document in the bytes of one capture, content coding already undone.

    `media_type` and `charset` are what the server declared, or None; `url` is where it was, or a file's name.
    A published date later than the day after `captured_at` (time zone required) is refused. Raises InputError with
    MEDIA_TYPE_UNKNOWN, DOCUMENT_EMPTY, DOCUMENT_TOO_LARGE, DOCUMENT_ENCRYPTED, DOCUMENT_DAMAGED or CHALLENGE_PAGE.
    """
    if captured_at.tzinfo is None:
        raise ValueError("captured_at needs a time zone")
    place = url or "the payload"
    if not payload.strip():
        raise InputError(Reason.DOCUMENT_EMPTY, place, "no bytes but white space")
    latest = (captured_at + timedelta(days=1)).date()
    kind = detect_format(payload, media_type, url)
    sign = challenge_in(payload, "text/html") if kind == "html" else None
    if sign is not None:
        raise InputError(Reason.CHALLENGE_PAGE, place, f"a check of the visitor stands in front of the page, {sign}")
    parser = find_parser(kind)
    if parser is None:
        raise LookupError(f"no parser {kind!r}")
    document: Document = parser.parse(payload, charset, url, latest)
    if not document.blocks:
        raise InputError(Reason.DOCUMENT_EMPTY, place, f"the {kind} holds no text")
    return document
