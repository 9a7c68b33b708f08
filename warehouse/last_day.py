"""What as-of macros answer for the last day there is, kept once a build.

The tables of the present come from the macros that answer for any day, and these call each other several levels deep:
DuckDB plans and runs every call anew. While a build runs, a macro that another statement calls reads its own table
where that stands, else a temporary one; `give_back` puts the macros as they are written in place again.
"""

from __future__ import annotations

import re

import duckdb

from warehouse.present import table_of
from warehouse.sql_files import named_in, sql_files, words_of

LAST_DAY = "DATE '9999-12-31'"
_MACRO = re.compile(r"^CREATE MACRO ([\w.]+)\(day(, subjects := NULL)?\) AS TABLE", re.MULTILINE)
_OF_A_DAY = re.compile(r"^CREATE MACRO ([\w.]+)\(day\b", re.MULTILINE)
_OWN = re.compile(rf"^CREATE TABLE ([\w.]+) AS\s+FROM ([\w.]+)\({LAST_DAY}\)", re.MULTILINE)


class LastDay:
    """The as-of macros of one build. Tell it of every statement before it runs."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._words = {name: words for file in sql_files() for name, words in file.macros.items()}
        # the claims are made in steps, the arithmetic last: then they are what their macro answers
        self._with_table = {"evidence.claims_as_of", *(name for file in sql_files() for name in _own(file.text))}
        self._written = {
            found[1]: (statement, bool(found[2]))
            for file in sql_files()
            if "CREATE MACRO" in file.text
            for statement in (one.query for one in connection.extract_statements(file.text))
            if (found := _MACRO.search(statement))
        }
        of_a_day = "|".join(re.escape(name) for file in sql_files() for name in _OF_A_DAY.findall(file.text))
        self._other_day = re.compile(rf"\b(?:{of_a_day})\((?!{LAST_DAY})")
        self._standing: set[str] = set()

    def before(self, statement: str) -> None:
        """Let the macros that this statement calls, and those that they call, read what they answered before; where it
        asks for another day, they answer as they are written."""
        if _MACRO.search(statement):
            return
        called = named_in(words_of(statement), self._words)
        if self._other_day.search(statement):
            self._give_back(called)
        elif f"({LAST_DAY}" in statement:
            for name in self._written:
                if name in called and name not in self._standing and name not in _own(statement):
                    self._stand_in(name)

    def give_back(self) -> None:
        """The macros as they are written."""
        self._give_back(frozenset(self._standing))

    def _give_back(self, names: frozenset[str]) -> None:
        """Callers before what they call: DuckDB plans a macro as it is made, with all that it calls."""
        for name in [name for name in reversed(self._written) if name in names & self._standing]:
            statement, _ = self._written[name]
            self._connection.execute(statement.replace("CREATE MACRO", "CREATE OR REPLACE MACRO", 1))
        self._standing -= names

    def _stand_in(self, name: str) -> None:
        table, has_subjects = table_of(name), self._written[name][1]
        if name not in self._with_table:
            table = name.replace(".", "_") + "_of_last_day"
            self._connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {table} AS FROM {name}({LAST_DAY})")
        parameters, asked = ("day, subjects := NULL", " AND subjects IS NULL") if has_subjects else ("day", "")
        self._connection.execute(
            f"""CREATE OR REPLACE MACRO {name}({parameters}) AS TABLE FROM {table}
                WHERE CASE WHEN day = {LAST_DAY}{asked} THEN true ELSE error('{name} stands for the last day') END"""
        )
        self._standing.add(name)


def _own(text: str) -> list[str]:
    """The macros whose own tables this SQL makes."""
    return [macro for table, macro in _OWN.findall(text) if table_of(macro) == table]
