"""Reads the ledger's CSV files into typed rows; a row that does not fit is refused by file, line and field.

The only disk access of the package.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelines.ledger.fields import FieldError
from pipelines.ledger.row import COLUMNS, read_row
from pipelines.model.ledger_row import LedgerRow
from pipelines.problems import Problem, Reason

SOURCE_ID = "ledger"


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """Rows in the order of files and lines, and what was refused."""

    rows: tuple[LedgerRow, ...]
    problems: tuple[Problem, ...]


def load_ledger(folder: Path) -> LedgerReport:
    """All rows of `folder/*.csv`. An absent folder is an empty ledger."""
    rows: dict[str, LedgerRow] = {}
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.csv")):
        for line, record in _records(path, problems):
            try:
                row = read_row(path.name, line, record)
                if row.ref in rows:
                    first = rows[row.ref]
                    raise FieldError("ref", f"{row.ref!r} stands already in {first.file} line {first.line}")
            except FieldError as error:
                problems.append(_refused(path, f"line {line} {record.get('ref', '')}".strip(), str(error)))
                continue
            rows[row.ref] = row
    kept = tuple(rows.values())
    return LedgerReport(kept, (*problems, *_dangling(kept, rows)))


def _records(path: Path, problems: list[Problem]) -> Iterator[tuple[int, Mapping[str, str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        unknown = [name for name in reader.fieldnames or () if name not in COLUMNS]
        if missing or unknown:
            detail = f"columns missing: {', '.join(missing) or 'none'}; unknown: {', '.join(unknown) or 'none'}"
            problems.append(_refused(path, "header", f"{detail}. The file is left out; mend its first line"))
            return
        for record in reader:
            if None in record or None in record.values():
                problems.append(_refused(path, f"line {reader.line_num}", f"expected {len(COLUMNS)} fields"))
                continue
            yield reader.line_num, {name: value.strip() for name, value in record.items()}


def _dangling(rows: tuple[LedgerRow, ...], by_ref: Mapping[str, LedgerRow]) -> list[Problem]:
    return [
        Problem(SOURCE_ID, row.file, f"line {row.line} {row.ref}", Reason.FACT_REFUSED, detail, is_fatal=False)
        for row in rows
        if row.origin_ref and row.origin_ref not in by_ref
        for detail in (f"origin_ref: no row {row.origin_ref!r}; the link is kept as it is",)
    ]


def _refused(path: Path, place: str, detail: str) -> Problem:
    return Problem(SOURCE_ID, path.name, place, Reason.FACT_REFUSED, detail, is_fatal=True)
