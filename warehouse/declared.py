"""What a table's declaration asks of its rows, as constraints and checks: keys, cells that are never empty, rules.

Rules, cells that may not be empty, rows of one key and sources that nobody lists are row checks: what fails is set
aside. Keys of what is left, coverage and licences are build checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import duckdb

from warehouse.checks import BUILD, ROW, Check, load_checks
from warehouse.dictionary import FACTS_ONLY, Coverage, Table, literal, load_dictionary
from warehouse.lineage import built_tables

# What every table of facts that has these columns is asked for.
FACTS = {
    ("source_id",): "source_id <> ''",
    ("url",): "regexp_matches(url, '^https?://')",
    ("stated_on", "captured_at"): "stated_on <= captured_at::DATE",
}
QUARANTINE = "evidence.quarantine"
INDEXED = ("evidence.", "facts.")  # what was read: filled cells and keys are the tables' own constraints


def constrain(connection: duckdb.DuckDBPyConnection, name: str, table: Table) -> None:
    """The columns in the order of their declaration; those never empty and keys of one, as the table's constraints."""
    if not name.startswith(INDEXED):
        return
    built = {row[0]: row for row in connection.execute(f"DESCRIBE {name}").fetchall()}
    if set(built) == set(table.columns) and list(built) != list(table.columns) and not table.rows:
        ordered = ", ".join(f'"{column}"' for column in table.columns)
        connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT {ordered} FROM {name}")  # noqa: S608 - our YAML
        built = {row[0]: row for row in connection.execute(f"DESCRIBE {name}").fetchall()}
    if name in views():
        return
    for column, (_, _, is_nullable, *_) in built.items():
        if is_nullable == "YES" and column in table.columns and column not in table.optional:
            connection.execute(f'ALTER TABLE {name} ALTER "{column}" SET NOT NULL')
    has_key = any(key == "PRI" for _, _, _, key, *_ in built.values())
    if len(table.key) == 1 and table.key_where == "true" and not has_key:
        connection.execute(f'ALTER TABLE {name} ADD PRIMARY KEY ("{table.key[0]}")')


@cache
def all_checks() -> tuple[Check, ...]:
    """The checks of `checks/*.sql` and those that follow from the declarations, by name."""
    declared = [
        check
        for name, table in load_dictionary().items()
        for check in _checks_of(name, table)
        if check.kind == BUILD or name not in unasked()
    ]
    return tuple(sorted([*load_checks(), *declared], key=lambda check: check.name))


@cache
def unasked() -> frozenset[str]:
    """Tables without row checks: views, whose rows stand in other tables, and the quarantine itself."""
    return views() | {QUARANTINE}


@cache
def views() -> frozenset[str]:
    """Views have no constraints of their own."""
    return frozenset(table.name for table in built_tables() if table.is_view)


def row_checks(name: str) -> list[Check]:
    """The checks that set rows of this table aside."""
    return [check for check in all_checks() if check.kind == ROW and check.table == name]


def _checks_of(name: str, table: Table) -> Iterator[Check]:
    where = f" where {table.key_where}" if table.key_where != "true" else ""
    is_read = name.startswith(INDEXED)
    for number, key in enumerate((table.key, *table.unique)):
        if key:
            says = f"one row for each {', '.join(key)}{where}"
            yield _check(name, f"key{number or ''}", says, _twice(name, key, table.key_where))
            if is_read:
                twice = _rows_of_one_key(name, key, table.key_where)
                yield _row_check(name, f"twice{number or ''}", says, twice, is_waivable=False)
    yield from _row_rules(name, table)
    if is_read and (filled := [column for column in table.columns if column not in table.optional]):
        says = "every cell that may not be empty holds something"
        yield _row_check(name, "filled", says, _empty(name, filled), is_waivable=False)
    references = dict(table.references)
    if name.startswith("facts.") and "source_id" in table.columns:
        missing = f"""SELECT rowid AS row, source_id AS found FROM {name}
            WHERE source_id <> 'ledger' AND source_id NOT IN (SELECT source_id FROM evidence.sources)"""  # noqa: S608 - our YAML
        yield _row_check(name, "source_id_in_sources", "every source_id is in evidence.sources", missing)
        references.pop("source_id", None)
    for columns, target in references.items():
        kind = f"{columns.replace(', ', '_')}_in_{target.split('.')[1]}"
        yield _check(name, kind, f"every {columns} is in {target}", _missing(name, columns, target), "warn")
    if table.licence != FACTS_ONLY and "source_id" in table.columns:
        yield _check(name, "licence", f"every source of its rows is {table.licence}", _unlicensed(name, table.licence))
    if table.known:
        says = f"every {', '.join(table.known)} is known"
        yield _check(name, "known", says, _unknown(name, table.known), "warn")
    if table.coverage is not None:
        yield _coverage(name, table.coverage)


def _row_rules(name: str, table: Table) -> Iterator[Check]:
    rules = [*table.rules]
    for field in table.declared:
        rules += [field.column.rule] if field.column.rule else []
        rules += [f"{field.name} IN ({_texts(field.column.known)})"] if field.column.known else []
    if name.startswith("facts."):
        rules += [rule for needs, rule in FACTS.items() if set(needs) <= set(table.columns)]
    if rules:
        broken = " UNION ALL ".join(_broken(name, rule, tuple(table.columns)) for rule in rules)
        yield _row_check(name, "rules", f"every row meets: {'; '.join(rules)}", broken)


