"""What each table of the lake must have: one name a column, an origin, and a tag where it has facts."""

from __future__ import annotations

import pickle

import pytest

from pipelines.lake import arrow_schema
from pipelines.model.evidence import Evidence
from pipelines.model.lake_tables import LAKE_TABLES, MARKET_TABLES
from pipelines.model.mlperf import lake_folder


@pytest.mark.parametrize("name", LAKE_TABLES)
def test_classes_side_by_side_name_no_column_twice(name: str) -> None:
    names = arrow_schema(*LAKE_TABLES[name].row_types).names
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("name", [name for name, table in LAKE_TABLES.items() if table.has_facts])
def test_a_table_of_facts_has_a_source_a_date_and_a_tag(name: str) -> None:
    assert {"source_id", "stated_on", "evidence"} <= set(arrow_schema(*LAKE_TABLES[name].row_types).names)


@pytest.mark.parametrize("name", MARKET_TABLES)
def test_a_row_of_the_market_leads_to_the_bytes_that_it_was_read_from(name: str) -> None:
    schema = arrow_schema(*LAKE_TABLES[name].row_types)
    for column in ("url", "capture_id", "payload_sha256", "captured_at"):
        assert not schema.field(column).nullable


def test_lists_that_only_readers_may_keep_are_closed() -> None:
    assert {name for name in MARKET_TABLES if not LAKE_TABLES[name].is_open} == {"top500", "green500"}


def test_folders_of_rounds_and_of_all_other_tables() -> None:
    assert [lake_folder(name) for name in ("mlperf_training", "market_captures")] == [
        "mlperf/training",
        "market_captures",
    ]


def test_tags_are_ranked_from_the_strongest_and_survive_a_process() -> None:
    assert [tag.rank for tag in (Evidence.AUDITED, Evidence.VENDOR, Evidence.UNVERIFIED)] == [1, 4, len(Evidence)]
    assert pickle.loads(pickle.dumps(Evidence.VENDOR)) is Evidence("vendor") is Evidence.VENDOR


def test_no_two_tables_share_a_folder_and_none_lies_within_another() -> None:
    folders = [lake_folder(name) for name in LAKE_TABLES]
    assert sorted(set(folders)) == sorted(folders)
    assert [(one, two) for one in folders for two in folders if two.startswith(f"{one}/")] == []
