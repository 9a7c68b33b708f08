"""States of milestones by hand-made statements, slips by hand, what is known on a day; what the facts hold."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT
from warehouse.read import Warehouse

MARTS = PROJECT_ROOT / "warehouse" / "marts" / "21_roadmap.sql"
READ_ON = dt.date(2026, 11, 21)
FAR = dt.date(9999, 12, 31)


def day(text: str | None) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


class Board:
    """The marts of milestones over statements of a test, with empty registry tables."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        self.connection.execute(
            """CREATE SCHEMA facts; CREATE SCHEMA marts; CREATE SCHEMA registry;
            CREATE TABLE registry.accelerators (accelerator_id VARCHAR, model_id VARCHAR, vendor_id VARCHAR,
                generation_id VARCHAR);
            CREATE TABLE registry.system_parts (system_id VARCHAR, part VARCHAR, part_kind VARCHAR);
            CREATE TABLE registry.systems (system_id VARCHAR, vendor_id VARCHAR);
            CREATE TABLE registry.generations (generation_id VARCHAR, vendor_id VARCHAR);
            CREATE TABLE registry.networks (network_id VARCHAR, vendor_id VARCHAR);
            CREATE MACRO registry.system_names_as_of(day) AS TABLE
                SELECT '' AS system_id, '' AS name, day AS valid_from;
            CREATE TABLE facts.promises (statement_id VARCHAR, claim_id VARCHAR, subject VARCHAR, subject_id VARCHAR,
                subject_kind VARCHAR, party_id VARCHAR, milestone VARCHAR, variant VARCHAR, modality VARCHAR,
                period_start DATE, period_end DATE, claimant VARCHAR, claimant_id VARCHAR, is_own_word BOOLEAN,
                is_disputed BOOLEAN, superseded_by VARCHAR, printed_by VARCHAR, printed_by_kind VARCHAR,
                evidence VARCHAR, stated_on DATE, stated_on_precision VARCHAR, stated_not_after DATE,
                known_on DATE, read_on DATE,
                url VARCHAR, other_urls VARCHAR[], caveats VARCHAR[], source_id VARCHAR);
            CREATE MACRO facts.promises_as_of(day) AS TABLE FROM facts.promises WHERE known_on <= day"""
        )
        self.connection.execute(MARTS.read_text(encoding="utf-8"))
        self.count = 0

    def say(
        self, modality: str, period: tuple[str | None, str | None] = (None, None), stated: str | None = None, *,
        own: bool = True, subject: str = "thing", milestone: str = "launch", variant: str = "", party: str = "maker",
        disputed: bool = False, by: str | None = None,
    ) -> None:  # fmt: skip
        self.count += 1
        known = day(stated) or READ_ON
        self.connection.execute(
            "INSERT INTO facts.promises VALUES (?, NULL, ?, ?, 'accelerator', ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?,"
            " 'page', 'press', 'reported', ?, 'day', ?, ?, ?, 'https://example.org/a', [], [], 'ledger')",
            [f"S{self.count:02d}", subject, subject, party, milestone, variant, modality, day(period[0]),
             day(period[1]), party if own else "analyst", own, disputed, by, day(stated), known, known, READ_ON],
        )  # fmt: skip

    def one(self, columns: str, on: dt.date = FAR, where: str = "true") -> tuple[Any, ...]:
        (row,) = self.connection.execute(
            f"SELECT {columns} FROM marts.milestones_as_of(?) WHERE {where}",
            [on],
        ).fetchall()
        return tuple(row)


@pytest.fixture
def board() -> Iterator[Board]:
    made = Board()
    yield made
    made.connection.close()


H2_2025 = ("2025-07-01", "2025-12-31")
H1_2026 = ("2026-01-01", "2026-06-30")
YEAR_2027 = ("2027-01-01", "2027-12-31")


def test_promised_confirmed_revised(board: Board) -> None:
    board.say("promised", YEAR_2027, "2026-01-10")
    assert board.one("state, confirmations, revisions") == ("promised", 0, 0)
    board.say("promised", ("2027-07-01", "2027-12-31"), "2026-05-10")  # tighter: a confirmation with its own date
    assert board.one("state, confirmations, revisions, latest_stated_on") == ("confirmed", 1, 0, dt.date(2026, 5, 10))
    board.say("revised", ("2028-01-01", "2028-06-30"), "2026-08-01")
    assert board.one("state, revisions, slip_low_days, slip_high_days") == ("revised", 1, 1, 546)
    # from the last day of 2027 to the first of 2028, and from the first of 2027 to the last of June 2028


def test_a_revision_without_a_date_is_open(board: Board) -> None:
    board.say("promised", H2_2025, "2025-01-10")
    board.say("revised", stated="2025-09-01")
    assert board.one("state, revisions, slip_days, overdue_days") == ("revised", 1, None, None)


