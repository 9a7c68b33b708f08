"""A claim in words: its value with bound and unit, its period, who says it and how firmly. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pandas as pd

from warehouse.answers import formats

# How a qualifier is said; what is not here is said with its own name.
COUNTING = {
    "precision": "{}", "sparsity": "{}", "memory_type": "{}", "counted_as": "counted as {}", "part": "of the {}",
    "direction": "{}", "basis": "{}", "memory_basis": "{} memory", "price_basis": "{}", "power_basis": "{}",
    "bound": "", "approx": "", "ton": "{}", "workload": "{}", "function": "{}",
}  # fmt: skip
UNSAID = {
    "sparsity": "sparsity not stated",
    "direction": "direction not stated",
    "counted_as": "dies or packages not said",
}
MANY_HOURS = 100  # from here on hours are told as days
BOUNDS = {"min": "at least ", "low": "from ", "max": "up to ", "high": "up to "}
CAVEATS = {
    "own_product": "the claimant makes or sells it",
    "indirect": "relayed by somebody else",
    "imprecise": "a bound or an approximate figure",
    "single_source": "no independent claimant says the same",
    "copied": "stands only in copied or respun pages",
    "altered": "differs from the page it was copied from",
    "undated": "the page names no date",
    "unit_unclear": "the unit is not clear in the source",
    "metadata_suspect": "typed by a submitter, and looks copied from elsewhere",
    "thin": "few observations",
    "not_comparable": "not comparable with its neighbours",
    "inconsistent": "does not agree with its own parts",
}


def value_words(row: Mapping[Any, Any]) -> str:
    """'up to 132 kW', '2026-07-01 to 2026-12-31', or the text that is claimed."""
    text = row.get("value_text")
    if isinstance(text, str) and text:
        return text
    if _is_there(row.get("value")):
        return _number_words(_of_days(row))
    if _is_there(row.get("value_start")):
        return period_words(row.get("value_start"), row.get("value_end"))
    return "not stated"


def standing_words(row: Mapping[Any, Any]) -> str:
    """What stands in a cell; where the rule picks none of rival values, that it is disputed, and the range."""
    if _is_there(row.get("value")) or _is_there(row.get("value_start")) or words(row.get("value_text")):
        return value_words({**row, "value_low": None, "value_high": None})
    if _is_there(row.get("range_low")):
        unit = str(row.get("unit") or "")
        return f"disputed, {span(row['range_low'], row['range_high'], unit)}"
    if _is_there(row.get("range_start")):
        return f"disputed, {period_words(row['range_start'], row['range_end'])}"
    return "not stated"


def span(low: float, high: float, unit: str) -> str:
    """'120 to 140 kW', or the one value where both ends are the same."""
    shown = "" if unit == "count" else unit
    if low == high:
        return formats.quantity(low, unit)
    return f"{formats.quantity(low, unit if unit == 'count' else '')} to {formats.quantity(high, shown or 'count')}"


def _of_days(row: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Many hours as days, as people say them and most pages print them."""
    if row.get("unit") != "h" or not _is_there(row.get("value")) or row["value"] < MANY_HOURS:
        return row
    ends = {name: row[name] / 24 for name in ("value", "value_low", "value_high") if _is_there(row.get(name))}
    return {**row, **ends, "unit": "days"}


def _number_words(row: Mapping[Any, Any]) -> str:
    unit = str(row.get("unit") or "")
    shown_unit = "" if unit == "count" else unit
    low, high = row.get("value_low"), row.get("value_high")
    if _is_there(low) and _is_there(high) and low != high:
        return f"{formats.quantity(low, 'count' if unit == 'count' else '')} to {formats.quantity(high, unit)}"
    about = "about " if _is_there(row.get("approx")) else ""
    figure = formats.quantity(row["value"], "" if unit == "count" else shown_unit)
    return f"{BOUNDS.get(str(row.get('bound') or ''), '')}{about}{figure}"


