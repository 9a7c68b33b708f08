"""Tables that stay with the reader who captured them: their publishers' terms do not let them be passed on.

They are left out of the published package and are not answered to strangers; aggregates of them are published.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from pipelines.lake import copy_file
from warehouse.dictionary import load_dictionary
from warehouse.unlogged import attach_unlogged

# table → what may be read instead
PRIVATE_TABLES = {name: table.read_instead for name, table in load_dictionary().items() if table.read_instead}


def copy_without_private(source: Path, target: Path) -> None:
    """A copy of a published file without the private tables, written anew so that no old page keeps their rows."""
    between = target.with_name(f"{target.name}.between")
    between.unlink(missing_ok=True)
    copy_file(source, between)
    try:
        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")  # a copy may be made while a protocol has the output
            for path, name in ((between, "kept"), (target, "written")):
                attach_unlogged(connection, path, name)
            for table in PRIVATE_TABLES:
                connection.execute(f"DROP TABLE IF EXISTS kept.{table}")
                connection.execute('DELETE FROM kept.meta.tables WHERE "table" = ?', [table])
                connection.execute('DELETE FROM kept.meta.columns WHERE "table" = ?', [table])
            connection.execute("COPY FROM DATABASE kept TO written")
    finally:
        between.unlink(missing_ok=True)
