"""PDF text page by page, by pdfplumber: paragraphs, headings by type size, ruled tables as grids.

Running heads, running feet and page numbers are left out. Reading order is top to bottom of the page: columns side by
side come out line by line.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections import Counter
from datetime import date
from statistics import median
from typing import Any

from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfexceptions import PDFException
from pdfminer.psexceptions import PSException
from pdfplumber.page import Page
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from pipelines.frozen import frozen
from pipelines.model.document import BlockKind, DateBasis, Document, DocumentFormat, Facts
from pipelines.parse.assemble import DocumentBuilder, clean_line
from pipelines.parse.dates import date_in_url, find_date, first_plausible, read_date
from pipelines.parse.media import of_bytes
from pipelines.parse.tables import RawCell
from pipelines.problems import InputError, Reason

MAX_PAGES = 1000
MAX_STREAM_BYTES = 128 * 1024 * 1024
MAX_EDGES = 4000  # a drawing, not a table: pdfplumber's search grows with their square

# What pdfminer raises on damaged input, by observation; it has no common base class.
_DAMAGE = (
    PSException,
    PDFException,
    PdfminerException,
    MalformedPDFException,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    RecursionError,
    EOFError,
    NotImplementedError,
    struct.error,
    zlib.error,
)
_STREAM = re.compile(rb"stream\r?\n")
_CHAINED = re.compile(rb"/Filter\s{0,9}\[[^\]]{0,200}/Fl(?:ateDecode)?\b[^\]]{0,200}/Fl(?:ateDecode)?\b")
_ITEM = re.compile(r"([•‣◦▪●■–*-]|\d{1,2}[.)])\s+(\S.*)", re.DOTALL)
_PAGE_NUMBER = re.compile(r"(?:page\s+)?[-–]?\s*\d{1,4}\s*(?:(?:of|/)\s*\d{1,4})?\s*[-–]?", re.IGNORECASE)
# What pdfminer writes for a glyph whose character the font does not tell; a line that opens with one is an item.
_UNNAMED_CHARACTER = re.compile(r"\(cid:\d+\)")
_UNNAMED_BULLET = re.compile(r"^\s*\(cid:\d+\)\s*")
_DIGITS = re.compile(r"\d+")
_MARGIN = 0.09


@frozen
class _Line:
    """A printed line: its text, its place on the page (points from the top) and its type size."""

    text: str
    page: int
    top: float
    bottom: float
    left: float
    size: float
    is_margin: bool


@frozen
class _RuledTable:
    """A table with rules: where its top is, and its rows."""

    page: int
    top: float
    rows: list[list[RawCell]]


def parse_pdf(payload: bytes, url: str | None, latest: date) -> Document:
    """The document of a PDF.

    Raises InputError: DOCUMENT_ENCRYPTED where a password is needed, DOCUMENT_DAMAGED where pdfminer cannot read it,
    DOCUMENT_TOO_LARGE where a compressed stream would unpack beyond MAX_STREAM_BYTES.
    """
    place = url or "the payload"
    _refuse_bombs(payload, place)
    try:
        with PDF(io.BytesIO(payload), stream_is_external=True, raise_unicode_errors=False) as pdf:
            pages = pdf.pages[:MAX_PAGES]
            notes = ("pages_left_out",) if len(pdf.pages) > MAX_PAGES else ()
            parts = [part for page in pages for part in _read_page(page)]
            info = {str(key): value for key, value in (pdf.metadata or {}).items()}
    except _DAMAGE as error:
        raise _as_input_error(error, place) from error
    builder = DocumentBuilder()
    _write_parts(builder, _drop_running(parts, len(pages)))
    return builder.build(DocumentFormat.PDF, url, _read_facts(info, builder, url, latest, notes))


parse = of_bytes(parse_pdf)


def _as_input_error(error: BaseException, place: str) -> InputError:
    inner = error.args[0] if error.args else None
    if isinstance(error, PDFEncryptionError | PDFPasswordIncorrect) or isinstance(
        inner, PDFEncryptionError | PDFPasswordIncorrect
    ):
        return InputError(Reason.DOCUMENT_ENCRYPTED, place, "the PDF asks for a password")
    name = type(inner).__name__ if isinstance(inner, Exception) else type(error).__name__
    return InputError(Reason.DOCUMENT_DAMAGED, place, f"the PDF cannot be read: {name}")


def _refuse_bombs(payload: bytes, place: str) -> None:
    """Unpack each compressed stream with a limit first, since pdfminer unpacks without one."""
    if _CHAINED.search(payload):
        raise InputError(Reason.DOCUMENT_TOO_LARGE, place, "a PDF stream is compressed twice over")
    total = 0
    for match in _STREAM.finditer(payload):
        if payload[match.end() : match.end() + 1] not in (b"x", b"h", b"H", b"X"):
            continue
        unpacker = zlib.decompressobj()
        rest = memoryview(payload)[match.end() :]
        try:
            while not unpacker.eof and rest and total <= MAX_STREAM_BYTES:
                total += len(unpacker.decompress(bytes(rest[:65536]), 1 << 22))
                while unpacker.unconsumed_tail and total <= MAX_STREAM_BYTES:
                    total += len(unpacker.decompress(unpacker.unconsumed_tail, 1 << 22))
                rest = rest[65536:]
        except zlib.error:
            continue
        if total > MAX_STREAM_BYTES:
            raise InputError(
                Reason.DOCUMENT_TOO_LARGE, place, f"PDF streams unpack to more than {MAX_STREAM_BYTES} bytes"
            )


def _read_page(page: Page) -> list[_Line | _RuledTable]:
    """The lines and ruled tables of a page, from top to bottom."""
    parts: list[_Line | _RuledTable] = []
    rest: Any = page
    if 0 < len(page.edges) <= MAX_EDGES:
        for table in page.find_tables():
            rows = _read_table(table)
            if len(rows) >= 2 and max(len(row) for row in rows) >= 2:
                parts.append(_RuledTable(page.page_number, float(table.bbox[1]), rows))
                rest = rest.outside_bbox(_inside(table.bbox, rest.bbox), strict=False)
    height = float(page.height) or 1.0
    for line in rest.extract_text_lines(return_chars=True) if rest.chars else []:
        top, bottom = float(line["top"]), float(line["bottom"])
        sizes = [float(char["size"]) for char in line["chars"]] or [0.0]
        is_margin = bottom < _MARGIN * height or top > (1 - _MARGIN) * height
        text = clean_line(_UNNAMED_CHARACTER.sub("", _UNNAMED_BULLET.sub("• ", line["text"])))
        if text:
            parts.append(_Line(text, page.page_number, top, bottom, float(line["x0"]), median(sizes), is_margin))
    page.close()
    return sorted(parts, key=lambda part: part.top)


def _inside(box: Any, outer: Any) -> tuple[float, float, float, float]:
    return (max(box[0], outer[0]), max(box[1], outer[1]), min(box[2], outer[2]), min(box[3], outer[3]))


def _read_table(table: Any) -> list[list[RawCell]]:
    """The rows of a ruled table; a cell's area is counted in the column and row starts that it covers."""
    lefts = sorted({round(cell[0], 1) for cell in table.cells})
    tops = sorted({round(cell[1], 1) for cell in table.cells})
    texts = table.extract()
    rows: list[list[RawCell]] = []
    for row, row_texts in zip(table.rows, texts, strict=False):
        cells = []
        for box, text in zip(row.cells, row_texts, strict=False):
            if box is None:
                continue
            wide = sum(1 for left in lefts if box[0] - 0.5 <= left < box[2] - 0.5)
            high = sum(1 for top in tops if box[1] - 0.5 <= top < box[3] - 0.5)
            cells.append(RawCell(text or "", max(high, 1), max(wide, 1)))
        rows.append(cells)
    return [row for row in rows if row]


