"""The lake: Parquet files by table and partition, each written whole or not at all.

A file carries the hash of its inputs and the version of the code that made it, so that an unchanged partition is not
made again. Steps share nothing else; there is no catalog to lock.

    documents/racks.parquet         the first write to a partition
    documents/racks~1-4.parquet     what four more writes added; files within it count no more
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import json
import os
import re
import shutil
import time
import types
import typing
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipelines.frozen import frozen

_INPUTS = b"rackledger.inputs"
_CODE = b"rackledger.code"
_COUNTS = b"rackledger.counts"
_FILE = re.compile(r"(?P<partition>[^.~][^~]*?)(?:~(?P<first>\d+)-(?P<last>\d+))?\.parquet")

MOST_FOOTERS = 20_000  # of files that are kept in memory
SETTLED_NS = 1_000_000_000  # within a second a file may change and bear the same time

Counts = Mapping[str, Any]

_ARROW: dict[Any, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    bytes: pa.binary(),
    dt.date: pa.date32(),
    dt.datetime: pa.timestamp("us"),  # UTC by convention: zones need a DuckDB extension that not every reader has
}


def arrow_schema(*row_types: type) -> pa.Schema:
    """The Arrow schema of frozen dataclasses laid side by side; `X | None` is nullable, a tuple of X a list."""
    return _schema(row_types)


@cache  # a small partition costs less to write than its types cost to read
def _schema(row_types: tuple[type, ...]) -> pa.Schema:
    fields = []
    for row_type in row_types:
        hints = typing.get_type_hints(row_type)
        fields += [_arrow_field(item.name, hints[item.name]) for item in dataclasses.fields(row_type)]
    return pa.schema(fields)


def _arrow_field(name: str, hint: Any) -> pa.Field:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        (inner,) = [arg for arg in args if arg is not type(None)]
        return pa.field(name, _arrow_field(name, inner).type, nullable=True)
    if origin is tuple:
        return pa.field(name, pa.list_(_arrow_field(name, args[0]).type), nullable=False)
    if isinstance(hint, type) and issubclass(hint, str):
        return pa.field(name, pa.string(), nullable=False)
    return pa.field(name, _ARROW[hint], nullable=False)


def table_of(rows: Iterable[Any], row_type: type, shared: Any = None) -> pa.Table:
    """Rows of one dataclass as an Arrow table; `shared` (a dataclass instance) is repeated on every row.

    Raises ValueError for a row without what it must have: Parquet refuses it too, but not where a list is missing.
    """
    schema, held = arrow_schema(row_type, *([type(shared)] if shared is not None else [])), list(rows)
    columns = {item.name: [getattr(row, item.name) for row in held] for item in dataclasses.fields(row_type)}
    for item in dataclasses.fields(shared) if shared is not None else ():
        columns[item.name] = [getattr(shared, item.name)] * len(held)
    table = pa.Table.from_pydict(columns, schema=schema)
    for field in schema:
        if not field.nullable and table.column(field.name).null_count:
            raise ValueError(f"{row_type.__name__}.{field.name} is empty in a row, and must not be")
    return table


@frozen
class Marks:
    """What stands in a file beside its rows: hash of its inputs, version of its code, counts by name."""

    inputs: str
    code: str
    counts: Counts


_FOOTERS: dict[Path, tuple[tuple[int, int, int], tuple[Marks, int]]] = {}


@frozen(order=True)
class Part:
    """A file of a partition, by the writes that it holds, from the first to the last."""

    first: int = 0
    last: int = 0

    def __str__(self) -> str:
        return f"~{self.first}-{self.last}" if self.last else ""


FIRST = Part()


def standing(parts: Iterable[Part]) -> list[Part]:
    """The parts that make up a partition, in order: of those that begin at one write the longest counts."""
    longest = {part.first: part for part in sorted(parts)}
    found: list[Part] = []
    while (part := longest.get(found[-1].last + 1 if found else 0)) is not None:
        found.append(part)
    return found


class Lake:
    """Reads and writes partitions below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, table: str, partition: str, part: Part = FIRST) -> Path:
        return self.root / table / f"{partition}{part}.parquet"

    def partitions(self, table: str) -> list[str]:
        """The names of a table's partitions."""
        return sorted(self._found(table))

    def parts(self, table: str, partition: str) -> list[Part]:
        """All files of a partition, also those that do not count (any more)."""
        return sorted(self._found(table, partition).get(partition, ()))

    def files(self, table: str, partition: str | None = None) -> list[Path]:
        """The files that hold the rows of a table, or of one partition of it."""
        found = self._found(table, partition or "")
        chosen = sorted(found) if partition is None else [partition]
        return [self.path(table, name, part) for name in chosen for part in standing(found.get(name, ()))]

    def _found(self, table: str, begun: str = "") -> dict[str, list[Part]]:
        """The parts of the partitions whose names begin so: a step asks for its own beside those of all others."""
        found: dict[str, list[Part]] = {}
        try:
            with os.scandir(self.root / table) as entries:
                names = [entry.name for entry in entries]
        except (FileNotFoundError, NotADirectoryError):
            return found
        for name in names:
            if name.startswith(begun) and (match := _FILE.fullmatch(name)) is not None:
                part = Part(int(match["first"] or 0), int(match["last"] or 0))
                found.setdefault(match["partition"], []).append(part)
        return found

    def marks(self, table: str, partition: str, part: Part = FIRST) -> Marks | None:
        """What a file was made from, by which code, and the counts told of it; None where it does not stand."""
        path = self.path(table, partition, part)
        return marks_of(path) if path.exists() else None

    def state(self, table: str, partition: str) -> str:
        """Changes when the rows of a partition may have; '' where it does not stand."""
        files = self.files(table, partition)
        return digest(*(said for path in files for said in (path.name, *_state(path)))) if files else ""

    def states(self, table: str) -> dict[str, dict[Path, str]]:
        """The files of each partition of a table; what is said of a file changes when its rows may have."""
        return {
            name: {
                path: digest(path.name, *_state(path))
                for part in standing(parts)
                for path in [self.path(table, name, part)]
            }
            for name, parts in sorted(self._found(table).items())
        }

    def read(
        self,
        table: str,
        partition: str,
        columns: Sequence[str] | None = None,
        where: tuple[str, Collection[str]] | None = None,
    ) -> pa.Table:
        """The rows of a partition, without its marks; with `where` those whose column has one of the values.

        Raises FileNotFoundError where it does not stand.
        """
        files = self.files(table, partition) or [self.path(table, partition)]
        return pa.concat_tables([read_rows(path, columns, where) for path in files])

    def count(self, table: str, partition: str) -> int:
        """How many rows a partition has."""
        return sum(map(row_count, self.files(table, partition)))

    def write(
        self,
        table: str,
        partition: str,
        rows: pa.Table,
        *,
        inputs: str,
        code: str,
        counts: Counts | None = None,
        part: Part = FIRST,
    ) -> Path:
        """Put a file in place: temporary file, fsync, rename. A reader sees the old or the new, never half."""
        path = self.path(table, partition, part)
        kept = {_INPUTS: inputs.encode(), _CODE: code.encode(), _COUNTS: json.dumps(counts or {}).encode()}
        write_parquet(rows.replace_schema_metadata(kept), path)
        return path

    def drop(self, table: str, partition: str, kept: Collection[Part] = ()) -> None:
        """Remove the files of a partition, if it stands, but those that are to be kept."""
        for part in self.parts(table, partition):
            if part not in kept:
                self.path(table, partition, part).unlink(missing_ok=True)


