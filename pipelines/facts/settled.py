"""Lines that somebody decided on, when their page is read anew: they stay as they were decided on. Pure.

The decision was on a passage. Where the reader of today says the same passage otherwise, or no longer tells it, the
decided line stands in its place, with the version that read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pipelines.decisions import Decision
from pipelines.ledger.read_claims import ReadDocument

Line = dict[str, str]
_ON_CLAIMS = ("accept", "reject", "correct")
_Place = tuple[str, str, str, str]  # first and last character of the value, metric, name of the subject


def decisions_on_claims(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The latest decision on each claim; those on names settle no line."""
    return {one.claim_id: one for one in decisions if one.decision in _ON_CLAIMS}


def with_settled(
    read: Sequence[tuple[str, Line]],
    before: Iterable[tuple[str, Line]],
    decisions: Mapping[str, Decision],
    document: ReadDocument,
) -> list[Line]:
    """The lines of a page as it is read now, each with its claim's id, and the decided ones of `before` that it lacks.

    A claim is one of him who says it: what was decided on the word of another publisher is not kept.
    """
    known = {claim for claim, _ in read}
    claimants = {document.publisher, *(line["claimant"] for _, line in read)}
    kept = [
        (line, decisions[claim])
        for claim, line in before
        if claim in decisions and claim not in known and line["claimant"] in claimants
    ]
    settled = {place for line, decision in kept for place in _settled(line, decision)}
    untouched = [line for claim, line in read if claim in decisions or not settled & set(_places(line))]
    return [*untouched, *(line for line, _ in kept)]


def _settled(line: Line, decision: Decision) -> Iterator[_Place]:
    """What was decided: the line as it was read, and as it was put right."""
    yield from _places(line)
    for name in {decision.subject, decision.subject_id} - {""}:
        yield line["start"], line["end"], decision.metric or line["metric"], name


def _places(line: Line) -> Iterator[_Place]:
    for name in {line["subject"], line["subject_id"]} - {""}:
        yield line["start"], line["end"], line["metric"], name
