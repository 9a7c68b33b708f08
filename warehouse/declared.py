"""What a table's declaration asks of its rows, as constraints and checks: keys, cells that are never empty, rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb

from warehouse.checks import Check, load_checks
from warehouse.dictionary import Table, load_dictionary

INDEXED = ("evidence", "facts")  # schemas whose keys of one column are looked up one by one


def constrain(connection: duckdb.DuckDBPyConnection, name: str, table: Table) -> None:
    """Columns that are never empty and keys of one column, as constraints of the table itself."""
    for field in table.declared:
        if not field.is_nullable:
            connection.execute(f'ALTER TABLE {name} ALTER "{field.name}" SET NOT NULL')
    if len(table.key) == 1 and name.split(".")[0] in INDEXED:
        connection.execute(f'ALTER TABLE {name} ADD PRIMARY KEY ("{table.key[0]}")')


def all_checks() -> list[Check]:
    """The checks of `checks/*.sql` and those that follow from the declarations, by name."""
    declared = [check for name, table in load_dictionary().items() for check in _checks_of(name, table)]
    return sorted([*load_checks(), *declared], key=lambda check: check.name)


def _checks_of(name: str, table: Table) -> Iterator[Check]:
    if table.key:
        yield _check(name, "key", f"one row for each {', '.join(table.key)}", _twice(name, table.key))
    rules = [*table.rules]
    for field in table.declared:
        rules += [field.column.rule] if field.column.rule else []
        rules += [f"{field.name} IN ({_texts(field.column.known)})"] if field.column.known else []
    if rules:
        yield _check(name, "rules", f"every row meets: {'; '.join(rules)}", _broken(name, rules))


def _check(table: str, kind: str, says: str, sql: str) -> Check:
    return Check(f"{table.replace('.', '_')}_{kind}", table, "error", says, False, sql)


def _twice(table: str, key: Sequence[str]) -> str:
    names = ", ".join(f'"{name}"' for name in key)
    return f"SELECT {names}, count(*) AS n FROM {table} GROUP BY {names} HAVING count(*) > 1"  # noqa: S608 - our YAML


def _broken(table: str, rules: Sequence[str]) -> str:
    """Rows that break a rule, each with the rule; where a rule's cells are empty it says nothing."""
    broken = [f"SELECT {_text(rule)} AS rule, t FROM {table} AS t WHERE NOT ({rule})" for rule in rules]  # noqa: S608 - our YAML
    return " UNION ALL ".join(broken)


def _texts(words: Sequence[str]) -> str:
    return ", ".join(_text(word) for word in words)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
