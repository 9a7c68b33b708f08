"""One reading of a value as a claim: its value, who says it and how firmly, and what speaks against it. Pure."""

from __future__ import annotations

from pipelines.extract.link.meaning import DATES, canonical, entry_of
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import qualifiers_of
from pipelines.extract.link.scene import Candidate, Scene
from pipelines.extract.stance import clause_of, is_dropped, is_example, is_generic, is_step, modality_of, speaker_of
from pipelines.model.claim import ExtractedClaim, Method, Origin
from pipelines.model.document import Document

_IMPLAUSIBLE = 0.2
_CLUSTERED = frozenset({"cluster_size", "accelerator_count"})


def claim_of(proposal: Proposal, document: Document, origin: Origin, scene: Scene) -> ExtractedClaim:
    """What a reading says, how firmly, and what speaks against it."""
    place, candidate = proposal.place, proposal.candidate
    metric, figure, at = entry_of(proposal.metric), place.figure, place.context
    is_date = proposal.metric in DATES
    period = figure.value.period if is_date else None
    value = None if is_date else canonical(figure, proposal.metric)
    qualifiers = {} if is_date else qualifiers_of(proposal)
    words, speaker = document.text[at.start : at.end], ""
    if place.table < 0:
        words = clause_of(words, figure.at.start - at.start)
        speaker = speaker_of(document.text, at.start, at.end, scene.names_in(at.start, at.end))
    per = qualifiers.get("per", "")
    is_plausible = value is None or metric.is_plausible(value, _kind(candidate, per), per)
    return ExtractedClaim(
        subject=candidate.name, subject_id=candidate.subject_id, subject_kind=candidate.kind, metric=metric.id,
        value=value, unit=metric.unit, value_at=figure.digits, context=at,
        printed=document.text[figure.at.start : figure.at.end],
        modality=modality_of(words, is_cluster=metric.id in _CLUSTERED and candidate.kind in ("site", "organisation")),
        claimant=speaker or origin.publisher, method=Method.READER,
        confidence=round(proposal.confidence if is_plausible else min(_IMPLAUSIBLE, proposal.confidence), 3),
        qualifiers=tuple(sorted(qualifiers.items())), is_attributed=bool(speaker), is_illustrative=is_example(words),
        doubt=_doubt(proposal, value, per, is_plausible, words),
        period_start=period.first if period is not None else None,
        period_end=period.last if period is not None else None,
    )  # fmt: skip


def _doubt(proposal: Proposal, value: float | None, per: str, is_plausible: bool, words: str) -> str:
    """What speaks against publishing a reading; empty where nothing does."""
    place, candidate = proposal.place, proposal.candidate
    heads = " ".join(place.zones.get(zone) or "" for zone in ("column", "row", "label"))
    if entry_of(proposal.metric).kind != "ratio" and is_step(place.zones["before"], heads):
        return "what something changed by, not what it is"
    if not is_plausible and value is not None:
        unit = entry_of(proposal.metric).unit
        return f"{value:g} {unit} is outside what is believable for {_kind(candidate, per)} per {per or '?'}"
    if is_example(words):
        return "an example, no market figure"
    if place.table >= 0:
        return ""
    before = place.zones["before"]
    if is_dropped(words, before):
        return "denied, supposed or asked"
    is_of_kind = is_generic(before) and not before.endswith(" of ")  # 'a total of 8' is one machine's
    return "of a kind of thing, not of one" if is_of_kind and "in_sentence" not in candidate.marks else ""


def _kind(candidate: Candidate, per: str) -> str:
    """The kind by which a value is believable: an unknown thing is what its figures are per."""
    if candidate.kind not in ("product", "label"):
        return candidate.kind
    return "accelerator" if per in ("", "gpu", "die", "board") else "system"
