"""Where a row stands that breaks a rule and was typed here: file and line of the committed facts."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from warehouse.quarantine import OwnFault
from warehouse.sql_files import sql_files

FEWEST_WORDS = 2  # cells that a line must share with the row to be told as its place
SHORTEST = 4  # characters of a cell that tell one row from another


def own_places(fault: OwnFault, facts: Path) -> str:
    """The failing rows in words, each with its file and line as far as they can be told."""
    files = list(_files(fault.table, facts))
    return "; ".join(f"{reason} ({_place(cells, files) or fault.table})" for reason, cells in fault.rows)


def _files(table: str, facts: Path) -> Iterable[Path]:
    """The committed files that a table is made from, directly or by other tables."""
    makers = {name: file for file in sql_files() for name in file.made}
    todo, seen = [table], set[str]()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += makers[name].words if name in makers else ()  # also what it makes in passing, and reads by that
    for name in sorted(name.removeprefix("committed_") for name in seen if name.startswith("committed_")):
        yield from (path for s in (".csv", ".parquet") if (path := facts / f"{name}{s}").exists())
    yield from sorted((facts / "ledger").glob("*.csv"))


def _place(cells: Iterable[str], files: Iterable[Path]) -> str:
    """`file, line n`: the line that has most of the row's words as cells of its own, of several the one that shares
    most of them; a Parquet file by its name alone."""
    words = {cell for cell in cells if len(cell) >= SHORTEST}
    best, place = (0, 0), ""
    parquet = ""
    for path in files:
        if path.suffix != ".csv":
            parquet = parquet or path.name
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            shared = sum(word in line for word in words)
            if shared >= FEWEST_WORDS and (found := (len(words & {*_cells(line)}), shared)) > best:
                best, place = found, f"{path.name}, line {number}"
    return place or parquet


def _cells(line: str) -> list[str]:
    """The cells of one line; those of a cell that goes on in the next lines are cut off."""
    return next(csv.reader([line]), [])
