"""What a table's declaration asks of its rows, as constraints and checks: keys, cells that are never empty, rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb

from warehouse.checks import Check, load_checks
from warehouse.dictionary import FACTS_ONLY, Coverage, Table, load_dictionary

# What every table of facts that has these columns is asked for.
FACTS = {
    ("source_id",): "source_id <> ''",
    ("url",): "url LIKE 'https://%'",
    ("stated_on", "captured_at"): "stated_on <= captured_at::DATE",
}
INDEXED = (
    "evidence",
    "facts",
)  # schemas that hold what was read: filled cells and keys are the tables' own constraints


def constrain(connection: duckdb.DuckDBPyConnection, name: str, table: Table) -> None:
    """The columns in the order of their declaration; those never empty and keys of one, as the table's constraints."""
    schema, bare = name.split(".")
    if schema not in INDEXED:
        return
    built = [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
    if set(built) == set(table.columns) and built != list(table.columns) and not table.rows:
        ordered = ", ".join(f'"{column}"' for column in table.columns)
        connection.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT {ordered} FROM {name}")  # noqa: S608 - our YAML
    columns = connection.execute(
        """SELECT column_name FROM duckdb_columns() SEMI JOIN duckdb_tables() USING (table_oid)
           WHERE schema_name = ? AND table_name = ? AND is_nullable""",  # a view has no constraints
        [schema, bare],
    ).fetchall()
    for (column,) in columns:
        if column in table.columns and column not in table.optional:
            connection.execute(f'ALTER TABLE {name} ALTER "{column}" SET NOT NULL')
    has_key = (
        "SELECT 1 FROM duckdb_constraints() WHERE schema_name = ? AND table_name = ? AND constraint_type LIKE 'PRIM%'"
    )
    if len(table.key) == 1 and table.key_where == "true" and not connection.execute(has_key, [schema, bare]).fetchall():
        connection.execute(f'ALTER TABLE {name} ADD PRIMARY KEY ("{table.key[0]}")')


def all_checks() -> list[Check]:
    """The checks of `checks/*.sql` and those that follow from the declarations, by name."""
    declared = [check for name, table in load_dictionary().items() for check in _checks_of(name, table)]
    return sorted([*load_checks(), *declared], key=lambda check: check.name)


def _checks_of(name: str, table: Table) -> Iterator[Check]:
    where = f" where {table.key_where}" if table.key_where != "true" else ""
    for number, key in enumerate((table.key, *table.unique)):
        if key:
            says = f"one row for each {', '.join(key)}{where}"
            yield _check(name, f"key{number or ''}", says, _twice(name, key, table.key_where))
    rules = [*table.rules]
    for field in table.declared:
        rules += [field.column.rule] if field.column.rule else []
        rules += [f"{field.name} IN ({_texts(field.column.known)})"] if field.column.known else []
    if name.startswith("facts."):
        rules += [rule for needs, rule in FACTS.items() if set(needs) <= set(table.columns)]
    if rules:
        yield _check(name, "rules", f"every row meets: {'; '.join(rules)}", _broken(name, rules))
    references = dict(table.references)
    if name.startswith("facts.") and "source_id" in table.columns:
        references["source_id"] = "evidence.sources"
    for columns, target in references.items():
        says = f"every {columns} is in {target}"
        severity = "error" if columns == "source_id" else "warn"
        yield _check(
            name,
            f"{columns.replace(', ', '_')}_in_{target.split('.')[1]}",
            says,
            _missing(name, columns, target),
            severity,
        )
    if name.startswith("facts.") and table.licence != FACTS_ONLY and "source_id" in table.columns:
        yield _check(name, "licence", f"every source of its rows is {table.licence}", _unlicensed(name, table.licence))
    if table.known:
        says = f"every {', '.join(table.known)} is known"
        yield _check(name, "known", says, _unknown(name, table.known), "warn")
    if table.coverage is not None:
        yield _coverage(name, table.coverage)


def _check(table: str, kind: str, says: str, sql: str, severity: str = "error", *, compares: bool = False) -> Check:
    return Check(f"{table.replace('.', '_')}_{kind}", table, severity, says, compares, sql)


def _twice(table: str, key: Sequence[str], where: str) -> str:
    parts = ", ".join(f'"{part}"' if part.isidentifier() else part for part in key)
    return f"SELECT {parts}, count(*) AS n FROM {table} WHERE {where} GROUP BY ALL HAVING count(*) > 1"  # noqa: S608 - our YAML


def _broken(table: str, rules: Sequence[str]) -> str:
    """Rows that break a rule, each with the rule; where a rule's cells are empty it says nothing."""
    broken = [f"SELECT {_text(rule)} AS rule, t FROM {table} AS t WHERE NOT ({rule})" for rule in rules]  # noqa: S608 - our YAML
    return " UNION ALL ".join(broken)


def _missing(table: str, columns: str, target: str) -> str:
    """What has no row in the other table; the committed ledger is a source of its own and not listed."""
    lacking = f"SELECT DISTINCT {columns} FROM {table} ANTI JOIN {target} USING ({columns})"  # noqa: S608 - our YAML
    return f"{lacking} WHERE source_id <> 'ledger'" if columns == "source_id" else lacking


def _unlicensed(table: str, licence: str) -> str:
    return f"""SELECT DISTINCT source_id, s.licence FROM {table} JOIN evidence.sources AS s USING (source_id)
               WHERE NOT starts_with(s.licence, {_text(licence)})"""  # noqa: S608 - our YAML


def _unknown(table: str, known: Mapping[str, str]) -> str:
    return " UNION ALL ".join(
        f"SELECT DISTINCT {_text(column)} AS what, {column}::VARCHAR AS name FROM {table} WHERE NOT ({condition})"  # noqa: S608 - our YAML
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
    return ", ".join(_text(word) for word in words)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
