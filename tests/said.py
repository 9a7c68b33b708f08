"""What every form says of a day, each asked once: the forms that are made of it read what it said."""

from __future__ import annotations

import datetime as dt

import duckdb

from warehouse.sql_files import named_in, sql_files

MACROS = {name: words for file in sql_files() for name, words in file.macros.items()}


def table_of(form: str) -> str:
    """Where what a form says is kept."""
    return f'said."{form}"'


def say_all(connection: duckdb.DuckDBPyConnection, day: dt.date) -> list[str]:
    """Keep what each table macro says of a day; returns their names. The file must be one's own."""
    connection.execute("CREATE SCHEMA said")
    asked = _forms(connection)
    for form, parameters in asked:
        kept = table_of(form)
        connection.execute(f"CREATE TABLE {kept} AS FROM {form}(?)", [day])
        fields = [str(row[0]) for row in connection.execute(f"DESCRIBE {kept}").fetchall()]
        of_some = parameters == ["day", "subjects"] and "subject_id" in fields
        if parameters == ["day"] or of_some:
            some = " AND (subjects IS NULL OR list_contains(subjects, subject_id))" if of_some else ""
            connection.execute(
                f"""CREATE OR REPLACE MACRO {form}(day{", subjects := NULL" if some else ""}) AS TABLE FROM {kept}
                    WHERE CASE WHEN day = DATE '{day}' THEN true ELSE error('asked of another day') END{some}"""
            )
    return [form for form, _ in asked]


def _forms(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, list[str]]]:
    """All that answers for a day, with the names of its parameters; each after those that it is made of."""
    rows = connection.execute(
        """SELECT schema_name || '.' || function_name, parameters FROM duckdb_functions()
           WHERE NOT internal AND function_type = 'table_macro' AND parameters[1] = 'day'
             AND schema_name IN ('registry', 'evidence', 'facts', 'marts')"""
    ).fetchall()
    return sorted(rows, key=lambda row: (len(named_in([row[0]], MACROS)), row[0]))
