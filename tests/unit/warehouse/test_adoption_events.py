"""Events of adoption from others' tables, by hand-made rows: lists, editions, joint submitters, first looks."""

from __future__ import annotations

import datetime as dt
from typing import Any

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT

EVENTS = PROJECT_ROOT / "warehouse" / "tables" / "48_adoption.sql"
ROUND = """suite VARCHAR, round VARCHAR, stated_on DATE, stated_on_basis VARCHAR, submitter VARCHAR,
    generation VARCHAR,"""
TABLES = f"""
CREATE SCHEMA facts; CREATE SCHEMA registry; CREATE SCHEMA evidence;
CREATE TYPE evidence_tag AS ENUM ('audited', 'reported', 'estimated');
CREATE TABLE committed_adoption (organisation_id VARCHAR, generation_id VARCHAR, kind VARCHAR, system VARCHAR,
    on_low DATE,
    on_high DATE, accelerators BIGINT, claimant VARCHAR, printed_by VARCHAR, evidence VARCHAR, url VARCHAR,
        stated_on DATE,
    stated_not_after DATE);
CREATE TABLE listed_organisations (raw VARCHAR, organisation_id VARCHAR);
CREATE TABLE facts.clusters (cluster VARCHAR, owner_raw VARCHAR, generation VARCHAR, status VARCHAR,
    operational_on DATE,
    operational_note VARCHAR, chips BIGINT, certainty VARCHAR, is_possible_duplicate BOOLEAN, evidence evidence_tag,
    source_id VARCHAR, url VARCHAR, stated_on DATE, first_seen DATE, last_seen DATE, is_latest BOOLEAN);
CREATE TABLE facts.mlperf_training ({ROUND} accelerators INTEGER, evidence evidence_tag, source_id VARCHAR,
    url VARCHAR);
CREATE TABLE facts.mlperf_inference AS FROM facts.mlperf_training;
CREATE TABLE facts.cloud_offers (provider_id VARCHAR, provider VARCHAR, generation VARCHAR, source_id VARCHAR,
    evidence evidence_tag, offer_url VARCHAR, url VARCHAR, first_seen DATE);
CREATE TABLE facts.top500 (list_number INTEGER, first_list INTEGER, list_month DATE, system_id VARCHAR, name VARCHAR,
    computer VARCHAR, organisation_id VARCHAR, generation VARCHAR, accelerators INTEGER, evidence evidence_tag,
    source_id VARCHAR, url VARCHAR, stated_on DATE);
CREATE TABLE registry.organisations (organisation_id VARCHAR, name VARCHAR);
CREATE TABLE registry.organisation_layers (organisation_id VARCHAR, layer VARCHAR, valid_from DATE, valid_to DATE);
CREATE TABLE registry.generations (generation_id VARCHAR, vendor_id VARCHAR, name VARCHAR);
INSERT INTO registry.organisations VALUES ('lab', 'Lab'), ('maker', 'Maker'), ('cloud', 'Cloud');
INSERT INTO registry.organisation_layers VALUES ('lab', 'science', NULL, NULL), ('cloud', 'enterprise', NULL,
    '2024-12-31'),
    ('cloud', 'neocloud', '2025-01-01', NULL);
INSERT INTO registry.generations VALUES ('g', 'maker', 'G');
INSERT INTO listed_organisations VALUES ('Lab', 'lab');
CREATE TABLE evidence.sources AS
    SELECT * FROM (VALUES ('s', 'S Prices'), ('t', 'T Prices')) AS s(source_id, publisher_name);
"""


def told(rows: str, columns: str, where: str = "true") -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        connection.execute(TABLES + rows)
        connection.execute(EVENTS.read_text(encoding="utf-8"))
        return connection.execute(f"SELECT {columns} FROM facts.adoption WHERE {where} ORDER BY ALL").fetchall()


