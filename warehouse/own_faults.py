"""Where a row stands that breaks a rule and was typed here: file and line of the committed facts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from warehouse.lineage import built_tables
from warehouse.quarantine import OwnFault

FEWEST_WORDS = 2  # cells that a line must share with the row to be told as its place
SHORTEST = 4  # characters of a cell that tell one row from another


def own_places(fault: OwnFault, facts: Path) -> str:
    """The failing rows in words, each with its file and line as far as they can be told."""
    files = list(_files(fault.table, facts))
    return "; ".join(f"{reason} ({_place(cells, files) or fault.table})" for reason, cells in fault.rows)


def _files(table: str, facts: Path) -> Iterable[Path]:
    """The committed files that a table is made from, directly or by other tables."""
    reads = {built.name: built.reads for built in built_tables()}
    todo, seen = [table], set[str]()
    while todo:
        name = todo.pop(0)
        if name not in seen:
            seen.add(name)
            todo += reads.get(name, ())
    for name in sorted(name.removeprefix("committed_") for name in seen if name.startswith("committed_")):
        yield from (path for s in (".csv", ".parquet") if (path := facts / f"{name}{s}").exists())
    yield from sorted((facts / "ledger").glob("*.csv"))


def _place(cells: Iterable[str], files: Iterable[Path]) -> str:
    """`file, line n`: the line that shares most of its words with the row; a Parquet file by its name alone."""
    words = {cell for cell in cells if len(cell) >= SHORTEST}
    best, place = FEWEST_WORDS - 1, ""
    parquet = ""
    for path in files:
        if path.suffix != ".csv":
            parquet = parquet or path.name
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            shared = sum(word in line for word in words)
            if shared > best:
                best, place = shared, f"{path.name}, line {number}"
    return place or parquet
