"""The process that runs strangers' SQL: one request on stdin, one answer on stdout, again and again.

It is started by `warehouse.sandbox`, with an empty environment, and may be killed at any moment. Nothing else runs
here. Measured on DuckDB 1.5: `list_aggregate(range(1000000000), 'sum')` under a memory limit of 400 MB took 7.9 GB and
heard an interrupt after 22 s; so the process itself has a limit of address space, and the parent kills what is late.
"""

from __future__ import annotations

import json
import os
import resource
import struct
import sys
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import pyarrow as pa

from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable
from warehouse.sandbox_rules import Refused, check_tree, without_explain

HEAD = struct.Struct(">II")  # lengths of the JSON head and of the payload
BATCH_ROWS = 1024
NICENESS = 10


class Reader:
    """The published version, opened anew when another file lies there."""

    def __init__(self, path: Path, memory_limit: str) -> None:
        self.path = path
        self.memory_limit = memory_limit
        self._identity: tuple[int, int] | None = None
        self._warehouse: Warehouse | None = None

    def open(self) -> Warehouse:
        """The version that is in place now. Raises WarehouseMissing or WarehouseUnreadable."""
        if not self.path.exists():
            raise WarehouseMissing("There is no warehouse yet.")
        stat = self.path.stat()
        identity = (stat.st_ino, stat.st_mtime_ns)
        if self._warehouse is None or identity != self._identity:
            if self._warehouse is not None:
                self._warehouse.close()
            self._warehouse = Warehouse(self.path, memory_limit=self.memory_limit, threads=1)
            self._identity = identity
        return self._warehouse


def main(path: str, memory_limit: str, address_space: str) -> None:
    """Serve requests until stdin ends."""
    _limit(int(address_space))
    requests, answers = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    reader = Reader(Path(path), memory_limit)
    _send(answers, {"state": "ready"}, b"")
    while (head := requests.read(HEAD.size)) and len(head) == HEAD.size:
        asked = json.loads(requests.read(HEAD.unpack(head)[0]))
        _send(answers, *_answer(reader, asked))


def _limit(address_space: int) -> None:
    """No core, no file written, few files open, bounded memory, and the visitors' pages first."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def _send(answers: BinaryIO, head: dict[str, Any], payload: bytes) -> None:
    text = json.dumps(head).encode()
    answers.write(HEAD.pack(len(text), len(payload)) + text + payload)
    answers.flush()


def _answer(reader: Reader, asked: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Run one request; whatever it does, the answer says how it ended."""
    try:
        warehouse = reader.open()
        cursor = warehouse.cursor()
    except (WarehouseMissing, WarehouseUnreadable) as error:
        return {"state": "unreadable", "says": str(error)}, b""
    timer = threading.Timer(asked["seconds"], cursor.interrupt)
    started = time.monotonic()
    try:
        timer.start()
        payload, rows, is_cut = _run(cursor, asked)
    except Refused as error:
        return {"state": "refused", "says": str(error)}, b""
    except duckdb.InterruptException:
        return {"state": "late"}, b""
    except (duckdb.OutOfMemoryException, MemoryError, pa.ArrowMemoryError):
        return {"state": "memory"}, b""
    except (duckdb.FatalException, duckdb.InternalException):
        return {"state": "broken"}, b""
    except (duckdb.Error, pa.ArrowException, RecursionError, OverflowError, ValueError) as error:
        return {"state": "mistake", "says": str(error)}, b""
    finally:
        timer.cancel()
        cursor.close()
    seconds = time.monotonic() - started
    version = warehouse.publication.version
    return {"state": "done", "rows": rows, "is_cut": is_cut, "seconds": seconds, "version": version}, payload


def _run(cursor: duckdb.DuckDBPyConnection, asked: dict[str, Any]) -> tuple[bytes, int, bool]:
    """The rows as Arrow IPC, up to the limits of rows and bytes; whether there were more."""
    sql = str(asked["sql"])
    statement = without_explain(sql)
    serialized = cursor.execute("SELECT json_serialize_sql($1::VARCHAR)", [statement]).fetchone()
    assert serialized is not None
    check_tree(str(serialized[0]))
    if len(cursor.extract_statements(sql)) != 1:
        raise Refused("One statement at a time.")
    stream = cursor.execute(sql).to_arrow_reader(BATCH_ROWS)
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
            writer.write_batch(batch.take(pa.array(range(batch.num_rows), pa.int64())) if is_cut else batch)
    return sink.getvalue().to_pybytes(), rows, is_cut


def _first_fitting(batch: pa.RecordBatch, room: int) -> pa.RecordBatch:
    """As many first rows as fit into the room left."""
    count = batch.num_rows
    while count and batch.slice(0, count).nbytes > room:
        count //= 2
    return batch.slice(0, count)


if __name__ == "__main__":
    main(*sys.argv[1:4])
