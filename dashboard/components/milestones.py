"""What came of a milestone, in words, and which of the statements about it says so."""

from __future__ import annotations

from dashboard.queries import Row
from warehouse.answers import claim_words, formats


def stage(each: Row) -> str:
    """What was promised, with the part or size of it that was: 'in service, 1 million Trainium2'."""
    return str(each["milestone"]).replace("_", " ") + (f", {each['variant']}" if each["variant"] else "")


def outcome(each: Row) -> tuple[str, str]:
    """What came of a milestone, and whose word that is: `actual`, `ended`, `open`, `latest` or `reported`, as the
    columns of `marts.milestones` begin."""
    if each["actual_url"]:
        came, late = when(each, "actual"), each["slip_low_days"]
        size = f", at least {late:,} days late" if late is not None and late > 0 else ""
        return (f"came {came}{size}" if came else "came, day not stated"), "actual"
    if each["state"] in ("cancelled", "superseded"):
        return str(each["state"]), "ended"
    told = next((source for source in ("open", "latest", "reported") if each[f"{source}_url"]), "latest")
    now, reported = when(each, "latest"), when(each, "reported")
    if told == "open":
        words = "put off, no new date"
    elif each["state"] == "overdue":
        words = f"{each['overdue_days']:,} days past due, no outcome on record"
    elif told == "reported":
        words = f"reported {for_when(reported)}" if reported else "reported, day not stated"
    else:
        words = f"due {now}" if now else str(each["state"])
    return words, told


def told_by(each: Row, told: str) -> str:
    """Who said so and when, '' where neither is on record."""
    who, day = each[f"{told}_claimant"], formats.day(each[f"{told}_stated_on"])
    return f"says {who}, {day or 'undated'}" if who else f"told {day}" if day else ""


def when(each: Row, which: str) -> str:
    """When something was to come or came: '2026-H2'; 'by 2026-12-31' where only a latest day is said."""
    start, end = each[f"{which}_start"], each[f"{which}_end"]
    return f"by {formats.day(end)}" if end and not start else claim_words.period_words(start, end)


def for_when(words: str) -> str:
    """'for 2026-H2', 'by 2026-12-31'."""
    return words if words.startswith("by ") else f"for {words}"
