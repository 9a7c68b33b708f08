"""SQL of strangers, run so that nobody else feels it: in processes of their own, with limits, killed when late.

    sandbox = Sandbox(path)
    answer = sandbox.ask("SELECT count(*) FROM facts.mlperf_training")

Five walls: the file (a copy without the tables that may not be passed on), the engine (read-only, no files, no network,
settings locked), the rules on the statement (`sandbox_rules`), the process (a fork for one statement: empty
environment, bounded memory, opens nothing), and the clock. Visitors take fair turns (`sandbox_turns`).
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.frozen import frozen
from warehouse.held_folder import HeldFolder, remove_held
from warehouse.private import PRIVATE_TABLES, copy_without_private
from warehouse.read import WarehouseUnreadable
from warehouse.sandbox_rules import Refused
from warehouse.sandbox_turns import Turns
from warehouse.sandbox_worker import HEAD

ROOT = Path(__file__).resolve().parent.parent
GRACE_SECONDS = 2.0
START_SECONDS = 60.0  # to start and to open a file; none of it is the visitor's time

__all__ = ["Answer", "Busy", "Limits", "Mistake", "Refused", "Sandbox", "Stopped", "remove_copies"]


class Stopped(Exception):
    """The statement went past a limit and was ended; says which."""


class Mistake(Exception):
    """DuckDB's own message on a statement that may run but does not."""


class Busy(Exception):
    """Others' statements hold every process; ask again in a moment."""


@frozen
class Limits:
    """What one statement may take. `address_space` in bytes is the whole process's, DuckDB and Python included."""

    seconds: float = 10.0
    rows: int = 10_000
    result_bytes: int = 16_000_000
    memory: str = "400MB"
    address_space: int = 1_800_000_000
    characters: int = 20_000


@frozen
class Answer:
    """The rows, whether there were more than the limits let through, the time it took, and of which version."""

    table: pa.Table
    is_cut: bool
    seconds: float
    version: str


class Sandbox:
    """A few warm processes, each with one statement at a time; safe over threads."""

    def __init__(self, path: Path, limits: Limits | None = None, *, processes: int = 2) -> None:
        self.limits = limits or Limits()
        self._public = _PublicFile(path)
        self._turns = Turns(processes)
        self._free: queue.LifoQueue[_Worker] = queue.LifoQueue()
        for _ in range(processes):
            self._free.put(_Worker(self.limits))

    def ask(self, sql: str, visitor: str | None = None) -> Answer:
        """Run one statement. Raises Refused, Mistake, Stopped, Busy or WarehouseUnreadable.

        `visitor` names who asks, so that one who asks much waits behind others; without a name each asks for himself.
        """
        if len(sql) > self.limits.characters:
            raise Refused(f"A statement may have {self.limits.characters:,} characters.")
        if "\x00" in sql:
            raise Refused("A statement holds text only: no zero byte.")
        path = self._public.path()
        with self._turns.turn(visitor or f"nobody {threading.get_ident()}", 3 * self.limits.seconds) as has_place:
            if not has_place:
                raise Busy("Other statements are running; try again in a moment.")
            worker = self._free.get()
            try:
                head, payload = worker.ask(sql, path)
            finally:
                self._free.put(worker)
        return _read(head, payload, self.limits)

    def close(self) -> None:
        """End all processes."""
        while not self._free.empty():
            self._free.get_nowait().kill()
        self._public.close()


