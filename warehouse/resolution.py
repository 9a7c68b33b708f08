"""The rule of what stands, applied to cases of a file: the same SQL that the warehouse is built with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from pipelines.lake import table_of
from pipelines.model.claim_row import StatementRow

_MACROS = Path(__file__).parent / "macros"
_ANSWER = ("stands", "superseded", "cause", "reason")
_FILES = ("20_claims.sql", "25_resolution.sql")


def resolve_cases(cases: Sequence[tuple[Mapping[str, Any], Iterable[StatementRow]]]) -> list[dict[str, Any]]:
    """Per case: `id`, `stands` (index or None), `superseded` (indices), `cause`, `reason`."""
    with duckdb.connect(config={"threads": 1}) as connection:
        for name in _FILES:
            connection.execute((_MACROS / name).read_text(encoding="utf-8"))
        connection.register("given", table_of([row for _, rows in cases for row in rows], StatementRow))
        connection.execute(
            """CREATE TABLE statements AS SELECT * REPLACE (
                   asked::JSON::MAP(VARCHAR, VARCHAR) AS asked, qualifiers::JSON::MAP(VARCHAR, VARCHAR) AS qualifiers
               ) FROM given"""
        )
        found = {
            row[0]: row[1:]
            for row in connection.execute(
                "SELECT cell, stands::INTEGER, superseded::INTEGER[], cause, reason FROM resolution('statements')"
            ).fetchall()
        }
    unknown: tuple[Any, ...] = (None, [], None, "nothing is known on this day")
    return [{"id": case["id"], **dict(zip(_ANSWER, found.get(case["id"], unknown), strict=True))} for case, _ in cases]