def _drop_running(parts: list[_Line | _RuledTable], pages: int) -> list[_Line | _RuledTable]:
    """The parts without page numbers and without margin lines that stand on three or more, and half, of the pages."""
    seen: Counter[str] = Counter()
    for key in {(_shape(part), part.page) for part in parts if isinstance(part, _Line) and part.is_margin}:
        seen[key[0]] += 1
    return [
        part
        for part in parts
        if isinstance(part, _RuledTable)
        or not part.is_margin
        or not (_PAGE_NUMBER.fullmatch(part.text) or (seen[_shape(part)] >= max(3, pages / 2)))
    ]


def _shape(line: _Line) -> str:
    return _DIGITS.sub("#", line.text)


def _write_parts(builder: DocumentBuilder, parts: list[_Line | _RuledTable]) -> None:
    sizes: Counter[float] = Counter()
    for part in parts:
        if isinstance(part, _Line):
            sizes[round(part.size, 1)] += len(part.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    larger = sorted((size for size in sizes if size > 1.15 * body), reverse=True)
    waiting: list[_Line] = []
    for part in parts:
        if isinstance(part, _RuledTable):
            _write_paragraph(builder, waiting, larger)
            builder.add_table(part.rows, page=part.page)
        else:
            if waiting and _is_apart(waiting, part):
                _write_paragraph(builder, waiting, larger)
            waiting.append(part)
    _write_paragraph(builder, waiting, larger)


def _is_apart(above: list[_Line], line: _Line) -> bool:
    """Whether a line starts a new paragraph: another page, another size, a gap, or an item's mark."""
    last = above[-1]
    if last.page != line.page or abs(last.size - line.size) > 0.6 or _ITEM.match(line.text):
        return True
    return line.top - last.bottom > 0.75 * max(last.bottom - last.top, 1.0)


def _write_paragraph(builder: DocumentBuilder, lines: list[_Line], larger: list[float]) -> None:
    if not lines:
        return
    text = ""
    for line in lines:
        is_broken_word = text.endswith("-") and line.text[:1].islower()
        text = f"{text}{line.text}" if is_broken_word or not text else f"{text} {line.text}"
    page, size = lines[0].page, round(lines[0].size, 1)
    lines.clear()
    item = _ITEM.fullmatch(text)
    if size in larger and len(text) <= 200:
        builder.add_heading(min(larger.index(size) + 1, 6), text, page=page)
    elif item is not None:
        builder.open_list(is_ordered=item[1][0].isdigit())
        builder.add_item(item[2], marker=item[1], page=page)
        builder.close_list()
    else:
        builder.add(BlockKind.PARAGRAPH, text, page=page)


def _read_facts(
    info: dict[str, Any], builder: DocumentBuilder, url: str | None, latest: date, notes: tuple[str, ...]
) -> Facts:
    def word(key: str) -> str | None:
        value = info.get(key)
        return clean_line(value) or None if isinstance(value, str) else None

    stated = (word("CreationDate") or "").removeprefix("D:")
    visible = next((found for text in builder.head_texts(8) if (found := find_date(text[:200]))), None)
    bases = (DateBasis.URL, DateBasis.VISIBLE, DateBasis.META)
    dates = (date_in_url(url), visible, read_date(stated[:8]))
    published, basis = first_plausible(zip(dates, bases, strict=True), latest)
    author = word("Author")
    return Facts(
        title=builder.first_heading or word("Title"),
        authors=(author,) if author is not None else (),
        published_on=published,
        published_basis=basis,
        notes=notes,
    )