class _PublicFile:
    """The published file as strangers may read it: itself, or a copy without the tables that may not be passed on."""

    def __init__(self, published: Path) -> None:
        self._published = published
        self._lock = threading.Lock()
        self._folder: HeldFolder | None = None
        self._identity: tuple[int, int] | None = None
        self._path = published

    def path(self) -> Path:
        """The file to open for the version that is in place now; a new version is copied once (seconds).

        Raises WarehouseUnreadable.
        """
        with self._lock:
            try:
                stat = self._published.stat()
            except FileNotFoundError:
                return self._published  # the process that opens it says so
            if (stat.st_ino, stat.st_mtime_ns) != self._identity:
                self._path = self._copied(stat.st_ino) if _has_private(self._published) else self._published
                self._identity = (stat.st_ino, stat.st_mtime_ns)
            return self._path

    def _copied(self, number: int) -> Path:
        folder = HeldFolder("rackledger-sql-")
        target = folder.path / f"{number}.duckdb"
        copy_without_private(self._published, target)
        self.close()
        self._folder = folder
        return target

    def close(self) -> None:
        """Remove the copy; a statement that has it open still ends on it."""
        if self._folder is not None:
            self._folder.close()


def remove_copies() -> None:
    """Remove this process's copies of published files: for a server that a signal ends."""
    remove_held()


def _has_private(path: Path) -> bool:
    quoted = str(path).replace("'", "''")
    try:
        with duckdb.connect() as connection:
            connection.execute(f"ATTACH '{quoted}' AS asked (READ_ONLY)")
            found = connection.execute(
                "SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE database_name = 'asked'"
            )
            return any(table in PRIVATE_TABLES for (table,) in found.fetchall())
    except duckdb.Error as error:
        raise WarehouseUnreadable(f"The warehouse cannot be read ({str(error).splitlines()[0]}).") from error


def _read(head: dict[str, Any], payload: bytes, limits: Limits) -> Answer:
    match head["state"]:
        case "done":
            with pa.ipc.open_stream(payload) as stream:
                table = stream.read_all()
            return Answer(table, bool(head["is_cut"]), float(head["seconds"]), str(head["version"]))
        case "refused":
            raise Refused(str(head["says"]))
        case "mistake":
            raise Mistake(str(head["says"]))
        case "late":
            raise Stopped(f"Stopped after {limits.seconds:g} s, the limit of a statement. Ask for less.")
        case "memory":
            raise Stopped(f"Stopped: it needs more memory than a statement may take ({limits.memory}). Ask for less.")
        case "broken":
            raise Stopped("Stopped: DuckDB failed on this statement.")
        case state:
            raise WarehouseUnreadable(str(head.get("says", state)))


class _Worker:
    """One warm process; started when first asked and again after it was killed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, sql: str, path: Path) -> tuple[dict[str, Any], bytes]:
        """The answer of a child of the warm process; a warm process that does not answer at all is ended."""
        process = self._started()
        limits = self._limits
        asked: dict[str, Any] = {"sql": sql, "path": str(path.resolve())}
        asked |= {"seconds": limits.seconds, "rows": limits.rows, "bytes": limits.result_bytes}
        answer = self._exchange(process, json.dumps(asked).encode(), START_SECONDS + limits.seconds + GRACE_SECONDS)
        if answer is None:
            self.kill()
            return {"state": "late"}, b""
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        limits = self._limits
        self._process = subprocess.Popen(
            [sys.executable, "-m", "warehouse.sandbox_worker", limits.memory, str(limits.address_space)],
            cwd=ROOT,
            env={"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            close_fds=True,
        )
        if self._exchange(self._process, None, START_SECONDS) is None:
            self.kill()
            raise Stopped("The process for statements could not be started.")
        return self._process

    def _exchange(
        self, process: subprocess.Popen[bytes], request: bytes | None, seconds: float
    ) -> tuple[dict[str, Any], bytes] | None:
        """Send, and read one answer within the time; None when the process died or was killed for being late."""
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if request is not None:
                process.stdin.write(HEAD.pack(len(request), 0) + request)
                process.stdin.flush()
            head = process.stdout.read(HEAD.size)
            if len(head) < HEAD.size:
                return None
            text_length, payload_length = HEAD.unpack(head)
            text, payload = process.stdout.read(text_length), process.stdout.read(payload_length)
        except BrokenPipeError:
            return None
        finally:
            timer.cancel()
        return (json.loads(text), payload) if len(payload) == payload_length else None

    def kill(self) -> None:
        """End the process and close its pipes."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
