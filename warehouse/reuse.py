"""Which tables a build takes over from the published file: those of SQL files whose text and inputs are as then.

A build begins with a copy of the published file. A file's key is a digest of its text and of all that it names:
partitions of the lake, committed facts, registry, tables of other files by their content. Where the key is the one that
`meta.files` holds, the tables stay; else they are dropped and made again. A table that comes out as it was stops the
change there.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import duckdb

import pipelines.model
from pipelines.frozen import frozen
from pipelines.lake import Lake, code_version, digest
from pipelines.model.mlperf import lake_folder
from warehouse.declared import QUARANTINE, row_checks
from warehouse.dictionary import Content, content_hash, insert
from warehouse.lake_parts import TABLES, Part, Parts, PartTables, content_of, count
from warehouse.present import table_of
from warehouse.price_weeks import FILE as PRICES
from warehouse.price_weeks import MADE
from warehouse.price_weeks import keep as keep_prices
from warehouse.quarantine import checks_of, fails
from warehouse.read import SCHEMA_VERSION
from warehouse.sql_files import FOLDER, SqlFile, named_in, sql_files, words_of

MADE_BY_ALL = "tables/12_quarantine.sql"  # every table that is checked writes to it


class NotReusable(Exception):
    """What was taken over does not fit what is to be made; a build of everything does."""


@frozen
class Made:
    """The key of a file when it last ran, with its text first, that of what only its row checks read, the content of
    the tables that it made or wrote to, as it left them, and what these hold of which file of the lake."""

    key: str
    checked: str
    contents: Mapping[str, Content]
    parts: Parts


@frozen
class Inputs:
    """Where what SQL names is kept, outside the file that is built."""

    lake: Path
    facts: Path
    day: str


@cache
def build_code() -> str:
    """Changes when any table may come out differently: code, declarations, checks, DuckDB; not with an SQL file."""
    declared = [
        path for pattern in ("*.py", "*.yaml", "tables/*.yaml", "marts/*.yaml") for path in FOLDER.glob(pattern)
    ]
    (model,) = pipelines.model.__path__
    taken_over_in_part = FOLDER / PRICES  # rows of it outlive a change of its text, were it not code
    code = code_version(*declared, FOLDER / "macros", FOLDER / "checks", Path(model), taken_over_in_part)
    return digest(code, str(SCHEMA_VERSION), duckdb.__version__)


def made_before(published: Path) -> dict[str, Made]:
    """The files of the published version by name; none where it cannot be read or other code built it."""
    if not published.exists():
        return {}
    try:
        with duckdb.connect(config={"enable_external_access": "true"}) as connection:
            quoted = str(published).replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS published (READ_ONLY)")
            rows = connection.execute(
                'SELECT "file", code, key, checked, contents, parts FROM published.meta.files'
            ).fetchall()
    except duckdb.Error:
        return {}
    if any(code != build_code() for _, code, *_ in rows):
        return {}
    return {
        str(file): Made(str(key), str(checked), _contents(json.loads(contents)), _parts(json.loads(parts)))
        for file, _, key, checked, contents, parts in rows
    }


def _contents(told: Mapping[str, Sequence[int]]) -> dict[str, Content]:
    return {name: Content(*sums) for name, sums in told.items()}


def _parts(told: Mapping[str, Mapping[str, tuple[str, Sequence[int]]]]) -> Parts:
    return {
        name: {file: Part(made_of, Content(*sums)) for file, (made_of, sums) in files.items()}
        for name, files in told.items()
    }


class Reuse:
    """The state of one build: what was taken over, and the contents of the tables so far.

    Create it when all inputs are staged and before any SQL file runs.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, inputs: Inputs, before: Mapping[str, Made]) -> None:
        self._connection, self._inputs, self._before = connection, inputs, before
        self._staged = _staged(connection)
        # a macro may read its table (last_day.py)
        self._macros = {name: words | {table_of(name)} for file in sql_files() for name, words in file.macros.items()}
        self._written = {name: said for f in sql_files() for said in [digest(f.text)] for name in f.macros}
        self._digests: dict[str, str] = {}
        self._made: dict[str, Made] = {}
        self._added_to: dict[
            str, tuple[Content, str]
        ] = {}  # what stays of a table, and which of its rows are made anew
        self._ran: set[str] = set()
        self._by_parts: PartTables | None = None
        self.contents: dict[str, Content] = {}
        self.made: list[str] = []
        self.is_begun_with_copy = bool(before)
        self._begun_with = _standing(connection) if before else {}
        self._aside: dict[str, bool] = {}
        if before:
            connection.execute(f"CREATE TEMP TABLE held_quarantine AS FROM {QUARANTINE}")
            self._aside = _aside(connection)
            known = {name for file in sql_files() for name in (*file.made, *file.macros)}
            # what no SQL file makes any more, and the dictionary, which is written anew
            _drop(connection, self._begun_with, self._begun_with.keys() - known)

    def keeps(self, file: SqlFile) -> bool:
        """Take over what a file made, where it would make the same again. Raises NotReusable."""
        key, checked, held = self._key(file), self._checked(file), self._before.get(file.name)
        amended_anew = {t for other in sql_files() if other.name in self._ran for t in other.made} & file.amends
        is_current = held is not None and held.key == key and file.name != MADE_BY_ALL
        is_current = is_current and not amended_anew and not self._is_redecided(file)
        if is_current and held is not None and (held.checked == checked or self._still_passes(file)):
            self._made[file.name] = Made(key, checked, held.contents, held.parts)
            self.contents |= held.contents
            self._keep_quarantine(file)
            return True
        if self._before and file.amends - amended_anew:
            raise NotReusable(f"{file.name} writes to a table that was taken over")
        self._made[file.name] = Made(key, checked, {}, {})
        self._ran.add(file.name)
        return False

    def clear(self, file: SqlFile, published: Path) -> frozenset[str]:
        """Drop what stands of a file that is to run again, but for rows that it takes over from the published one.

        Returns its macros that stay: those of the same text (DuckDB plans a macro as it is made).
        """
        held = self._before.get(file.name)
        staying = self._staying(file, held, published)
        if not self._before:
            return frozenset()
        is_as_then = held is not None and held.key.startswith(f"{digest(file.text)} ")
        macros = self._begun_with.keys() & file.macros if is_as_then else frozenset[str]()
        _drop(self._connection, self._begun_with, {*file.made, *file.macros} - {*macros, *staying})
        return frozenset(macros)

    def _staying(self, file: SqlFile, held: Made | None, published: Path) -> frozenset[str]:
        """The tables of a file that stay, to be added to by its SQL."""
        if file.name == PRICES and held is not None and (left := keep_prices(self._connection, published)) is not None:
            (name,) = file.tables
            self._added_to[name] = held.contents[name].minus(left), MADE
            return frozenset({name})
        tables = TABLES.keys() & {*file.tables}
        if not tables:
            return frozenset()
        made_with = digest(file.text, self._digest_of("left_captures"))
        parts = held.parts if held is not None else {}
        self._by_parts = PartTables(self._connection, Lake(self._inputs.lake), tables, parts, made_with)
        return self._by_parts.staying

    def note(self, file: SqlFile) -> None:
        """Note what a file that ran has made. Raises NotReusable where a table lacks more than was added to it."""
        parts: dict[str, Mapping[str, Part]] = {}
        for name in TABLES.keys() & {*file.tables}:
            found = self._by_parts.note(name) if self._by_parts is not None else {}
            if found is None:
                raise NotReusable(f"{name} holds rows that went from the lake, or others than it has now")
            parts |= {name: found} if found else {}
        names = sorted({*file.made, *file.amends} - {QUARANTINE})
        contents = {name: content_of(parts[name]) if name in parts else self._content(name) for name in names}
        self.contents |= contents
        self._made[file.name] = dataclasses.replace(self._made[file.name], contents=contents, parts=parts)
        self.made += file.made

    def _content(self, name: str) -> Content:
        """The content of a table that was made, or added to: then what stayed is not looked at again."""
        if name in self._added_to:
            stayed, anew = self._added_to[name]
            content = stayed.plus(content_hash(self._connection, name, anew))
            if content.rows == count(self._connection, name):  # else a check set aside what stayed
                return content
        return content_hash(self._connection, name)

    def write(self) -> None:
        """Write `meta.files`, for the next build."""
        rows = [
            [name, build_code(), made.key, made.checked, json.dumps(made.contents, sort_keys=True), _told(made.parts)]
            for name, made in sorted(self._made.items())
        ]
        insert(self._connection, "meta.files", rows)

    def _key(self, file: SqlFile) -> str:
        writers = [other for other in sql_files() if other.amends & {*file.made}]
        words = frozenset().union(*(one.words for one in (file, *writers)))
        return f"{digest(file.text)} {digest(*(one.text for one in writers), *self._named(words, file))}"

    def _checked(self, file: SqlFile) -> str:
        checks = (words_of(check.sql) for table in file.made for check in row_checks(table))
        return digest(*self._named(frozenset().union(*checks), file))

    def _named(self, words: frozenset[str], file: SqlFile) -> list[str]:
        """What these words name, with its content: tables made by now, inputs, macros as written, the build's day."""
        named = named_in(words, self._macros)
        parts = [f"{name} {self.contents[name].digest}" for name in sorted(named & {*self.contents} - {*file.made})]
        parts += [f"{name} {self._digest_of(name)}" for name in sorted(named & self._staged)]
        parts += sorted({self._written[name] for name in named & self._written.keys()})
        return [*parts, self._inputs.day] if "built_at" in named else parts

    def _still_passes(self, file: SqlFile) -> bool:
        """Whether the tables of a file, none of whose rows is set aside, pass their checks as these are now."""
        return not self._aside.keys() & {*file.made} and not any(fails(self._connection, table) for table in file.made)

    def _digest_of(self, name: str) -> str:
        if name not in self._digests:
            self._digests[name] = self._digest(name)
        return self._digests[name]

    def _digest(self, name: str) -> str:
        if name.startswith("lake_"):  # a view leaves out captures of skipped sources, and those of a clock ahead
            apart = (self._digest_of(captures) for captures in ("left_captures", "ahead_captures"))
            lake, folder = Lake(self._inputs.lake), lake_folder(name.removeprefix("lake_"))
            return digest(*(state for files in lake.states(folder).values() for state in files.values()), *apart)
        if name.startswith("committed_"):
            bare = name.removeprefix("committed_")
            return code_version(
                *(path for s in (".csv", ".parquet") if (path := self._inputs.facts / f"{bare}{s}").exists())
            )
        return content_hash(self._connection, name).digest

    def _is_redecided(self, file: SqlFile) -> bool:
        """Whether a person decided otherwise of rows of this file's tables since they were set aside."""
        return any(self._aside.get(table, False) for table in file.made)

    def _keep_quarantine(self, file: SqlFile) -> None:
        """What was set aside of tables that are taken over stays so, in the place where it would be found again."""
        names = [name for table in file.made for name in checks_of(table)]
        if self._aside.keys() & {*file.made}:
            self._connection.execute(
                f"""INSERT INTO {QUARANTINE} BY NAME FROM held_quarantine
                    WHERE list_contains(?, "table") AND list_contains(?, "check")""",
                [list(file.made), names],
            )


