"""Promises as tracks: what was promised first, what was said later, what came, and the verdict in words. Pure."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from dashboard.headlines import due, words
from pipelines.frozen import frozen

OPEN = {*due.STANDING, due.OVERDUE}
CAME = {"delivered on time", "delivered late", "delivered"}
STAGES = {
    "launch": "",
    "general_availability": "",
    "sampling": "sampling",
    "production": "production",
    "first_shipments": "shipments",
    "volume_shipments": "volume",
    "delivery": "delivery",
    "announced": "announced",
    "specification": "specification",
    "design_complete": "design",
    "qualification": "qualified",
    "programme": "programme",
    "in_service": "in service",
    "user_access": "open to users",
}
SOON, NEAR, FORGOTTEN, ROWS = 90, 400, 365, 40
MONTH = 30.4375
EARLIER, STANDING, DONE, OTHERS = "earlier date", "standing promise", "promise that came or ended", "others say later"


@frozen
class Tracks:
    """The parts of the chart: rows in order, boxes and single marks; and how many tracks were folded away."""

    rows: pd.DataFrame
    boxes: pd.DataFrame
    marks: pd.DataFrame
    folded: int


def tracks(milestones: pd.DataFrame, statements: pd.DataFrame, day: dt.date) -> Tracks:
    """Tracks of chips, racks and networks, a row each, by maker; rows of `market.milestones` and `market.roadmap`.

    Folded away is what ended or came before the last year began, what is over a year past due, and what lies beyond
    forty rows. Milestones of one maker with the same dates share a row.
    """
    told = [
        _track(row, day) for row in milestones.to_dict("records") if row["subject_kind"] in due.KINDS and _is_told(row)
    ]
    shown = [track for track in told if not _is_old(track, day)]
    merged = _merged(shown)
    ordered = _in_order(merged)
    kept = ordered[:ROWS]
    said = _first_said(statements)
    windows = _earlier(statements)
    rows = pd.DataFrame([track | {"name": _names(track["names"])} for track in kept], columns=_ROW)
    boxes = [box for track in kept for box in _boxes(track, windows.get(track["key"], []))]
    marks = [mark for track in kept for mark in _marks(track, said.get(track["key"]), day)]
    return Tracks(
        rows,
        pd.DataFrame(boxes, columns=["track", "subject_id", "milestone", "maker", "kind", "starts", "ends"]),
        pd.DataFrame(marks, columns=["track", "maker", "kind", "at", "until"]),
        len(told) - sum(len(track["names"]) for track in kept),
    )


_ROW = [
    "track", "subject_id", "milestone", "name", "stage", "maker", "maker_name", "verdict", "is_red", "is_near", "state",
]  # fmt: skip


def _names(names: list[str]) -> str:
    return ", ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")


def _is_told(row: dict[Any, Any]) -> bool:
    """Whether a milestone has a dated promise, or an end that somebody stated."""
    if row["state"] == "no promise known" or not isinstance(row["vendor"], str):
        return False
    ended = row["state"] in {"cancelled", "superseded"} and not pd.isna(row["ended_stated_on"])
    return ended or not pd.isna(row["first_end"])


def _track(row: dict[Any, Any], day: dt.date) -> dict[str, Any]:
    first = _window(row["first_start"], row["first_end"])
    variant = str(row["variant"] or "")
    stage = STAGES.get(str(row["milestone"]), str(row["milestone"]).replace("_", " "))
    maker = str(row["vendor_name"] or row["vendor"])
    track: dict[str, Any] = {
        "track": f"{row['subject_id']}|{row['milestone']}|{variant}",
        "key": (row["subject_id"], row["milestone"], variant),
        "subject_id": row["subject_id"],
        "milestone": row["milestone"],
        "names": [str(row["subject"]).removeprefix(maker).strip() or str(row["subject"])],
        "stage": f"{stage} {variant}".strip(),
        "maker": row["vendor"],
        "maker_name": maker,
        "state": row["state"],
        "first": first,
        "latest": _window(row["latest_start"], row["latest_end"]) or first,
        "actual": words.day_of(row["actual_end"]) or words.day_of(row["actual_start"]),
        "ended": words.day_of(row["ended_stated_on"]),
        "others": _window(row["reported_start"], row["reported_end"]),
    }
    return track | _verdict(track, day)


def _window(start: object, end: object) -> tuple[dt.date, dt.date] | None:
    first, last = words.day_of(start), words.day_of(end)
    if first is None and last is None:
        return None
    return first or last or dt.date.min, last or first or dt.date.max


def _verdict(track: dict[str, Any], day: dt.date) -> dict[str, Any]:
    """The verdict in words, whether it is late or past due, whether it is due soon, and the day it is sorted by."""
    state, actual, first, latest = track["state"], track["actual"], track["first"], track["latest"]
    end = latest[1] if latest else day
    if state in CAME and actual is not None:
        late = _months(first[1], actual) if first and state == "delivered late" else 0
        tail = f"{words.counted(late, 'month')} late" if late else "late" if state == "delivered late" else "kept"
        tail = "" if state == "delivered" else f", {tail}"
        says = f"came {words.month(actual)}{tail}"
        return {"verdict": says, "is_red": state == "delivered late", "is_near": False, "due": actual}
    if state in {"cancelled", "superseded"}:
        when = f" {words.month(track['ended'])}" if track["ended"] else ", day not stated"
        word = "withdrawn" if state == "cancelled" else "given up for another"
        return {"verdict": f"{word}{when}", "is_red": False, "is_near": False, "due": track["ended"] or end}
    days = (end - day).days
    if state == "overdue" or days < 0:
        return {"verdict": f"{-days:,} days past, no outcome", "is_red": True, "is_near": True, "due": end}
    moved = _months(first[1], end) if first and state == "revised" else 0
    tail = f", moved {words.counted(moved, 'month')}" if moved > 0 else ""
    near = days <= NEAR
    says = (
        f"due in {words.counted(days, 'day') if days < 13 else f'{days} days'}"
        if days <= SOON
        else f"due by {words.month(end)}"
    )
    return {"verdict": says + tail, "is_red": False, "is_near": near, "due": end}


def _months(start: dt.date, end: dt.date) -> int:
    return round((end - start).days / MONTH)


def _is_old(track: dict[str, Any], day: dt.date) -> bool:
    if track["state"] in OPEN:
        return bool((day - track["due"]).days > FORGOTTEN)
    return bool(track["due"].year < day.year - 1)


def _merged(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Tracks of one maker with the same stage and dates become one with several names."""
    merged: dict[tuple[Any, ...], dict[str, Any]] = {}
    for track in found:
        same = tuple(track[name] for name in ("maker", "stage", "first", "latest", "actual", "ended", "others"))
        if same in merged:
            merged[same]["names"] += [name for name in track["names"] if name not in merged[same]["names"]]
        else:
            merged[same] = track
    return list(merged.values())


