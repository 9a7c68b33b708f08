"""What each SQL file makes, writes to and names, read from its text: tables, views, macros, words of each statement.

Nothing here runs SQL. Words are taken generously: a name that stands in a statement counts as read, also inside a macro
that the statement calls. A table that is made again without need costs time, one that is kept wrongly costs the truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from pipelines.frozen import frozen

FOLDER = Path(__file__).parent
LAYERS = ("macros", "tables", "marts")
_TOKEN = re.compile(r"--[^\n]*|'((?:[^']|'')*)'|\"[^\"]*\"|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(;)")
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_UNLESS = {"IF", "NOT", "EXISTS"}
_WRITES = {"INSERT": "INTO", "UPDATE": "", "DELETE": "FROM"}


@frozen
class SqlFile:
    """One SQL file: what it makes for good and in passing, what of others it writes to, and the words that it names."""

    path: Path
    text: str
    tables: tuple[str, ...]
    views: tuple[str, ...]
    macros: Mapping[str, frozenset[str]]  # with the words of each
    passing: frozenset[str]  # temporary tables, views and macros
    amends: frozenset[str]  # tables of other files
    words: frozenset[str]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def made(self) -> tuple[str, ...]:
        return (*self.tables, *self.views)


def read_sql(path: Path) -> SqlFile:
    """What one file makes and names."""
    text = path.read_text(encoding="utf-8")
    kinds: dict[str, dict[str, frozenset[str]]] = {kind: {} for kind in ("TABLE", "VIEW", "MACRO")}
    passing, written = set[str](), set[str]()
    for words in statements_of(text):
        kind, name, is_passing = what_is_made(words)
        if is_passing:
            passing.add(name)
        elif kind in kinds:
            kinds[kind][name] = frozenset(words)
        else:
            written.update(written_by(words))
    own = {*kinds["TABLE"], *passing}
    return SqlFile(
        path,
        text,
        tuple(kinds["TABLE"]),
        tuple(kinds["VIEW"]),
        kinds["MACRO"],
        frozenset(passing),
        frozenset(written - own),
        words_of(text),
    )


def macro_of(statement: str) -> str:
    """The macro that a statement makes for good; '' where it makes none."""
    kind, name, is_passing = what_is_made(statements_of(statement)[0])
    return name if kind == "MACRO" and not is_passing else ""


def written_by(words: list[str]) -> tuple[str, ...]:
    """The table that a statement of these words writes to, if it does."""
    if not words or words[0].upper() not in _WRITES:
        return ()
    return (words[2 if _WRITES[words[0].upper()] else 1],)


def what_is_made(words: list[str]) -> tuple[str, str, bool]:
    """What a statement of these words makes: its kind, its name, and whether it stands in passing; '' for nothing."""
    upper = [word.upper() for word in words[:6]]
    kind = next((word for word in upper if word in ("TABLE", "VIEW", "MACRO", "TYPE", "SCHEMA")), "")
    if upper[:1] != ["CREATE"] or not kind:
        return "", "", False
    name = next(word for word in words[upper.index(kind) + 1 :] if word.upper() not in _UNLESS)
    return kind, name, "TEMP" in upper[1:4]


@cache
def sql_files() -> tuple[SqlFile, ...]:
    """All files in the order in which a build runs them."""
    return tuple(read_sql(path) for layer in LAYERS for path in sorted((FOLDER / layer).glob("*.sql")))


@lru_cache(4096)  # a later build of the process asks of the same statements and checks
def words_of(text: str) -> frozenset[str]:
    """The names in an SQL text, also those that are a text of their own, as in `query_table('evidence.claims')`."""
    return frozenset(word for words in statements_of(text) for word in words)


def named_in(words: Iterable[str], macros: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """These words and those of the macros that they call, and so on."""
    found, todo = set[str](), list(words)
    while todo:
        word = todo.pop()
        if word not in found:
            found.add(word)
            todo += macros.get(word, ())
    return frozenset(found)


def statements_of(text: str) -> list[list[str]]:
    """The words of each statement, in order."""
    statements: list[list[str]] = [[]]
    for token in _TOKEN.finditer(text):
        quoted, word, end = token.groups()
        if end:
            statements.append([])
        elif word:
            statements[-1].append(word)
        elif quoted and _NAME.fullmatch(quoted):
            statements[-1].append(quoted)
    return statements
