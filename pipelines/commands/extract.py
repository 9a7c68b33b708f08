"""`rackledger extract` and `rackledger read`: the claims of documents, without a warehouse."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import LineFormat, fail, load_settings, messages, out, print_lines, read_day, table
from pipelines.frozen import frozen
from pipelines.model.claim import ExtractedClaim, Span

if TYPE_CHECKING:
    from pipelines.model.claim import Origin
    from pipelines.model.document import Document


_COLUMNS = ("subject", "metric", "value", "qualifiers", "modality", "printed")


@frozen
class Known:
    """What is said of a document beside it, as a line of the meta file does."""

    publisher: str = ""
    published_on: dt.date | None = None
    url: str = ""


def extract(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders: HTML, PDF, feeds, markdown, text.")],
    output: Annotated[LineFormat, typer.Option("--format", "-f", help="How to print the claims.")] = LineFormat.table,
    meta: Annotated[
        Path | None,
        typer.Option("--meta", help="JSON lines with doc, published, publisher, url for each file, by its name."),
    ] = None,
    review: Annotated[bool, typer.Option("--review", help="List also what is too doubtful to be told.")] = False,
) -> None:
    """Read the claims of documents: subject, metric, value, qualifiers, and the characters they stand at.

    Each has a calibrated confidence and a state: 'confident' from 0.95 with nothing against it, else 'candidate'.
    Relative dates ('next year') count from the document's own date or the one in --meta. A file that cannot be read is
    named on standard error and makes the exit code 1; the others are read all the same.

    Examples: rackledger extract page.html · rackledger extract -f jsonl --meta docs.jsonl docs/ > claims.jsonl
    """
    known = _known(meta)
    files = list(_files(paths))
    rows: list[dict[str, Any]] = []
    failed = 0
    for path in files:
        read = _records(path, known.get(path.name, Known()), review)
        if read is None:
            failed += 1
        elif output is LineFormat.jsonl:
            print_lines(read)
        else:
            rows.extend(read)
    if output is LineFormat.table:
        _print(rows, review)
    messages.print(f"{len(files) - failed:,} documents read" + (f", {failed:,} not readable" if failed else ""))
    if failed:
        raise typer.Exit(EXIT_FAILED)


def _records(path: Path, known: Known, review: bool) -> list[dict[str, Any]] | None:
    from pipelines.extract.output import record_of
    from pipelines.extract.registry import extractors
    from pipelines.model.claim import told
    from pipelines.registry.reader_model import ModelError

    document = load_document(path)
    if document is None:
        return None
    origin = origin_of(path.name, known, document)
    try:
        claims = [claim for extractor in extractors() for claim in extractor.extract(document, origin)]
    except ModelError as error:
        fail(str(error), EXIT_FAILED)
    return [record_of(claim, path.name, document.text) for claim in (claims if review else told(claims))]


def load_document(path: Path) -> Document | None:
    """A file parsed; None, with the reason on standard error, where it cannot be."""
    from pipelines.parse.document import parse_document
    from pipelines.problems import InputError

    try:
        return parse_document(path.read_bytes(), media_type=None, charset=None, url=path.name, captured_at=utc_now())
    except InputError as error:
        messages.print(f"{path}: {error}", style="red", markup=False)
    except OSError as error:
        messages.print(f"{path}: {error.strerror}", style="red", markup=False)
    return None


def origin_of(name: str, known: Known, document: Document) -> Origin:
    """What is known of a document: what was given first, then what it says of itself."""
    from pipelines.model.claim import Origin

    return Origin(
        document=name,
        publisher=known.publisher or document.publisher or "",
        published_on=known.published_on or document.published_on,
        url=known.url or document.canonical_url or document.url or "",
    )


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (item for item in sorted(path.rglob("*")) if item.is_file() and not item.name.startswith("."))
        elif path.exists():
            yield path
        else:
            fail(f"{path}: no such file", EXIT_USAGE)


def _known(meta: Path | None) -> Mapping[str, Known]:
    if meta is None:
        return {}
    known: dict[str, Known] = {}
    try:
        lines = meta.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{meta}: {error}", EXIT_USAGE)
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row = json.loads(line)
                known[row["doc"]] = Known(row.get("publisher") or "", _day(row.get("published")), row.get("url") or "")
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                fail(f"{meta}, line {number}: needs doc, published (YYYY-MM-DD), publisher, url ({error})", EXIT_USAGE)
    return known


def _day(words: str | None) -> dt.date | None:
    """A day; a month or a year alone is its first day."""
    if not words:
        return None
    parts = [int(part) for part in words[:10].split("-")]
    return dt.date(*[*parts, 1, 1][:3])


def _print(rows: list[dict[str, Any]], review: bool) -> None:
    columns = (*(("doc",) if len({row["doc"] for row in rows}) > 1 else ()), *_COLUMNS, *(("doubt",) if review else ()))
    if rows:
        table("", columns, [[record_cell(row, name) for name in columns] for row in rows])
    out.print(f"{len(rows):,} claims", markup=False)


def record_cell(row: Mapping[str, Any], name: str) -> str:
    """One field of a printed record as a person reads it: the value with its unit, qualifiers as words."""
    value = row[name]
    if name == "qualifiers":
        return _words(value)
    if name != "value":
        return f"{value}"
    number = f"{value:,.9g}" if isinstance(value, float) else f"{value}"
    return number if row["unit"] in ("count", "ratio", "date", "text") else f"{number} {row['unit']}"


def _words(qualifiers: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {word}" for name, word in qualifiers.items() if word != "unstated")


_READ_COLUMNS = ("value", "subject", "metric", "qualifiers", "confidence", "state", "quote")


class ReadFormat(StrEnum):
    table = "table"
    jsonl = "jsonl"
    html = "html"


def read(
    place: Annotated[str, typer.Argument(help="One document: a file (HTML, PDF, feed, markdown, text) or an address.")],
    output: Annotated[ReadFormat, typer.Option("--format", "-f", help="How to print it.")] = ReadFormat.table,
    publisher: Annotated[str, typer.Option("--publisher", help="Who published it, where it does not say.")] = "",
    published: Annotated[str, typer.Option("--published", help="Its day, YYYY-MM-DD: relative dates need it.")] = "",
) -> None:
    """Read one document: each value with its metric, subject, confidence and passage.

    The confidence is the share that was right at such scores in documents of
    repositories that the models had not seen; from 0.95 a reading is 'confident', below it a 'candidate', and below
    0.5 nothing is said. Its figures are in docs/claims.md, with the command that prints them.
    --format html gives the text with every value marked. A page at an address is asked for as those of the sources
    are, by robots.txt and within the caps, and not kept.

    Examples: rackledger read page.html · rackledger read -f html https://example.org/page > page.html
    """
    from pipelines.commands.extract import marked_page
    from pipelines.extract.output import record_of
    from pipelines.extract.reader import ClaimReader
    from pipelines.registry.reader_model import ModelError

    is_address = place.startswith(("http://", "https://"))
    name = place if is_address else Path(place).name
    known = Known(publisher, read_day("--published", published))
    document = _page(place) if is_address else _file(Path(place))
    try:
        claims = ClaimReader().extract(document, origin_of(name, known, document))
    except ModelError as error:
        fail(str(error), EXIT_FAILED)
    rows = [record_of(claim, name, document.text) for claim in claims]
    if output is ReadFormat.jsonl:
        print_lines(rows)
        return
    shown = [{name: record_cell(row, name) for name in _READ_COLUMNS} for row in rows]
    if output is ReadFormat.html:
        sys.stdout.write(marked_page(name, document.text, claims, _READ_COLUMNS, shown))
        return
    if shown:
        table("", _READ_COLUMNS, [list(row.values()) for row in shown])
    sure = sum(claim.state == "confident" for claim in claims)
    out.print(f"{len(claims):,} readings, {sure:,} confident", markup=False)


def _file(path: Path) -> Document:
    """The document in a file; ends the command where there is none."""
    if not path.is_file():
        fail(f"{path}: no such file", EXIT_USAGE)
    document = load_document(path)
    if document is None:
        raise typer.Exit(EXIT_FAILED)
    return document


def _page(url: str) -> Document:
    """The document at an address; ends the command where it gives none."""
    from pipelines.collect.one_page import PageError, read_page
    from pipelines.collect.ports import CollectSettings
    from pipelines.problems import InputError

    settings = load_settings()
    if settings.offline:
        fail("RACKLEDGER_OFFLINE is set: read a file", EXIT_USAGE)
    try:
        return read_page(url, CollectSettings(contact=settings.contact), utc_now)
    except (PageError, InputError) as error:
        fail(str(error), EXIT_FAILED)


# no script, no picture, no address is followed: the page is text, whatever stands in the document
_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }}
mark a {{ color: inherit; }}
mark.confident {{ background: #b7e1c0; }}
mark.candidate {{ background: #ffe9a8; }}
table {{ border-collapse: collapse; }}
td, th {{ border-bottom: 1px solid #ccc; padding: .2rem .6rem; text-align: left; vertical-align: top; }}
</style></head><body>
"""


