"""Tables that stay with the reader who captured them: their publishers' terms do not let them be passed on.

They are left out of the published package and are not answered to strangers; aggregates of them are published.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse.dictionary import load_dictionary

# table → what may be read instead
PRIVATE_TABLES = {name: table.read_instead for name, table in load_dictionary().items() if table.read_instead}


def copy_without_private(source: Path, target: Path) -> None:
    """A copy of a published file without the private tables, written anew so that no old page keeps their rows."""
    between = target.with_name(f"{target.name}.between")
    between.unlink(missing_ok=True)
    between.write_bytes(source.read_bytes())
    try:
        with duckdb.connect(str(between)) as connection:
            for table in PRIVATE_TABLES:
                connection.execute(f"DROP TABLE IF EXISTS {table}")
                connection.execute('DELETE FROM meta.tables WHERE "table" = ?', [table])
                connection.execute('DELETE FROM meta.columns WHERE "table" = ?', [table])
        with duckdb.connect() as connection:
            connection.execute("SET enable_progress_bar = false")  # a copy may be made while a protocol has the output
            for path, name in ((between, "kept"), (target, "written")):
                quoted = str(path).replace("'", "''")
                connection.execute(f"ATTACH '{quoted}' AS {name}{' (READ_ONLY)' if name == 'kept' else ''}")
            connection.execute("COPY FROM DATABASE kept TO written")
    finally:
        between.unlink(missing_ok=True)
