"""Which table is made from which: read from the SQL files themselves, so the graph cannot differ from the build."""

from __future__ import annotations

import re
from pathlib import Path

from pipelines.frozen import frozen

FOLDER = Path(__file__).parent
_COMMENT = re.compile(r"--[^\n]*")
_CREATED = re.compile(r"CREATE (?:TABLE|VIEW) ((?:registry|evidence|facts|marts|meta)\.\w+)", re.IGNORECASE)
_READ = re.compile(
    r"\b(?:FROM|JOIN)\s+((?:registry|evidence|facts|marts)\.\w+|(?:lake|committed|registry|listed)_\w+)", re.I
)


@frozen
class BuiltTable:
    """A table of the warehouse, the file that makes it, and what that file reads: tables, lake and facts inputs."""

    name: str
    path: Path
    reads: tuple[str, ...]
    question: str
    is_view: bool = False


def built_tables() -> list[BuiltTable]:
    """All tables in build order."""
    found: list[BuiltTable] = []
    for layer in ("tables", "marts"):
        for path in sorted((FOLDER / layer).glob("*.sql")):
            found += _tables_of(path)
    return found


def writes(statement: str, table: str) -> bool:
    """Whether an SQL statement makes this table or writes to it."""
    bare, made = _COMMENT.sub("", statement).strip(), r"CREATE (OR REPLACE )?(TABLE|VIEW)"
    return re.match(rf"({made}|INSERT INTO|UPDATE|DELETE FROM) {re.escape(table)}\b", bare, re.I) is not None


def _tables_of(path: Path) -> list[BuiltTable]:
    text = path.read_text(encoding="utf-8")
    question = next((line[3:] for line in text.splitlines() if line.startswith("-- Question:")), "")
    statements = _COMMENT.sub("", text)
    names = _CREATED.findall(statements)
    views = set(re.findall(r"CREATE VIEW (\S+)", statements, re.IGNORECASE))
    if len(names) == 1:
        return [BuiltTable(names[0], path, _reads(statements, names), question, names[0] in views)]
    return [BuiltTable(name, path, _reads(_around(statements, name), names), question, name in views) for name in names]


def _around(statements: str, name: str) -> str:
    """The statements of a file that name this table: its creation and what fills it."""
    return ";".join(part for part in statements.split(";") if name in part)


def _reads(statements: str, made_here: list[str]) -> tuple[str, ...]:
    return tuple(sorted({name for name in _READ.findall(statements) if name not in made_here}))
