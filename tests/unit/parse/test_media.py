"""What bytes are taken for, and what characters they stand for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pipelines.model.document import Document, DocumentFormat
from pipelines.parse.document import parse_document
from pipelines.parse.media import MAX_BYTES, decode, detect_format
from pipelines.problems import InputError, Reason

PROSE = "<p>" + "Ein Gestell für 72 Beschleuniger kühlt man mit Flüssigkeit; es zieht bis zu 132 kW. " * 5


def parse(
    payload: bytes, media_type: str | None = None, charset: str | None = None, url: str | None = None
) -> Document:
    return parse_document(
        payload, media_type=media_type, charset=charset, url=url, captured_at=datetime(2025, 6, 1, tzinfo=UTC)
    )


@pytest.mark.parametrize(
    ("payload", "media_type", "url", "kind"),
    [
        (b"<!doctype html><p>x", None, None, DocumentFormat.HTML),
        (b"<!DOCTYPE html><p>x", "text/plain", None, DocumentFormat.HTML),
        (b"plain", "text/html; charset=utf-8", None, DocumentFormat.HTML),
        (b"<p>x</p>", None, "https://example.com/a.txt", DocumentFormat.HTML),
        (b"a < b", "text/plain", None, DocumentFormat.TEXT),
        (b"x", None, "notes.md", DocumentFormat.MARKDOWN),
        (b"# Rack\n\ntext", None, None, DocumentFormat.MARKDOWN),
        (b"a|b\n-|-\n1|2", None, None, DocumentFormat.TEXT),
        (b"a|b\n---|---\n1|2", None, None, DocumentFormat.MARKDOWN),
        (b"x", None, "index.rst.txt", DocumentFormat.RST),
        (b"Rack\n====\n\n.. note:: x", "text/plain", None, DocumentFormat.RST),
        (b"x", "text/plain", "a.txt", DocumentFormat.TEXT),
        (b"\n%PDF-1.7\n", "text/html", None, DocumentFormat.PDF),
        (b'<?xml version="1.0"?>\n<!-- a --><rss version="2.0">', "text/xml", None, DocumentFormat.FEED),
        (b'<feed xmlns="http://www.w3.org/2005/Atom">', "text/html", None, DocumentFormat.FEED),
        (b'{"version": "https://jsonfeed.org/version/1.1"}', "application/feed+json", None, DocumentFormat.FEED),
        (b'<?xml version="1.0"?><html><body>', "application/xml", None, DocumentFormat.HTML),
    ],
)
def test_formats(payload: bytes, media_type: str | None, url: str | None, kind: DocumentFormat) -> None:
    assert detect_format(payload, media_type, url) is kind


@pytest.mark.parametrize(
    ("payload", "media_type", "reason"),
    [
        (b"", "text/html", Reason.DOCUMENT_EMPTY),
        (b" \r\n", "text/html", Reason.DOCUMENT_EMPTY),
        (b"<html><body></body></html>", "text/html", Reason.DOCUMENT_EMPTY),
        (b"<script>x</script>", "text/html", Reason.DOCUMENT_EMPTY),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "text/html", Reason.MEDIA_TYPE_UNKNOWN),
        (b"PK\x03\x04" + bytes(50), "text/html", Reason.MEDIA_TYPE_UNKNOWN),
        (b"\x1f\x8b\x08" + bytes(50), "text/html", Reason.MEDIA_TYPE_UNKNOWN),
        (bytes(range(256)) * 20, "text/html", Reason.MEDIA_TYPE_UNKNOWN),
        (b"x", "image/png", Reason.MEDIA_TYPE_UNKNOWN),
        (b"<p>no pdf", "application/pdf", Reason.DOCUMENT_DAMAGED),
        (b"%PDF-1.4 and nothing else", "application/pdf", Reason.DOCUMENT_DAMAGED),
        (b"<rss><channel>", "application/rss+xml", Reason.DOCUMENT_EMPTY),
        (b"x" * (MAX_BYTES + 1), "text/html", Reason.DOCUMENT_TOO_LARGE),
    ],
)
def test_what_is_no_document_is_refused_with_its_reason(payload: bytes, media_type: str, reason: Reason) -> None:
    with pytest.raises(InputError) as caught:
        parse(payload, media_type, url="https://example.com/x")
    assert caught.value.reason is reason
    assert caught.value.place == "https://example.com/x"


def test_a_capture_date_needs_a_time_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        parse_document(b"x", media_type=None, charset=None, url=None, captured_at=datetime(2025, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "utf-16", "windows-1252", "utf-8-sig"])
@pytest.mark.parametrize("is_declared", [True, False])
def test_text_survives_its_charset(charset: str, is_declared: bool) -> None:
    document = parse(PROSE.encode(charset), "text/html", charset if is_declared else None)
    assert document.text.startswith("Ein Gestell für 72 Beschleuniger kühlt man mit Flüssigkeit;")


def test_the_pages_own_charset_is_read_where_the_server_names_none() -> None:
    page = "<meta charset='koi8-r'><p>Мощность 132 кВт</p>"
    assert parse(page.encode("koi8-r"), "text/html").text == "Мощность 132 кВт"


def test_a_wrong_charset_gives_way_to_valid_utf8() -> None:
    document = parse("<p>kühlt 72 GPUs</p>".encode(), "text/html", "iso-8859-1")
    assert (document.text, document.notes) == ("kühlt 72 GPUs", ("charset_declared_wrongly",))


def test_damaged_utf8_keeps_what_is_whole() -> None:
    document = parse(("<p>" + "Flüssig " * 200).encode() + b"\xff 132 kW", "text/html", "utf-8")
    assert document.text.endswith("\ufffd 132 kW")
    assert document.notes == ("charset_damaged",)


@pytest.mark.parametrize("label", ["zip", "rot13", "utf-7", "idna", "unicode_escape", "nonsense", "base64", ""])
def test_labels_that_are_no_charset_are_passed_over(label: str) -> None:
    assert decode(b"<p>132 kW", label)[0] == "<p>132 kW"
