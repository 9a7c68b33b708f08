"""Sources whose rows stay out of a build: those with `status: skip`, and those that alone make a build check fail.

What is held of them stays in archive and lake, and their captures stay listed; only what was read of them is left out.
A source is left out from a moment on (its last good state is shown) or as a whole. Files that were added by hand are
read whatever the status says: nobody asked the source for them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb

from pipelines.frozen import frozen
from pipelines.lake import table_of

# The record of what was asked and captured: it is kept whole.
RECORD = ("captures", "attempts", "problems", "copies", "market_captures")
_BY_COLUMN = {
    "capture_id": "capture_id IN (SELECT capture_id FROM left_captures)",
    "document_id": "document_id IN (SELECT document_id FROM left_documents)",
    "archive_sha256": "coalesce(archive_sha256 IN (SELECT sha256 FROM left_captures), false)",
}


@frozen
class LeftOut:
    """A source that is set aside: rows of captures after `shown_until` are out; all of them where it is None."""

    source_id: str
    shown_until: dt.datetime | None
    reason: str


def stage_leaving(connection: duckdb.DuckDBPyConnection, left: Iterable[LeftOut]) -> bool:
    """Create `left_sources`, which `says` it in words, and `left_captures`; tells whether anything is left out.

    Needs `lake_captures` and `listed_sources`.
    """
    connection.register("given_left", table_of(left, LeftOut))
    connection.execute(
        """CREATE TEMP VIEW left_sources AS
           SELECT source_id, shown_until, 'it alone makes the build fail, and is '
                  || coalesce('shown as it was until ' || strftime(shown_until, '%Y-%m-%d %H:%M') || ' UTC', 'left out')
                  || '. ' || left(reason, 1900) AS says
           FROM given_left"""
    )
    connection.execute(
        """CREATE TEMP TABLE left_captures AS
           SELECT c.capture_id, c.sha256 FROM lake_captures AS c JOIN left_sources AS l USING (source_id)
           WHERE l.shown_until IS NULL OR c.captured_at > l.shown_until
           UNION
           SELECT c.capture_id, c.sha256 FROM lake_captures AS c JOIN listed_sources AS s USING (source_id)
           WHERE s.status = 'skip'
             AND (c.kind IN ('response', 'revisit') OR (c.kind = 'repository archive' AND c.url LIKE 'http%'))"""
    )
    found = connection.execute("SELECT EXISTS (FROM left_captures) OR EXISTS (FROM left_sources)").fetchone()
    return found is not None and bool(found[0])


def stage_ahead(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `ahead_captures`: those dated later than the build, which a wrong clock wrote.

    What a price list said on such a day would stand for the present until that day has come. Documents have dates of
    their own and are read all the same.
    """
    connection.execute(
        """CREATE TEMP TABLE ahead_captures AS SELECT capture_id FROM lake_captures
           WHERE captured_at > getvariable('built_at') + INTERVAL 1 HOUR"""
    )


def stage_left_documents(connection: duckdb.DuckDBPyConnection, documents: str, *, is_any_left: bool) -> None:
    """Create `left_documents`: those that no other capture carries. `documents` is the relation of all, which is not
    read where nothing is left out."""
    connection.execute(
        f"""CREATE TEMP TABLE left_documents AS
            SELECT document_id FROM {documents} WHERE {is_any_left} AND document_id <> ''
            GROUP BY document_id HAVING bool_and(capture_id IN (SELECT capture_id FROM left_captures))"""  # noqa: S608
    )


# Tables of which the lake holds the newest state alone, by what one state covers: the one before is the published one.
STATES = dict.fromkeys(("facts.mlperf_training", "facts.mlperf_systems", "facts.mlperf_inference"), ("suite", "round"))


def restore(connection: duckdb.DuckDBPyConnection, table: str, left: Iterable[LeftOut], published: Path) -> None:
    """Take what was published of the sources that are left out, where nothing else holds it.

    Raises duckdb.Error where the published file is of another form.
    """
    sources = [source.source_id for source in left]
    if table not in STATES or not sources or not published.exists():
        return
    covered, quoted = ", ".join(STATES[table]), str(published).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS last_good (READ_ONLY)")
    try:
        connection.execute(
            f"""INSERT INTO {table} BY NAME SELECT p.* FROM last_good.{table} AS p
                ANTI JOIN (SELECT DISTINCT {covered} FROM {table}) USING ({covered})
                WHERE list_contains(?, p.source_id)""",  # noqa: S608 - our own names
            [sources],
        )
    finally:
        connection.execute("DETACH last_good")


def staying(table: str, columns: Sequence[str]) -> str:
    """The condition that rows of a lake table meet which are not left out, as SQL."""
    if table in RECORD or "source_id" not in columns:
        return "true"
    out = ["source_id IN (SELECT source_id FROM left_sources WHERE shown_until IS NULL)"]
    out += [condition for column, condition in _BY_COLUMN.items() if column in columns][:1]
    return f"NOT ({' OR '.join(out)})"