def _aside(connection: duckdb.DuckDBPyConnection) -> dict[str, bool]:
    """The tables of which rows are set aside, and whether a person decided otherwise of any of them since."""
    rows = connection.execute(
        """SELECT h."table", bool_or((h.state, h.decided) IS DISTINCT FROM
                      CASE WHEN d.state IS NULL OR (d.state = 'released' AND NOT h.is_waivable) THEN ('open', NULL)
                           ELSE (d.state, d.decided) END)
           FROM held_quarantine AS h LEFT JOIN quarantine_decisions AS d USING (quarantine_id) GROUP BY ALL"""
    ).fetchall()
    return {str(table): bool(is_redecided) for table, is_redecided in rows}


def _told(parts: Parts) -> str:
    """What `_parts` reads, as JSON."""
    told = {name: {file: (part.made_of, part.content) for file, part in files.items()} for name, files in parts.items()}
    return json.dumps(told, sort_keys=True)


def _staged(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The names of all that stands for this build alone: its inputs."""
    rows = connection.execute(
        """SELECT view_name FROM duckdb_views() WHERE temporary AND NOT internal
           UNION SELECT table_name FROM duckdb_tables() WHERE temporary"""
    ).fetchall()
    return frozenset(str(name) for (name,) in rows)


def _standing(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """What the file holds, by name, and what each is in a DROP statement."""
    rows = connection.execute(
        """SELECT schema_name || '.' || table_name AS name, 'TABLE' FROM duckdb_tables()
           WHERE database_name = current_database()
           UNION ALL SELECT schema_name || '.' || view_name, 'VIEW' FROM duckdb_views()
                     WHERE database_name = current_database() AND NOT internal
           UNION ALL SELECT DISTINCT CASE schema_name WHEN 'main' THEN '' ELSE schema_name || '.' END || function_name,
                     CASE function_type WHEN 'table_macro' THEN 'MACRO TABLE' ELSE 'MACRO' END
                     FROM duckdb_functions()
                     WHERE database_name = current_database() AND NOT internal AND function_type LIKE '%macro'"""
    ).fetchall()
    return {str(name): str(kind) for name, kind in rows}


def _drop(connection: duckdb.DuckDBPyConnection, standing: Mapping[str, str], wanted: Iterable[str]) -> None:
    for name in sorted({*wanted} & standing.keys()):
        connection.execute(f"DROP {standing[name]} {name}")
