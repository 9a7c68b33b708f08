"""Which SQL of a stranger may run: one reading statement, over the warehouse's tables, with harmless functions. Pure.

What is judged is what is executed: `judge` gives back the very text for the engine. DuckDB's own parser
cuts the text into statements and reads each into a tree (`json_serialize_sql`); the rules here walk that tree. Nothing
here reads SQL by pattern. The rules come on top of the engine's own lock: read-only file, no files, no network.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any

import duckdb

from warehouse.private import PRIVATE_TABLES

# Functions in FROM: these and the warehouse's own macros. Others read files, run text as SQL, or take raw addresses.
TABLE_FUNCTIONS = {
    "range", "generate_series", "unnest", "json_each", "json_tree", "repeat", "summary", "test_all_types",
    "duckdb_tables", "duckdb_columns", "duckdb_views", "duckdb_functions", "duckdb_types", "duckdb_keywords",
    "duckdb_constraints", "pragma_table_info",
}  # fmt: skip
SYSTEM_VIEWS = {"duckdb_tables", "duckdb_columns", "duckdb_views", "duckdb_types", "duckdb_constraints"}
REFUSED_FUNCTIONS = {
    "getenv": "the environment is not for reading",
    "current_setting": "settings are not for reading",
    "getvariable": "variables are not for reading",
    "write_log": "nothing is written here",
    "nextval": "nothing is changed here",
    "pg_read_file": "files are not for reading",
}
READING = (
    "Only statements that read may run here: SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE, EXPLAIN. "
    "A PIVOT must name its values: ON column IN (…)."
)


class Refused(Exception):
    """This text may not be run; says why in a sentence a visitor understands."""


def judge(
    sql: str,
    statements_of: Callable[[str], list[duckdb.Statement]],
    serialized: Callable[[str], str],
    macros: Collection[str],
) -> str:
    """The text to execute: the one reading statement, or EXPLAIN of it. Raises Refused.

    `statements_of` and `serialized` are the engine's parser (`extract_statements`, `json_serialize_sql`), `macros` the
    table macros of the file. The plan of a statement is asked for by words put here before the judged text.
    """
    statements = statements_of(sql)
    if len(statements) != 1:
        raise Refused("One statement at a time." if statements else "There is no statement.")
    asked, text = statements[0].type, str(statements[0].query)
    prefix = ""
    if asked == duckdb.StatementType.EXPLAIN:
        prefix, text = _without_explain(text)
    elif asked != duckdb.StatementType.SELECT:
        raise Refused(READING)
    check_tree(serialized(text), macros)
    return prefix + text


def _without_explain(text: str) -> tuple[str, str]:
    """The words that ask for the plan, and the statement behind them, cut where the engine's tokens stand."""
    starts = [start for start, _ in duckdb.tokenize(text)]
    words = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    is_analyzed = len(words) > 1 and words[1].split(maxsplit=1)[0].lower() in {"analyze", "analyse"}
    first = 2 if is_analyzed else 1
    if len(starts) <= first:
        raise Refused("EXPLAIN needs a statement that reads.")
    return "EXPLAIN ANALYZE " if is_analyzed else "EXPLAIN ", text[starts[first] :]


def check_tree(serialized: str, macros: Collection[str] = ()) -> None:
    """Check what `json_serialize_sql` says of a text. Raises Refused."""
    tree = json.loads(serialized)
    if tree["error"]:
        message = str(tree.get("error_message", ""))
        if "Only SELECT" in message:
            raise Refused(READING)
        raise Refused(f"This is not SQL that DuckDB reads: {message}")
    statements = tree["statements"]
    if len(statements) != 1:
        raise Refused("One statement at a time." if statements else "There is no statement.")
    for node in _nodes(statements[0]):
        _check_node(node, macros)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every object of the tree; by hand, since a tree may be deeper than Python's own stack."""
    left = [tree]
    while left:
        item = left.pop()
        if isinstance(item, dict):
            yield item
            left.extend(item.values())
        elif isinstance(item, list):
            left.extend(item)


def _check_node(node: dict[str, Any], macros: Collection[str]) -> None:
    if node.get("type") == "TABLE_FUNCTION":
        name = str((node.get("function") or {}).get("function_name", "")).lower()
        if name not in TABLE_FUNCTIONS and name not in macros:
            raise Refused(f"The function {name} may not be used in FROM here.")
    elif node.get("type") == "BASE_TABLE":
        _check_table(node)
    name = str(node.get("function_name") or "").lower()
    if name in REFUSED_FUNCTIONS:
        raise Refused(f"The function {name} may not be used here: {REFUSED_FUNCTIONS[name]}.")


def _check_table(node: dict[str, Any]) -> None:
    table = str(node.get("table_name", "")).lower()
    schema = str(node.get("schema_name", "")).lower()
    is_system = table.startswith(("duckdb_", "pragma_", "pg_")) or schema == "pg_catalog"
    if is_system and table not in SYSTEM_VIEWS:
        raise Refused(f"The system view {table} may not be read here.")
    instead = PRIVATE_TABLES.get(f"{schema}.{table}") or PRIVATE_TABLES.get(f"facts.{table}")
    if instead is not None:
        raise Refused(f"The publisher's terms do not let {table} be passed on; read {instead}.")
    if any(c in table for c in "/\\.*?[:"):
        raise Refused("Files and addresses may not be read here; see the list of tables.")
