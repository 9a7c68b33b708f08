"""What a table declares beside its SQL: meaning, units, keys, known values, coverage; → COMMENT ON and `meta.*`.

`tables/NN_name.yaml` and `marts/NN_name.yaml` declare the tables of the SQL file of the same name, `columns.yaml` the
columns that mean the same everywhere. A table or column of the build that is not declared, or a declaration of
something that is not there, stops the build: nothing is published that a reader cannot look up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa
import yaml
from pydantic import BaseModel, ConfigDict

from pipelines.frozen import frozen
from pipelines.model.claim_row import MentionRow
from pipelines.model.columns import RowColumn, columns_of

FOLDER = Path(__file__).parent


FACTS_ONLY = "facts only"  # rows of sources without an open licence are among it: figures with their links, no texts
ROWS: dict[str, type] = {"mentions": MentionRow}  # lake tables whose row class declares its columns


META = """
    CREATE TABLE meta.publication (version VARCHAR PRIMARY KEY, built_at TIMESTAMP NOT NULL,
        content_hash VARCHAR NOT NULL, schema_version INTEGER NOT NULL, code_version VARCHAR NOT NULL,
        run_id VARCHAR NOT NULL);
    CREATE TABLE meta.tables ("table" VARCHAR PRIMARY KEY, title VARCHAR NOT NULL, says VARCHAR NOT NULL,
        grain VARCHAR NOT NULL, cannot_tell VARCHAR NOT NULL, licence VARCHAR NOT NULL, row_count BIGINT NOT NULL,
        content_hash VARCHAR NOT NULL);
    CREATE TABLE meta.columns ("table" VARCHAR NOT NULL, "column" VARCHAR NOT NULL, position INTEGER NOT NULL,
        data_type VARCHAR NOT NULL, says VARCHAR NOT NULL, unit VARCHAR NOT NULL, PRIMARY KEY ("table", "column"));
    CREATE TABLE meta.files ("file" VARCHAR PRIMARY KEY, code VARCHAR NOT NULL, key VARCHAR NOT NULL,
        checked VARCHAR NOT NULL, contents VARCHAR NOT NULL, parts VARCHAR NOT NULL);
"""


class Content(NamedTuple):
    """How many rows a table has, and the sums of the halves of their digests: what follows whatever their order.

    The sums of two parts of a table, added up, are those of both.
    """

    rows: int = 0
    lower: int = 0
    upper: int = 0

    @property
    def digest(self) -> str:
        """The sums in short."""
        return hashlib.md5(f"{self.rows} {self.lower} {self.upper}".encode(), usedforsecurity=False).hexdigest()

    def plus(self, other: Content) -> Content:
        """The content of a table of both."""
        return Content(self.rows + other.rows, self.lower + other.lower, self.upper + other.upper)

    def minus(self, other: Content) -> Content:
        """The content of this without the other, which is a part of it."""
        return Content(self.rows - other.rows, self.lower - other.lower, self.upper - other.upper)


class DictionaryMismatch(Exception):
    """The build and its description differ; lists every difference."""


class Column(BaseModel):
    """What a column means and its unit ('' for none)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    says: str
    unit: str = ""


class Coverage(BaseModel):
    """What a table must not lose against the version before: a share of what it counts for each of some columns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    each: tuple[str, ...]
    counts: str = "*"  # what is counted, '*' for rows
    keeps: float = 1.0
    at_least: int = 1  # groups with fewer than this before may go


class Table(BaseModel):
    """What a table answers, what one row is, what it cannot tell, and what is asked of its rows.

    A column whose name ends with `?` may be empty. `known` names a column as written and the condition under which it
    is known; `references` a column and the table that has all its values. With `rows` the fields of a row class are
    columns too; `of` takes those of one level.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    says: str
    grain: str
    cannot_tell: str = ""
    rows: str = ""
    of: str = ""
    key: tuple[str, ...] = ()  # what is unique together, of the rows that meet `key_where`
    key_where: str = "true"
    unique: tuple[tuple[str, ...], ...] = ()  # further keys
    together: tuple[str, ...] = ()  # rows that share these stand and fall together
    rules: tuple[str, ...] = ()  # conditions that every row meets, or is set aside; one that cannot be decided is met
    known: dict[str, str] = {}
    references: dict[str, str] = {}
    coverage: Coverage | None = None
    licence: str = FACTS_ONLY
    read_instead: str = ""  # its publisher's terms do not let it be passed on: what may be read
    columns: dict[str, str | Column] = {}
    optional: frozenset[str] = frozenset()

    @property
    def declared(self) -> tuple[RowColumn, ...]:
        """The columns that come from a row class."""
        fields = columns_of(ROWS[self.rows]) if self.rows else ()
        return tuple(field for field in fields if self.of in ("", field.column.of))

    def column(self, name: str) -> Column:
        """A column's entry; the short form `name: meaning [unit]` is read here."""
        entry = self.columns[name]
        if isinstance(entry, Column):
            return entry
        text, bracket, unit = entry.partition(" [")
        return Column(says=text, unit=unit.removesuffix("]") if bracket else "")


@frozen
class Declarations:
    """All tables by `schema.table`, and the committed facts by name with the SQL types of their columns."""

    tables: dict[str, Table]
    committed: dict[str, dict[str, str]]


@cache
def load_declarations() -> Declarations:
    """The declarations beside the SQL of tables and marts."""
    everywhere = _read(FOLDER / "columns.yaml")
    tables: dict[str, Table] = {}
    committed: dict[str, dict[str, str]] = {}
    for path in (FOLDER / "meta.yaml", *sorted(FOLDER.glob("tables/*.yaml")), *sorted(FOLDER.glob("marts/*.yaml"))):
        loaded = _read(path)
        shared = everywhere | loaded.pop("shared", {})
        committed |= loaded.pop("committed", {})
        tables |= {name: _table(entry, shared) for name, entry in loaded.items()}
    return Declarations(tables, committed)