def _check(table: str, kind: str, says: str, sql: str, severity: str = "error", *, compares: bool = False) -> Check:
    return Check(f"{table.replace('.', '_')}_{kind}", table, severity, says, compares, sql)


def _row_check(table: str, kind: str, says: str, sql: str, *, is_waivable: bool = True) -> Check:
    return Check(f"{table.replace('.', '_')}_{kind}", table, "error", says, False, sql, ROW, is_waivable)


def _twice(table: str, key: Sequence[str], where: str) -> str:
    parts = ", ".join(_part(part) for part in key)
    return f"SELECT {parts}, count(*) AS n FROM {table} WHERE {where} GROUP BY ALL HAVING count(*) > 1"  # noqa: S608 - our YAML


def _rows_of_one_key(table: str, key: Sequence[str], where: str) -> str:
    """Rows that share a key: all of them, for nobody can say which is right; of equal rows all but the first."""
    parts = ", ".join(_part(part) for part in key)
    found = ", ".join(
        f"'{part.replace(chr(39), chr(39) * 2)} ' || coalesce({_part(part)}::VARCHAR, '')" for part in key
    )
    return f"""SELECT row, found FROM (
            SELECT rowid AS row, concat_ws(', ', {found}) || ' stands more than once' AS found,
                   md5(t::VARCHAR) AS content, {", ".join(f"{_part(part)} AS k{n}" for n, part in enumerate(key))}
            FROM {table} AS t
            WHERE {where} AND hash({parts}) IN (
                SELECT hash({parts}) FROM {table} WHERE {where} GROUP BY {parts} HAVING count(*) > 1))
        WINDOW alike AS (PARTITION BY {", ".join(f"k{n}" for n in range(len(key)))})
        QUALIFY count(*) OVER alike > 1
            AND (min(content) OVER alike <> max(content) OVER alike OR row > min(row) OVER alike)"""  # noqa: S608 - our YAML


def _part(part: str) -> str:
    return f'"{part}"' if part.isidentifier() else part


def _broken(table: str, rule: str, columns: Sequence[str]) -> str:
    """Rows that break a rule, with what stands in its cells; where a rule's cells are empty it says nothing."""
    words = set(re.findall(r"'[^']*'|\w+", rule))  # a text in quotes is one word, and no column
    named = [column for column in columns if column in words]
    cells = ", ".join(f"'{column} = ' || coalesce(left(\"{column}\"::VARCHAR, 80), 'nothing')" for column in named)
    found = f"concat_ws(', ', {cells})" if cells else "''"
    return f"""SELECT rowid AS row, {literal(rule)} || ' is not met: ' || {found} AS found FROM {table} AS t
        WHERE NOT ({rule})"""  # noqa: S608 - our YAML


def _empty(table: str, columns: Sequence[str]) -> str:
    names = ", ".join(f"CASE WHEN \"{column}\" IS NULL THEN '{column}' END" for column in columns)
    where = " OR ".join(f'"{column}" IS NULL' for column in columns)
    return f"SELECT rowid AS row, 'nothing stands in ' || concat_ws(', ', {names}) AS found FROM {table} WHERE {where}"  # noqa: S608 - our YAML


def _missing(table: str, columns: str, target: str) -> str:
    """What has no row in the other table."""
    return f"SELECT DISTINCT {columns} FROM {table} ANTI JOIN {target} USING ({columns})"  # noqa: S608 - our YAML


def _unlicensed(table: str, licence: str) -> str:
    return f"""SELECT DISTINCT source_id, s.licence FROM {table} JOIN evidence.sources AS s USING (source_id)
               WHERE NOT starts_with(s.licence, {literal(licence)})"""  # noqa: S608 - our YAML


def _unknown(table: str, known: Mapping[str, str]) -> str:
    return " UNION ALL ".join(
        f"SELECT DISTINCT {literal(column)} AS what, {column}::VARCHAR AS name FROM {table} WHERE NOT ({condition})"  # noqa: S608 - our YAML
        for column, condition in known.items()
    )


def _coverage(name: str, coverage: Coverage) -> Check:
    each = ", ".join(coverage.each)
    lost = (
        f"more than {1 - coverage.keeps:.0%} of its {coverage.counts.replace('*', 'rows')}" if coverage.keeps else "all"
    )
    says = f"no {each} has lost {lost}; run with --accept-shrink when the loss is meant"
    counted = f"SELECT {each}, {_count(coverage.counts)} AS n FROM {{}} GROUP BY ALL"  # noqa: S608 - our YAML
    sql = f"""WITH before AS ({counted.format("previous." + name)}), now AS ({counted.format(name)})
        SELECT {each}, before.n AS n_before, coalesce(now.n, 0) AS n_now FROM before LEFT JOIN now USING ({each})
        WHERE before.n >= {coverage.at_least} AND coalesce(now.n, 0) < greatest(1, {coverage.keeps} * before.n)"""  # noqa: S608 - our YAML
    return _check(name, "coverage", says, sql, compares=True)


def _count(counted: str) -> str:
    return counted if "(" in counted else f"count({counted})"


def _texts(words: Sequence[str]) -> str:
    return ", ".join(literal(word) for word in words)
