"""The linker: for every value the metric and the subject that fit best, and how sure that is. Pure, deterministic.

Trained models in a row: the words around a value say which metrics it may be of (`sense`); how a name stands to the
value says whose it is (`owner`); which words go with a metric and a subject's place says how likely they are together
(`reading`); all that, with what the rest of the table or block says, gives a first judgement (`judge`);
a second look at all of a document's judgements together gives the confidence, which is calibrated. Training
runs the same steps, so that nothing is told to one and not to the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from pipelines.extract.link.clues import clues
from pipelines.extract.link.crowd import Crowd, Key
from pipelines.extract.link.judge import CONSENT, JUDGE, consent_rows, judge_rows
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import ALL_METRICS, DIMENSIONS
from pipelines.extract.link.owner import OWNER, owner_rows
from pipelines.extract.link.proposal import Proposal, items_of, source_of
from pipelines.extract.link.qualify import PER, is_asked, likeliest_per, per_clues
from pipelines.extract.link.reading_clues import reading_clues
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.link.sense import SENSE, crowd_of, sense_rows
from pipelines.extract.link.trees import Forest, Numbers, Ranking, Rows, Words, chance
from pipelines.registry.reader_model import ModelError

LEAST_SENSE = 0.15  # below it a metric is not thought of further
_METRICS_EACH, _OWNERS_EACH = 2, 4
_LEAST_SHARE = 0.15  # of a candidate beside the best
_ASKED = 0.5  # confidence from which a reading is told what it is per
# a program by its number of parameters ('Heron-70B'), and what can be said of its training or of what it is asked
_PROGRAM = re.compile(r"[a-z][- ]\d{1,3}(?:\.\d+)?[bB]$")
_OF_RUNS = frozenset({"train_time", "mtti", "failure_count", "cluster_size", "token_rate", "speedup"})

Score = Callable[[Rows, Numbers], Rows]  # of rows that follow one another in groups of some sizes


def propose(crowd: Crowd, keys: Sequence[Key], sense: Sequence[float], owner: Score) -> list[Proposal]:
    """The likeliest metrics of each value, each with its likeliest subjects."""
    asked: list[tuple[int, str, float, float]] = []
    for at, own in groupby(zip(keys, sense, strict=True), lambda each: each[0][0]):
        scored = sorted(((score, metric) for (_, metric), score in own), reverse=True)[:_METRICS_EACH]
        rivals = [score for score, _ in reversed(scored)] if len(scored) > 1 else [0.0]
        likely = ((at, metric, score, rival) for (score, metric), rival in zip(scored, rivals, strict=True))
        asked += [each for each in likely if each[2] >= LEAST_SENSE]
    if not asked:
        return []
    sizes = crowd.sizes[[at for at, _, _, _ in asked]]
    ranked = _ranked(owner(owner_rows(crowd, [(at, metric) for at, metric, _, _ in asked]), sizes), sizes)
    found: list[Proposal] = []
    for (at, metric, score, rival), ranks in zip(asked, ranked, strict=True):
        place = crowd.places[at]
        owners = _possible(metric, place.candidates, ranks)
        if not owners:
            continue
        _, most, best = owners[0]
        second = owners[1][2] if len(owners) > 1 else 0.0
        for rank, (which, raw, share) in enumerate(owners):
            if rank == 0 or share >= _LEAST_SHARE:
                candidate = place.candidates[which]
                found.append(Proposal(
                    at, place, metric, place.values[metric], candidate, score, rival, share, best if rank else second,
                    raw, raw - most, rank, source_of(candidate, place),
                ))  # fmt: skip
    return found


def weigh_per(proposals: Sequence[Proposal], model: Words) -> None:
    """Give each proposal its clues, and where its metric asks for it the chances of what its figure is per."""
    for proposal in proposals:
        proposal.clues = tuple(per_clues(proposal))
    asked = [proposal for proposal in proposals if is_asked(proposal.metric)]
    for proposal, chances in zip(asked, model.chances([each.clues for each in asked]), strict=True):
        proposal.chances = chances


def weigh_words(proposals: Sequence[Proposal], model: Words) -> None:
    """Give each proposal that has its clues the log odds that it is right by words, place and marks together."""
    for proposal, odds in zip(proposals, model.odds(map(reading_clues, proposals)), strict=True):
        proposal.words = odds


def _possible(
    metric: str, candidates: Sequence[Candidate], owners: Sequence[tuple[int, float, float]]
) -> Sequence[tuple[int, float, float]]:
    """Those who can have a figure of a metric, with their shares among them: a program draws no power."""
    kept = [each for each in owners if metric in _OF_RUNS or not _is_program(candidates[each[0]])]
    if len(kept) == len(owners):
        return owners
    total = sum(share for _, _, share in kept)
    return [(which, raw, share / total) for which, raw, share in kept]


def _is_program(candidate: Candidate) -> bool:
    return candidate.subject_id == "" and _PROGRAM.search(candidate.name) is not None


def _ranked(raw: Rows, sizes: Numbers) -> Iterator[Sequence[tuple[int, float, float]]]:
    """The likeliest candidates of each question asked, each with its raw score and its share, the likeliest first."""
    starts = np.cumsum(sizes) - sizes
    shares = np.exp(raw - np.repeat(np.maximum.reduceat(raw, starts), sizes))
    order = np.lexsort((-raw, np.repeat(np.arange(len(sizes)), sizes))).tolist()
    scores = raw.tolist()
    for begin, size in zip(starts.tolist(), sizes.tolist(), strict=True):
        own = shares[begin : begin + size]
        told = (own / own.sum()).tolist()
        likeliest = order[begin : begin + min(size, _OWNERS_EACH)]
        yield [(at - begin, scores[at], told[at - begin]) for at in likeliest if told[at - begin] > 0]


def decide(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The surest reading of each value: one metric of one subject."""
    best: dict[int, Proposal] = {}
    for each in sorted(proposals, key=lambda proposal: -proposal.confidence):
        best.setdefault(each.item, each)
    return [each for each in proposals if each is best[each.item]]


