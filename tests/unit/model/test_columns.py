"""What a field declares: SQL type, how the warehouse takes it out of a lake file, and what two rows have in common."""

from __future__ import annotations

import dataclasses
import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import pytest

from pipelines.frozen import frozen
from pipelines.ledger.row import COLUMNS
from pipelines.model.claim_row import MentionRow
from pipelines.model.columns import Column, columns_of, common


class Word(StrEnum):
    YES = "yes"


@frozen(kw_only=True)
class Row:
    name: Annotated[str, Column("a name")]
    note: Annotated[str, Column("a note", is_optional=True)] = ""
    word: Annotated[Word, Column("a word", sql="evidence_tag")]
    pairs: Annotated[str, Column("pairs", sql="MAP(VARCHAR, VARCHAR)")]
    tags: Annotated[tuple[Word, ...], Column("tags")] = ()
    power: Annotated[float | None, Column("power", unit="kW")] = None
    seen: Annotated[dt.datetime | None, Column("seen")] = None
    day: Annotated[dt.date, Column("day")]
    count: Annotated[int, Column("count")]
    is_new: Annotated[bool, Column("new")]


def test_an_empty_text_of_an_optional_column_is_null_in_the_warehouse() -> None:
    selected = {column.name: column.select() for column in columns_of(Row)}
    assert selected["name"] == "name"
    assert selected["note"] == "nullif(note, '') AS note"
    assert selected["word"] == "word::evidence_tag AS word"
    assert selected["pairs"] == "pairs::JSON::MAP(VARCHAR, VARCHAR) AS pairs"


def test_a_field_without_a_meaning_is_refused_by_name() -> None:
    bare = dataclasses.make_dataclass("Bare", [("value", str)])
    with pytest.raises(TypeError, match=r"Bare\.value does not say what it means"):
        columns_of(bare)


def test_what_two_rows_have_in_common_is_passed_on() -> None:
    @dataclass(frozen=True)
    class Source:
        name: str
        other: int

    assert common(Source("a", 1), Row) == {"name": "a"}


def test_every_field_of_a_claim_says_what_it_means_and_belongs_to_a_level() -> None:
    for column in columns_of(MentionRow):
        assert len(column.column.says) > 8, column.name
        assert column.column.of in ("claim", "mention"), column.name


def test_the_ledger_has_a_column_for_each_typed_field() -> None:
    assert {"printed_by", "stated_not_after", "read_on", "claimant", "note"} <= set(COLUMNS)
    assert {"claim_id", "locator", "confidence"} & set(COLUMNS) == set()


def test_a_column_knows_its_bare_type_and_whether_it_may_be_empty() -> None:
    told = {column.name: (column.type, column.is_nullable) for column in columns_of(Row)}
    assert told["power"] == (float, True)
    assert told["day"] == (dt.date, False)
    assert told["note"] == (str, True)  # '' stands for nothing there
    assert told["tags"] == (tuple[Word, ...], False)