def test_delivered_late_on_time_and_undecided(board: Board) -> None:
    board.say("promised", H2_2025, "2025-01-10")
    board.say("actual", ("2026-03-10", "2026-03-10"), "2026-03-10")
    assert board.one("state, slip_low_days, slip_high_days, slip_days") == ("delivered late", 69, 252, 160.5)
    board.say("promised", H2_2025, "2025-01-10", subject="punctual")
    board.say("actual", ("2025-12-01", "2025-12-31"), "2026-01-10", subject="punctual")
    assert board.one("state, slip_low_days", where="subject = 'punctual'") == ("delivered on time", -30)
    board.say("promised", (None, "2025-12-31"), "2025-01-10", subject="bound")
    board.say("actual", ("2025-12-01", "2026-01-31"), "2026-02-10", subject="bound")
    assert board.one("state, slip_low_days, slip_high_days", where="subject = 'bound'") == ("delivered", -30, 31)


def test_an_outcome_by_a_day_lies_after_what_was_still_promised(board: Board) -> None:
    board.say("promised", H2_2025, "2025-01-10")
    board.say("revised", ("2026-05-01", "2026-05-31"), "2026-02-01")
    board.say("actual", (None, "2026-06-15"), "2026-06-15")
    assert board.one("state, actual_start, slip_low_days") == ("delivered late", dt.date(2026, 2, 1), 32)


def test_overdue_only_when_the_period_is_over_and_nothing_shows_delivery(board: Board) -> None:
    board.say("promised", H1_2026, "2025-06-01")
    assert board.one("state, overdue_days") == ("overdue", 144)  # 30 June to the day of reading
    assert board.one("state, overdue_days", dt.date(2026, 6, 30)) == ("promised", None)
    assert board.one("state, overdue_days", dt.date(2026, 7, 10)) == ("overdue", 10)
    board.say("promised", ("2026-07-01", "2026-12-31"), "2025-06-01", subject="open")
    board.say("confirmed", ("2026-07-01", "2026-09-30"), "2026-01-01", subject="open")
    assert board.one("state", where="subject = 'open'") == ("confirmed",)  # the year that was first said is not over


def test_a_later_stage_shows_the_earlier_ones(board: Board) -> None:
    board.say("promised", ("2021-10-01", "2021-10-31"), "2021-01-01", milestone="delivery")
    board.say("actual", ("2023-07-05", "2023-07-05"), "2023-07-06", milestone="in_service")
    found = board.one("state, actual_start, actual_end, actual_basis", where="milestone = 'delivery'")
    assert found == ("delivered", dt.date(2021, 1, 1), dt.date(2023, 7, 5), "later stage")


def test_a_lot_in_service_shows_that_a_product_can_be_had_and_a_phase_only_its_own_stages(board: Board) -> None:
    board.say("promised", H2_2025, "2025-01-10")
    board.say("actual", (None, "2025-10-10"), "2025-10-10", milestone="in_service", variant="one buyer's cluster")
    assert board.one("state, actual_basis", where="milestone = 'launch'") == ("delivered on time", "later stage")
    for variant in ("", "phase 1"):
        board.say("promised", H2_2025, "2025-01-10", subject="site", milestone="delivery", variant=variant)
    board.say("actual", (None, "2025-10-10"), "2025-10-10", subject="site", milestone="in_service", variant="phase 1")
    board.connection.execute("UPDATE facts.promises SET subject_kind = 'site' WHERE subject = 'site'")
    found = board.one("state", where="subject = 'site' AND milestone = 'delivery' AND variant = 'phase 1'")
    assert found == ("delivered on time",)
    assert board.one("state", where="subject = 'site' AND milestone = 'delivery' AND variant = ''") == ("overdue",)


def test_cancelled_ends_all_milestones_and_superseded_names_what_follows(board: Board) -> None:
    board.say("promised", H2_2025, "2024-01-10")
    board.say("promised", ("2025-01-01", "2025-03-31"), "2024-01-10", milestone="sampling")
    board.say("cancelled", stated="2025-01-30")
    assert board.one("state, ended_stated_on", where="milestone = 'launch'") == ("cancelled", dt.date(2025, 1, 30))
    assert board.one("state", where="milestone = 'sampling'") == ("cancelled",)
    assert board.one("state", dt.date(2025, 1, 29), "milestone = 'launch'") == ("promised",)
    board.say("cancelled", stated="2025-01-30", subject="replaced", by="other")
    assert board.one("state, superseded_by", where="subject = 'replaced'") == ("superseded", "other")


def test_what_others_report_stands_beside(board: Board) -> None:
    board.say("promised", YEAR_2027, "2026-01-10")
    board.say("delayed_report", ("2028-01-01", "2028-12-31"), "2026-05-01", own=False)
    board.say("cancelled", stated="2026-06-01", own=False)
    assert board.one("state, revisions, reports, reported_start") == ("promised", 0, 2, dt.date(2028, 1, 1))
    board.say("actual", ("2026-08-01", "2026-08-01"), "2026-08-01", disputed=True)
    assert board.one("state, disputed_actuals") == ("promised", 1)


