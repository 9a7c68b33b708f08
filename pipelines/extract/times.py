"""When a figure holds: whose fiscal year is meant, and in which time an amount was spent or taken in. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from pipelines.extract.link.meaning import DATES, entry_of
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate, Place, Scene
from pipelines.extract.values import Period
from pipelines.extract.values.periods import find_periods
from pipelines.registry.printers import domain_owner
from pipelines.registry.registry import load_registry

_SHORTEST = timedelta(days=27)  # a day or a week is none in which a company tells what it earned
# before a period that the figure is not of: what it is compared with, a last day, the day on which its own ended
_NOT_OF = re.compile(
    r"\b(?:than|vs\.?|versus|over|against|compared (?:to|with)|from|since|by|until|ended|ending|as of)\s"
    r"(?:the |an? )?(?:\w+ )?$",
    re.IGNORECASE,
)
_ABOVE = ("row", "column", "label", "band", "intro", "heading", "title")  # the nearest first


def period_of(scene: Scene, proposal: Proposal) -> Period | None:
    """The period that a reading claims, of a date; the one that it holds for, where its metric asks for one."""
    if proposal.metric in DATES:
        return _date_meant(scene, proposal)
    return _time_of(scene, proposal) if "period" in entry_of(proposal.metric).requires else None


def _date_meant(scene: Scene, proposal: Proposal) -> Period | None:
    """The period that a date is, a fiscal one by the year of whose page it is, else by that of the thing's maker."""
    figure, origin = proposal.place.figure, scene.origin
    printer = domain_owner(origin.url)
    speakers = (printer.id,) if printer is not None else load_registry().submitter(origin.publisher).parts
    start = next(filter(None, map(_fiscal_start, (*speakers, _organisation_of(proposal.candidate)))), None)
    printed = scene.text[figure.at.start : figure.at.end]
    again = find_periods(printed, origin.published_on, start)
    period = again[0] if len(again) == 1 else figure.value.period
    return _in_year_above(proposal.place, printed, period) if period is not None else None


def _in_year_above(place: Place, printed: str, period: Period) -> Period:
    """'in October' below the heading '2027' is that year's, not that of the page; 'two weeks ago' is of the page."""
    years = {found.first.year for found in find_periods(place.zones.get("heading") or "", None) if found.is_bare_year}
    if len(years) != 1:
        return period
    again = find_periods(printed, date(years.pop(), 1, 1))
    is_same_day = len(again) == 1 and f"{again[0].first:%m%d}" == f"{period.first:%m%d}"
    return again[0] if is_same_day else period


def _time_of(scene: Scene, proposal: Proposal) -> Period | None:
    """The time that an amount is of: the nearest period of its sentence, else of its heads, else of what stands above.

    A fiscal one is of the year of the organisation that earned or spent it.
    """
    place, start = proposal.place, _fiscal_start(_organisation_of(proposal.candidate))
    at, figure = place.context, place.figure.at
    if place.table < 0:
        inside = list(_times(scene, scene.text[at.start : at.end], start))
        if inside:
            begin, end = figure.start - at.start, figure.end - at.start
            return min(inside, key=lambda time: max(time.start - end, begin - time.end))
    above = (time for zone in _ABOVE for time in _times(scene, place.zones.get(zone) or "", start))
    return next(above, None)


def _times(scene: Scene, words: str, fiscal_start: int | None) -> Iterator[Period]:
    for period in find_periods(words, scene.origin.published_on, fiscal_start):
        is_long = period.last - period.first >= _SHORTEST
        if is_long and _NOT_OF.search(words, max(0, period.start - 40), period.start) is None:
            yield period


def _organisation_of(candidate: Candidate) -> str:
    return candidate.subject_id if candidate.kind == "organisation" else candidate.vendor_id


def _fiscal_start(organisation_id: str) -> int | None:
    """The month in which an organisation's fiscal year begins; None where that is not known."""
    entry = load_registry().organisation(organisation_id)
    return entry.fiscal_year_start if entry is not None else None
