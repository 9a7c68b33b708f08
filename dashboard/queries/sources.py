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
    return ledger.frame(
        f"""WITH figures AS ({_figures(ledger)}),
            per_source AS (
                SELECT source_id, sum(n) AS figure_count, max(last_at) AS last_at FROM figures GROUP BY 1),
            captures AS (
                SELECT source_id, count(*) AS capture_count, sum(byte_count) AS byte_count, max(captured_at) AS last_at
                FROM evidence.captures GROUP BY 1),
            documents AS (
                SELECT source_id, count(*) AS document_count, count(*) FILTER (problem <> '') AS unreadable_count
                FROM evidence.documents GROUP BY 1),
            problems AS (SELECT source_id, count(*) AS problem_count FROM evidence.problems GROUP BY 1),
            aside AS (
                SELECT source_id, count(*) AS aside_count FROM evidence.quarantine WHERE state = 'open' GROUP BY 1)
        SELECT s.source_id, s.title, s.publisher, s.producer, s.publisher_group, s.layer, s.signals, s.kind,
               s.evidence::VARCHAR AS evidence, s.status, s.is_link_only, s.urls, s.page_url AS url, s.cadence_hours,
               s.terms, s.licence, s.citation, h.verdict, h.says, h.last_attempt_at, h.failed_runs, h.next_due_at,
               coalesce(a.aside_count, 0) AS aside_count,
               coalesce(c.capture_count, 0) AS capture_count, coalesce(c.byte_count, 0)::BIGINT AS byte_count,
               coalesce(d.document_count, 0) AS document_count, coalesce(d.unreadable_count, 0) AS unreadable_count,
               coalesce(p.problem_count, 0) AS problem_count, coalesce(f.figure_count, 0)::BIGINT AS figure_count,
               greatest(h.last_success_at, c.last_at, f.last_at) AS last_capture_at
        FROM evidence.sources AS s JOIN marts.source_health AS h USING (source_id)
        LEFT JOIN captures AS c USING (source_id) LEFT JOIN documents AS d USING (source_id)
        LEFT JOIN problems AS p USING (source_id) LEFT JOIN per_source AS f USING (source_id)
        LEFT JOIN aside AS a USING (source_id)
        ORDER BY list_position(?, h.verdict), s.source_id""",  # noqa: S608 - table names come from the dictionary
        (VERDICTS,),
    )


def _figures(ledger: Ledger) -> str:
    """Rows by source over every table of figures that names its source, with the last capture where it is told."""
    columns = ledger.frame(
        """SELECT "table", bool_or("column" = 'captured_at') AS has_captured FROM meta.columns
           WHERE "table" IN (SELECT schema_name || '.' || table_name FROM duckdb_tables())
           GROUP BY 1 HAVING bool_or("column" = 'source_id') ORDER BY 1"""
    )
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
    rows = ledger.records("SELECT source_id, publisher_name FROM evidence.sources")
    return {str(row["source_id"]): str(row["publisher_name"]) for row in rows}


def set_aside(ledger: Ledger, source_id: str) -> pd.DataFrame:
    """What of a source is set aside, the newest first."""
    return ledger.frame(
        """SELECT quarantine_id, kind, state, reason, first_seen, url FROM evidence.quarantine
           WHERE source_id = ? AND state <> 'dropped' ORDER BY first_seen DESC NULLS LAST, quarantine_id LIMIT 200""",
        (source_id,),
    )


def captures(ledger: Ledger, source_id: str) -> pd.DataFrame:
    """The captures of a source, newest first."""
    return ledger.frame(
        """SELECT captured_at, kind, scope, byte_count, url FROM evidence.captures WHERE source_id = ?
           ORDER BY captured_at DESC, url LIMIT 200""",
        (source_id,),
    )


def problems(ledger: Ledger, source_id: str) -> pd.DataFrame:
    """What was wrong with a source's input, the most frequent first."""
    return ledger.frame(
        """SELECT reason, count(*) AS n, any_value(place) AS place, any_value(detail) AS detail
           FROM evidence.problems WHERE source_id = ? GROUP BY reason ORDER BY n DESC, reason""",
        (source_id,),
    )


def figures(ledger: Ledger, source_id: str) -> list[dict[str, Any]]:
    """Tables that hold figures of this source, with how many."""
    tables = ledger.frame(
        """SELECT DISTINCT "table" FROM meta.columns
           WHERE "column" = 'source_id' AND "table" IN (SELECT schema_name || '.' || table_name FROM duckdb_tables())
           ORDER BY 1"""
    )["table"]
    parts = [
        f"SELECT '{table}' AS \"table\", count(*) AS n FROM {table} WHERE source_id = ?"  # noqa: S608 - from the dictionary
        for table in tables
        if table not in ("evidence.sources", "evidence.quarantine")
    ]
    counted = ledger.frame(" UNION ALL ".join(parts), (source_id,) * len(parts))
    return [{"table": row.table, "rows": int(str(row.n))} for row in counted.itertuples() if int(str(row.n))]
