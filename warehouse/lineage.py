"""Which table is made from which: read from the SQL files themselves, so the graph cannot differ from the build."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pipelines.frozen import frozen
from warehouse.present import table_of

FOLDER = Path(__file__).parent
_COMMENT = re.compile(r"--[^\n]*")
_CREATED = re.compile(
    r"CREATE (?:TABLE|VIEW) (?:IF NOT EXISTS )?((?:registry|evidence|facts|marts|meta)\.\w+)", re.IGNORECASE
)
_READ = re.compile(
    r"\b(?:FROM|JOIN)\s+((?:registry|evidence|facts|marts)\.\w+|(?:lake|committed|registry|listed)_\w+)", re.I
)
_STATEMENT = re.compile(r"(?:[^;']|'[^']*')+")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)?")
# What stands in passing, or is computed at each call: who reads it reads what it is made from.
_PASSING = re.compile(r"CREATE (?:OR REPLACE )?(?:TEMP (?:TABLE|VIEW|MACRO)|MACRO) (?:IF NOT EXISTS )?([\w.]+)", re.I)


@frozen
class BuiltTable:
    """A table of the warehouse, the file that makes it, and what that file reads: tables, lake and facts inputs."""

    name: str
    path: Path
    reads: tuple[str, ...]
    question: str
    is_view: bool = False


def built_tables() -> tuple[BuiltTable, ...]:
    """All tables in build order."""
    return _built_below(FOLDER)


@cache
def _built_below(folder: Path) -> tuple[BuiltTable, ...]:
    texts = {
        path: _COMMENT.sub("", path.read_text(encoding="utf-8"))
        for layer in ("macros", "tables", "marts")
        for path in sorted((folder / layer).glob("*.sql"))
    }
    made = {name for text in texts.values() for name in _CREATED.findall(text)}
    passing: dict[str, str] = {}
    for text in texts.values():
        for part in _STATEMENT.findall(text):
            if found := _PASSING.search(part):
                passing[found[1]] = f"{passing.get(found[1], '')} {part}"
    return tuple(table for path, text in texts.items() for table in _tables_of(path, text, made, passing))


def writes(statement: str, table: str) -> bool:
    """Whether an SQL statement makes this table or writes to it."""
    bare, made = _COMMENT.sub("", statement).strip(), r"CREATE (OR REPLACE )?(TABLE|VIEW)( IF NOT EXISTS)?"
    return re.match(rf"({made}|INSERT INTO|UPDATE|DELETE FROM) {re.escape(table)}\b", bare, re.I) is not None


def _tables_of(path: Path, statements: str, made: set[str], passing: Mapping[str, str]) -> list[BuiltTable]:
    lines = path.read_text(encoding="utf-8").splitlines()
    question = next((line[3:] for line in lines if line.startswith("-- Question:")), "")
    names = _CREATED.findall(statements)
    views = set(re.findall(r"CREATE VIEW (\S+)", statements, re.IGNORECASE))
    texts = {name: statements if len(set(names)) == 1 else _around(statements, name) for name in names}
    beside = {**passing, **{name: _making(statements, name) for name in names}}  # one table of a file reads another
    return [
        BuiltTable(name, path, _reads(text, set(names), made, beside), question, name in views)
        for name, text in texts.items()
    ]


def _making(statements: str, name: str) -> str:
    return ";".join(part for part in _STATEMENT.findall(statements) if writes(part, name))


def _around(statements: str, name: str) -> str:
    """The statements of a file that name this table: its creation and what fills it."""
    return ";".join(part for part in _STATEMENT.findall(statements) if re.search(rf"{re.escape(name)}\b", part))


def _reads(text: str, made_here: set[str], made: set[str], passing: Mapping[str, str]) -> tuple[str, ...]:
    """Tables of other files and inputs that a text reads, also by way of what stands in passing."""
    found, todo = set[str](), [text]
    while todo:
        part = todo.pop()
        for name in {*_READ.findall(part), *(word for word in _NAME.findall(part) if word in passing)}:
            table = table_of(name)
            read = table if table in made and table not in made_here else name
            if read not in found:
                found.add(read)
                todo.append(passing.get(read, ""))
    return tuple(
        sorted(name for name in found - made_here if name in made or ("." not in name and name not in passing))
    )
