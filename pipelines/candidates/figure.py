"""One candidate figure of a rack, pod, server or accelerator → a row of the committed ledger, or why not. Pure."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterable, Mapping

from pydantic import Field

from pipelines.candidates.review import Correction, RefusedCandidate, Reviewed, stated
from pipelines.claims.speakers import Speakers
from pipelines.ledger.fields import read_qualifiers
from pipelines.ledger.row import COLUMNS, UNSTATED, read_row
from pipelines.registry import load_registry
from pipelines.registry.printers import Printed, printed_by, tag_of
from pipelines.registry.spellings import subject_of

BASES = ("rated", "max", "typical", "measured", "estimated", "design limit")
MODALITIES = {"promised": "expected", "reported": "announced", "cancelled": "withdrawn"}
HAPPENED = ("deployed_on", "announced_on", "production_from", "available_from")
NOT_YET = ("promised", "expected")
UNDATED = "undated"
# TDP, and no word of a maximum
DESIGN_POWER = re.compile(r"^(?!.*\b(?:max|up to)).*\bT[DB]P\b", re.IGNORECASE | re.DOTALL)
# Words right before a number that make it a round figure or a limit.
ABOUT = re.compile(
    r"(?:[~≈]|\b(?:about|approximately|approx\.|roughly|around|some|etwa|rund|ca\.|circa|environ)\s)\s*\$?([\d.,]+)",
    re.IGNORECASE,
)
UP_TO = re.compile(
    r"\b(?:up to|as much as|as many as|at most|bis zu|jusqu'à|fino a|hasta)\s+\$?([\d.,]+)", re.IGNORECASE
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
SCALES = (1.0, 1e3, 1e-3)  # a page's TB are the ledger's thousand GB
WRITTEN = {"year": 4, "month": 7, "day": 10}  # characters of a date to its precision
NEEDED = ("subject", "metric", "claimant", "printed_by", "printed_by_kind", "url", "modality")
SAME = ("subject", "metric", "value", "unit", "qualifiers", "claimant", "url")


class FigureCorrection(Correction):
    """What the reviewer sets of a figure."""

    subject: str | None = None
    metric: str | None = None
    value: str | None = None
    value_low: str | None = None
    value_high: str | None = None
    qualifiers: str | None = None
    modality: str | None = None
    limit: bool | None = None  # whether it is one; unset, the words before the figure say so


class FigureReview(Reviewed):
    """The decisions of one review of figures."""

    subjects: dict[str, str]  # a candidate's name → registry id
    no_subject: dict[str, str]  # a candidate's name → why it is no thing of the ledger
    elsewhere: tuple[str, ...]  # printers whose tables are read as tables here
    metrics_elsewhere: dict[str, str]  # a metric → why its candidates are left out
    bases: dict[str, str]  # a candidate's word for the basis of a power → one of BASES, or unstated
    names: dict[str, str]  # a printer's or claimant's name as given → as it is kept
    left_out: frozenset[str]  # qualifiers that do not say what a figure counts
    rows: dict[str, FigureCorrection] = Field(default_factory=dict)


def read_figure(record: Mapping[str, str], review: FigureReview) -> list[dict[str, str]]:
    """One candidate as a row of the ledger. Raises RefusedCandidate or FieldError with the reason."""
    correction = review.rows.get(record["id"], FigureCorrection())
    given = correction.model_dump(exclude_none=True, exclude={"why", "limit"})
    record = review.corrected(record, given)
    _check_scope(record, review)
    record = review.cited(record, *NEEDED)
    return list(_rows(record, review, "stated_on" in given, correction.limit))


def told_once(rows: list[dict[str, str]], known: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows, unless the same claimant says the same on the same page already. Raises RefusedCandidate."""
    for row in rows:
        for other in known:
            if all(row[name] == other[name] for name in SAME):
                raise RefusedCandidate(f"says {other['ref']} again on the same page")
    return rows


