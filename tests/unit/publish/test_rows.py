"""Rows as files: the suffix says the format, lists are JSON in CSV, no rows are an empty table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet
import pytest

from pipelines.frozen import frozen
from pipelines.publish.rows import check_suffix, write_rows


@frozen
class Row:
    """A row with a list and a field that may be unknown."""

    name: str
    words: tuple[str, ...]
    count: int | None = None


ROWS = [Row("a", ("x", "y"), 1), Row("b", ())]


def test_each_format_holds_the_same_rows(tmp_path: Path) -> None:
    for suffix in ("parquet", "csv", "jsonl"):
        write_rows(ROWS, tmp_path / "deep" / f"rows.{suffix}")
    expected = [{"name": "a", "words": ["x", "y"], "count": 1}, {"name": "b", "words": [], "count": None}]
    assert pyarrow.parquet.read_table(tmp_path / "deep" / "rows.parquet").to_pylist() == expected
    assert [json.loads(line) for line in (tmp_path / "deep" / "rows.jsonl").read_text().splitlines()] == expected
    with (tmp_path / "deep" / "rows.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == [
            {"name": "a", "words": '["x","y"]', "count": "1"},
            {"name": "b", "words": "[]", "count": ""},
        ]


def test_no_rows_of_a_known_type_keep_their_columns(tmp_path: Path) -> None:
    write_rows([], tmp_path / "rows.csv", Row)
    assert (tmp_path / "rows.csv").read_text().split() == ['"name","words","count"']


def test_no_rows_of_no_type_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there are no rows to write"):
        write_rows([], tmp_path / "rows.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["rows.xlsx", "rows", "rows.CSV"])
def test_another_suffix_is_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name}: the suffix says the format; expected one of .parquet, .csv"):
        check_suffix(Path(name))
