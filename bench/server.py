"""A Streamlit server of a bench's own, as it ships: no file watcher."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from pipelines.settings import PREFIX, PROJECT_ROOT

SHIPPED = "dashboard/server.py"


@contextlib.contextmanager
def serve(script: str, warehouse: Path, *options: str) -> Iterator[tuple[str, int]]:
    """Serve a script with a published file; yields host with port and the process id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "streamlit", "run", script, "--server.address", "127.0.0.1"),
            *("--server.port", str(port), "--server.headless", "true", "--server.fileWatcherType", "none", *options),
        ],
        cwd=PROJECT_ROOT,
        env=os.environ | {PREFIX + "WAREHOUSE": str(warehouse)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(240):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                break
            time.sleep(0.25)
        yield f"127.0.0.1:{port}", server.pid
    finally:
        server.terminate()
        server.wait(timeout=20)