def marks_of(path: Path) -> Marks:
    """What stands in a file of the lake beside its rows."""
    return _footer(path)[0]


def row_count(path: Path) -> int:
    """How many rows a file of the lake has."""
    return _footer(path)[1]


def _footer(path: Path) -> tuple[Marks, int]:
    """The marks and the row count of a file.

    Every step of a run asks most files: one that stands as this process last read it is not read again.
    """
    found = path.stat()
    state = (found.st_ino, found.st_size, found.st_mtime_ns)
    if path in _FOOTERS and _FOOTERS[path][0] == state:
        return _FOOTERS[path][1]
    read = pq.read_metadata(path)
    kept: Mapping[bytes, bytes] = read.metadata or {}
    inputs, code = (kept.get(key, b"").decode() for key in (_INPUTS, _CODE))
    footer = Marks(inputs, code, json.loads(kept.get(_COUNTS, b"{}"))), int(read.num_rows)
    if time.time_ns() - found.st_mtime_ns > SETTLED_NS and (path in _FOOTERS or len(_FOOTERS) < MOST_FOOTERS):
        _FOOTERS[path] = state, footer
    return footer


def read_rows(
    path: Path, columns: Sequence[str] | None = None, where: tuple[str, Collection[str]] | None = None
) -> pa.Table:
    """The rows of one file; of one that has no wanted row only the column that says so is read."""
    chosen = None if columns is None else list(columns)
    with pq.ParquetFile(path) as file:  # `read_table` would load pandas
        if where is None:
            return file.read(chosen).replace_schema_metadata(None)
        wanted = pc.is_in(file.read([where[0]]).column(0), pa.array(sorted(where[1]), pa.string()))
        if pc.any(wanted).as_py():
            return file.read(chosen).replace_schema_metadata(None).filter(wanted)
        none = file.schema_arrow.remove_metadata().empty_table()
    return none if chosen is None else none.select(chosen)


