"""Today: five findings computed from the record, what happened in the last seven days, and what was read late."""

from __future__ import annotations

import datetime as dt
import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dashboard import findings
from dashboard.components import as_of, words_of
from dashboard.components.board import finding_html, link, list_html, show_board
from dashboard.components.plot import Axis, Bar, Mark, Steps, apart, bars, plot, stacks
from dashboard.components.state import now_word
from dashboard.headlines import due
from dashboard.queries import Ledger, layers
from warehouse.answers import formats

WORDS = words_of(__file__)

WEEK, LINES, DUE_LINES, QUARTERS_BEFORE, QUARTERS = 7, 8, 14, 4, 10
ADOPTION_DAYS = 730
HEIGHT = 190
Records = Sequence[Mapping[str, Any]]


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    show_board(board(ledger, as_of(ledger)), key="today")


def board(ledger: Ledger, day: dt.date) -> list[str]:
    """The cards of the page as known on a day: the findings, what happened, what is due."""
    promises = ledger.rows("today.promises", day=day)
    return [
        _density(ledger, day),
        _adoption(ledger, day),
        finding_html(findings.promises(promises, day), _due_by_quarter(promises, day)),
        _hour(ledger, day),
        _audited(ledger, day),
        _happened(ledger, day),
        _due(promises, day),
    ]


def _share(day: dt.date, first: dt.date, last: dt.date) -> float:
    return (day - first).days / max((last - first).days, 1)


def _years(first: dt.date, last: dt.date, step: int = 1) -> list[tuple[float, str]]:
    days = [dt.date(year, 1, 1) for year in range(first.year, last.year + 1, step)]
    return [(_share(day, first, last), f"{day:%Y}") for day in days if first <= day <= last]


def _density(ledger: Ledger, today: dt.date) -> str:
    rows = ledger.rows("today.racks", day=today)
    finding = findings.density(rows, today)
    if not rows:
        return finding_html(finding, "", is_wide=True)
    middles = [row["available_start"] + (row["available_end"] - row["available_start"]) / 2 for row in rows]
    first, last = dt.date(min(middles).year, 1, 1), dt.date(max(max(middles), today).year + 1, 6, 30)
    top = max(float(row["value"]) for row in rows)
    labelled = {row["claim_id"] for row in findings.two_racks(rows, today) or ()}
    marks = [
        Mark(
            _share(middle, first, last), float(row["value"]) / (top * 1.1), str(row["vendor"]),
            f"{findings.bare_name(row['system'], row['vendor_name'])} {formats.quantity(row['value'], 'kW')}"
            if row["claim_id"] in labelled else "",
            "left" if _share(middle, first, last) > 0.6 else "right", row["available_end"] > today,
            formats.quantity(row["value"], "kW") if row["claim_id"] in labelled else "",
        )
        for row, middle in zip(rows, middles, strict=True)
    ]  # fmt: skip
    ticks = [(value / (top * 1.1), f"{value:,.0f}") for value in range(0, int(top) + 1, 200 if top > 300 else 50)]
    axis = Axis(_years(first, last), ticks, _share(today, first, last), now_word(ledger, today))
    words = "Power per rack in kW over the day the rack could first be had: " + "; ".join(
        f"{row['system']} {formats.quantity(row['value'], 'kW')}, {row['claimant']}" for row in rows
    )
    return finding_html(
        finding, plot(apart(marks, HEIGHT, axis), axis, height=HEIGHT, alt=words, right=20), is_wide=True
    )


def _adoption(ledger: Ledger, today: dt.date) -> str:
    newest = ledger.row("today.newest_generation", day=today)
    if newest is None:
        return finding_html(findings.adoption("", [], {}, today), "")
    service, known = ledger.frame_of("layers.service", day=today), layers.known(ledger, today)
    rows = service[service["generation"] == newest["generation"]].to_dict("records")
    finding = findings.adoption(str(newest["generation_name"]), rows, known, today)
    first = max(newest["available_on"], today - dt.timedelta(days=ADOPTION_DAYS))
    groups = findings.shares(rows, known, today)
    most = max((group.by(today) / group.known for group in groups if group.known), default=1) * 1.15
    lines = []
    for group, colour in zip(groups, (str(newest["generation"]), "other"), strict=True):
        days = [first, *(day for day in group.days if first < day <= today), today]
        points = [(_share(day, first, today), group.by(day) / max(group.known, 1) / most) for day in days]
        label = f"{group.by(today) / max(group.known, 1):.0%} {group.group}"
        lines.append(Steps(points, colour, label))
    words = f"Share of clouds and of science centres with {newest['generation_name']}, {first} to {today}."
    axis = Axis([(0, f"{first:%b %Y}"), (1, now_word(ledger, today))])
    return finding_html(finding, plot(lines, axis, height=124, alt=words, right=150))


def _due_by_quarter(rows: Records, today: dt.date) -> str:
    """Open promises by the quarter in which they end; those past due stand in red."""
    this = _quarter(today)
    counted: Counter[tuple[int, bool]] = Counter()
    for row in rows:
        end, is_past = due.end_of(row), row["state"] == due.OVERDUE
        if row["subject_kind"] in due.KINDS and end is not None and (is_past or row["state"] in due.STANDING):
            counted[(_quarter(end), is_past)] += 1
    first = this - QUARTERS_BEFORE
    before = sum(count for (quarter, is_past), count in counted.items() if is_past and quarter < first)
    piles = [("before", before, True)] if before else []
    for quarter in range(first, first + QUARTERS):
        is_past = quarter < this
        label = f"{quarter // 4}" if quarter % 4 == 0 else f"Q{quarter % 4 + 1}"
        piles.append((label, counted[(quarter, True)] or counted[(quarter, False)], is_past))
    return stacks(piles, alt="Open promises by the quarter in which they end; those past due come first.")


