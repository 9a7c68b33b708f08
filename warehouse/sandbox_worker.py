"""The warm process behind the SQL of strangers, and the child that it forks for each statement.

It is started by `warehouse.sandbox`, with an empty environment. The warm process opens the file and never runs a
stranger's statement: a fork of it does, with limits of its own, can open no further file or socket, and ends after its
one answer. So no statement finds anything of another, and a child may be killed at any moment. Measured on DuckDB 1.5:
`list_aggregate(range(1000000000), 'sum')` under a memory limit of 400 MB took 7.9 GB and heard an interrupt after 22 s;
so the child has a limit of address space, and the warm process kills it when it is late.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import struct
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import pyarrow as pa
import pyarrow.compute

from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable
from warehouse.sandbox_rules import Refused, judge

HEAD = struct.Struct(">II")  # lengths of the JSON head and of the payload
BATCH_ROWS = 1024
NUMBERS = pa.array(range(BATCH_ROWS), pa.int64())  # made here, as is the import above: a child can open no library
NICENESS = 10
PIPE_BYTES = 1 << 16
MACROS = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'table_macro' AND NOT internal"


class Reader:
    """The file that is asked, opened anew when another lies there; the macros are those that the file holds."""

    def __init__(self, memory_limit: str) -> None:
        self.memory_limit = memory_limit
        self.macros: frozenset[str] = frozenset()
        self._identity: tuple[str, int, int] | None = None
        self._warehouse: Warehouse | None = None

    def open(self, path: Path) -> Warehouse:
        """The version that is in place now. Raises WarehouseMissing or WarehouseUnreadable."""
        if not path.exists():
            raise WarehouseMissing("There is no warehouse yet.")
        stat = path.stat()
        identity = (str(path), stat.st_ino, stat.st_mtime_ns)
        if self._warehouse is None or identity != self._identity:
            if self._warehouse is not None:
                self._warehouse.close()
                self._warehouse = None
            self._warehouse = Warehouse(path, memory_limit=self.memory_limit, threads=1)
            self.macros = frozenset(
                str(name).lower() for (name,) in self._warehouse.cursor().execute(MACROS).fetchall()
            )
            self._identity = identity
        return self._warehouse


def main(memory_limit: str, address_space: str) -> None:
    """Serve requests until stdin ends."""
    os.nice(NICENESS)
    requests, answers = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    reader = Reader(memory_limit)
    _send(answers, {"state": "ready"}, b"")
    while (head := requests.read(HEAD.size)) and len(head) == HEAD.size:
        asked = json.loads(requests.read(HEAD.unpack(head)[0]))
        try:
            warehouse = reader.open(Path(asked["path"]))
        except (WarehouseMissing, WarehouseUnreadable) as error:
            _send(answers, {"state": "unreadable", "says": str(error)}, b"")
            continue
        answers.write(_forked(warehouse, reader.macros, asked, int(address_space)))
        answers.flush()


def _forked(warehouse: Warehouse, macros: frozenset[str], asked: dict[str, Any], address_space: int) -> bytes:
    """The whole answer of a child of one statement; where it dies or is late, the answer says so."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _serve_one(warehouse, macros, asked, address_space, write_end)
    os.close(write_end)
    try:
        answer, is_late = _read_until(read_end, time.monotonic() + float(asked["seconds"]))
    finally:
        os.close(read_end)
        os.kill(child, signal.SIGKILL)  # not yet waited for, so the number is still this child's
        os.waitpid(child, 0)
    if is_late:
        return _framed({"state": "late"}, b"")
    is_whole = len(answer) >= HEAD.size and len(answer) == HEAD.size + sum(HEAD.unpack(answer[: HEAD.size]))
    return answer if is_whole else _framed({"state": "memory"}, b"")


