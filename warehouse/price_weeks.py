"""Which weeks of the price mart a build takes over: all before the first that new observations reach.

A row of the mart follows from the looks of its week, the offers that stood at them, and what is known of accelerators
and sources. Looks and offers are compared with those of the published file; where the rest differs, all is made anew.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse.dictionary import Content, content_hash

FILE = "marts/24_prices.sql"
FROM = "prices_from"  # the Monday from which the file makes rows
MADE = f"period_start >= getvariable('{FROM}')"  # which these are

# What a row follows from beside looks and offers.
_KNOWN = (
    ("registry.accelerators", "accelerator_id, memory_gb"),
    ("facts.hardware_specs", "accelerator, accelerator_model, tensor_fp16_pflops, is_latest"),
    ("evidence.sources", "source_id, page_url"),
)
_LOOKS = "source_id, scope, look, looked_on"
_OFFERS = """source_id, scope, price_type, term_months, layer, provider_class, accelerator_model, accelerator,
    generation, vendor, provider, offer_id, gpu_hour_price_evidence, gpu_hour_price_usd, memory_gb, first_look"""

# An offer that goes on is another from the look after its former last one; one that came or went, from its first.
_FIRST_CHANGE = f"""
    WITH looks AS (
        SELECT {_LOOKS} FROM facts.cloud_looks UNION SELECT {_LOOKS} FROM before.facts.cloud_looks
    ),
    changed_looks AS (
        (SELECT {_LOOKS} FROM facts.cloud_looks EXCEPT SELECT {_LOOKS} FROM before.facts.cloud_looks)
        UNION ALL
        (SELECT {_LOOKS} FROM before.facts.cloud_looks EXCEPT SELECT {_LOOKS} FROM facts.cloud_looks)
    ),
    offers AS (SELECT {_OFFERS}, last_look FROM facts.cloud_offers),
    offers_before AS (SELECT {_OFFERS}, last_look FROM before.facts.cloud_offers),
    changed_offers AS (
        SELECT 1 AS side, * FROM (FROM offers EXCEPT ALL FROM offers_before)
        UNION ALL
        SELECT -1, * FROM (FROM offers_before EXCEPT ALL FROM offers)
    ),
    reached AS (
        SELECT source_id, scope, CASE WHEN sum(side) = 0 THEN min(last_look) + 1 ELSE any_value(first_look) END AS look
        FROM changed_offers GROUP BY {_OFFERS}
    )
    SELECT min(looked_on) FROM (
        SELECT looked_on FROM changed_looks
        UNION ALL
        SELECT l.looked_on FROM reached AS r JOIN looks AS l USING (source_id, scope, look)
    )
"""  # noqa: S608 - constants of this module


def keep(connection: duckdb.DuckDBPyConnection, published: Path) -> Content | None:
    """Leave the rows that stay in the mart, which stands here as copied; returns what left it, None where all is to be
    made anew."""
    quoted = str(published).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS before (READ_ONLY)")
    try:
        first = None if _is_all_new(connection) else _first_change(connection)
    finally:
        connection.execute("DETACH before")
    if first is None:
        return None
    connection.execute(f"SET VARIABLE {FROM} = ?::DATE", [first])
    left = content_hash(connection, "marts.prices", MADE)
    connection.execute(f"DELETE FROM marts.prices WHERE {MADE}")  # noqa: S608 - constants of this module
    return left


def _is_all_new(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether rows were set aside, which do not stand in the mart, or what is known besides has changed."""
    aside = """SELECT 1 FROM before.evidence.quarantine WHERE "table" = 'marts.prices'"""
    if connection.execute(aside).fetchone() is not None:
        return True
    return any(
        connection.execute(
            f"""(SELECT {columns} FROM {table} EXCEPT SELECT {columns} FROM before.{table})
                UNION ALL (SELECT {columns} FROM before.{table} EXCEPT SELECT {columns} FROM {table}) LIMIT 1"""  # noqa: S608
        ).fetchone()
        is not None
        for table, columns in _KNOWN
    )


def _first_change(connection: duckdb.DuckDBPyConnection) -> object:
    """The Monday of the first look that shows something else than before, of the last look where there is none."""
    newest = "SELECT max(looked_on) FROM facts.cloud_looks"
    row = connection.execute(f"SELECT date_trunc('week', coalesce(({_FIRST_CHANGE}), ({newest})))::DATE").fetchone()
    return row[0] if row else None
