"""From labelled documents to the data of a model file: models in a row and the calibration of their word.

Each model learns from what the one before says of documents of other repositories: documents are split by repository,
and nothing is trained on a word that was fitted to its own label. The models of words, metrics and subjects are taught
turned tables too; the last two judge tables as pages print them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from pipelines.extract.link.crowd import Crowd, Key
from pipelines.extract.link.judge import consent_rows, judge_rows
from pipelines.extract.link.linker import Linker, feature_names, propose, weigh_per, weigh_words
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.owner import owner_rows
from pipelines.extract.link.proposal import Proposal, source_of
from pipelines.extract.link.qualify import is_asked, per_clues
from pipelines.extract.link.reading_clues import reading_clues
from pipelines.extract.link.sense import sense_rows
from pipelines.extract.link.trees import Forest, Ranking, Rows, Words, chance
from pipelines.registry.reader_model import FORMAT
from pipelines.training.cases import Case, borderline, is_right
from pipelines.training.labels import folds_of
from pipelines.training.learners import calibration_of, fit_ranks, fit_trees, fit_words
from pipelines.training.phrases import phrase_rows
from pipelines.training.sayings import Sayings, Stated

_USUAL = 10  # values of a document that count fully
FOLDS = 5
_WORDS_STRENGTH, _PER_STRENGTH, _READING_STRENGTH = 1.0, 0.15, 0.05  # of what the documents say against no opinion
_SENSE_TREES, _OWNER_TREES, _LAST_TREES = 300, 300, 800
_LAST: Mapping[str, Any] = {
    "num_leaves": 7, "max_depth": 4, "min_data_in_leaf": 50, "lambda_l2": 30.0, "feature_fraction": 0.2,
    "learning_rate": 0.03,
}  # fmt: skip


class Split:
    """Cases in folds of repositories; models of words are fitted once for each set of folds left out."""

    def __init__(self, cases: Sequence[Case], count: int, typed: Sequence[Stated] = ()) -> None:
        self.typed = typed
        self.folds = range(count)
        sources = [case.source for case in cases if case.is_measured]
        fold_of = {source.group: fold for source, fold in zip(sources, folds_of(sources, count), strict=True)}
        made_up = dict.fromkeys(case.source.group for case in cases if case.is_practice)
        fold_of |= {group: at % count for at, group in enumerate(made_up)}
        self._cases, self._fold_of = cases, [fold_of[case.source.group] for case in cases]
        self._words: dict[frozenset[int], dict[str, Any]] = {}

    def of(self, *folds: int) -> list[Case]:
        """The cases of some folds."""
        return [case for case, fold in zip(self._cases, self._fold_of, strict=True) if fold in folds]

    def words_without(self, folds: Iterable[int]) -> dict[str, Any]:
        """The model of words from the cases of all other folds."""
        left_out = frozenset(folds)
        if left_out not in self._words:
            self._words[left_out] = _fit_words(self.of(*(fold for fold in self.folds if fold not in left_out)))
        return self._words[left_out]


@dataclass(slots=True)
class Judged:
    """A document's proposals by models that have not seen it, what is told of each, and which of them are right."""

    case: Case
    fold: int
    proposals: list[Proposal]
    lore: Lore
    right: list[int]
    counts: list[bool]  # borderline ones count neither way
    taught: list[bool]  # of these, without what says a label at another place than the label's
    rows: Rows = field(default_factory=lambda: np.zeros((0, 0)))
    seconds: Rows = field(default_factory=lambda: np.zeros((0, 0)))  # with what the first judgements say of each other

    @property
    def weight(self) -> float:
        return _weight(self.case, len(self.proposals) // 3)


def fit(split: Split, version: str, left_out: int = -1) -> dict[str, Any]:
    """The data of a model file from all folds but one; every model learns from what those before say of unseen folds.

    The last model is calibrated on the folds that it has not seen.
    """
    own = [fold for fold in split.folds if fold != left_out]
    for fold in own:
        _set_priors(split.of(fold), split.words_without({left_out, fold} - {-1}))
    affinity, said = _affinity(split.of(*own)), Sayings(split.of(*own), split.typed)
    lore = {case.source.group: Lore(affinity, said.without(case.source.group)) for case in split.of(*own)}
    taught = {fold: [_lesson(case, lore[case.source.group]) for case in split.of(fold)] for fold in own}
    for lessons in taught.values():
        for lesson in lessons:
            lesson.add_owners()
    judged = [
        found
        for fold in own
        for others in [[other for other in own if other != fold]]
        for middle in [_fit_middle([lesson for other in others for lesson in taught[other]])]
        for per in [Words(_fit_per(split.of(*others)))]
        for lesson in taught[fold]
        if not lesson.case.is_turned and (found := _judged(lesson, middle, per, fold)) is not None
    ]
    for fold in own:
        reading = Words(_fit_reading([each for each in judged if each.fold != fold]))
        for each in judged:
            if each.fold == fold:
                weigh_words(each.proposals, reading)
                each.rows = judge_rows(each.case.items, each.proposals, each.lore)
    for fold in own:
        first = Forest(_fit_last([each for each in judged if each.fold != fold]))
        for each in judged:
            if each.fold == fold:
                each.seconds = np.hstack([each.rows, consent_rows(each.proposals, first.score(each.rows))])
    judge = _fit_last(judged)
    seen = [replace(each, rows=each.seconds) for each in judged]
    middle = _fit_middle([lesson for lessons in taught.values() for lesson in lessons])
    return {
        "format": FORMAT, "version": version, "words": split.words_without({left_out} - {-1}), **middle,
        "per": _fit_per(split.of(*own)), "reading": _fit_reading(judged), "affinity": affinity,
        "facts": said.without(), "judge": judge,
        "consent": _fit_last(seen),
        "calibration": _calibration(seen, own), "features": feature_names(),
    }  # fmt: skip


def _fit_reading(judged: Sequence[Judged]) -> dict[str, Any]:
    """The model of the words of a reading: which of the proposals are right."""
    rows: list[tuple[frozenset[str], str, str]] = []
    weights: list[float] = []
    for each in judged:
        for proposal, is_so, is_taught in zip(each.proposals, each.right, each.taught, strict=True):
            if is_taught:
                clues = frozenset(chain.from_iterable(reading_clues(proposal)))
                rows.append((clues, "right" if is_so else "", each.case.source.name))
                weights.append(each.weight)
    return fit_words(rows, weights, _READING_STRENGTH)


def _fit_last(judged: Sequence[Judged]) -> dict[str, Any]:
    """A model of which proposals are right."""
    counts = np.concatenate([each.taught for each in judged])
    rows = np.concatenate([each.rows for each in judged])[counts]
    right = np.concatenate([each.right for each in judged])[counts]
    weights = np.concatenate([np.full(len(each.rows), each.weight) for each in judged])[counts]
    return fit_trees(rows, right, weights, _LAST_TREES, **_LAST)


def _calibration(judged: Sequence[Judged], folds: Sequence[int]) -> list[list[float]]:
    """The last model's own word on folds that it has not seen, for the surest proposal of each value."""
    scores: list[float] = []
    right: list[int] = []
    for fold in folds:
        forest = Forest(_fit_last([each for each in judged if each.fold != fold]))
        for each in judged:
            if each.fold == fold and each.case.is_measured:
                found = chance(forest.score(each.rows))
                best: dict[int, int] = {}
                for at, proposal in enumerate(each.proposals):
                    if found[at] > found[best.setdefault(proposal.item, at)]:
                        best[proposal.item] = at
                kept = [at for at in best.values() if each.counts[at]]
                scores.extend(float(found[at]) for at in kept)
                right.extend(each.right[at] for at in kept)
    return calibration_of(scores, right)


def _fit_words(cases: Sequence[Case]) -> dict[str, Any]:
    rows: list[tuple[frozenset[str], str, str]] = []
    weights: list[float] = []
    for case in cases:
        weight = _weight(case, len(case.items))
        for at, item in enumerate(case.items):
            metric = case.metric_of(at)
            if metric or not any((at, metric) in case.alike for metric in item.metrics):
                rows.append((case.clues[at], metric, case.source.name))
                weights.append(weight)
    told, worth = phrase_rows([clues for clues, _, _ in rows])
    return fit_words([*rows, *told], [*weights, *worth], _WORDS_STRENGTH)


def _fit_per(cases: Sequence[Case]) -> dict[str, Any]:
    """The model of what a figure is per, from the labels that say it."""
    rows: list[tuple[frozenset[str], str, str]] = []
    weights: list[float] = []
    for case in cases:
        for (at, metric), labels in case.right.items():
            place = case.items[at].place
            for candidate in place.candidates if is_asked(metric) else ():
                said_ = {case.source.labels[n].per for n in labels if case.is_owner({n}, candidate.name)}
                if len(said_) == 1 and (per := said_.pop()):
                    source = source_of(candidate, place)
                    proposal = Proposal(at, place, metric, place.values[metric], candidate, source=source)
                    rows.append((frozenset(chain.from_iterable(per_clues(proposal))), per, case.source.name))
                    weights.append(_weight(case, len(case.right)))
    return fit_words(rows, weights, _PER_STRENGTH)


def _set_priors(cases: Sequence[Case], words: Mapping[str, Any]) -> None:
    model = Words(words)
    for case in cases:
        clues = [[tuple(sorted(each))] for each in case.clues]
        for item, prior in zip(case.items, model.chances(clues, [item.metrics for item in case.items]), strict=True):
            item.prior = prior


@dataclass(slots=True)
class Lesson:
    """The rows of one case for the models of metrics and of subjects."""

    case: Case
    crowd: Crowd
    rows: Rows
    keys: list[Key]
    owners: Rows = field(default_factory=lambda: np.zeros((0, 0)))
    owns: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def add_owners(self) -> None:
        """The candidates of every value that a label names, and which of them are its subjects."""
        asked: list[Key] = []
        for (at, metric), labels in self.case.right.items():
            place = self.case.items[at].place
            if place.candidates:
                asked.append((at, metric))
                self.owns.extend(int(self.case.is_owner(labels, c.name)) for c in place.candidates)
                self.sizes.append(len(place.candidates))
        if asked:
            self.owners = owner_rows(self.crowd, asked)


def _lesson(case: Case, lore: Lore) -> Lesson:
    crowd = Crowd([item.place for item in case.items], lore)
    return Lesson(case, crowd, *sense_rows(case.items, crowd))


def _fit_middle(lessons: Sequence[Lesson]) -> dict[str, Any]:
    """The models of metrics and of subjects."""
    wanted: list[int] = []
    weights: list[float] = []
    worth: list[float] = []
    for lesson in lessons:
        right, alike = lesson.case.right, lesson.case.alike
        weight = _weight(lesson.case, len({at for at, _ in lesson.keys}))
        wanted.extend(int(key in right) for key in lesson.keys)
        weights.extend(weight * float(key in right or key not in alike) for key in lesson.keys)
        worth.extend([_weight(lesson.case, len(right))] * len(lesson.owns))
    rows = np.concatenate([lesson.rows for lesson in lessons if lesson.keys])
    owned = [lesson for lesson in lessons if lesson.owns]
    owns, sizes = [one for lesson in owned for one in lesson.owns], [size for lesson in owned for size in lesson.sizes]
    owners = np.concatenate([lesson.owners for lesson in owned])
    return {
        "sense": fit_trees(rows, wanted, weights, _SENSE_TREES),
        "owner": fit_ranks(owners, owns, sizes, worth, _OWNER_TREES),
    }


def _weight(case: Case, count: int) -> float:
    """How much each of a document's values counts: a long table is not a hundred witnesses, nor turned a second."""
    return case.share * math.sqrt(_USUAL / max(count, _USUAL))


def _affinity(cases: Sequence[Case]) -> dict[str, float]:
    """How often a candidate of a kind is the subject of a metric, on pages that somebody published."""
    all_of: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for case in cases:
        for (at, metric), labels in case.right.items() if not case.is_practice else ():
            for candidate in case.items[at].place.candidates:
                key = f"{metric}|{candidate.kind}"
                all_of[key] += 1
                right[key] += case.is_owner(labels, candidate.name)
    return {key: round((right[key] + 0.5) / (count + 5), 4) for key, count in sorted(all_of.items())}


def _judged(lesson: Lesson, middle: Mapping[str, Any], per: Words, fold: int) -> Judged | None:
    """The proposals of a document that the models before have not seen."""
    if not lesson.keys:
        return None
    case = lesson.case
    sense = chance(Forest(middle["sense"]).score(lesson.rows)).tolist()
    owner = Ranking(middle["owner"]).score
    proposals = propose(lesson.crowd, lesson.keys, sense, owner)
    if not proposals:
        return None
    weigh_per(proposals, per)
    right = [int(is_right(case, proposal)) for proposal in proposals]
    unsure = borderline(case)
    counts = [bool(r) or (p.item, p.metric) not in unsure for p, r in zip(proposals, right, strict=True)]
    at_label = [(p.item, p.metric) in case.right for p in proposals]
    taught = [c and (at or not r) for at, r, c in zip(at_label, right, counts, strict=True)]
    return Judged(case, fold, proposals, lesson.crowd.lore, right, counts, taught)


def held_out(split: Split) -> Iterator[tuple[Case, list[Proposal]]]:
    """Each document with the readings of a model trained on the other folds' repositories."""
    for fold in split.folds:
        model = Linker(fit(split, f"fold {fold}", fold))
        for case in (case for case in split.of(fold) if case.is_measured):
            yield case, model.link([item.place for item in case.items])
