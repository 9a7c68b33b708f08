"""Every class of rows, by any values that its types allow: what the lake keeps of a row is the row, and no more."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import types
import typing
from enum import Enum
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.lake import Lake, table_of, write_parquet
from pipelines.model import (
    attempt,
    capture,
    claim,
    claim_row,
    document,
    market,
    mlperf,
    promise,
    provenance,
    source_row,
)
from pipelines.model.claim_row import MentionRow
from pipelines.model.columns import columns_of, common
from pipelines.model.evidence import Evidence
from pipelines.model.lake_tables import LAKE_TABLES
from pipelines.registry.rows import registry_rows

MODULES = (
    attempt, capture, claim, claim_row, document, market, mlperf, promise, provenance,
    source_row,
)  # fmt: skip
REGISTRY = registry_rows()
CLASSES = {
    f"{value.__module__.rpartition('.')[2]}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
} | {f"registry.{name}": type(held[0]) for name, held in REGISTRY.items()}
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=12),
    int: st.integers(-(2**63), 2**63 - 1),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    dt.date: st.dates(dt.date(1, 1, 1), dt.date(9999, 12, 31)),
    dt.datetime: st.integers(0, 2**51).map(lambda us: dt.datetime.fromtimestamp(us / 1e6, dt.UTC)),
}
LEAST = {
    str: "", int: 0, float: 0.0, bool: False, dt.date: dt.date.min, dt.datetime: dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
}  # fmt: skip
a_few = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def parts(hint: Any) -> tuple[Any, bool]:
    """A hint without its declaration and its None, and whether it had one."""
    hint = hint.__origin__ if hasattr(hint, "__metadata__") else hint
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint, False
    (inner,) = [arg for arg in typing.get_args(hint) if arg is not type(None)]
    return inner, True


def values(hint: Any) -> st.SearchStrategy[Any]:
    inner, is_open = parts(hint)
    if typing.get_origin(inner) is tuple:
        made: st.SearchStrategy[Any] = st.lists(values(typing.get_args(inner)[0]), max_size=3).map(tuple)
    elif isinstance(inner, type) and issubclass(inner, Enum):
        made = st.sampled_from(inner)
    else:
        made = PLAIN[inner]
    return st.none() | made if is_open else made


def rows(row_type: type, **known: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(row_type, include_extras=True)
    fields = {item.name: values(hints[item.name]) for item in dataclasses.fields(row_type)}
    return st.builds(row_type, **fields | known)


def least(hint: Any) -> Any:
    """A value that a field of this type may hold."""
    inner, _ = parts(hint)
    if typing.get_origin(inner) is tuple:
        return ()
    return next(iter(inner)) if issubclass(inner, Enum) else LEAST[inner]


def as_kept(value: Any) -> Any:
    """A value as Parquet gives it back: words as text, lists for tuples, instants in UTC without saying so."""
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=None)
    return list(value) if isinstance(value, tuple) else value


def is_of(hint: Any, value: Any) -> bool:
    inner, is_open = parts(hint)
    if value is None:
        return is_open
    if typing.get_origin(inner) is tuple:
        return isinstance(value, tuple) and all(is_of(typing.get_args(inner)[0], each) for each in value)
    if inner is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, inner) and (inner is not int or not isinstance(value, bool))


@pytest.mark.parametrize("name", LAKE_TABLES)
def test_the_lake_gives_back_what_it_was_given(name: str, tmp_path: Path) -> None:
    first, *others = LAKE_TABLES[name].row_types

    @a_few
    @given(st.lists(rows(first), max_size=3), st.tuples(*map(rows, others)))
    def holds(held: list[Any], shared: tuple[Any, ...]) -> None:
        table = table_of(held, first, *shared)
        lake = Lake(tmp_path)
        lake.write(name, "p", table, inputs="i", code="c")
        kept = lake.read(name, "p")
        assert kept.schema == table.schema
        assert kept.to_pylist() == [
            {
                item.name: as_kept(getattr(part, item.name))
                for part in (row, *shared)
                for item in dataclasses.fields(part)
            }
            for row in held
        ]

    holds()


@pytest.mark.parametrize("name", LAKE_TABLES)
def test_a_field_that_must_be_there_is_refused_by_name_when_it_is_not(name: str) -> None:
    row_type = LAKE_TABLES[name].row_type
    hints = typing.get_type_hints(row_type, include_extras=True)
    row = row_type(**{field: None if parts(hint)[1] else least(hint) for field, hint in hints.items()})
    for field in (field for field, hint in hints.items() if not parts(hint)[1]):
        with pytest.raises(ValueError, match=f"{row_type.__name__}.{field} is empty in a row, and must not be"):
            table_of([row, dataclasses.replace(row, **{field: None})], row_type)
    assert table_of([row], row_type).num_rows == 1


@pytest.mark.parametrize("name", CLASSES)
def test_a_value_that_crosses_a_border_is_fixed_and_takes_no_further_field(name: str) -> None:
    made = object.__new__(CLASSES[name])
    for field in (dataclasses.fields(CLASSES[name])[0].name, "another"):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
            setattr(made, field, 1)


@pytest.mark.parametrize("table", REGISTRY)
def test_rows_of_the_registry_are_of_their_declared_types_and_can_be_kept(table: str, tmp_path: Path) -> None:
    held = REGISTRY[table]
    (row_type,) = {type(row) for row in held}
    hints = typing.get_type_hints(row_type)
    wrong = [
        (field, value) for row in held for field, hint in hints.items() if not is_of(hint, value := getattr(row, field))
    ]
    assert wrong == []
    write_parquet(table_of(held, row_type), tmp_path / "a.parquet")
    assert pq.read_metadata(tmp_path / "a.parquet").num_rows == len(held) > 0


WORDS = st.dictionaries(st.sampled_from(["per", "precision", "bound"]), st.text("abc'\"{}\\ü", min_size=1), max_size=3)
MENTIONS = rows(MentionRow, qualifiers=WORDS.map(json.dumps))


def warehouse() -> duckdb.DuckDBPyConnection:
    """An empty database that knows the tags."""
    connection = duckdb.connect()
    tags = ", ".join(f"'{tag}'" for tag in Evidence)
    connection.execute(f"CREATE TYPE evidence_tag AS ENUM ({tags})")
    return connection


@a_few
@given(st.lists(MENTIONS, min_size=1, max_size=3))
def test_the_warehouse_takes_each_column_of_a_claim_as_it_is_declared(
    tmp_path_factory: pytest.TempPathFactory, held: list[MentionRow]
) -> None:
    path = tmp_path_factory.mktemp("lake") / "a.parquet"
    write_parquet(table_of(held, MentionRow), path)
    columns = columns_of(MentionRow)
    chosen = ", ".join(column.select() for column in columns)
    with warehouse() as connection:
        taken = connection.execute(f"SELECT {chosen} FROM read_parquet('{path}')").fetchall()
    for row, found in zip(held, taken, strict=True):
        for column, value in zip(columns, found, strict=True):
            given = getattr(row, column.name)
            wanted = json.loads(given) if column.column.sql.startswith("MAP") else as_kept(given)
            assert value == (None if column.column.is_optional and wanted == "" else wanted), column.name


@a_few
@given(rows(MentionRow), rows(MentionRow))
def test_what_two_rows_share_can_be_carried_over_whole(one: MentionRow, two: MentionRow) -> None:
    assert dataclasses.replace(two, **common(one, MentionRow)) == one
    assert set(common(one, claim_row.UnmatchedRow)) == {
        "document_id", "source_id", "url", "locator_start", "locator_end",
    }  # fmt: skip
