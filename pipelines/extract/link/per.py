"""What a figure is per (an accelerator, a node, a rack, a port), as clues for the model that weighs them. Pure.

Few pages say it next to each figure: it follows from the metric, the kind of the subject, the size of the figure and
the words of heads and headings together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from pipelines.extract.link.meaning import entry_of
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import is_rack, per_by_words
from pipelines.extract.link.wording import words_of

_WHOLES = re.compile(r"\b(node|server|rack|gpu|chip|cluster|port)s?\b")
_SAID_IN = (
    "after", "column", "row", "label", "before", "heading", "title", "parent", "band", "sentence"
)  # fmt: skip
_ZONES = (("after", 40), ("column", 90), ("row", 90), ("label", 90), ("band", 90), ("corner", 60))
PER = ("metric", "kind", "size", "source", "rack", "rule", "fits", "thing", "any", "per", "w", "b")  # kinds of clues
# subject's kind and what it is per, of the ranges that a value may fit
_CLASSES = (("accelerator", "gpu"), ("system", "system"), ("system", "rack"), ("site", ""))


def is_asked(metric: str) -> bool:
    """Whether a figure of a metric must say what it is per."""
    return "per" in entry_of(metric).requires


def per_clues(proposal: Proposal) -> Iterator[tuple[str, ...]]:
    """What speaks of what one reading is per, alone and together with its metric and the kind of its subject.

    The clues come in groups, of which many are the same for other readings too.
    """
    place, metric, kind = proposal.place, proposal.metric, proposal.candidate.kind
    figure, value = place.figure.value, proposal.value
    said = frozenset[str]().union(*(_wholes_in(place.zones.get(zone, "")) for zone in _SAID_IN))
    size = math.floor(2 * math.log10(value)) if value > 0 else -9
    yield f"metric={metric}", f"kind={kind}", f"metric+kind={metric}|{kind}", f"size={metric}|{size}"
    yield (f"source={proposal.source.partition(' ')[0]}",)
    if is_rack(proposal.candidate.name):
        yield "rack", f"rack|{metric}"
    yield _fact_clues("rule", per_by_words(proposal), metric, kind)
    yield _fact_clues("fits", _fits(metric, value), metric, kind)
    yield _fact_clues("thing", figure.thing, metric, kind)
    for name, facts in (("any", sorted(said)), ("per", figure.per)):
        yield from (_fact_clues(name, fact, metric, kind) for fact in facts)
    for zone, length in _ZONES:
        if words := place.zones.get(zone):
            yield _word_clues(words[:length], metric)
    yield tuple([f"b:{word}" for word in words_of(place.zones["before"])[-5:]])


@lru_cache(maxsize=4096)
def _fact_clues(name: str, fact: str, metric: str, kind: str) -> tuple[str, ...]:
    clue = f"{name}={fact}"
    return clue, f"{clue}|{metric}", f"{clue}|{kind}", f"{clue}|{metric}|{kind}"


@lru_cache(maxsize=16384)
def _word_clues(text: str, metric: str) -> tuple[str, ...]:
    return tuple([clue for word in words_of(text) for clue in (f"w:{word}", f"w:{metric}|{word}")])


@lru_cache(maxsize=16384)
def _wholes_in(text: str) -> frozenset[str]:
    return frozenset(_WHOLES.findall(text.casefold()))


@lru_cache(maxsize=4096)
def _fits(metric: str, value: float) -> str:
    """Which classes a value is believable for, a digit each."""
    return "".join(str(int(entry_of(metric).is_plausible(value, owner, per))) for owner, per in _CLASSES)
