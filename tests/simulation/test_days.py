"""Thirty days of the world, without a hand: what is published, named and kept, and what a day costs.

More days, of all hosts and all tables: bench/simulation.py.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pipelines.archive.store import Archive
from pipelines.decisions import Decision, append
from tests.simulation.internet import START, Fault, Host, Internet
from tests.simulation.life import Day, Life, living
from tests.simulation.pages import date_of
from tests.simulation.world import MOVED_ON, PRICES, chosen, price_on
from tests.trimmed import trimmed

DAYS = 30
# Every day builds what tells of sources and tries; the last one builds history too, and answers for each day of it.
DAILY = ("evidence.attempts", "evidence.quarantine", "evidence.problems", "marts.source_health")
HISTORY = (*DAILY, "facts.cloud_offers", "marts.prices", "marts.slips", "evidence.claims")
KILLED_ON = {5: 20, 11: 40, 17: 5, 19: 30}  # day → how many requests the run lives for
FULL_DISK_ON = 13
AHEAD_ON, BEHIND_ON = 7, 18  # days on which the clock is first wrong, and right an hour later
STATES = "SELECT source_id, verdict, reason, says FROM marts.source_health"
State = tuple[str, str, str]


@dataclass(slots=True)
class Diary:
    """What was seen day by day."""

    life: Life
    days: list[Day] = field(default_factory=list)
    health: dict[int, dict[str, State]] = field(default_factory=dict)
    kills: list[int] = field(default_factory=list)
    full_disk: tuple[int, str, str] = (0, "", "")


def live_on(life: Life, diary: Diary, number: int) -> None:
    """One day: what goes wrong with our own machine, then the run that must go well."""
    life.world.now = START + dt.timedelta(days=number - 1)
    if number in KILLED_ON:
        diary.kills.append(life.killed(KILLED_ON[number]))
    if number == FULL_DISK_ON:
        (before,) = life.ask("SELECT version FROM meta.publication")
        status = life.on_a_full_disk(2000)
        (after,) = life.ask("SELECT version FROM meta.publication")
        diary.full_disk = (status, before[0], after[0])
    if number in (AHEAD_ON, BEHIND_ON):
        life.wrong_by = dt.timedelta(days=3650) if number == AHEAD_ON else dt.timedelta(days=-40)
        life.day(publishes=False)
        life.wrong_by = dt.timedelta(0)
        life.world.now += dt.timedelta(hours=1)
    diary.days.append(life.day())
    rows = life.ask(STATES)
    diary.health[number] = {str(row[0]): (str(row[1]), str(row[2] or ""), str(row[3])) for row in rows}


def accept_promises(life: Life) -> None:
    """A person accepts the dates that the reader is not sure of: until then they wait in the queue."""
    facts = life.settings.facts
    facts.mkdir(parents=True, exist_ok=True)
    rows = life.ask(
        """SELECT DISTINCT ON (claim_id) claim_id, subject, subject_id, subject_kind, metric, value_start, value_end
           FROM evidence.mentions WHERE source_id = 'promises' AND metric = 'available_from'"""
    )
    for claim_id, subject, subject_id, kind, metric, start, end in rows:
        decided = Decision(
            claim_id, "accept", "tester", START, subject=subject, subject_id=subject_id, subject_kind=kind,
            metric=metric, value=f"{start}..{end}", unit="date",
        )  # fmt: skip
        append(decided, facts / "decisions.csv")


@pytest.fixture(scope="module")
def diary(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Diary]:
    """All days lived."""
    folder: Path = tmp_path_factory.mktemp("world")
    with living(folder, Internet(chosen())) as life:
        kept = Diary(life)
        with trimmed(folder / "sql", *DAILY):
            for number in range(1, DAYS):
                live_on(life, kept, number)
        with trimmed(folder / "sql-history", *HISTORY):
            accept_promises(life)
            live_on(life, kept, DAYS)
            yield kept


def test_every_day_publishes(diary: Diary) -> None:
    assert [day.version[:8] for day in diary.days] == [f"{date_of(number):%Y%m%d}" for number in range(1, DAYS + 1)]


def faults(hosts: list[Host]) -> Iterator[tuple[Host, Fault, int]]:
    """Each fault on each day on which it lies."""
    for host in hosts:
        for fault in host.faults:
            yield from ((host, fault, day) for day in range(1, DAYS + 1) if fault.is_on(day))


def test_every_planted_fault_is_named_on_its_day(diary: Diary) -> None:
    missed = [
        (host.source_id, fault.name, day, diary.health[day][host.source_id])
        for host, fault, day in faults(list(diary.life.world.hosts.values()))
        if not fault.is_named(*diary.health[day][host.source_id])
    ]
    assert missed == []


def test_what_is_well_again_is_told_so(diary: Diary) -> None:
    ill = {name: state[:2] for name, state in diary.health[DAYS].items() if state[2] != "answers"}
    # the new field of `new_fields` is old by then: a clock that was behind dated a look at it before all others
    assert ill == {"quiet_house": ("quiet", "nothing_newer")}


def test_what_could_not_be_got_or_read_stands_in_tries_and_quarantine(diary: Diary) -> None:
    tried = "SELECT DISTINCT source_id, reason FROM evidence.attempts WHERE reason <> ''"
    unread = 'SELECT DISTINCT source_id, "check" FROM evidence.quarantine'
    told = {*diary.life.ask(tried), *diary.life.ask(unread)}
    judged = ("layout_changed", "fields_new", "too_few_items", "too_many_items")  # of answers that can be read
    wanted = {
        (host.source_id, fault.reason)
        for host, fault, _ in faults(list(diary.life.world.hosts.values()))
        if fault.reason not in judged
    }
    assert wanted - told == set()


def test_nothing_that_was_captured_is_lost(diary: Diary) -> None:
    with Archive(diary.life.settings.archive) as archive:
        held = {(capture.final_url, capture.payload_sha256) for capture in archive.captures()}
        assert archive.verify().is_sound
    at_risk = {AHEAD_ON, BEHIND_ON, FULL_DISK_ON, *KILLED_ON}
    lost = [
        one
        for one in diary.life.world.served
        if not one.url.endswith("robots.txt") and one.day not in at_risk and (one.url, one.sha256) not in held
    ]
    assert lost == []


def test_price_changes_come_out_on_their_days(diary: Diary) -> None:
    rows = diary.life.ask(
        """SELECT period_start, median_usd_per_gpu_hour FROM marts.prices WHERE source_id = 'prices' AND period = 'day'
           AND accelerator LIKE '%h100%' AND layer = 'all' AND accelerator_grain = 'exact' ORDER BY 1"""
    )
    told = {row[0]: row[1] for row in rows}
    assert {date_of(first) for first, _ in PRICES} <= told.keys()
    assert all(price == price_on((day - START.date()).days + 1) for day, price in told.items())


def test_a_moved_promise_is_a_slip_from_the_day_on_which_it_was_moved(diary: Diary) -> None:
    asked = "SELECT subject_id, slip_low_days, slip_high_days FROM marts.slips_as_of(DATE '{}') WHERE revisions > 0"
    assert diary.life.ask(asked.format(date_of(MOVED_ON - 1))) == []
    # from the last day of October to the first of March, and from the first to the last
    assert diary.life.ask(asked.format(date_of(MOVED_ON))) == [("nvidia-rubin-ultra", 121, 181)]


def test_a_kill_a_full_disk_and_wrong_clocks_leave_nothing(diary: Diary) -> None:
    assert diary.kills == [-9] * len(KILLED_ON)
    status, before, after = diary.full_disk
    assert status != 0
    assert before == after
    folder = diary.life.settings.data
    assert [path.name for path in folder.rglob("*") if path.name.startswith(("collect-", ".pack", "body-"))] == []
    assert list(diary.life.settings.warehouse.parent.glob("*.building*")) == []


def cost(days: list[Day]) -> tuple[int, int, int]:
    """What some days cost together: things read, bytes fetched, files of the lake written."""
    return sum(day.read for day in days), sum(day.byte_count for day in days), sum(day.written for day in days)


def test_a_day_costs_the_same_at_the_end_as_at_the_beginning(diary: Diary) -> None:
    early, late = cost(diary.days[13:16]), cost(diary.days[26:29])  # days without a fault of the world or the machine
    assert all(0 < then <= 1.2 * before for before, then in zip(early, late, strict=True))


def test_hostile_sentences_are_set_aside_and_sound_ones_beside_them_are_read(diary: Diary) -> None:
    """A value beyond belief may wait for a person with that as its doubt; it stands nowhere."""
    found = diary.life.ask(
        "SELECT DISTINCT value, doubt FROM evidence.mentions WHERE source_id = 'hostiles' AND metric = 'power'"
    )
    assert (120.0, None) in found
    assert all(value < 1000 or "outside what is believable" in (doubt or "") for value, doubt in found)
    stands = diary.life.ask("SELECT value FROM evidence.claims WHERE source_id = 'hostiles' AND metric = 'power'")
    assert all(value < 1000 for (value,) in stands)


def test_figures_are_read_whatever_the_charset(diary: Diary) -> None:
    rows = diary.life.ask("SELECT source_id, max(value) FROM evidence.mentions WHERE metric = 'power' GROUP BY 1")
    told = dict(rows)
    assert {name: told.get(name) for name in ("recodes", "edits")} == {"recodes": 14.0, "edits": 120.0 + DAYS // 3}
