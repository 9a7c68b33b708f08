"""What a thing's page says of its milestones: who told it, when and where, and nothing that is not on record."""

from __future__ import annotations

import datetime as dt

import pytest

from dashboard.components import milestones
from dashboard.queries import Ledger
from dashboard.views import thing
from warehouse.read import Warehouse

DAYS = [dt.date(2025, 6, 30), dt.date(9999, 12, 31)]


@pytest.fixture(scope="module")
def ledger(market: Warehouse) -> Ledger:
    return Ledger(market.path)


@pytest.mark.parametrize("day", DAYS, ids=str)
def test_every_milestone_says_what_is_on_record(ledger: Ledger, market: Warehouse, day: dt.date) -> None:
    ids = [row["subject_id"] for row in market.rows("SELECT DISTINCT subject_id FROM marts.milestones")]
    rows = ledger.rows("things.milestones_of", ids=ids, day=day)
    assert rows
    for row in rows:
        _, verdict = thing._milestone(row)
        assert "None" not in verdict.words + verdict.says
        addresses = {row[f"{told}_url"] for told in ("latest", "ended", "open", "actual", "reported")} - {None}
        assert verdict.href in (addresses or {""})
        assert verdict.words.startswith("came") == bool(row["actual_url"])


@pytest.mark.parametrize(
    ("wanted", "words", "says"),
    [
        ("subject_id = 'nvidia-gb200-nvl72' AND milestone = 'production'", "reported for 2025-05",
         "no promise known; says Ming-Chi Kuo, 2024-10-18"),
        ("subject = 'Tesla Dojo' AND milestone = 'programme'", "cancelled", "no promise known; says Tesla, 2025-08-08"),
        ("subject = 'Intel Falcon Shores' AND milestone = 'launch'", "cancelled",
         "promised for 2024, then 2025; says Intel, 2025-01-30"),
        ("subject = 'Intel Magdeburg' AND milestone = 'construction'", "put off, no new date",
         "no promise known; says Intel, 2024-09-30"),  # its date is told in a page that was read later
        ("subject = 'Alice Recoque' AND milestone = 'construction'", "due by 2026-12-31",
         "promised by 2026-12-31; says Eviden, undated"),
        ("subject = 'Stargate UK' AND milestone = 'programme'", "put off, no new date",
         "no promise known; says OpenAI, 2026-04-09"),
    ],
)  # fmt: skip
def test_who_reported_and_what_ended_are_told(
    ledger: Ledger, market: Warehouse, wanted: str, words: str, says: str
) -> None:
    (asked,) = market.rows(f"SELECT subject_id, milestone FROM marts.milestones WHERE {wanted} AND variant = ''")
    rows = ledger.rows("things.milestones_of", ids=[asked["subject_id"]], day=dt.date(2026, 6, 30))
    (row,) = [row for row in rows if row["milestone"] == asked["milestone"] and not row["variant"]]
    _, verdict = thing._milestone(row)
    assert (verdict.words, verdict.says) == (words, says)


def test_an_open_date_stands_before_the_one_that_was_given_up(ledger: Ledger) -> None:
    rows = ledger.rows("things.milestones_of", ids=["intel-magdeburg"], day=DAYS[-1])
    (row,) = [row for row in rows if row["milestone"] == "construction"]
    _, verdict = thing._milestone(row)
    assert row["latest_url"]
    assert verdict.words == "put off, no new date"
    assert verdict.says.startswith("promised for ")
    assert verdict.says.endswith("; says Intel, 2024-09-30")


@pytest.mark.parametrize("name", ["market.milestones", "market.slips"])
def test_a_row_leads_to_the_claim_of_its_own_statement(ledger: Ledger, market: Warehouse, name: str) -> None:
    behind = {None: None} | {row["statement_id"]: row["claim_id"] for row in market.rows("FROM facts.promises")}
    rows = ledger.rows(name, day=dt.date(2026, 6, 30))
    assert [row["claim_id"] for row in rows] == [behind[row["statement_id"]] for row in rows]
    assert any(row["claim_id"] for row in rows)


def test_the_page_of_an_organisation_says_the_same(ledger: Ledger) -> None:
    rows = ledger.rows("parties.promised", id="intel", day=dt.date(2026, 6, 30))
    told = {(row["subject"], row["milestone"]): milestones.outcome(row) for row in rows}
    assert told["Intel Falcon Shores", "launch"] == ("cancelled", "ended")
    assert all(row[f"{milestones.outcome(row)[1]}_url"] for row in rows)


@pytest.mark.parametrize(("variant", "words"), [("", "in service"), ("1 million chips", "in service, 1 million chips")])
def test_a_stage_is_told_with_the_part_that_was_promised(variant: str, words: str) -> None:
    assert milestones.stage({"milestone": "in_service", "variant": variant}) == words