LISTED = """INSERT INTO facts.top500 VALUES
    (64, {first}, '2024-11-01', 'S1', 'One', 'c', 'lab', 'g', 800, 'audited', 'top500',
        'https://top500.org/list', '2024-11-18'),
    (65, {first}, '2025-06-01', 'S1', 'One', 'c', 'lab', 'g', 900, 'audited', 'top500',
        'https://top500.org/list', '2025-06-10')"""


@pytest.mark.parametrize(("first", "low"), [(64, dt.date(2024, 5, 1)), (60, None)])
def test_a_machine_counts_once_on_its_first_list(first: int, low: dt.date | None) -> None:
    found = told(
        LISTED.format(first=first), "organisation_id, layer, origin, kind, system, on_low, on_high, accelerators"
    )
    assert found == [("lab", "science", "TOP500", "in service", "One", low, dt.date(2024, 11, 18), 800)]


def test_each_partner_of_a_joint_submission_counts_in_the_layer_of_its_day() -> None:
    joint = """INSERT INTO facts.mlperf_training VALUES
        ('training', 'v5', '{day}', '{basis}', 'Lab + Cloud', 'g', 64, 'audited', 's', 'u')"""
    rows = joint.format(day="2024-06-12", basis="round")
    assert told(rows, "organisation_id, layer, stated_on") == [
        ("cloud", "enterprise", dt.date(2024, 6, 12)), ("lab", "science", dt.date(2024, 6, 12)),
    ]  # fmt: skip
    assert told(joint.format(day="2025-06-04", basis="round"), "layer", "organisation_id = 'cloud'") == [("neocloud",)]
    unknown = joint.format(day="2026-11-21", basis="capture")
    assert told(unknown, "DISTINCT stated_on, stated_not_after") == [(None, dt.date(2026, 11, 21))]


def test_an_offer_in_the_first_look_of_its_source_may_be_older() -> None:
    offers = """INSERT INTO facts.cloud_offers VALUES
        ('cloud', 'Cloud', 'old', 's', 'reported', 'https://cloud.example/', 'https://s.example/prices',
        '2026-07-01'),
        ('cloud', 'Cloud', 'g', 's', 'reported', 'https://cloud.example/', 'https://s.example/prices',
        '2026-07-{day}'),
        ('cloud', 'Cloud', 'g', 't', 'reported', '', 'https://t.example/prices', '2026-08-01')"""
    seen = "on_low, on_high, url"
    assert told(offers.format(day="01"), seen) == [(None, dt.date(2026, 7, 1), "https://s.example/prices")]
    assert told(offers.format(day="01"), "system, printed_by") == [("listed by S Prices", "S Prices")]
    day = dt.date(2026, 7, 9)
    assert told(offers.format(day="09"), seen) == [(day, day, "https://s.example/prices")], (
        "another source's first look is no news"
    )


def test_a_later_edition_of_a_table_speaks_for_it_from_its_day_on() -> None:
    rows = """INSERT INTO facts.clusters VALUES
        ('A', 'Lab', 'g', 'Planned', NULL, '', 10, 'Likely', false, 'estimated', 'e', 'https://e.example/c',
        '2025-12-31', '2025-12-31', '2025-12-31', false),
        ('A', 'Lab', 'g', 'Existing', '2026-03-01', '', 12, 'Likely', false, 'estimated', 'e',
        'https://e.example/c', '2026-08-31', '2026-08-31', '2026-08-31', true)"""
    with duckdb.connect() as connection:
        connection.execute(TABLES + rows)
        connection.execute(EVENTS.read_text(encoding="utf-8"))
        states = [
            connection.execute("SELECT kind, accelerators FROM facts.adoption_as_of(?)", [day]).fetchall()
            for day in (dt.date(2025, 12, 30), dt.date(2026, 8, 30), dt.date(2026, 8, 31))
        ]
    assert states == [[], [("plan", 10)], [("in service", 12)]]
