"""The reader: a document in, its claims out, each with its calibrated confidence and its state. Pure."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pipelines.extract.link.linker import Linker
from pipelines.extract.link.meaning import DATES, canonical, entry_of
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import qualifiers_of
from pipelines.extract.link.scene import Candidate, Scene
from pipelines.extract.link.untaught import read_by_words
from pipelines.extract.naming import naming_claims
from pipelines.extract.places import places_of
from pipelines.extract.sentences import sentences
from pipelines.extract.stance import clause_of, is_dropped, is_example, is_generic, modality_of, speaker_of
from pipelines.model.claim import ExtractedClaim, Method, Origin
from pipelines.model.document import BlockKind, Document
from pipelines.registry.mentions import NameFinder
from pipelines.registry.names import name_key
from pipelines.registry.reader_model import load_reader_model

LEAST = 0.5  # confidence below which nothing is said
_SAME = 0.01
_IMPLAUSIBLE = 0.2
_CLUSTERED = frozenset({"cluster_size", "accelerator_count"})


class ClaimReader:
    """Reads claims by proposals and a trained linker; the same document gives the same claims."""

    name = "reader"
    version = "1"  # of the way of reading; the model file bears its own

    def __init__(self, finder: NameFinder | None = None, linker: Linker | None = None) -> None:
        self._finder = finder
        self._linker = linker

    def extract(self, document: Document, origin: Origin) -> list[ExtractedClaim]:
        """The distinct claims of a document in order of the text; raises ModelError for an unusable model file."""
        with _without_collector():
            return self._extract(document, origin)

    def _extract(self, document: Document, origin: Origin) -> list[ExtractedClaim]:
        self._finder = self._finder or NameFinder.load()
        scene = Scene(document, origin, self._finder)
        places = list(places_of(scene))
        proposals = self._model().link(places)
        proposals += read_by_words(places, proposals)
        claims = [_claim(p, document, origin, scene) for p in proposals if p.confidence >= LEAST]
        named = [
            claim
            for block in document.blocks
            if block.table is None and block.kind is not BlockKind.CODE
            if len(scene.names_in(block.start, block.end)) > 1
            for at in sentences(document.text, block.start, block.end)
            for claim in naming_claims(document.text, at, scene.names_in(at.start, at.end), origin.publisher)
        ]
        return sorted(_distinct([*claims, *named]), key=lambda c: (c.value_at, c.metric, c.subject))

    def _model(self) -> Linker:
        if self._linker is None:
            self._linker = Linker(load_reader_model())
        return self._linker


@contextmanager
def _without_collector() -> Iterator[None]:
    """All that is made of a document lives until it is read: to look for garbage in it took a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _claim(proposal: Proposal, document: Document, origin: Origin, scene: Scene) -> ExtractedClaim:
    place, candidate = proposal.place, proposal.candidate
    metric, figure = entry_of(proposal.metric), place.figure
    is_date = proposal.metric in DATES
    period = figure.value.period if is_date else None
    value = None if is_date else canonical(figure, proposal.metric)
    qualifiers = {} if is_date else qualifiers_of(proposal)
    sentence = document.text[place.context.start : place.context.end]
    words = sentence if place.table >= 0 else clause_of(sentence, figure.at.start - place.context.start)
    per = qualifiers.get("per", "")
    is_plausible = value is None or metric.is_plausible(value, _kind(candidate, per), per)
    start, end = place.context.start, place.context.end
    names = list(scene.names_in(start, end))
    speaker = speaker_of(document.text, start, end, names) if place.table < 0 else ""
    return ExtractedClaim(
        subject=candidate.name, subject_id=candidate.subject_id, subject_kind=candidate.kind, metric=metric.id,
        value=value, unit=metric.unit, value_at=figure.digits, context=place.context,
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
    if not is_plausible and value is not None:
        unit = entry_of(proposal.metric).unit
        return f"{value:g} {unit} is outside what is believable for {_kind(candidate, per)} per {per or '?'}"
    if is_example(words):
        return "an example, no market figure"
    before = place.zones["before"]
    if place.table < 0 and is_dropped(words, before):
        return "denied, supposed or asked"
    is_of_kind = is_generic(before) and not before.endswith(" of ")  # 'a total of 8' is one machine's
    if place.table < 0 and is_of_kind and "in_sentence" not in candidate.marks:
        return "of a kind of thing, not of one"
    return ""


def _kind(candidate: Candidate, per: str) -> str:
    """The kind by which a value is believable: an unknown thing is what its figures are per."""
    if candidate.kind not in ("product", "label"):
        return candidate.kind
    return "accelerator" if per in ("", "gpu", "die", "board") else "system"


def _distinct(claims: Iterable[ExtractedClaim]) -> list[ExtractedClaim]:
    """One claim per subject, metric, value and stated qualifiers: the most confident."""
    kept: dict[tuple[str, str], list[ExtractedClaim]] = {}
    for claim in sorted(claims, key=lambda c: (-c.confidence, c.value_at)):
        same = kept.setdefault((name_key(claim.subject), claim.metric), [])
        if not any(_is_same(claim, other) for other in same):
            same.append(claim)
    return [claim for same in kept.values() for claim in same]


_TELLING = ("precision", "sparsity", "per", "memory_type", "baseline", "accelerator", "benchmark", "bound")


def _is_same(one: ExtractedClaim, two: ExtractedClaim) -> bool:
    if one.value is None or two.value is None:
        return (one.period_start, one.period_end, one.value_text) == (two.period_start, two.period_end, two.value_text)
    if abs(one.value - two.value) > _SAME * max(abs(one.value), abs(two.value)):
        return False
    return all(_agree(one.qualifier(name), two.qualifier(name)) for name in _TELLING)


def _agree(one: str, two: str) -> bool:
    return one == two or "unstated" in (one, two) or not (one and two)
