"""The lake's promises: types from dataclasses, atomic files, and knowing what is current."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.lake import Lake, Marks, Part, arrow_schema, code_version, table_of, write_parquet


@dataclass(frozen=True)
class Row:
    name: str
    count: int | None
    paths: tuple[str, ...]
    at: dt.datetime


@dataclass(frozen=True)
class Shared:
    commit: str | None


ROW = Row("a", None, ("x", "y"), dt.datetime(2025, 6, 4, tzinfo=dt.UTC))


def test_schema_follows_the_dataclasses() -> None:
    schema = arrow_schema(Row, Shared)
    assert schema.names == ["name", "count", "paths", "at", "commit"]
    assert schema.field("count") == pa.field("count", pa.int64(), nullable=True)
    assert schema.field("name") == pa.field("name", pa.string(), nullable=False)
    assert schema.field("paths").type == pa.list_(pa.string())
    assert schema.field("at").type == pa.timestamp("us")


def test_shared_values_stand_on_every_row() -> None:
    table = table_of([ROW, ROW], Row, Shared("abc"))
    assert table.column("commit").to_pylist() == ["abc", "abc"]


def test_an_empty_table_keeps_its_types() -> None:
    assert table_of([], Row).schema == arrow_schema(Row)


def test_a_partition_says_what_it_was_made_from_and_by_which_code(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    assert lake.marks("t", "p") is None
    lake.write("t", "p", table_of([ROW], Row), inputs="i1", code="c1")
    assert lake.marks("t", "p") == Marks("i1", "c1", {})
    assert (lake.partitions("t"), lake.files("t")) == (["p"], [tmp_path / "t" / "p.parquet"])


def test_what_stands_in_a_file_is_read_again_where_it_changed_and_not_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake, read, asked = Lake(tmp_path), pq.read_metadata, list[Path]()

    def noted(path: Path) -> pq.FileMetaData:
        asked.append(path)
        return read(path)

    monkeypatch.setattr(pq, "read_metadata", noted)
    path = lake.write("t", "p", table_of([ROW], Row), inputs="i1", code="c")
    assert [lake.marks("t", "p") for _ in range(2)] == [Marks("i1", "c", {})] * 2
    assert asked == [path] * 2  # it was written this moment and may change within one tick of the disk's clock
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert [(lake.marks("t", "p"), lake.count("t", "p")) for _ in range(3)] == [(Marks("i1", "c", {}), 1)] * 3
    assert asked == [path] * 3
    lake.write("t", "p", table_of([ROW, ROW], Row), inputs="i2", code="c")
    assert (lake.marks("t", "p"), lake.count("t", "p")) == (Marks("i2", "c", {}), 2)


def test_a_partition_has_no_file_of_one_whose_name_begins_alike(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    for name in ("p", "pq"):
        lake.write("t", name, table_of([ROW], Row), inputs="i", code="c")
    assert lake.files("t", "p") == [tmp_path / "t" / "p.parquet"]
    assert (lake.parts("t", "pq"), lake.parts("t", "q"), lake.parts("other", "p")) == ([Part()], [], [])


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    write_parquet(table_of([ROW], Row), path)

    def disk_full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pq, "write_table", disk_full)
    with pytest.raises(OSError, match="No space left"):
        write_parquet(table_of([ROW, ROW], Row), path)
    assert pq.read_metadata(path).num_rows == 1
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def test_code_version_sees_content_and_names_only(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    first = code_version(tmp_path)
    (tmp_path / "notes.txt").write_text("not code")
    assert code_version(tmp_path) == first
    (tmp_path / "a.py").write_text("x = 2\n")
    assert code_version(tmp_path) != first


def test_a_version_of_code_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """A module that moved would else change without a version that says so."""
    with pytest.raises(FileNotFoundError):
        code_version(tmp_path / "moved.py")
