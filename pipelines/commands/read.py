"""`rackledger read`: what the reader reads in one document, with confidence and passage."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.extract import Known, load_document, origin_of, record_cell
from pipelines.commands.terminal import fail, load_settings, out, read_day, table

if TYPE_CHECKING:
    from pipelines.model.document import Document

_COLUMNS = ("value", "subject", "metric", "qualifiers", "confidence", "state", "quote")


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
    0.5 nothing is said. Its figures are in docs/claims.md; `rackledger train-reader --folds 5 --no-save` prints them.
    --format html gives the text with every value marked. A page at an address is asked for as those of the sources
    are, by robots.txt and within the caps, and not kept.

    Examples: rackledger read page.html · rackledger read -f html https://example.org/page > page.html
    """
    from pipelines.commands.marked_page import marked_page
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
        sys.stdout.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return
    shown = [{name: record_cell(row, name) for name in _COLUMNS} for row in rows]
    if output is ReadFormat.html:
        sys.stdout.write(marked_page(name, document.text, claims, _COLUMNS, shown))
        return
    if shown:
        table("", _COLUMNS, [list(row.values()) for row in shown])
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
