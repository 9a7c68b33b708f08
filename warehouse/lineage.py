"""Which table is made from which: read from the SQL files themselves, so the graph cannot differ from the build."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

from pipelines.frozen import frozen
from warehouse.checks import read_header
from warehouse.present import table_of
from warehouse.sql_files import SqlFile, sql_files, statements_of, what_is_made, written_by

_INPUT = re.compile(r"(lake|committed|registry|listed)_\w+")


@frozen
class BuiltTable:
    """A table of the warehouse, the file that makes it, and what that file reads: tables, lake and facts inputs."""

    name: str
    path: Path
    reads: tuple[str, ...]
    question: str
    is_view: bool = False


@cache
def built_tables() -> tuple[BuiltTable, ...]:
    """All tables in build order."""
    made = {name for file in sql_files() for name in file.made}
    # What stands in passing, or is computed at each call: who reads it reads what it is made from.
    passing: dict[str, list[str]] = defaultdict(list)
    for file in sql_files():
        for words in statements_of(file.text):
            kind, name, is_passing = what_is_made(words)
            if is_passing or kind == "MACRO":
                passing[name] += words
    return tuple(table for file in sql_files() for table in _tables_of(file, made, passing))


def _tables_of(file: SqlFile, made: Collection[str], passing: Mapping[str, list[str]]) -> Iterator[BuiltTable]:
    statements = statements_of(file.text)
    filling = {name: [w for words in statements if _makes(words, name) for w in words] for name in file.made}
    asked = read_header(file.path).get("question", "")
    question = f"Question: {asked}" if asked else ""
    for name in dict.fromkeys(made for words in statements for made in [what_is_made(words)[1]] if made in file.made):
        own = [word for words in statements if name in words or len(file.made) == 1 for word in words]
        found = _reads(own, {*made} - {*file.made}, {**passing, **filling})
        reads = {word for word in found if word in made or (_INPUT.fullmatch(word) and word not in passing)}
        yield BuiltTable(name, file.path, tuple(sorted(reads - {*file.made})), question, name in file.views)


def _reads(own: list[str], made: Collection[str], beside: Mapping[str, list[str]]) -> set[str]:
    """What stands behind FROM and JOIN, also by way of what stands in passing and of tables of the same file."""
    found, todo = set[str](), [own]
    while todo:
        words = todo.pop()
        read = {after for before, after in pairwise(words) if before.upper() in ("FROM", "JOIN")}
        named = {table_of(word) if table_of(word) in made else word for word in read | (beside.keys() & {*words})}
        todo += [beside[word] for word in named - found if word in beside]
        found |= named
    return found


def _makes(words: list[str], table: str) -> bool:
    kind, name, _ = what_is_made(words)
    return table in ((name,) if kind in ("TABLE", "VIEW") else written_by(words))


def writes(statement: str, table: str) -> bool:
    """Whether an SQL statement makes this table or writes to it."""
    return _makes(statements_of(statement)[0], table)
