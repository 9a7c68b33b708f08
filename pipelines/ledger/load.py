"""Reads the ledger's CSV files into typed rows; a row that does not fit is refused by file, line and field.

The only disk access of the package.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from pipelines.extract.speakers import Speakers
from pipelines.frozen import frozen
from pipelines.ledger.fields import FieldError
from pipelines.ledger.row import COLUMNS, REQUIRED, SOURCE_ID, read_row
from pipelines.model.claim_row import MentionRow
from pipelines.problems import Problem, Reason


@frozen
class LedgerReport:
    """Rows in the order of files and lines, and what was refused."""

    rows: tuple[MentionRow, ...]
    problems: tuple[Problem, ...]


def load_ledger(folder: Path) -> LedgerReport:
    """All rows of `folder/*.csv`. An absent folder is an empty ledger."""
    rows: dict[str, MentionRow] = {}
    places: dict[str, tuple[Path, int]] = {}
    problems: list[Problem] = []
    speakers = Speakers.load()
    for path in sorted(folder.glob("*.csv")):
        for line, record in _records(path, problems):
            try:
                row = read_row(path.name, record, speakers)
                if row.ref in rows:
                    first, at = places[row.ref]
                    raise FieldError("ref", f"{row.ref!r} stands already in {first.name} line {at}")
            except FieldError as error:
                problems.append(_refused(path, f"line {line} {record.get('ref', '')}".strip(), str(error)))
                continue
            rows[row.ref], places[row.ref] = row, (path, line)
    return LedgerReport(tuple(rows.values()), (*problems, *_dangling(rows, places)))


def _records(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Mapping[str, str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        missing = [name for name in REQUIRED if name not in (reader.fieldnames or ())]
        unknown = [name for name in reader.fieldnames or () if name not in COLUMNS]
        if missing or unknown:
            detail = f"columns missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}"
            problems.append(_refused(path, "header", f"{detail}. The file is left out; mend its first line"))
            return
        for record in reader:
            if None in record or None in record.values():
                problems.append(
                    _refused(path, f"line {reader.line_num}", f"expected {len(reader.fieldnames or ())} fields")
                )
                continue
            yield reader.line_num, {name: value.strip() for name, value in record.items()}


def _dangling(rows: Mapping[str, MentionRow], places: Mapping[str, tuple[Path, int]]) -> list[Problem]:
    return [
        Problem(SOURCE_ID, path.name, f"line {line} {ref}", Reason.FACT_REFUSED, detail, is_fatal=False)
        for ref, (path, line) in places.items()
        if (origin := rows[ref].origin_ref) and origin not in rows
        for detail in (f"origin_ref: no row {origin!r}; the link is kept as it is",)
    ]


def _refused(path: Path, place: str, detail: str) -> Problem:
    return Problem(SOURCE_ID, path.name, place, Reason.FACT_REFUSED, detail, is_fatal=True)
