"""Checks of rows on what stands: which rows each finds, on tables of a few rows."""

from __future__ import annotations

import duckdb
import pytest

from warehouse.checks import load_checks

MENTIONS = """
CREATE TABLE evidence.mentions AS FROM (VALUES
    ('Oracle', 'oracle', 'organisation', 'capex', NULL, MAP {'year': '2025'}, 'accepted'),
    ('Oracle', 'oracle', 'organisation', 'capex', DATE '2025-06-01', MAP {}, 'typed'),
    ('Oracle', 'oracle', 'organisation', 'capex', NULL, MAP {}, 'confident'),
    ('Oracle', 'oracle', 'organisation', 'revenue', NULL, MAP {}, 'rejected'),
    ('Bunya', NULL, 'site', 'accelerator_count', NULL, MAP {'per': 'node'}, 'accepted'),
    ('Bunya', NULL, 'site', 'cpu_count', NULL, MAP {'per': 'node'}, 'accepted'),
    ('Bunya', NULL, 'accelerator', 'accelerator_count', NULL, MAP {'per': 'node'}, 'accepted'),
    ('Bunya', NULL, 'label', 'accelerator_count', NULL, MAP {'per': 'node'}, 'candidate'),
    ('Bunya', NULL, 'label', 'memory_capacity', NULL, MAP {'per': 'node'}, 'confident')
) AS t(subject, subject_id, subject_kind, metric, period_start, qualifiers, reading_state)
"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("money_has_a_time", [(2, "capex of Oracle without a time")]),
        ("names_have_one_kind", [(6, "Bunya: kind accelerator here, site elsewhere")]),
    ],
)
def test_a_check_finds_its_rows_and_no_other(name: str, found: list[tuple[int, str]]) -> None:
    sql = next(check.sql for check in load_checks() if check.name == name)
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA evidence")
        connection.execute(MENTIONS)
        assert connection.sql(sql).fetchall() == found