def _read_until(descriptor: int, deadline: float) -> tuple[bytes, bool]:
    """What comes until the other end closes, and whether the deadline came first."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return b"".join(parts), True
        part = os.read(descriptor, PIPE_BYTES)
        if not part:
            return b"".join(parts), False
        parts.append(part)


def _serve_one(
    warehouse: Warehouse, macros: frozenset[str], asked: dict[str, Any], address_space: int, write_end: int
) -> None:
    """The child's whole life: bind itself, answer, end without any clean-up of the warm process's things."""
    status = 1
    try:
        os.dup2(write_end, 1)
        for descriptor in (0, 2):
            os.close(descriptor)
        _limit(address_space, int(asked["seconds"]))
        answer = _framed(*_answer(warehouse, macros, asked))
        while answer:
            answer = answer[os.write(1, answer) :]
        status = 0
    finally:
        os._exit(status)


def _limit(address_space: int, seconds: int) -> None:
    """No core, no file written, no file or socket opened from here on, bounded memory and processor time."""
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 5, seconds + 5))  # ends it even if the warm process is gone


def _framed(head: dict[str, Any], payload: bytes) -> bytes:
    text = json.dumps(head).encode()
    return HEAD.pack(len(text), len(payload)) + text + payload


def _send(answers: BinaryIO, head: dict[str, Any], payload: bytes) -> None:
    answers.write(_framed(head, payload))
    answers.flush()


def _answer(warehouse: Warehouse, macros: frozenset[str], asked: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Run one request; whatever it does, the answer says how it ended."""
    started = time.monotonic()
    try:
        payload, rows, is_cut = _run(warehouse.cursor(), macros, asked)
    except Refused as error:
        return {"state": "refused", "says": str(error)}, b""
    except (duckdb.OutOfMemoryException, MemoryError, pa.ArrowMemoryError):
        return {"state": "memory"}, b""
    except (duckdb.FatalException, duckdb.InternalException):
        return {"state": "broken"}, b""
    except (duckdb.Error, pa.ArrowException, RecursionError, OverflowError, ValueError) as error:
        return {"state": "mistake", "says": str(error)}, b""
    seconds = time.monotonic() - started
    version = warehouse.publication.version
    return {"state": "done", "rows": rows, "is_cut": is_cut, "seconds": seconds, "version": version}, payload


def _run(cursor: duckdb.DuckDBPyConnection, macros: frozenset[str], asked: dict[str, Any]) -> tuple[bytes, int, bool]:
    """The rows as Arrow IPC, up to the limits of rows and bytes; whether there were more."""

    def serialized(text: str) -> str:
        found = cursor.execute("SELECT json_serialize_sql($1::VARCHAR)", [text]).fetchone()
        return str(found[0]) if found else ""

    statement = judge(str(asked["sql"]), cursor.extract_statements, serialized, macros)
    stream = cursor.execute(statement).to_arrow_reader(BATCH_ROWS)
    batches, rows, size, is_cut = [], 0, 0, False
    for batch in stream:
        kept = batch.slice(0, asked["rows"] - rows)
        if size + kept.nbytes > asked["bytes"]:
            kept = _first_fitting(kept, asked["bytes"] - size)
        batches.append(kept)
        rows, size = rows + kept.num_rows, size + kept.nbytes
        if kept.num_rows < batch.num_rows:
            is_cut = True
            break
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, stream.schema) as writer:
        for batch in batches:
            # a slice drags its whole buffer along: copied by index, it holds its own rows alone
            writer.write_batch(batch.take(NUMBERS.slice(0, batch.num_rows)) if is_cut else batch)
    return sink.getvalue().to_pybytes(), rows, is_cut


def _first_fitting(batch: pa.RecordBatch, room: int) -> pa.RecordBatch:
    """As many first rows as fit into the room left."""
    count = batch.num_rows
    while count and batch.slice(0, count).nbytes > room:
        count //= 2
    return batch.slice(0, count)


if __name__ == "__main__":
    main(*sys.argv[1:3])
