"""`rackledger extract`: the claims of files, without a warehouse."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import fail, messages, out, table
from pipelines.frozen import frozen

if TYPE_CHECKING:
    from pipelines.model.claim import Origin
    from pipelines.model.document import Document

_COLUMNS = ("subject", "metric", "value", "qualifiers", "modality", "printed")


class Format(StrEnum):
    table = "table"
    jsonl = "jsonl"


@frozen
class Known:
    """What is said of a document beside it, as a line of the meta file does."""

    publisher: str = ""
    published_on: dt.date | None = None
    url: str = ""


def extract(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders: HTML, PDF, feeds, markdown, text.")],
    output: Annotated[Format, typer.Option("--format", "-f", help="How to print the claims.")] = Format.table,
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
        elif output is Format.jsonl:
            sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in read)
        else:
            rows.extend(read)
    if output is Format.table:
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
