"""SQL of strangers, run so that nobody else feels it: in processes of their own, with limits, killed when late.

    sandbox = Sandbox(path)
    answer = sandbox.ask("SELECT count(*) FROM facts.mlperf_training")

Four walls: the engine (read-only file in memory, no files, no network, settings locked), the rules on the statement
(`sandbox_rules`), the process (empty environment, bounded memory, writes no file), and the clock here.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from warehouse.read import WarehouseUnreadable
from warehouse.sandbox_rules import Refused
from warehouse.sandbox_worker import HEAD

ROOT = Path(__file__).resolve().parent.parent
GRACE_SECONDS = 2.0
START_SECONDS = 30.0
WEARING = {"late", "memory", "broken"}  # after these a process may hold memory or be damaged: the next one is new

__all__ = ["Answer", "Busy", "Limits", "Mistake", "Refused", "Sandbox", "Stopped"]


class Stopped(Exception):
    """The statement went past a limit and was ended; says which."""


class Mistake(Exception):
    """DuckDB's own message on a statement that may run but does not."""


class Busy(Exception):
    """Others' statements hold every process; ask again in a moment."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one statement may take. `address_space` in bytes is the whole process's, DuckDB and Python included."""

    seconds: float = 10.0
    rows: int = 10_000
    result_bytes: int = 16_000_000
    memory: str = "400MB"
    address_space: int = 1_800_000_000
    characters: int = 20_000


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows, whether there were more than the limits let through, the time it took, and of which version."""

    table: pa.Table
    is_cut: bool
    seconds: float
    version: str


class Sandbox:
    """A few processes that answer one statement each at a time; safe over threads."""

    def __init__(self, path: Path, limits: Limits | None = None, *, processes: int = 2) -> None:
        self.limits = limits or Limits()
        self._free: queue.LifoQueue[_Worker] = queue.LifoQueue()
        for _ in range(processes):
            self._free.put(_Worker(path, self.limits))

    def ask(self, sql: str) -> Answer:
        """Run one statement. Raises Refused, Mistake, Stopped, Busy or WarehouseUnreadable."""
        if len(sql) > self.limits.characters:
            raise Refused(f"A statement may have {self.limits.characters:,} characters.")
        if "\x00" in sql:
            raise Refused("A statement holds text only: no zero byte.")
        try:
            worker = self._free.get(timeout=2 * self.limits.seconds)
        except queue.Empty:
            raise Busy("Other statements are running; try again in a moment.") from None
        try:
            head, payload = worker.ask(sql)
        finally:
            self._free.put(worker)
        return _read(head, payload, self.limits)

    def close(self) -> None:
        """End all processes."""
        while not self._free.empty():
            self._free.get_nowait().kill()


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
    """One process; started when first asked and again after it was killed."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path = path
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, sql: str) -> tuple[dict[str, Any], bytes]:
        """The worker's answer; where the process dies or is late, the answer says so and the next one is new."""
        process = self._started()
        limits = self._limits
        asked = {"sql": sql, "seconds": limits.seconds, "rows": limits.rows, "bytes": limits.result_bytes}
        answer = self._exchange(process, json.dumps(asked).encode(), limits.seconds + GRACE_SECONDS)
        if answer is None:
            self.kill()
            return {"state": "late" if self._is_killed else "memory"}, b""
        if answer[0]["state"] in WEARING:
            self.kill()
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        limits = self._limits
        command = [sys.executable, "-m", "warehouse.sandbox_worker", str(self._path.resolve())]
        self._process = subprocess.Popen(
            [*command, limits.memory, str(limits.address_space)],
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
        self._is_killed = False
        timer = threading.Timer(seconds, self._kill_late, [process])
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

    def _kill_late(self, process: subprocess.Popen[bytes]) -> None:
        self._is_killed = True
        process.kill()

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
