"""SQL of the page on sources: what is collected, when it last came, and what it gave."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dashboard.queries import Ledger

# Views, tables of the pipeline itself, and marts made from others: counting them would count a figure twice.
_YIELD_SCHEMAS = ("facts",)
_MADE_FROM_OTHERS = ("facts.adoption",)
_LAST = {True: "max(captured_at)", False: "NULL::TIMESTAMP"}
# The verdicts of marts.source_health, what asks for a person first.
VERDICTS = ("failing", "gone", "challenge page", "refused by robots", "quiet", "never", "current", "not collected")
_YIELD_TABLES = ("evidence.claims", "evidence.mentions")


def health(ledger: Ledger) -> pd.DataFrame:
    """Every source with its verdict and why, its terms, captures, documents, problems, figures, and what is set aside.

    Those that fail come first.
    """
    return ledger.frame_of("sources.health", {"figures": _figures(ledger)}, verdicts=VERDICTS)


def _figures(ledger: Ledger) -> str:
    """Rows by source over every table of figures that names its source, with the last capture where it is told."""
    columns = ledger.frame_of("sources.tables_with_sources")
    parts = [
        f"SELECT source_id, count(*) AS n, {_LAST[bool(row.has_captured)]} AS last_at FROM {row.table} GROUP BY 1"  # noqa: S608
        for row in columns.itertuples()
        if (str(row.table).split(".")[0] in _YIELD_SCHEMAS and row.table not in _MADE_FROM_OTHERS)
        or row.table in _YIELD_TABLES
    ]
    nothing = "SELECT NULL::VARCHAR AS source_id, 0::BIGINT AS n, NULL::TIMESTAMP AS last_at WHERE false"
    return " UNION ALL ".join([nothing, *parts])


def publishers(ledger: Ledger) -> dict[str, str]:
    """The publisher of each source by its name."""
    return {str(row["source_id"]): str(row["publisher_name"]) for row in ledger.rows("sources.publishers")}


def figures(ledger: Ledger, source_id: str) -> list[dict[str, Any]]:
    """Tables that hold figures of this source, with how many."""
    tables = ledger.frame_of("sources.tables_with_sources")["table"]
    parts = [
        f"SELECT '{table}' AS \"table\", count(*) AS n FROM {table} WHERE source_id = ?"  # noqa: S608 - from the dictionary
        for table in tables
        if table not in ("evidence.sources", "evidence.quarantine")
    ]
    counted = ledger.frame(" UNION ALL ".join(parts), (source_id,) * len(parts))
    return [{"table": row.table, "rows": int(str(row.n))} for row in counted.itertuples() if int(str(row.n))]
