"""Which SQL of a stranger may run: one reading statement, over the warehouse's tables, with harmless functions. Pure.

DuckDB's own parser reads the text (`json_serialize_sql`), so there is no second reading that could differ from it; the
rules here walk that tree. They come on top of the engine's own lock: read-only file, no files, no network, no settings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from warehouse.private import PRIVATE_TABLES

# Functions in FROM: only these. Others read files, run text as SQL, or take raw addresses of memory.
TABLE_FUNCTIONS = {
    "range", "generate_series", "unnest", "json_each", "json_tree", "repeat", "summary", "test_all_types",
    "duckdb_tables", "duckdb_columns", "duckdb_views", "duckdb_functions", "duckdb_types", "duckdb_keywords",
    "duckdb_constraints", "pragma_table_info",
    # the warehouse's own views as of a day
    "as_of", "history", "resolved", "cells_as_of", "cloud_offers_as_of", "density_as_of", "prices_as_of",
    "roadmap_as_of", "slips_as_of", "stratification_as_of",
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
_EXPLAIN = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*explain\b", re.IGNORECASE | re.DOTALL)
_ANALYZE = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*analy[sz]e\b", re.IGNORECASE | re.DOTALL)


class Refused(Exception):
    """This text may not be run; says why in a sentence a visitor understands."""


def without_explain(sql: str) -> str:
    """The statement, without a request for its plan before it."""
    found = _EXPLAIN.match(sql)
    if found is None:
        return sql
    rest = sql[found.end() :]
    analyzed = _ANALYZE.match(rest)
    return rest[analyzed.end() :] if analyzed else rest


def check_tree(serialized: str) -> None:
    """Check what `json_serialize_sql` says of a text. Raises Refused."""
    tree = json.loads(serialized)
    if tree["error"]:
        message = str(tree.get("error_message", ""))
        if "Only SELECT" in message:
            raise Refused(
                "Only statements that read may run here: SELECT, WITH, FROM, VALUES, DESCRIBE, SHOW, SUMMARIZE, "
                "EXPLAIN. A PIVOT must name its values: ON column IN (…)."
            )
        raise Refused(f"This is not SQL that DuckDB reads: {message}")
    statements = tree["statements"]
    if len(statements) != 1:
        raise Refused("One statement at a time." if statements else "There is no statement.")
    for node in _nodes(statements[0]):
        _check_node(node)


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


def _check_node(node: dict[str, Any]) -> None:
    if node.get("type") == "TABLE_FUNCTION":
        name = str((node.get("function") or {}).get("function_name", "")).lower()
        if name not in TABLE_FUNCTIONS:
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
