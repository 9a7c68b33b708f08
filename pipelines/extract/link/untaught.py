"""Metrics that the models were never taught: read by the words and the unit of their card alone. Pure.

So a card in `metrics.yaml` is all that a new metric needs. Such a reading is a candidate, never confident: that takes
labels of the metric, on which the models are trained anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipelines.extract.link.cards import is_attribute, is_said
from pipelines.extract.link.crowd import nearness
from pipelines.extract.link.meaning import canonical, untaught
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate, Place
from pipelines.registry.metric_entries import MetricEntry

CONFIDENCE = 0.6  # enough for a candidate
_PROPERTY = 0.4  # a label of which more than this are words of metrics names a property, no thing


def read_by_words(places: Iterable[Place], taken: Iterable[Proposal]) -> Iterator[Proposal]:
    """One reading of each value that nothing else was made of, whose words name such a metric."""
    known = {id(proposal.place) for proposal in taken}
    for place in places:
        if id(place) in known or not place.figure.unit:
            continue
        for card in untaught():
            value = canonical(place.figure, card.id)
            owner = _owner(place, card) if value is not None and is_said(card.id, place.zones) else None
            if owner is not None and value is not None:
                yield Proposal(-1, place, card.id, value, owner, confidence=CONFIDENCE)
                break


def _owner(place: Place, card: MetricEntry) -> Candidate | None:
    """The nearest thing of a kind that the metric is a figure of; in a table a label will do."""
    fits = [
        candidate
        for candidate in place.candidates
        if candidate.kind in card.owners
        or (candidate.kind == "label" and place.table >= 0 and is_attribute(candidate.name) < _PROPERTY)
    ]
    return min(fits, key=lambda candidate: nearness(candidate.marks), default=None)