def period_words(start: Any, end: Any) -> str:
    """A period as people write it where it is a half, quarter, month or year: '2026-H2', '2026-07', '2026'."""
    if not _is_there(start):
        return ""
    first, last = _date(start), _date(end if _is_there(end) else start)
    if first == last:
        return formats.day(first)
    next_day = last + dt.timedelta(days=1)
    months = (next_day.year - first.year) * 12 + next_day.month - first.month
    if first.day == 1 and next_day.day == 1:
        if months == 12 and first.month == 1:
            return f"{first:%Y}"
        if months == 6 and first.month in (1, 7):
            return f"{first:%Y}-H{1 if first.month == 1 else 2}"
        if months == 3 and first.month % 3 == 1:
            return f"{first:%Y}-Q{first.month // 3 + 1}"
        if months == 1:
            return f"{first:%Y-%m}"
    return f"{formats.day(first)} to {formats.day(last)}"


LATE = pd.Timedelta(days=31)  # a statement that was read this much later is told as read late


def stated_words(row: Mapping[str, Any]) -> str:
    """The day it was stated, with as much of it as is known."""
    precision, day = str(row.get("stated_on_precision") or "day"), formats.day(row.get("stated_on"))
    if not day:
        bound = formats.day(row.get("stated_not_after"))
        return f"no date given; by {bound} at the latest" if bound else "no date given"
    if precision == "year":
        return day[:4]
    if precision == "month":
        return day[:7]
    return day


def late_words(row: Mapping[str, Any]) -> str:
    """', read late, on 2026-11-22' where a statement was first read here much later than it was made, else nothing."""
    stated_on, read_on = row.get("stated_on"), row.get("read_on")
    if pd.isna(stated_on) or pd.isna(read_on) or pd.Timestamp(read_on) - pd.Timestamp(stated_on) <= LATE:
        return ""
    return f", read late, on {formats.day(read_on)}"


def when_words(row: Mapping[Any, Any]) -> str:
    """The day on which it was stated, or 'undated': the day of reading never stands for it."""
    caveats = row.get("caveats")
    is_undated = caveats is not None and "undated" in list(caveats)
    return "undated" if is_undated else formats.day(row.get("stated_on")) or "undated"


def caveat_words(caveats: Any) -> list[str]:
    """The caveats in words."""
    return [CAVEATS.get(str(word), str(word).replace("_", " ")) for word in (caveats if caveats is not None else [])]


def variant_words(row: Mapping[str, Any], thing: str) -> str:
    """The variant that a row of a thing's sheet is of, '' where it is of the thing itself."""
    return str(row["subject"]) if row["subject_id"] not in (thing, None) else ""


def counting_words(text: object) -> str:
    """How a figure counts, as one says it: 'per rack, precision fp4, bound max' is 'per rack, FP4'.

    A bound stands in the value's own words, so it is left out here.
    """
    if not isinstance(text, str):
        return ""
    parts = [_counting(*part.partition(" ")[::2]) for part in text.split(", ")]
    return ", ".join(part for part in parts if part)


def _counting(key: str, word: str) -> str:
    if key in COUNTING:
        form = COUNTING[key]
        return form.format(word.upper() if key == "precision" else word) if word != "unstated" else UNSAID.get(key, "")
    return f"{key.replace('_', ' ')} {word}".strip()


def with_words(frame: pd.DataFrame) -> pd.DataFrame:
    """A copy of a frame of claims with `value_words` and `period_words`, and its qualifiers as one says them."""
    records = frame.to_dict("records")
    return frame.assign(
        value_words=[value_words(record) for record in records],
        period_words=[period_words(record.get("period_start"), record.get("period_end")) for record in records],
        qualifiers=[counting_words(record.get("qualifiers")) for record in records],
    )


def sentence(row: Mapping[str, Any]) -> str:
    """'NVIDIA GB200 NVL72, electric power (per rack): 120 kW, says NVIDIA, 2024-03-18.'"""
    qualifiers = f" ({row['qualifiers']})" if row.get("qualifiers") else ""
    metric = str(row.get("metric_title") or row["metric"]).lower()
    return f"{row['subject']}, {metric}{qualifiers}: {value_words(row)}, says {row['claimant']}, {stated_words(row)}."


def words(value: Any) -> str:
    """A text cell; '' where the frame has none."""
    return value if isinstance(value, str) else ""


def _is_there(value: Any) -> bool:
    return value is not None and not pd.isna(value)


def _date(value: Any) -> dt.date:
    return value.date() if isinstance(value, pd.Timestamp | dt.datetime) else dt.date.fromisoformat(formats.day(value))
