"""Lines that somebody decided on, when their page is read anew: they stay as they were decided on. Pure.

The decision was on a passage. Where the reader of today says the same passage otherwise, or no longer tells it, the
decided line stands in its place, with the version that read it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from pipelines.decisions import Decision
from pipelines.ledger.read_claims import ReadDocument

Line = dict[str, str]
_ON_CLAIMS = ("accept", "reject", "correct")
_Place = tuple[str, str, str]  # first and last character of the value, and the metric


def decisions_on_claims(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The latest decision on each claim; those on names settle no line."""
    return {one.claim_id: one for one in decisions if one.decision in _ON_CLAIMS}


def with_settled(
    read: Sequence[tuple[str, Line]],
    before: Sequence[tuple[str, Line]],
    decisions: Mapping[str, Decision],
    document: ReadDocument,
) -> list[Line]:
    """The lines of a page as it is read now, each with its claim's id, and the decided ones of `before` that it lacks.

    A claim is one of him who says it: what was decided on the word of another publisher is not kept.
    """
    known, claimants = {claim for claim, _ in read}, {document.publisher, *(line["claimant"] for _, line in read)}
    decided = [(claim, line) for claim, line in before if claim in decisions and line["claimant"] in claimants]
    settled: dict[_Place, list[tuple[set[str], Decision]]] = defaultdict(list)
    for place, names, decision in _decided_places(decided, decisions):
        settled[place].append((names, decision))
    older: dict[_Place, set[str]] = defaultdict(set)
    for claim, line in before:
        if claim not in decisions:
            older[_place(line)] |= _names(line)
    still_open = [
        line
        for claim, line in read
        if claim in decisions or not _is_settled(_names(line), settled[_place(line)], older[_place(line)])
    ]
    return [*still_open, *(line for claim, line in decided if claim not in known)]


def _decided_places(
    decided: Sequence[tuple[str, Line]], decisions: Mapping[str, Decision]
) -> Iterator[tuple[_Place, set[str], Decision]]:
    """What was decided on and by which names: as the line was read, and as it was put right where it was decided on."""
    for claim, line in decided:
        decision = decisions[claim]
        spans = {(line["start"], line["end"])}
        if decision.document_id == line["document_id"]:  # what was decided on may be read at another place now
            spans.add((str(decision.locator_start), str(decision.locator_end)))
        for span, metric in product(spans, {line["metric"], decision.metric or line["metric"]}):
            yield (*span, metric), _names(line) | {decision.subject, decision.subject_id} - {""}, decision


def _is_settled(own: set[str], decided: Iterable[tuple[set[str], Decision]], older: set[str]) -> bool:
    """Whether a figure was decided on already: as one of the same thing, or as that of another and of no third.

    `older` are those of whom the figure was told before, and nobody decided on that.
    """
    return any(own & names or (one.decision != "reject" and not own & older) for names, one in decided)


def _place(line: Line) -> _Place:
    return line["start"], line["end"], line["metric"]


def _names(line: Line) -> set[str]:
    return {line["subject"], line["subject_id"]} - {""}
