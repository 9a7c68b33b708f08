"""What is read as a claim: a value with who says it, how firmly and what speaks against it, or a new name. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pipelines.extract.link.meaning import DATES, entry_of
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import is_believable, kind_by, qualifiers_of
from pipelines.extract.link.scene import Scene
from pipelines.extract.names.mention import Mention
from pipelines.extract.sentences import LONGEST
from pipelines.extract.stance import (
    clause_of,
    is_dropped,
    is_example,
    is_generic,
    is_lasting,
    is_of_amount,
    is_of_coming,
    is_of_own_modes,
    is_of_telling,
    is_possible,
    is_step,
    modality_of,
    speaker_of,
)
from pipelines.extract.times import period_of
from pipelines.model.claim import ExtractedClaim, Method, Modality, Origin, Span
from pipelines.model.document import Document

_IMPLAUSIBLE = 0.2
_CLUSTERED = frozenset({"cluster_size", "accelerator_count"})
_FARTHEST = 60  # characters from one name to the one that followed it
# how it is said that a name followed another, up to the second; \0 is the first, the older one where that is said
_FOLLOWED = [
    (metric, is_first_older, re.compile(rf"{way}\s(?:the\s)?$", re.IGNORECASE))
    for metric, is_first_older, way in (
        ("renamed_to", True, r"\b(?:renam|rebrand)(?:ed|es|ing)\s(?:(?:the|its)\s)?\0\s(?:to|as|into)"),
        ("renamed_to", True, r"\b(?:(?:renamed|rebranded)(?: (?:to|as))?|now (?:called|known as|named))"),
        ("renamed_to", False, r"[\s,(]{1,2}(?:formerly|(?:formerly|previously|originally) (?:known as|called|named))"),
        ("superseded_by", True, r"\b(?:succeeded|superseded|replaced|followed) by"),
    )
]


def days_of_others(proposals: Sequence[Proposal]) -> Iterator[str]:
    """For each reading the doubt, or '', that one column gives several days on which the same thing came.

    They are those of its buyers or forms; what a row says may be an old day and a new one.
    """
    places = [(p.place.table, p.place.column, p.candidate.name, p.metric == "available_from") for p in proposals]
    days: dict[tuple[object, ...], dict[str, int]] = {}  # with the row
    for at, proposal in zip(places, proposals, strict=True):
        period = proposal.place.figure.value.period
        if period is not None and at[0] >= 0 and at[3]:
            days.setdefault(at, {})[period.label] = proposal.place.row
    several = {at for at, rows in days.items() if len(set(rows.values())) > 1}
    return ("several such days below one head" if at in several else "" for at in places)


def claim_of(proposal: Proposal, document: Document, origin: Origin, scene: Scene, doubt: str = "") -> ExtractedClaim:
    """What a reading says, how firmly, and what speaks against it: `doubt`, or what it says itself."""
    place, candidate = proposal.place, proposal.candidate
    metric, figure, at = entry_of(proposal.metric), place.figure, place.context
    is_date = proposal.metric in DATES
    period = period_of(scene, proposal)
    value = None if is_date else proposal.value
    qualifiers = {} if is_date else qualifiers_of(proposal)
    words, speaker = document.text[max(at.start, at.end - LONGEST) : at.end], ""
    if place.table < 0:
        words = clause_of(words, figure.at.start - at.start)
        speaker = speaker_of(document.text, at.start, at.end, scene.names_in(at.start, at.end))
    per = qualifiers.get("per", "")
    is_plausible = value is None or is_believable(proposal, per)
    return ExtractedClaim(
        subject=candidate.name, subject_id=candidate.subject_id, subject_kind=candidate.kind, metric=metric.id,
        value=value, unit=metric.unit, value_at=figure.digits, context=at,
        printed=document.text[figure.at.start : figure.at.end],
        modality=modality_of(words, is_cluster=metric.id in _CLUSTERED and candidate.kind in ("site", "organisation")),
        claimant=speaker or origin.publisher, method=Method.READER,
        confidence=round(proposal.confidence if is_plausible else min(_IMPLAUSIBLE, proposal.confidence), 3),
        qualifiers=tuple(sorted(qualifiers.items())), is_attributed=bool(speaker), is_illustrative=is_example(words),
        doubt=doubt or _doubt(proposal, value, per, is_plausible, words),
        period_start=period.first if period is not None else None,
        period_end=period.last if period is not None else None,
    )  # fmt: skip


def _doubt(proposal: Proposal, value: float | None, per: str, is_plausible: bool, words: str) -> str:
    """What speaks against publishing a reading; empty where nothing does."""
    place, candidate = proposal.place, proposal.candidate
    heads = " ".join(place.zones.get(zone) or "" for zone in ("column", "row", "label"))
    is_ratio = entry_of(proposal.metric).kind == "ratio"
    if not is_ratio and is_step(place.zones["before"], heads):
        return "what something changed by, not what it is"
    if proposal.metric in DATES and proposal.metric != "announced_on" and is_of_telling(place.zones["before"]):
        return "when it was told of or ended, not when it came"
    if proposal.metric == "announced_on" and is_of_coming(place.zones["before"]):
        return "when it came, not when it was told of"
    if proposal.metric in DATES and is_lasting(place.figure.value.text, place.zones["before"]):
        return "how long it took, not when it came"
    if is_ratio and is_of_amount(place.zones["after"]):
        return "how much of something there is, not how fast or thrifty it is"
    if is_ratio and is_of_own_modes(heads):
        return "one way of working against another of the same thing"
    if not is_plausible and value is not None:
        unit = entry_of(proposal.metric).unit
        return f"{value:g} {unit} is outside what is believable for {kind_by(candidate, per)} per {per or '?'}"
    if is_example(words):
        return "an example, no market figure"
    if place.table >= 0:
        return ""
    before = place.zones["before"]
    if is_dropped(words, before):
        return "denied, supposed or asked"
    is_of_kind = is_generic(before) and not before.endswith(" of ")  # 'a total of 8' is one machine's
    is_of_kind = is_of_kind or (is_ratio and is_possible(before))
    return "of a kind of thing, not of one" if is_of_kind and "in_sentence" not in candidate.marks else ""


def naming_claims(text: str, at: Span, mentions: Sequence[Mention], publisher: str) -> Iterator[ExtractedClaim]:
    """The claims of one sentence that a name followed another: 'B, formerly known as A', 'A is superseded by B'."""
    for one, two in pairwise(mentions):
        is_far = two.start - one.end > _FARTHEST or one.name == two.name
        if is_far or "organisation" in (one.kind, two.kind):
            continue
        words = f"{text[max(at.start, one.start - 24) : one.start]}\0{text[one.end : two.start]}"
        for metric, is_first_older, way in _FOLLOWED:
            if way.search(words) is not None:
                old, new = (one, two) if is_first_older else (two, one)
                yield ExtractedClaim(
                    subject=old.name, subject_id=old.subject_id, subject_kind=old.kind, metric=metric, value=None,
                    unit="text", value_at=Span(new.start, new.end), context=Span(one.start, two.end),
                    printed=text[new.start : new.end], modality=Modality.ANNOUNCED, claimant=publisher,
                    method=Method.READER, confidence=0.7, value_text=new.name,
                )  # fmt: skip
                break