def share_page_dates(rows: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Rows without a date take that of their page, if another row of it gives one."""
    rows = list(rows)
    days = {row["url"]: row["stated_on"] for row in rows if row["stated_on"]}
    return [row if row["stated_on"] or row["url"] not in days else _dated(row, days[row["url"]]) for row in rows]


def _dated(row: dict[str, str], day: str) -> dict[str, str]:
    caveats = "; ".join(caveat for caveat in row["caveats"].split("; ") if caveat != UNDATED)
    return row | {"stated_on": day, "stated_not_after": "", "caveats": caveats}


def _check_scope(record: Mapping[str, str], review: FigureReview) -> None:
    if record["subject"] in review.no_subject:
        raise RefusedCandidate(f"subject: {review.no_subject[record['subject']]}")
    if record["metric"] in review.metrics_elsewhere:
        raise RefusedCandidate(f"metric: {review.metrics_elsewhere[record['metric']]}")
    if record["printed_by"].startswith(review.elsewhere):
        raise RefusedCandidate(f"printed_by: the table of {record['printed_by']!r} is read as a table")
    if "derived=" in record["qualifiers"]:
        raise RefusedCandidate("qualifiers: a product or quotient of the reader, not printed")


def _rows(
    record: Mapping[str, str], review: FigureReview, is_date_given: bool, is_limit: bool | None
) -> Iterable[dict[str, str]]:
    subject = subject_of(review.subjects.get(record["subject"], record["subject"]))
    if subject is None:
        raise RefusedCandidate(f"subject: the registry knows no {record['subject']!r}; add it with its aliases")
    url = record["url"]
    printed = printed_by(url, _name(record["printed_by"], review), record["printed_by_kind"])
    claimant = _claimant(record, review, printed)
    is_known = is_date_given or record["id"] in review.dated
    said_on, not_after = _when(record, url, is_known, review.read_on)
    qualifiers = _qualifiers(record, review)
    makers = Speakers.load().makers(subject.subject_id, subject.name)
    common = dict.fromkeys(COLUMNS, "") | {
        "subject": subject.subject_id,
        "metric": record["metric"],
        "unit": record["unit"],
        "modality": MODALITIES.get(record["modality"], record["modality"]),
        "claimant": claimant,
        "evidence": tag_of(claimant, printed, makers=makers, is_run=subject.kind == "site"),
        "stated_on": said_on,
        "stated_not_after": not_after,
        "read_on": review.read_on.isoformat(),
        "url": url,
        "publisher": printed.name,
        "printed_by": printed.name,
        "caveats": "; ".join(_caveats(claimant, printed, said_on)),
    }
    _check_happened(record, not_after or said_on)
    for said, bound in _values(record):
        is_up_to = _is_said(UP_TO, record) if is_limit is None else is_limit
        bound = bound or ("max" if is_up_to else "")
        is_told = bound == "max" and qualifiers.get("basis") in ("max", "design limit")  # the basis says so already
        whole = qualifiers | ({"bound": bound} if bound and not is_told else {})
        printed_value = f"{said['value_low']} to {said['value_high']}" if "value_low" in said else said["value"]
        row = (
            common
            | said
            | {
                "ref": record["id"],
                "qualifiers": "; ".join(f"{name}={word}" for name, word in sorted(whole.items())),
                "printed": f"{printed_value} {record['unit']}".strip(),
            }
        )
        if doubt := read_row("candidate", row, Speakers.load()).doubt:
            raise RefusedCandidate(f"value: {doubt}")
        yield row


def _is_said(words: re.Pattern[str], record: Mapping[str, str]) -> bool:
    """Whether the words read stand right before the figure, or before an end of its range."""
    told = {float(record[name]) for name in ("value", "value_low", "value_high") if NUMBER.fullmatch(record[name])}
    printed = (found.rstrip(".,").replace(",", "") for found in words.findall(record.get("quote", "")))
    numbers = [float(number) for number in printed if NUMBER.fullmatch(number)]
    return any(math.isclose(number * scale, one) for number in numbers for scale in SCALES for one in told)


def _values(record: Mapping[str, str]) -> Iterable[tuple[dict[str, str], str]]:
    """What is said, and as what bound. A range is one statement: its ends, and its middle for axes; of things that are
    counted the middle is no number that anybody built, so its upper end stands as a limit."""
    value, low, high = record["value"], record["value_low"], record["value_high"]
    kind = load_registry().metric(record["metric"]).kind
    if kind == "date":
        yield {"value": value or f"{low or high}..{high or low}"}, ""
    elif value:
        yield {"value": value}, ""
    elif low and high and kind == "count":
        yield {"value": high}, "max"
    elif low and high:
        yield {"value": f"{(float(low) + float(high)) / 2:g}", "value_low": low, "value_high": high}, ""
    elif low or high:
        yield {"value": low or high}, "min" if low else "max"
    else:
        raise RefusedCandidate("value: none is given")


def _qualifiers(record: Mapping[str, str], review: FigureReview) -> dict[str, str]:
    found = {
        name: word
        for name, word in read_qualifiers("qualifiers", record["qualifiers"])
        if name not in review.left_out and name != "bound"
    }
    if "basis" in found:
        basis = review.bases.get(found["basis"], found["basis"])
        if basis != UNSTATED and basis not in BASES:
            raise RefusedCandidate(f"basis: expected one of {', '.join(BASES)}, found {basis!r}")
        if basis == "max" and DESIGN_POWER.search(record.get("quote", "")):
            raise RefusedCandidate("basis: the page says TDP, a rating, and not the most that is drawn")
        found["basis"] = basis
    if found.get("basis") == UNSTATED:
        del found["basis"]
    if _is_said(ABOUT, record) and load_registry().metric(record["metric"]).kind != "date":
        found["approx"] = "yes"
    if "of" in found:
        found["part"] = found.pop("of")
    if "precision" in found:
        found["precision"] = re.sub(r"^nv(?=fp4)", "", found["precision"].casefold())
    if "direction" in found:
        found["direction"] = found["direction"].replace("-", " ")
    if found.get("per") == "server":
        found["per"] = "node"
    required = load_registry().metric(record["metric"]).requires
    return {name: UNSTATED for name in required if name != "period"} | found


def _name(name: str, review: FigureReview) -> str:
    return review.names.get(name, name)


def _claimant(record: Mapping[str, str], review: FigureReview, printed: Printed) -> str:
    """Who asserts; the words of an aggregator are its own, whomever it leans on."""
    return printed.name if printed.kind == "aggregator" else _name(record["claimant"], review)


def _when(record: Mapping[str, str], url: str, is_known: bool, read_on: dt.date) -> tuple[str, str]:
    """The page's date where it is known, else the day by which it had been said."""
    said, precision, not_after = stated(record["stated_on"], url, is_known, read_on)
    return ("", not_after.isoformat()) if said is None else (said.isoformat()[: WRITTEN[precision or "day"]], "")


def _caveats(claimant: str, printed: Printed, said: str) -> Iterable[str]:
    if not printed.is_of(claimant):
        yield "indirect"
    if not said:
        yield UNDATED


def _check_happened(record: Mapping[str, str], not_after: str) -> None:
    if record["metric"] not in HAPPENED or record["modality"] in NOT_YET or not record["value"]:
        return
    if record["value"][:4] > not_after[:4]:
        raise RefusedCandidate(f"value: {record['value']} lies after the statement, {not_after}: a plan told as done")
