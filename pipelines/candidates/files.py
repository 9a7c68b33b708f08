"""Reads candidates, writes the committed facts and the list of the refused; the disk access of the package."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from pipelines.candidates.adoption import COLUMNS as ADOPTION_COLUMNS
from pipelines.candidates.adoption import AdoptionReview, merged_events, read_adoption
from pipelines.candidates.figure import FigureReview, read_figure, share_page_dates, told_once
from pipelines.candidates.promise import dated_by_page, merged, read_promise
from pipelines.candidates.review import RefusedCandidate, Review, read_review
from pipelines.frozen import frozen
from pipelines.ledger.fields import FieldError, write_records
from pipelines.ledger.row import COLUMNS as LEDGER_COLUMNS
from pipelines.model.promise import AdoptionRow, PromiseRow

Row = TypeVar("Row")
COLUMNS = frozenset(
    {"id", "subject", "maker", "metric", "value", "value_low", "value_high", "qualifiers", "modality", "claimant"}
    | {"printed_by", "printed_by_kind", "stated_on", "url"}
)


class CandidatesUnreadable(Exception):
    """A file that is no table of candidates; names it and what is missing."""


@frozen
class Refused:
    """One candidate that does not enter: where it stands and why; nothing of its words."""

    file: str
    line: int
    ref: str
    reason: str


def import_promises(paths: Iterable[Path], review: Review) -> tuple[list[PromiseRow], list[Refused]]:
    """Rows of all files, repeats folded, and what was refused, in the order of files and lines."""
    rows, refused = _read_all(paths, lambda record, _: [read_promise(record, review)])
    return merged(dated_by_page(rows)), refused


def import_adoption(paths: Iterable[Path], review: AdoptionReview) -> tuple[list[AdoptionRow], list[Refused]]:
    """Events of all files, tellings of one event folded, and what was refused, in the order of files and lines."""
    rows, refused = _read_all(paths, lambda record, _: read_adoption(record, review), ADOPTION_COLUMNS)
    return merged_events(rows), refused


def import_figures(paths: Iterable[Path], review: FigureReview) -> tuple[list[dict[str, str]], list[Refused]]:
    """Rows of the ledger from all files, a figure that a page repeats once, and what was refused."""
    rows, refused = _read_all(paths, lambda record, rows: told_once(read_figure(record, review), rows))
    return share_page_dates(rows), refused


def import_candidates(kind: str, paths: Iterable[Path], facts: Path, review: Path | None = None) -> tuple[int, int]:
    """Write what a review takes of candidates, and what it refuses beside it; returns how many of each.

    `kind` is 'promises', 'adoption' or 'racks'. Raises CandidatesUnreadable, and ValidationError for the review.
    """
    decided = review or facts / "review" / f"{kind}.yaml"
    rows: list[Any]
    match kind:
        case "promises":
            rows, refused = import_promises(paths, read_review(decided, Review))
            write_rows(facts / "promises.csv", rows, PromiseRow)
        case "adoption":
            rows, refused = import_adoption(paths, read_review(decided, AdoptionReview))
            write_rows(facts / "adoption.csv", rows, AdoptionRow)
        case _:
            rows, refused = import_figures(paths, read_review(decided, FigureReview))
            write_records(facts / "ledger" / "racks_and_servers.csv", LEDGER_COLUMNS, rows)
    write_rows(facts / "review" / f"{kind}_refused.csv", refused, Refused)
    return len(rows), len(refused)


def _read_all(
    paths: Iterable[Path],
    read: Callable[[dict[str, str], list[Row]], Iterable[Row]],
    columns: frozenset[str] = COLUMNS,
) -> tuple[list[Row], list[Refused]]:
    """What `read` makes of each record, beside the rows before it, and what it refuses."""
    rows: list[Row] = []
    refused: list[Refused] = []
    for path in paths:
        for line, record in read_candidates(path, columns):
            try:
                rows += read(record, rows)
            except (RefusedCandidate, FieldError) as error:
                refused.append(Refused(path.name, line, record["id"], str(error)))
    return rows, refused


def read_candidates(path: Path, columns: frozenset[str] = COLUMNS) -> list[tuple[int, dict[str, str]]]:
    """The table's records with their line. Raises CandidatesUnreadable where columns are missing."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        missing = sorted(columns - set(reader.fieldnames or ()))
        if missing:
            raise CandidatesUnreadable(f"{path.name}: columns missing: {', '.join(missing)}")
        return [(reader.line_num, {name: value or "" for name, value in record.items()}) for record in reader]


def write_rows(path: Path, rows: Iterable[Any], row_type: type) -> None:
    """Write dataclass rows as CSV; lists are joined by a blank, an empty value is an empty cell."""
    names = [field.name for field in fields(row_type)]
    write_records(path, names, ({name: _cell(getattr(row, name)) for name in names} for row in rows))


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case dt.date():
            return value.isoformat()
        case tuple():
            return " ".join(value)
        case _:
            return str(value)