def _quarter(day: dt.date) -> int:
    return day.year * 4 + (day.month - 1) // 3


def _hour(ledger: Ledger, today: dt.date) -> str:
    rows = ledger.rows("today.hour", day=today)
    finding = findings.hour(rows, today)
    if not rows:
        return finding_html(finding, "")
    first = rows[0]["period_start"]
    values = [float(row["value"]) for row in rows]
    low, high = min(values), max(values)
    pad = max(high - low, high * 0.05)
    bottom, top = low - pad, high + pad

    def at(value: float) -> float:
        return (value - bottom) / (top - bottom)

    points = [(_share(row["period_start"], first, today), at(float(row["value"]))) for row in rows]
    parts: list[Mark | Steps] = [Steps(points, "ink")]
    if points[-1][0] < 1:
        parts.append(Steps([points[-1], (1, points[-1][1])], is_dotted=True))
    parts.append(Mark(*points[-1], "ink", f"${values[-1]:,.2f}", "above"))
    axis = Axis(
        [(0, f"{first:%b %Y}"), (1, now_word(ledger, today))],
        [(at(value), f"${value:,.2f}") for value in (low, high)]
        if high - low > 0.02 * high
        else [(at(low), f"${low:,.2f}")],
    )
    words = f"Median price from {first} to {rows[-1]['period_start']}, {low:,.2f} to {high:,.2f} USD an hour."
    return finding_html(finding, plot(parts, axis, height=124, alt=words, right=24))


def _audited(ledger: Ledger, today: dt.date) -> str:
    rows = ledger.rows("today.audited", day=today)
    most = max((float(row["value"]) for row in rows), default=1)
    given = [
        Bar(
            findings.system_name(row), float(row["value"]) / most, f"{float(row['value']):,.0f}", str(row["generation"])
        )
        for row in rows
    ]
    words = "Results per accelerator: " + ", ".join(f"{bar.name} {bar.value}" for bar in given)
    return finding_html(findings.audited(rows), bars(given, alt=words))


def _happened(ledger: Ledger, today: dt.date) -> str:
    events = ledger.rows("today.events", day=today)
    since = today - dt.timedelta(days=WEEK - 1)
    week = sorted((row for row in events if row["day"] >= since), key=lambda row: -float(row["surprise"]))
    span = f"{since:%d %B} to {today:%d %B}"
    before = [row for row in events if row["day"] < since]
    if week:
        box = f"<b>Last seven days, {span}:</b> the most surprising first; then the latest before."
    else:
        box = f"<b>Last seven days, {span}:</b> no event in the record is dated to them. The latest are below."
    lines = [_line(row) for row in [*week, *before][:LINES]]
    late = _read_late(ledger, today)
    foot = f'<p class="foot">{late}<a class="room" href="./roadmap">All promises and outcomes</a></p>'
    says = "By the day of the event, not the day of reading."
    return list_html("What happened", says, lines, foot=foot, kind="four", box=box)


def _line(row: Mapping[str, Any]) -> tuple[str, str, str, str, bool, str]:
    size, is_late = findings.event_size(row)
    day = f"{row['day']:%-d %b %Y}" if row["first_day"] == row["day"] else f"{row['day']:%b %Y}"
    href = (
        formats.page_address("thing", id=str(row["subject_id"]))
        if row["subject_kind"] != "generation"
        else str(row["url"])
    )
    return day, findings.event_words(row), str(row["evidence"]), size, is_late, href


def _read_late(ledger: Ledger, today: dt.date) -> str:
    rows = ledger.rows("today.read_late", day=today)
    if not rows:
        return "<span>Nothing was read late this week.</span>"
    said = "; ".join(
        f'<a href="{link(str(row["url"]))}">{html.escape(str(row["organisation"]))} has '
        f"{html.escape(str(row['generation_name']))}</a>"
        for row in rows
    )
    return f"<span>Read late, at an unknown day before: {said}.</span>"


def _due(rows: Records, today: dt.date) -> str:
    coming: dict[str, Mapping[str, Any]] = {}
    for row in due.coming(rows, today):
        coming.setdefault(str(row["subject_id"]), row)
    last = due.quarter_end(today)
    found = sorted(coming.values(), key=lambda row: (str(row["vendor_name"]), str(row["subject"])))
    lines = [
        (
            str(row["vendor_name"] or ""), findings.bare_name(str(row["subject"]), row["vendor_name"]), "",
            f"moved {row['moved_days']:,} days" if row["moved_days"] and row["moved_days"] > 0 else "", False,
            formats.page_address("thing", id=str(row["subject_id"])),
        )
        for row in found[:DUE_LINES]
    ]  # fmt: skip
    says = f"Standing promises, {(last - today).days} days left."
    more = len(found) - len(lines)
    foot = f'<p class="foot">{f"{more} more" if more else ""}<a class="room" href="./roadmap">Roadmap</a></p>'
    return list_html(f"Due by {last:%-d %B}", says, lines, foot=foot, kind="two due")
