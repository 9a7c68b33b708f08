"""The reader: a document in, its claims out, each with its calibrated confidence and its state. Pure."""

from __future__ import annotations

import gc
import math
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

from pipelines.extract.link.linker import Linker
from pipelines.extract.link.prose import prose_places
from pipelines.extract.link.scene import Around, Place, Scene
from pipelines.extract.link.untaught import read_by_words
from pipelines.extract.names.mentions import names_of
from pipelines.extract.reading import claim_of, days_of_others, naming_claims
from pipelines.extract.tables.cells import table_places
from pipelines.model.claim import ExtractedClaim, Origin
from pipelines.model.document import Block, BlockKind, Document
from pipelines.registry.mentions import NameFinder
from pipelines.registry.names import name_key
from pipelines.registry.phrases import phrases
from pipelines.registry.reader_model import load_reader_model

LEAST = 0.5  # confidence below which nothing is said
MOST_IN_TABLES = (
    5_000  # values of a document: numbers alone, side by side, cost many times what a text of their length does
)
_SAME, _STEP = 0.01, 0.011  # of the larger value; of its logarithm, a little more
_Telling = tuple[str, ...]
_LONGEST_LEAD = 30  # characters of a heading that leads to other pages


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


class ClaimReader:
    """Reads claims by proposals and a trained linker; the same document gives the same claims."""

    name = "reader"
    version = "1"  # of the way of reading; the model file bears its own

    def __init__(self, finder: NameFinder | None = None, linker: Linker | None = None) -> None:
        self._finder = finder
        self._linker = linker

    @_without_collector()
    def extract(self, document: Document, origin: Origin) -> list[ExtractedClaim]:
        """The distinct claims of a document in order of the text; raises ModelError for an unusable model file."""
        self._finder = self._finder or NameFinder.load()
        self._linker = self._linker or Linker(load_reader_model())
        scene = Scene(document, origin, names_of(document, origin, self._finder))
        places = list(places_of(scene))
        proposals = self._linker.link(places)
        proposals += read_by_words(places, proposals)
        told = [each for each in proposals if each.confidence >= LEAST]
        doubts = zip(told, days_of_others(told), strict=True)
        claims = [claim_of(each, document, origin, scene, doubt) for each, doubt in doubts]
        for _, block in own_blocks(document):
            is_prose = block.table is None and block.kind is not BlockKind.CODE
            if is_prose and len(scene.names_in(block.start, block.end)) > 1:
                for at in scene.sentences(block):
                    names = scene.names_in(at.start, at.end)
                    claims.extend(naming_claims(document.text, at, names, origin.publisher))
        return sorted(_distinct(claims), key=lambda c: (c.value_at, c.metric, c.subject))


def places_of(scene: Scene) -> Iterator[Place]:
    """The values of a document's headings, text, lists and code, and the first ones of its tables."""
    around, left = Around(), MOST_IN_TABLES
    for index, block in own_blocks(scene.document):
        if block.table is not None:
            for place in islice(table_places(scene, around, block, index), left):
                left -= 1
                yield place
            continue
        around.enter(scene, block)
        yield from prose_places(scene, around, block, index)
        around.leave(block)


def own_blocks(document: Document) -> Iterator[tuple[int, Block]]:
    """The blocks that speak for the page, with their numbers: none below 'Related content' or 'Read next'."""
    elsewhere: int | None = None  # the level of a heading that leads to other pages
    for index, block in enumerate(document.blocks):
        if block.kind is BlockKind.HEADING and (elsewhere is None or block.level <= elsewhere):
            words = document.text_of(block).strip("#*` ")
            leads = len(words) <= _LONGEST_LEAD and phrases("to_other_pages").start(words, 0)
            elsewhere = block.level if leads else None
        if elsewhere is None:
            yield index, block


def _distinct(claims: Iterable[ExtractedClaim]) -> list[ExtractedClaim]:
    """One claim per subject, metric, value and stated qualifiers: the most confident."""
    found: list[ExtractedClaim] = []
    kept: dict[tuple[str, str, Hashable], list[tuple[ExtractedClaim, _Telling]]] = {}
    for claim in sorted(claims, key=lambda c: (-c.confidence, c.value_at)):
        subject, (own, *beside), telling = name_key(claim.subject), _steps(claim), _telling(claim)
        near = (kept.get((subject, claim.metric, step), ()) for step in (own, *beside))
        if not any(_is_same(claim, telling, *other) for others in near for other in others):
            kept.setdefault((subject, claim.metric, own), []).append((claim, telling))
            found.append(claim)
    return found


def _steps(claim: ExtractedClaim) -> tuple[Hashable, ...]:
    """Where a claim's value stands among others, and the places beside it where one that is the same may stand."""
    if claim.value is None:
        return ((claim.period_start, claim.period_end, claim.value_text),)
    at = round(math.log(abs(claim.value)) / _STEP) if claim.value else 0
    return at, at - 1, at + 1


_TELLING = ("precision", "sparsity", "per", "memory_type", "baseline", "accelerator", "benchmark", "bound")


def _telling(claim: ExtractedClaim) -> _Telling:
    """The qualifiers by which two claims differ, '' for those that one lacks."""
    said = dict(claim.qualifiers)
    return tuple([said.get(name, "") for name in _TELLING])


def _is_same(one: ExtractedClaim, mine: _Telling, two: ExtractedClaim, its: _Telling) -> bool:
    if one.value is None or two.value is None:
        return (one.period_start, one.period_end, one.value_text) == (two.period_start, two.period_end, two.value_text)
    if abs(one.value - two.value) > _SAME * max(abs(one.value), abs(two.value)):
        return False
    if None not in (one.period_start, two.period_start) and one.period_start != two.period_start:
        return False
    both = zip(mine, its, strict=True)
    return mine == its or all(a == b or "unstated" in (a, b) or not (a and b) for a, b in both)