def load_dictionary() -> dict[str, Table]:
    """All declared tables by `schema.table`."""
    return load_declarations().tables


def _read(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return loaded


def _table(entry: dict[str, Any], shared: dict[str, Any]) -> Table:
    given: dict[str, Any] = entry.get("columns", {})
    columns = {name.removesuffix("?"): text for name, text in given.items()}
    columns = {name: shared[name] if text is None else text for name, text in columns.items()}
    table = Table.model_validate(entry | {"columns": columns})
    own = {field.name: Column(says=field.column.says, unit=field.column.unit) for field in table.declared}
    optional = {name.removesuffix("?") for name in given if name.endswith("?")}
    optional |= {field.name for field in table.declared if field.is_nullable}
    return Table.model_validate(entry | {"columns": own | columns, "optional": optional})


def column_units() -> dict[str, str]:
    """The unit of each column that has the same one in all tables that have it; '' for none."""
    units: dict[str, set[str]] = {}
    for table in load_dictionary().values():
        for name in table.columns:
            units.setdefault(name, set()).add(table.column(name).unit)
    return {name: found.pop() for name, found in units.items() if len(found) == 1}


def built_columns(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[str, str]]]:
    """`schema.table` → (column, type) of everything in the build."""
    rows = connection.execute(
        """SELECT schema_name || '.' || table_name, column_name, data_type FROM duckdb_columns()
           WHERE database_name = current_database() AND NOT internal ORDER BY 1, column_index"""
    ).fetchall()
    found: dict[str, list[tuple[str, str]]] = {}
    for table, column, data_type in rows:
        found.setdefault(table, []).append((column, data_type))
    return found


def describe(
    connection: duckdb.DuckDBPyConnection, contents: Mapping[str, Content], made: Collection[str] | None = None
) -> None:
    """Write comments and the dictionary tables. `contents` are those known already; `made` the tables that this build
    made, all where it is None: the others have their comments. Raises DictionaryMismatch."""
    described, built = load_dictionary(), built_columns(connection)
    differences = _differences(described, built)
    if differences:
        raise DictionaryMismatch("; ".join(differences))
    connection.begin()  # a comment is a change of the catalog; one by one each would go to the disk
    for name, columns in built.items():
        if made is None or name in made or name.startswith("meta."):
            connection.execute(_comments(name, described[name], columns))
    connection.commit()
    tables = [
        [name, t.title, t.says, t.grain, t.cannot_tell, t.licence, content.rows, content.digest]
        for name, t in ((name, described[name]) for name in built if not name.startswith("meta."))
        for content in [contents.get(name) or content_hash(connection, name)]
    ]
    described_columns = [
        [name, column, position, data_type, entry.says, entry.unit]
        for name, columns in built.items()
        for position, (column, data_type) in enumerate(columns, start=1)
        for entry in [described[name].column(column)]
    ]
    insert(connection, "meta.tables", tables)
    insert(connection, "meta.columns", described_columns)


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[list[Any]]) -> None:
    """All rows in one statement: one by one each would look for its key on the disk."""
    names = [str(row[0]) for row in connection.execute(f"DESCRIBE {table}").fetchall()]
    given = pa.Table.from_pydict(dict(zip(names, zip(*rows, strict=True), strict=True)))
    connection.register("given", given)
    connection.execute(f"INSERT INTO {table} FROM given")
    connection.unregister("given")


def _differences(described: dict[str, Table], built: dict[str, list[tuple[str, str]]]) -> list[str]:
    problems = [f"{table} is not described" for table in sorted(set(built) - set(described))]
    problems += [f"{table} is described but not built" for table in sorted(set(described) - set(built))]
    for table in sorted(set(built) & set(described)):
        names = {name for name, _ in built[table]}
        problems += [f"{table}.{name} is not described" for name in sorted(names - set(described[table].columns))]
        problems += [f"{table}.{name} is not built" for name in sorted(set(described[table].columns) - names)]
    return problems


def _comments(name: str, table: Table, columns: list[tuple[str, str]]) -> str:
    """The statements that write a table's meaning, and that of its columns, into the file."""
    comments = [f"COMMENT ON TABLE {name} IS {literal(f'{table.says} One row is {table.grain}.')}"]
    for column, _ in columns:
        entry = table.column(column)
        says = entry.says + (f" [{entry.unit}]" if entry.unit else "")
        comments.append(f'COMMENT ON COLUMN {name}."{column}" IS {literal(says)}')
    return ";\n".join(comments)


def content_hash(connection: duckdb.DuckDBPyConnection, table: str, where: str = "true") -> Content:
    """Row count and a digest of a table's content, or of some rows of it, that does not depend on their order.

    The halves of each row's digest are added up, so memory stays flat however many rows there are; a row that stands
    twice counts twice. Sums of 2^63 rows fit.
    """
    if connection.execute(f"SELECT 1 FROM {table} WHERE {where} LIMIT 1").fetchone() is None:  # noqa: S608 - as below
        return Content()  # to find this out is a tenth of adding up nothing
    row = connection.execute(
        f"""SELECT count(*), coalesce(sum(lower), 0), coalesce(sum(upper), 0)
            FROM (SELECT md5_number_lower(text)::HUGEINT AS lower, md5_number_upper(text)::HUGEINT AS upper
                  FROM (SELECT t::VARCHAR AS text FROM {table} AS t WHERE {where}))"""  # noqa: S608 - names come from the catalog
    ).fetchone()
    assert row is not None
    return Content(*map(int, row))


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"