def _in_order(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By maker, whoever is due next first; within a maker what is open by its end, then what ended, newest first."""

    def is_done(track: dict[str, Any]) -> bool:
        return track["state"] not in OPEN

    lanes: dict[str, list[dict[str, Any]]] = {}
    for track in found:
        lanes.setdefault(str(track["maker"]), []).append(track)
    for lane in lanes.values():
        lane.sort(
            key=lambda track: (
                is_done(track),
                track["due"] if not is_done(track) else dt.date.max - (track["due"] - dt.date.min),
                track["names"],
            )
        )

    def next_due(lane: list[dict[str, Any]]) -> tuple[bool, dt.date, int]:
        due = [track["due"] for track in lane if not is_done(track)]
        return not due, min(due, default=dt.date.max), -len(lane)

    return [track for lane in sorted(lanes.values(), key=next_due) for track in lane]


def _first_said(statements: pd.DataFrame) -> dict[tuple[str, str, str], dt.date]:
    dated = statements[statements["stated_on"].notna() & ~statements["is_actual"].astype(bool)]
    first = dated.groupby(["subject_id", "milestone", "variant"])["stated_on"].min()
    return {key: pd.Timestamp(day).date() for key, day in first.items()}  # type: ignore[misc]


def _earlier(statements: pd.DataFrame) -> dict[tuple[str, str, str], list[tuple[dt.date, dt.date]]]:
    """The windows that the promiser gave, in the order they were said."""
    own = statements[statements["is_own_word"].astype(bool) & ~statements["is_actual"].astype(bool)]
    found: dict[tuple[str, str, str], list[tuple[dt.date, dt.date]]] = {}
    for row in own.sort_values("statement").to_dict("records"):
        window = _window(row["promised_start"], row["promised_end"])
        if window is not None:
            found.setdefault((row["subject_id"], row["milestone"], str(row["variant"] or "")), []).append(window)
    return found


def _boxes(track: dict[str, Any], windows: list[tuple[dt.date, dt.date]]) -> list[tuple[Any, ...]]:
    head = (track["track"], track["subject_id"], track["milestone"], track["maker"])
    latest = track["latest"]
    standing = STANDING if track["state"] in OPEN else DONE
    boxes = [(*head, EARLIER, *_shown(window)) for window in dict.fromkeys(windows) if window != latest]
    if track["others"] and latest and track["others"][1] > latest[1] and track["state"] in OPEN:
        boxes.append((*head, OTHERS, *_shown((max(track["others"][0], latest[1]), track["others"][1]))))
    if latest:
        boxes.append((*head, standing, *_shown(latest)))
    return boxes


def _shown(window: tuple[dt.date, dt.date]) -> tuple[pd.Timestamp, pd.Timestamp]:
    """A window as a box: to the end of its last day, and never too narrow to be seen."""
    start, end = pd.Timestamp(window[0]), pd.Timestamp(window[1]) + pd.Timedelta(days=1)
    return start, max(end, start + pd.Timedelta(days=12))


SAID, CAME_MARK, ENDED, LATE, PAST = "first said", "came", "withdrawn", "late", "past due"


def _marks(track: dict[str, Any], said: dt.date | None, day: dt.date) -> list[tuple[Any, ...]]:
    """The day it was first said, with a line to the standing window; what came; how late; what was withdrawn."""
    name, maker, first, latest = track["track"], track["maker"], track["first"], track["latest"]
    marks: list[tuple[Any, ...]] = []
    if said is not None and latest and said < latest[0]:
        marks.append((name, maker, SAID, pd.Timestamp(said), pd.Timestamp(latest[0])))
    if track["state"] == "delivered late" and first and track["actual"]:
        marks.append((name, maker, LATE, pd.Timestamp(first[1]), pd.Timestamp(track["actual"])))
    if track["state"] in OPEN and track["is_red"]:
        marks.append((name, maker, PAST, pd.Timestamp(track["due"]), pd.Timestamp(day)))
    if track["state"] in CAME and track["actual"]:
        marks.append((name, maker, CAME_MARK, pd.Timestamp(track["actual"]), pd.NaT))
    if track["state"] in {"cancelled", "superseded"} and track["ended"]:
        marks.append((name, maker, ENDED, pd.Timestamp(track["ended"]), pd.NaT))
    return marks


def title(milestones: pd.DataFrame, day: dt.date) -> str:
    """'Eleven promises on chips and racks fall due by 31 December; five are past due with no outcome on record'."""
    rows = milestones[milestones["vendor"].notna()].to_dict("records")
    coming, past, last = len(due.coming(rows, day)), len(due.past(rows)), due.quarter_end(day)
    parts = []
    if coming:
        verb = "falls" if coming == 1 else "fall"
        parts.append(f"{words.counted(coming, 'promise')} on chips and racks {verb} due by {last.day} {last:%B}")
    if past:
        parts.append(f"{words.number(past)} {'is' if past == 1 else 'are'} past due with no outcome on record")
    return words.sentence("; ".join(parts))


def told_since(milestones: pd.DataFrame, day: dt.date) -> str:
    """'Since January 2025 seven have come, five of them by the first date on record; two were withdrawn.'"""
    mine = milestones[milestones["subject_kind"].isin(due.KINDS) & milestones["vendor"].notna()]
    since = pd.Timestamp(dt.date(day.year - 1, 1, 1))
    came = mine[mine["state"].isin(CAME) & (pd.to_datetime(mine["actual_end"]) >= since)]
    kept = int((came["state"] == "delivered on time").sum())
    ended = mine[mine["state"].isin({"cancelled", "superseded"}) & (pd.to_datetime(mine["ended_stated_on"]) >= since)]
    verb = "has" if len(came) == 1 else "have"
    by = f"{words.number(kept)} by the first date on record"
    says = f"Since January {since.year} {words.number(len(came))} {verb} come, {by}"
    gone = words.number(len(ended)) if len(ended) else "none"
    return f"{says}; {gone} {'was' if len(ended) == 1 else 'were'} withdrawn on a dated day."


ENOUGH, Z95 = 8, 1.959964
GROUPS = {
    "accelerator": "Chips",
    "system": "Racks and systems",
    "network": "Networks",
    "component": "Memory and process nodes",
    "cpu": "Processors",
    "site": "Sites and machines",
}


def odds(milestones: pd.DataFrame) -> pd.DataFrame:
    """How often what came came late, by kind of thing and by party, where eight or more can be judged.

    Columns: group, name, is_party, late, decided, share, low, high (Wilson's 95 % interval), told; what is past due
    or was given up is in neither count and named in `told`.
    """
    rows = []
    promised = milestones[milestones["state"] != "no promise known"]
    for column, is_party in (("subject_kind", False), ("party_id", True)):
        for key, group in promised.groupby(column):
            late = int((group["state"] == "delivered late").sum())
            decided = late + int((group["state"] == "delivered on time").sum())
            if decided < ENOUGH:
                continue
            name = str(group["party_name"].iloc[0]) if is_party else GROUPS.get(str(key), str(key))
            low, high = wilson(late, decided)
            past = int((group["state"] == "overdue").sum())
            ended = int(group["state"].isin({"cancelled", "superseded"}).sum())
            told = f"{late} of {decided} late; {past} more past due, {ended} given up"
            rows.append((key, name, is_party, late, decided, late / decided, low, high, told))
    columns = ["group", "name", "is_party", "late", "decided", "share", "low", "high", "told"]
    return pd.DataFrame(rows, columns=columns).sort_values(["is_party", "share"], ascending=[True, False])


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927, doi.org/10.1080/01621459.1927.10502953)."""
    share, z2 = hits / n, Z95**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 / (1 + z2 / n) * ((share * (1 - share) / n + z2 / (4 * n * n)) ** 0.5)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def odds_title(table: pd.DataFrame) -> str:
    """'What came of sites and machines came late in 14 of 20 cases'; '' where nothing can be judged."""
    if table.empty:
        return ""
    top = table.sort_values(["decided", "share"], ascending=False).iloc[0]
    return f"{top['name']}: {top['late']} of {top['decided']} promises that came, came late"