def test_release_dates_without_a_promise_are_no_slips(board: Board) -> None:
    board.say("actual", ("2025-03-01", "2025-03-01"), "2025-03-01")
    assert board.one("state, slip_days") == ("no promise known", None)
    assert board.connection.execute("SELECT count(*) FROM marts.slips_as_of(DATE '9999-12-31')").fetchall() == [(0,)]


def test_undated_promises_do_not_beat_dated_ones(board: Board) -> None:
    board.say("promised", ("2024-01-01", "2024-12-31"))
    board.say("promised", H2_2025, "2025-01-10")
    assert board.one("first_start, revisions") == (dt.date(2025, 7, 1), 0)
    board.say("promised", ("2024-01-01", "2024-12-31"), subject="retold")
    board.say("revised", H2_2025, "2025-01-10", subject="retold")
    assert board.one("first_start, revisions", where="subject = 'retold'") == (dt.date(2024, 1, 1), 1)


def test_parties_have_a_rate_from_eight_and_an_interval_that_repeats(board: Board) -> None:
    for index in range(8):
        board.say("promised", ("2025-01-01", "2025-01-31"), "2024-06-01", subject=f"t{index}")
        came = "2025-01-20" if index < 2 else f"2025-0{index}-15"
        board.say("actual", (came, came), came, subject=f"t{index}")
    asked = """SELECT promised, delivered, on_time, late, median_slip_days, on_time_share, is_thin, median_low_days,
                      median_high_days
               FROM marts.slips_by_party_as_of(?)"""
    (row,) = board.connection.execute(asked, [FAR]).fetchall()
    # 4, 4, 30, 58, 89, 119, 150 and 180 days from the middle of January
    assert row[:7] == (8, 8, 2, 6, 73.5, 0.25, False)
    assert row[7] <= 73.5 <= row[8]
    assert board.connection.execute(asked, [FAR]).fetchall() == [row]
    (few,) = board.connection.execute(asked, [dt.date(2025, 6, 1)]).fetchall()
    assert few[5:7] == (None, True)


def test_nothing_of_a_later_day_is_known(board: Board) -> None:
    board.say("promised", H2_2025, "2025-01-10")
    board.say("revised", H1_2026, "2025-08-01")
    before = [
        board.connection.execute(f"FROM marts.{mart}_as_of(DATE '2025-12-31')").fetchall()
        for mart in ("roadmap", "milestones", "slips", "slips_by_party")
    ]
    for modality, period in (
        ("actual", ("2026-04-01", "2026-04-01")),
        ("cancelled", (None, None)),
        ("revised", YEAR_2027),
    ):
        board.say(modality, period, "2026-04-02")
    board.say("delayed_report", YEAR_2027, "2026-04-02", own=False)
    board.say("promised", YEAR_2027)
    after = [
        board.connection.execute(f"FROM marts.{mart}_as_of(DATE '2025-12-31')").fetchall()
        for mart in ("roadmap", "milestones", "slips", "slips_by_party")
    ]
    assert after == before


def test_the_committed_facts_hold_enough(market: Warehouse) -> None:
    (found,) = market.rows(
        """SELECT count(*) AS n, count(DISTINCT party_id) AS parties,
                  count(*) FILTER (subject_kind = 'network') AS networks
           FROM marts.slips WHERE first_statement_id IS NOT NULL"""
    )
    assert found["n"] >= 100  # only where the party itself is known to have promised
    assert found["parties"] >= 15
    assert found["networks"] >= 8
    kinds = {row["subject_kind"] for row in market.rows("SELECT DISTINCT subject_kind FROM marts.slips")}
    assert {"site", "network", "accelerator", "system", "component"} <= kinds


def test_cases_that_are_known(market: Warehouse) -> None:
    def state(subject: str, milestone: str, variant: str = "") -> dict[str, Any]:
        (row,) = market.rows(
            "SELECT * FROM marts.milestones WHERE subject_id = ? AND milestone = ? AND variant = ?",
            [subject, milestone, variant],
        )
        return dict(row)

    assert state("intel-falcon-shores", "launch")["state"] == "cancelled"
    aurora = state("aurora", "in_service")
    assert (aurora["state"], aurora["first_end"], aurora["actual_start"]) == (
        "delivered late", dt.date(2021, 12, 31), dt.date(2024, 12, 1),
    )  # fmt: skip
    assert aurora["slip_low_days"] == 1066
    assert state("tsmc-n2", "production")["state"] == "delivered on time"
    assert state("stargate-uk", "programme")["state"] == "revised"  # paused, not ended
