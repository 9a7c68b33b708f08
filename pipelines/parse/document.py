"""The one way in: the bytes of a capture → a Document, whatever the format, or InputError with the reason."""

from __future__ import annotations

from datetime import datetime, timedelta

from pipelines.model.document import Document, DocumentFormat
from pipelines.parse.feed import parse_feed
from pipelines.parse.html import parse_html
from pipelines.parse.markdown import parse_markdown
from pipelines.parse.media import decode, detect_format
from pipelines.parse.pdf import parse_pdf
from pipelines.parse.rst import parse_rst
from pipelines.parse.text import parse_text
from pipelines.problems import InputError, Reason

# Part of the key under which parsed documents are kept: raise it when the same bytes give another Document.
PARSER_VERSION = "1"

_TEXT_PARSERS = {
    DocumentFormat.HTML: parse_html,
    DocumentFormat.MARKDOWN: parse_markdown,
    DocumentFormat.RST: parse_rst,
    DocumentFormat.TEXT: parse_text,
}


def parse_document(
    payload: bytes, *, media_type: str | None, charset: str | None, url: str | None, captured_at: datetime
) -> Document:
    """The document in the bytes of one capture, content coding already undone.

    `media_type` and `charset` are what the server declared, or None; `url` is where it was, or a file's name.
    A published date later than the day after `captured_at` (time zone required) is refused. Raises InputError with
    MEDIA_TYPE_UNKNOWN, DOCUMENT_EMPTY, DOCUMENT_TOO_LARGE, DOCUMENT_ENCRYPTED or DOCUMENT_DAMAGED.
    """
    if captured_at.tzinfo is None:
        raise ValueError("captured_at needs a time zone")
    place = url or "the payload"
    if not payload.strip():
        raise InputError(Reason.DOCUMENT_EMPTY, place, "no bytes but white space")
    latest = (captured_at + timedelta(days=1)).date()
    kind = detect_format(payload, media_type, url)
    if kind is DocumentFormat.PDF:
        document = parse_pdf(payload, url, latest)
    elif kind is DocumentFormat.FEED:
        document = parse_feed(payload, url, latest)
    else:
        text, notes = decode(payload, charset)
        document = _TEXT_PARSERS[kind](text, url, latest, notes)
    if not document.blocks:
        raise InputError(Reason.DOCUMENT_EMPTY, place, f"the {kind} holds no text")
    return document
