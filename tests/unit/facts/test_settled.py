"""What was decided on a passage stays when the page is read anew, whatever the reader of the day says of it."""

from __future__ import annotations

import datetime as dt

from pipelines.decisions import Decision
from pipelines.facts.settled import decisions_on_claims, with_settled
from pipelines.ledger.read_claims import ReadDocument

NOON = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
PAGE = ReadDocument("racks.md", "0" * 64, "https://press.example/racks", "Press", "press", "2026-03", NOON.date())
OLD = {
    "subject": "Kestrel R1", "subject_id": "", "metric": "power", "value": "132", "qualifiers": "per=rack",
    "claimant": "Press", "document_id": "d1", "start": "40", "end": "43", "reader": "1-old",
}  # fmt: skip
NEW = OLD | {"qualifiers": "per=node", "reader": "1-new"}


def decided(verdict: str, claim: str = "old", **change: object) -> dict[str, Decision]:
    made = {"subject": OLD["subject"], "metric": "power"} | change
    return decisions_on_claims([Decision(claim, verdict, "A", NOON, **made)])  # type: ignore[arg-type]


def after(decisions: dict[str, Decision], *read: tuple[str, dict[str, str]]) -> list[dict[str, str]]:
    return with_settled(read, [("old", OLD)], decisions, PAGE)


def test_a_decided_line_stands_in_the_place_of_another_reading_of_the_passage() -> None:
    for verdict in ("accept", "reject", "correct"):
        assert after(decided(verdict), ("new", NEW)) == [OLD]
    assert after(decided("accept")) == [OLD]


def test_what_nobody_decided_on_is_as_it_is_read_now() -> None:
    assert after({}, ("new", NEW)) == [NEW]
    assert after(decided("accept", claim="another"), ("new", NEW)) == [NEW]
    assert after(decided("new"), ("new", NEW)) == [NEW]  # a decision on a name, in whatever document


def test_the_same_claim_read_again_bears_the_reader_of_today() -> None:
    again = OLD | {"reader": "1-new"}
    assert after(decided("accept"), ("old", again)) == [again]


def test_another_fact_of_the_passage_is_a_question_of_its_own() -> None:
    for change in ({"metric": "site_power"}, {"subject": "Kestrel R2"}, {"start": "60", "end": "63"}):
        assert after(decided("reject"), ("new", NEW | change)) == [NEW | change, OLD]


def test_a_figure_that_was_said_to_be_of_one_thing_is_not_given_to_another() -> None:
    other = NEW | {"subject": "Kestrel R2"}
    assert after(decided("accept"), ("new", other)) == [OLD]
    assert after(decided("accept"), ("old", OLD), ("new", other)) == [OLD]
    before = [("old", OLD), ("other", OLD | {"subject": "Kestrel R2"})]  # of both, as it was told before
    assert with_settled([("new", other)], before, decided("accept"), PAGE) == [other, OLD]


def test_what_a_line_was_corrected_to_is_not_told_a_second_time() -> None:
    corrected = decided("correct", subject="Kestrel R2", metric="site_power")
    assert after(corrected, ("new", NEW | {"subject": "Kestrel R2", "metric": "site_power"})) == [OLD]
    known = decided("correct", subject="NVIDIA B200", subject_id="nvidia-b200")
    assert after(known, ("new", NEW | {"subject": "B200", "subject_id": "nvidia-b200"})) == [OLD]


def test_a_figure_stays_settled_where_it_was_decided_on_when_the_claim_is_read_at_another_place() -> None:
    moved, here = OLD | {"start": "90", "end": "93"}, NEW | {"subject": "Kestrel R2"}
    first = decided("accept", document_id="d1", locator_start=40, locator_end=43)
    assert with_settled([("old", moved), ("new", here)], [("old", moved)], first, PAGE) == [moved]
    elsewhere = decided("accept", document_id="d2", locator_start=40, locator_end=43)
    assert with_settled([("old", moved), ("new", here)], [("old", moved)], elsewhere, PAGE) == [moved, here]


def test_a_reading_with_a_decision_of_its_own_stands_beside_the_older() -> None:
    both = decided("reject") | decided("accept", claim="new")
    assert after(both, ("new", NEW)) == [NEW, OLD]


def test_the_word_of_another_publisher_is_not_kept() -> None:
    other = OLD | {"claimant": "Another"}
    assert with_settled([("new", NEW)], [("old", other)], decided("accept"), PAGE) == [NEW]
    speaker = ("more", NEW | {"claimant": "Another", "start": "90", "end": "93"})
    assert other in with_settled([speaker], [("old", other)], decided("accept"), PAGE)


def test_the_latest_decision_counts() -> None:
    first = Decision("old", "correct", "A", NOON, subject="Kestrel R2", metric="power")
    later = Decision("old", "reject", "A", NOON + dt.timedelta(hours=1), subject="Kestrel R1", metric="power")
    other = NEW | {"subject": "Kestrel R2"}
    assert after(decisions_on_claims([first, later]), ("new", other)) == [other, OLD]
