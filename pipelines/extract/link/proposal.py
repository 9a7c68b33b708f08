"""A value with the metrics it may be of, and one reading of it: what the models weigh. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pipelines.extract.link.groups import numbered
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.link.trees import Numbers

Priors = Callable[[Sequence[Place]], Sequence[Mapping[str, float]]]


@dataclass(slots=True)
class Item:
    """A place with the metrics its value may be of."""

    place: Place
    metrics: tuple[str, ...]
    prior: Mapping[str, float]


@dataclass(slots=True)
class Proposal:
    """One reading of a value: `metric` of `candidate`; the chances that led to it, and `confidence` at the end."""

    item: int
    place: Place
    metric: str
    value: float
    candidate: Candidate
    sense: float = 1.0
    rival_sense: float = 0.0
    owner: float = 1.0
    rival_owner: float = 0.0
    raw: float = 0.0
    lead: float = 0.0
    rank: int = 0
    source: str = ""
    confidence: float = 0.0
    clues: Sequence[tuple[str, ...]] = ()  # of what it is per, in groups
    chances: Mapping[str, float] = field(default_factory=dict)  # of what it is per, by the words; none if not asked
    per: str = ""  # what it is per by these chances
    words: float = 0.0  # the log odds that words, place and marks together leave it


def items_of(places: Iterable[Place], priors: Priors) -> list[Item]:
    """The places whose values may be of some metric."""
    found = [place for place in places if place.values]
    return [Item(place, tuple(place.values), prior) for place, prior in zip(found, priors(found), strict=True)]


_TEXT_ZONES = (
    "in_sentence", "line_label", "parent", "back0", "intro", "back1", "heading", "heading_label", "title", "main",
)  # fmt: skip
_TABLE_ZONES = ("in_cell", "band", "band_label", "caption", "intro", "heading", "heading_label", "title", "main")
SOURCE_AT = {name: at for at, name in enumerate(dict.fromkeys(("", "row", "head", *_TEXT_ZONES, *_TABLE_ZONES)))}


def source_of(candidate: Candidate, place: Place) -> str:
    """Where a candidate stands: the axis of the table, or the zone of the text."""
    marks = candidate.marks
    if place.table < 0:
        return next((zone for zone in _TEXT_ZONES if zone in marks), "")
    if "row_name" in marks:
        return f"row {marks.get('axis_column', 0):.0f} {candidate.kind == 'label'}"
    if "head_name" in marks:
        return f"head {candidate.kind == 'label'}"
    return next((zone for zone in _TABLE_ZONES if zone in marks), "")


def lines_of(place: Place) -> tuple[tuple[object, ...], ...]:
    """What a value shares with others: its line (row or sentence), the line across it, its block, the document."""
    block = ("block", place.block)
    if place.table >= 0:
        return ("row", place.table, place.row), ("column", place.table, place.column), block, ("all",)
    return ("sentence", place.context.start), block, block, ("all",)


def numbered_lines(places: Iterable[Place]) -> Numbers:
    """The four of `lines_of` as numbers, a row a place."""
    return numbered([line for place in places for line in lines_of(place)]).reshape(-1, 4)
