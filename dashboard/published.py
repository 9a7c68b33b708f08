"""The files of a published version, as they lie in its folder, with what each of them is."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pipelines.frozen import frozen

WHOLE = {
    "rackledger.duckdb": "all tables in one DuckDB file, with comments on every column",
    "datapackage.json": "Frictionless data package: every table with its columns, units and terms",
    "SHA256SUMS": "digest of every file",
}
FORMATS = {".parquet": "Parquet", ".csv": "CSV"}


@frozen
class PublishedFile:
    """A file: its name, what it is, the table it holds ('' for a file about all), its size in bytes."""

    name: str
    what: str
    table: str
    byte_count: int


def files_of(folder: Path) -> list[PublishedFile]:
    """The files of a version, those about all tables first; none where the version is not published."""
    return _files_of(folder, folder.stat().st_mtime_ns) if folder.is_dir() else []


@lru_cache(maxsize=4)
def _files_of(folder: Path, _changed_ns: int) -> list[PublishedFile]:
    found = [_describe(path) for path in sorted(folder.iterdir()) if path.is_file()]
    order = list(WHOLE)
    return sorted(found, key=lambda f: (f.table != "", order.index(f.name) if f.name in order else len(order), f.name))


def _describe(path: Path) -> PublishedFile:
    size = path.stat().st_size
    if path.suffix in FORMATS and path.name not in WHOLE:
        return PublishedFile(path.name, f"{path.stem} as {FORMATS[path.suffix]}", path.stem, size)
    return PublishedFile(path.name, WHOLE.get(path.name, "about all tables"), "", size)