def marked_page(
    title: str, text: str, claims: Sequence[ExtractedClaim], columns: Sequence[str], rows: Sequence[Mapping[str, str]]
) -> str:
    """The page: `rows` has the words of each claim by column, in the order of `claims`; marks and rows link each other.

    A value is marked once however many claims share it, and links to the first; of two that overlap the earlier is
    marked. Every claim has its row.
    """
    head = "".join(f"<th scope='col'>{escape(name)}</th>" for name in columns)
    body = "\n".join(
        f"<tr id='row-{at}'><td><a href='#at-{claim.value_at.start}'>{at}</a></td>"
        + "".join(f"<td>{escape(row[name])}</td>" for name in columns)
        + "</tr>"
        for at, (claim, row) in enumerate(zip(claims, rows, strict=True), 1)
    )
    return (
        f"{_HEAD.format(title=escape(title))}<h1>{escape(title)}</h1>\n"
        f"<table><thead><tr><th scope='col'>no.</th>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>\n"
        f"<h2>Text</h2>\n<pre>{_marked(text, claims)}</pre>\n</body></html>\n"
    )


def _marked(text: str, claims: Sequence[ExtractedClaim]) -> str:
    """The text with each value between marks, in one pass."""
    read: dict[Span, list[tuple[int, ExtractedClaim]]] = defaultdict(list)
    for at, claim in enumerate(claims, 1):
        read[claim.value_at].append((at, claim))
    pieces: list[str] = []
    done = 0
    for span in sorted(read):
        if span.start < done or span.end <= span.start:
            continue
        state = "confident" if any(claim.state == "confident" for _, claim in read[span]) else "candidate"
        label = "; ".join(f"{claim.subject}: {claim.metric}" for _, claim in read[span])
        pieces += [
            escape(text[done : span.start]),
            f"<mark class='{state}' id='at-{span.start}' title='{escape(label)}'><a href='#row-{read[span][0][0]}'>",
            f"{escape(text[span.start : span.end])}</a></mark>",
        ]
        done = span.end
    return "".join([*pieces, escape(text[done:])])