def feature_names() -> dict[str, list[str]]:
    """What the numbers told to the models mean, in order; a metric is told by its place among the metrics."""
    return {
        "sense": list(SENSE), "owner": list(OWNER), "judge": list(JUDGE),
        "consent": list(CONSENT), "per": list(PER),
        "metrics": list(ALL_METRICS), "dimensions": list(DIMENSIONS),
    }  # fmt: skip


class Linker:
    """The trained models of a model file, ready to read places; immutable. Raises ModelError for other features."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        if data["features"] != feature_names():
            raise ModelError("trained for other features or metrics: rackledger train-reader makes it anew")
        self.version: str = data["version"]
        self._words, self._per, self._reading = (Words(data[name]) for name in ("words", "per", "reading"))
        self._sense, self._judge, self._consent = (Forest(data[name]) for name in ("sense", "judge", "consent"))
        self._owner = Ranking(data["owner"])
        self._lore = Lore(data["affinity"], data["facts"])
        self._scores, self._shares = data["calibration"]  # the points of the line from a score to the observed share

    def link(self, places: Iterable[Place]) -> list[Proposal]:
        """The readings of a document's values, one metric a value, each with its calibrated confidence."""
        items = items_of(places, self.priors)
        crowd = crowd_of(items, self._lore)
        rows, keys = sense_rows(items, crowd)
        if not keys:
            return []
        sense = chance(self._sense.score(rows)).tolist()
        proposals = propose(crowd, keys, sense, self._owner.score)
        if not proposals:
            return []
        weigh_per(proposals, self._per)
        weigh_words(proposals, self._reading)
        judged = judge_rows(items, proposals, self._lore)
        last = self._consent.score(np.hstack([judged, consent_rows(proposals, self._judge.score(judged))]))
        for proposal, confidence in zip(
            proposals, np.interp(chance(last), self._scores, self._shares).tolist(), strict=True
        ):
            proposal.confidence = confidence
        kept = decide(proposals)
        for proposal in kept:
            if proposal.chances and proposal.confidence >= _ASKED:
                proposal.per = likeliest_per(proposal, proposal.chances)
        return kept

    def priors(self, places: Sequence[Place]) -> list[Mapping[str, float]]:
        """What the words around each value say of its metric, '' for none: chances that sum to 1."""
        return self._words.chances([clues(place) for place in places], [tuple(place.values) for place in places])