def _state(path: Path) -> tuple[str, ...]:
    """What a file was made from and by; its bytes where it does not say so."""
    marks = marks_of(path)
    return (marks.inputs, marks.code) if marks.inputs else (hashlib.sha256(path.read_bytes()).hexdigest(),)


def write_parquet(rows: pa.Table, path: Path) -> None:
    """Write one Parquet file atomically and durably."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        pq.write_table(rows, temporary, **_packing(rows.schema))
        sync_file(temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def _packing(schema: pa.Schema) -> dict[str, Any]:
    """How columns are packed: bytes are digests here, which take time to pack and get no smaller."""
    texts = [field.name for field in schema if not pa.types.is_binary(field.type)]
    if len(texts) == len(schema):
        return {"compression": "zstd", "compression_level": 12}
    packed = {field.name: "zstd" if field.name in texts else "none" for field in schema}
    return {"compression": packed, "compression_level": dict.fromkeys(texts, 12), "use_dictionary": texts}


def copy_file(source: Path, target: Path) -> None:
    """Copy a file; where the disk can share blocks the copy takes neither time nor room."""
    with source.open("rb") as read, target.open("wb") as written:
        left = os.fstat(read.fileno()).st_size
        try:
            while left and (copied := os.copy_file_range(read.fileno(), written.fileno(), left)):
                left -= copied
        except OSError:  # a disk that cannot
            read.seek(0)
            written.seek(0)
            shutil.copyfileobj(read, written)


def sync_file(path: Path) -> None:
    """Have the kernel put a file's bytes on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have the kernel put a folder's entries on the disk, so that a rename outlives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def digest(*parts: str) -> str:
    """A short name for texts: equal only where all of them are."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def code_version(*places: Path) -> str:
    """A digest over source and data files: changes when what they say changes, whatever the checkout."""
    digests = (f"{path.name}:{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in _code_files(places))
    return digest(*digests)


def _code_files(places: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for place in places:
        if not place.exists():  # it moved: what changes there now would be missed
            raise FileNotFoundError(place)
        found += [place] if place.is_file() else [p for p in place.rglob("*") if p.suffix in {".py", ".yaml", ".sql"}]
    return sorted(set(found))
