"""The sentences of the first page say what the rows say, and nothing where rows do not carry them."""

from __future__ import annotations

import datetime as dt

import pytest

from dashboard import findings
from dashboard.components.board import finding_html
from dashboard.components.plot import Axis, Mark, Spot, apart
from dashboard.findings import Finding
from dashboard.headlines import words
from dashboard.headlines.due import quarter_end

TODAY = dt.date(2026, 11, 22)
ROW = {
    "system": "Maker Rack A", "vendor_name": "Maker", "vendor": "maker", "value": 100.0, "bound": None,
    "is_standing": True, "available_start": dt.date(2025, 1, 1), "available_end": dt.date(2025, 3, 31),
    "claimant": "Maker", "evidence": "vendor", "stated_on": dt.date(2024, 3, 18), "claim_id": "a",
}  # fmt: skip
NEXT = ROW | {
    "system": "Maker Rack B", "value": 500.0, "claim_id": "b",
    "available_start": dt.date(2027, 7, 1), "available_end": dt.date(2027, 12, 31),
}  # fmt: skip
RIVAL = ROW | {"system": "Other Rack", "vendor": "other", "vendor_name": "Other", "value": 300.0, "claim_id": "c"}


def said(finding: Finding) -> str:
    return "".join(finding.sentence)


def test_the_promised_rack_is_set_beside_its_own_makers() -> None:
    assert said(findings.density([ROW, NEXT, RIVAL], TODAY)) == (
        "The rack Maker promises for the second half of 2027 takes 500 kW, five times the 100 kW of its own Rack A."
    )
    assert said(findings.density([NEXT, RIVAL], TODAY)).endswith(", 1.7 times the 300 kW of Other's Rack.")


def test_limits_and_losers_carry_no_sentence() -> None:
    for out in ({"bound": "max"}, {"is_standing": False}):
        assert "No two racks" in said(findings.density([ROW, NEXT | out], TODAY))


def adopter(name: str, layer: str, day: dt.date, **more: object) -> dict[str, object]:
    row = {"organisation_id": name, "layer": layer, "on_high": day, "stated_not_after": dt.date(2026, 8, 1)}
    return row | {"retired_on": None, "evidence": "reported", "is_known_by_only": False} | more


def test_shares_are_of_all_on_record_and_without_those_who_retired_it() -> None:
    rows = [
        adopter("a", "hyperscale", dt.date(2025, 1, 1)),
        adopter("b", "neocloud", dt.date(2026, 8, 1), is_known_by_only=True),
        adopter("c", "neocloud", dt.date(2024, 1, 1), retired_on=dt.date(2026, 1, 1)),
    ]
    known = {"hyperscale": 1, "neocloud": 2, "science": 1, "enterprise": 9}
    finding = findings.adoption("Newest", rows, known, TODAY)
    assert said(finding) == "2 of 3 clouds on record have Newest in service, and 0 of 1 science centres."
    assert finding.notes[0] == "a year ago: 1 and 0"
    assert said(findings.adoption("Newest", [], known, TODAY)) == "Nobody is known to have one."


def promise(name: str, state: str, end: dt.date | None, **more: object) -> dict[str, object]:
    row = {"subject_id": name, "subject_kind": "system", "state": state, "latest_end": end, "first_end": None}
    return row | {"latest_stated_on": TODAY, "slip_low_days": None} | more


def test_promises_name_what_is_due_past_due_kept_and_late() -> None:
    rows = [
        promise("a", "promised", dt.date(2026, 12, 31)), promise("a", "confirmed", dt.date(2026, 12, 31)),
        promise("b", "revised", dt.date(2027, 3, 31)), promise("c", "overdue", dt.date(2026, 6, 30)),
        promise("d", "delivered late", None, slip_low_days=40), promise("e", "delivered on time", None),
        promise("f", "overdue", dt.date(2026, 6, 30), subject_kind="site"),
    ]  # fmt: skip
    finding = findings.promises(rows, TODAY)
    assert said(finding) == (
        "Two promises on chips and racks fall due by 31 December, in 39 days; "
        "one is past due with no outcome on record."
    )
    assert finding.notes == (
        "of those that came, one kept the first date and one did not, half of them by at least 40 days",
    )


def hour(day: dt.date, value: float, providers: int) -> dict[str, object]:
    return {
        "period_start": day, "value": value, "n_providers": providers, "name": "Maker X1", "publisher_name": "list",
        "evidence": "reported", "url": "https://example.org/",
    }  # fmt: skip


def test_a_price_says_its_change_its_panel_and_how_long_nobody_looked() -> None:
    finding = findings.hour([hour(dt.date(2026, 7, 6), 2.0, 3), hour(dt.date(2026, 8, 22), 2.1, 5)], TODAY)
    assert said(finding) == "An hour of X1 costs $2.10 at the median neocloud, up 5.0 % since 6 July 2026."
    assert finding.notes == (
        "on demand, 5 providers, 3 at first: part of the change may be theirs", "not read since 2026-08-22, 92 days",
    )  # fmt: skip
    assert finding.is_late


def test_periods_and_quarters_in_words() -> None:
    assert words.period(dt.date(2026, 7, 1), dt.date(2026, 9, 30)) == "the third quarter of 2026"
    assert words.period(dt.date(2025, 7, 1), dt.date(2025, 7, 31)) == "July 2025"
    assert [quarter_end(day) for day in (TODAY, dt.date(2026, 2, 1))] == [dt.date(2026, 12, 31), dt.date(2026, 3, 31)]


def test_text_of_sources_is_text_in_a_card_and_only_safe_links_lead() -> None:
    card = finding_html(
        Finding("x", "T", ("<img src=x>",), "vendor", "<b>who</b>", "racks", "Racks", href="javascript://x"), ""
    )
    assert "<img" not in card
    assert "<b>who" not in card
    assert "javascript" not in card


def test_labels_near_each_other_are_put_apart() -> None:
    low, high, far = apart([Mark(0.3, 0.5, label="a"), Mark(0.32, 0.55, label="b"), Mark(0.7, 0.5, label="c")], 100)
    assert (low.narrow, high.narrow) == (Spot("a", "left"), Spot("b", "right"))
    assert far.wide == Spot("c", "right")


def test_no_label_crosses_the_line_of_today_or_leaves_the_frame() -> None:
    mark = Mark(0.7, 0.5, label="Name of a rack 600 kW", side="left", short="600 kW")
    (found,) = apart([mark], 190, Axis(today=0.6))
    assert (found.wide, found.narrow) == (Spot("Name of a rack 600 kW"), Spot("600 kW"))
    (full,) = apart([Mark(0.5, 0.5, label="W" * 199)], 190)
    assert (full.wide, full.narrow) == (None, None)


def test_a_figure_is_told_with_the_day_on_which_the_same_claimant_said_it() -> None:
    undated = NEXT | {"stated_on": None, "claim_id": "d"}
    dated = NEXT | {"is_standing": False}
    assert findings.density([ROW, undated, dated], TODAY).said == "Maker, 2024-03-18"


@pytest.mark.parametrize(
    ("system", "named"),
    [("NVIDIA GB300 NVL72 (72x GB300)", "GB300 NVL72"), ("NVIDIA (8x GB300)", "Blackwell Ultra"),
     (None, "Blackwell Ultra"), ("Cray XD670", "Cray XD670")],
)  # fmt: skip
def test_a_submitted_system_without_a_name_is_called_by_its_generation(system: str | None, named: str) -> None:
    row = {"system": system, "best_submitter": "NVIDIA", "generation_name": "Blackwell Ultra"}
    assert findings.system_name(row) == named
