"""What bytes are, and what characters they stand for: format by content first, charset by evidence.

Nothing is unpacked here: compressed and other binary content is refused by name.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from datetime import date

from bs4.dammit import EncodingDetector
from charset_normalizer import from_bytes

from pipelines.model.document import Document, DocumentFormat
from pipelines.problems import InputError, Reason

# What every format is parsed by: (bytes, declared charset, URL, latest day of publication).
DocumentParser = Callable[[bytes, str | None, str | None, date], Document]

MAX_BYTES = 64 * 1024 * 1024
_SNIFF = 4096
_CHARSET_SAMPLE = 64 * 1024

_BINARY_MAGIC = {
    b"-----BEGIN ": "a key or a certificate",
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip or an office file",
    b"PK\x05\x06": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"(\xb5/\xfd": "zstandard",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"RIFF": "RIFF media",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"\xd0\xcf\x11\xe0": "an old office file",
    b"OggS": "Ogg media",
    b"ID3": "MP3 audio",
    b"\x00asm": "WebAssembly",
    b"wOF": "a font",
    b"\x28\x00\x00\x00": "a bitmap",
}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Browsers read these labels as Windows code pages (https://encoding.spec.whatwg.org/#names-and-labels).
_WEB_LABELS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
}
# What pages without a declaration are written in; without this limit DOS code pages win on short texts.
_GUESSED = (
    *("utf_8", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874", "koi8_r"),
    *("cp932", "euc_jp", "iso2022_jp", "gb18030", "big5", "cp949", "iso8859_2", "iso8859_5", "iso8859_7"),
)
# Codecs whose use in a page is an attack or a mistake.
_REFUSED_CODECS = frozenset({"utf-7", "idna", "punycode", "unicode_escape", "raw-unicode-escape", "undefined", "mbcs"})

_TYPES = {
    "text/html": DocumentFormat.HTML,
    "application/xhtml+xml": DocumentFormat.HTML,
    "application/pdf": DocumentFormat.PDF,
    "application/x-pdf": DocumentFormat.PDF,
    "application/rss+xml": DocumentFormat.FEED,
    "application/atom+xml": DocumentFormat.FEED,
    "application/rdf+xml": DocumentFormat.FEED,
    "application/feed+json": DocumentFormat.FEED,
    "text/markdown": DocumentFormat.MARKDOWN,
    "text/x-markdown": DocumentFormat.MARKDOWN,
    "text/x-rst": DocumentFormat.RST,
    "text/prs.fallenstein.rst": DocumentFormat.RST,
}
_SUFFIXES = (
    (".rst.txt", DocumentFormat.RST),
    (".rst", DocumentFormat.RST),
    (".md", DocumentFormat.MARKDOWN),
    (".markdown", DocumentFormat.MARKDOWN),
    (".mdx", DocumentFormat.MARKDOWN),
    (".html", DocumentFormat.HTML),
    (".htm", DocumentFormat.HTML),
    (".xhtml", DocumentFormat.HTML),
    (".txt", DocumentFormat.TEXT),
)
_UNDECIDED_TYPES = frozenset({"text/plain", "application/octet-stream", "binary/octet-stream", "text/xml", ""})
_XML_TYPES = frozenset({"application/xml"})
_HTML_START = re.compile(rb"<(?:!doctype\s+html|html|head|body|h1|title|meta|table|div|p|article)\b", re.IGNORECASE)
_FEED_START = re.compile(rb"<(?:[a-z]+:)?(?:rss|feed|rdf)[\s>]", re.IGNORECASE)
_RST_SIGNS = re.compile(r"^(?:\.\. [\w-]+::|\.\. _[^:\n]+:\s*$)", re.MULTILINE)
_MARKDOWN_SIGNS = re.compile(
    r"\A---\n|^#{1,6} \S|^```|^[|: -]*-{3}[|: -]*\|[|: -]*$|\]\(https?://|^ *[*-] \*\*|\*\*[^*\n]+\*\*",
    re.MULTILINE,
)


def detect_format(payload: bytes, media_type: str | None, url: str | None) -> DocumentFormat:
    """The format of the bytes: by magic, then by declared type, then by the name's ending, then by content.

    Raises InputError MEDIA_TYPE_UNKNOWN for what is no document, DOCUMENT_TOO_LARGE above MAX_BYTES.
    """
    place = url or "the payload"
    if len(payload) > MAX_BYTES:
        raise InputError(Reason.DOCUMENT_TOO_LARGE, place, f"{len(payload)} bytes, at most {MAX_BYTES} are parsed")
    head = payload[:_SNIFF]
    if b"%PDF-" in head[:1024]:
        return DocumentFormat.PDF
    _refuse_binary(head, place)
    declared = (media_type or "").split(";", 1)[0].strip().lower()
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if _looks_like_feed(start):
        return DocumentFormat.FEED
    if declared in _TYPES:
        return _refuse_fake_pdf(_TYPES[declared], place)
    if declared not in _UNDECIDED_TYPES | _XML_TYPES and not declared.startswith("text/"):
        raise InputError(Reason.MEDIA_TYPE_UNKNOWN, place, f"media type {declared!r} is not a document's")
    return _by_name_or_content(head, start, url)


def decode(payload: bytes, charset: str | None) -> tuple[str, tuple[str, ...]]:
    """The characters of a text payload, and notes on what was odd.

    Order: byte order mark, UTF-8 where the bytes are valid UTF-8 beyond ASCII, the declared charset (HTTP, then the
    page's own), charset-normalizer's best guess on the first 64 KB, Windows-1252 with replacement.
    """
    for mark, marked in _BOMS:
        if payload.startswith(mark):
            return payload.decode(marked, "replace"), ()
    declared = [charset, EncodingDetector.find_declared_encoding(payload[:_SNIFF], is_html=True)]
    names = list(dict.fromkeys(name for label in declared if label and (name := _codec(label)) is not None))
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        if not payload.isascii() or not any(name.startswith(("iso2022", "utf-16", "hz")) for name in names):
            is_odd = bool(names) and names[0] != "utf-8" and not payload.isascii()
            return text, ("charset_declared_wrongly",) if is_odd else ()
    for position, codec in enumerate(names):
        try:
            return payload.decode(codec), ("charset_declared_wrongly",) if position else ()
        except (UnicodeDecodeError, UnicodeError):
            continue
    if "utf-8" in names and _damage(payload) < 0.01:
        return payload.decode("utf-8", "replace"), ("charset_damaged",)
    best = from_bytes(payload[:_CHARSET_SAMPLE], cp_isolation=list(_GUESSED)).best()
    guess = (best.encoding if best is not None else None) or "cp1252"
    note = "charset_guessed" if best is not None else "charset_unknown"
    return payload.decode(guess, "replace"), (note,)


def _by_name_or_content(head: bytes, start: bytes, url: str | None) -> DocumentFormat:
    name = (url or "").split("?", 1)[0].split("#", 1)[0].lower()
    for suffix, kind in _SUFFIXES:
        if name.endswith(suffix) and not (kind is DocumentFormat.TEXT and _HTML_START.match(start)):
            return kind
    if _HTML_START.match(start) or (start.startswith(b"<") and _HTML_START.search(head)):
        return DocumentFormat.HTML
    sample = head.decode("utf-8", "replace").replace("\r\n", "\n")
    if _RST_SIGNS.search(sample):
        return DocumentFormat.RST
    return DocumentFormat.MARKDOWN if _MARKDOWN_SIGNS.search(sample) else DocumentFormat.TEXT


def _looks_like_feed(start: bytes) -> bool:
    if not start.startswith((b"<?xml", b"<rss", b"<feed", b"<rdf", b"<!--", b"<atom:feed")):
        return start.startswith(b"{") and b"https://jsonfeed.org/version/" in start[:600]
    first = re.search(rb"<[A-Za-z]", start)
    return first is not None and _FEED_START.match(start, first.start()) is not None


def _refuse_fake_pdf(kind: DocumentFormat, place: str) -> DocumentFormat:
    if kind is DocumentFormat.PDF:
        raise InputError(Reason.DOCUMENT_DAMAGED, place, "served as PDF, but no PDF header in the first 1,024 bytes")
    return kind


def _refuse_binary(head: bytes, place: str) -> None:
    for magic, name in _BINARY_MAGIC.items():
        if head.startswith(magic):
            raise InputError(Reason.MEDIA_TYPE_UNKNOWN, place, f"the bytes are {name}, not a document")
    if head.startswith(tuple(mark for mark, _ in _BOMS)):
        return
    controls = sum(head.count(byte) for byte in (*range(9), 11, *range(14, 27), *range(28, 32), 127))
    if controls > 0.02 * len(head) + 2:
        raise InputError(Reason.MEDIA_TYPE_UNKNOWN, place, f"{controls} control bytes in the first {len(head)}")


def _codec(label: str) -> str | None:
    """The Python codec for a charset label, or None for a label that names no text encoding."""
    try:
        name = codecs.lookup(label.strip().strip("'\"")).name
    except (LookupError, ValueError):
        return None
    if name in _REFUSED_CODECS:
        return None
    name = _WEB_LABELS.get(name, name)
    try:
        b"".decode(name)
    except (LookupError, UnicodeError):
        return None
    return name


def _damage(payload: bytes) -> float:
    sample = payload[:_CHARSET_SAMPLE].decode("utf-8", "replace")
    return sample.count("\ufffd") / max(len(sample), 1)


def of_text(parse: Callable[[str, str | None, date, tuple[str, ...]], Document]) -> DocumentParser:
    """The parser of a format's text as one that takes the bytes and the charset that the server declared."""

    def parse_bytes(payload: bytes, charset: str | None, url: str | None, latest: date) -> Document:
        text, notes = decode(payload, charset)
        return parse(text, url, latest, notes)

    return parse_bytes


def of_bytes(parse: Callable[[bytes, str | None, date], Document]) -> DocumentParser:
    """The parser of a format whose bytes say their charset themselves."""
    return lambda payload, _charset, url, latest: parse(payload, url, latest)
