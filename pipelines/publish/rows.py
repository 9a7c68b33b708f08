"""Typed rows to a file by its suffix: Parquet, CSV or JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.csv

from pipelines.lake import table_of, write_parquet

SUFFIXES = (".parquet", ".csv", ".jsonl")


def check_suffix(path: Path) -> None:
    """Raises ValueError when no format has this suffix."""
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path.name}: the suffix says the format; expected one of {', '.join(SUFFIXES)}")


def write_rows(rows: Sequence[Any], path: Path, row_type: type | None = None) -> None:
    """Write rows of one dataclass. Lists become JSON text in CSV. Raises ValueError for an unknown suffix."""
    check_suffix(path)
    if not rows and row_type is None:
        raise ValueError("there are no rows to write")
    table = table_of(rows, row_type or type(rows[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        write_parquet(table, path)
    elif path.suffix == ".csv":
        pyarrow.csv.write_csv(_without_lists(table), path)
    else:
        with path.open("wb") as file:
            for record in table.to_pylist():
                file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NAIVE_UTC))


def _without_lists(table: pa.Table) -> pa.Table:
    for index, column in enumerate(table.schema):
        if pa.types.is_list(column.type):
            texts = [orjson.dumps(value).decode() for value in table.column(index).to_pylist()]
            table = table.set_column(index, column.name, pa.array(texts, pa.string()))
    return table
