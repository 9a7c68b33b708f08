"""From labelled documents to the data of a model file: three models in a row and the calibration of their word.

Each model learns from what the one before says of documents of other repositories: documents are split by repository,
and nothing is trained on a word that was fitted to its own label.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipelines.extract.link import features
from pipelines.extract.link.linker import (
    Item,
    Proposal,
    feature_names,
    items_of,
    judge_rows,
    propose,
    sense_rows,
)
from pipelines.extract.link.meaning import DATES, canonical
from pipelines.extract.link.scene import Place, Scene
from pipelines.extract.link.trees import Forest, Words, chance
from pipelines.extract.places import places_of
from pipelines.registry.mentions import NameFinder
from pipelines.registry.reader_model import FORMAT
from pipelines.training.labels import Labelled, folds_of, same_subject, same_value, words_in
from pipelines.training.learners import calibration_of, fit_ranks, fit_trees, fit_words

INNER = 4  # folds inside a training set
_USUAL = 10  # values of a document that count fully
_CLOSE = 0.75  # of the best overlap with a label's quote
_SENSE_TREES, _OWNER_TREES, _JUDGE_TREES = 150, 150, 70
_JUDGE: Mapping[str, Any] = {"num_leaves": 7, "min_data_in_leaf": 40, "lambda_l2": 10.0, "max_depth": 4}


@dataclass(slots=True)
class Case:
    """A document made ready for training: its items, and which (item, metric) agree with which labels."""

    source: Labelled
    items: list[Item]
    clues: list[frozenset[str]]
    right: dict[tuple[int, str], set[int]] = field(default_factory=dict)  # by value and place
    alike: set[tuple[int, str]] = field(default_factory=set)  # by value alone, or borderline: no example either way
    _matches: dict[tuple[int, str], bool] = field(default_factory=dict)

    def is_owner(self, labels: set[int], name: str) -> bool:
        """Whether a name is the subject of one of some labels."""
        return any(self._is(label, name) for label in labels)

    def _is(self, label: int, name: str) -> bool:
        key = (label, name)
        if key not in self._matches:
            self._matches[key] = any(same_subject(given, name) for given in self.source.labels[label].subjects)
        return self._matches[key]


def said(place: Place, metric: str) -> float | str:
    """A value as labels give it: the period's label for dates."""
    if metric in DATES:
        period = place.figure.value.period
        return period.label if period is not None else ""
    return canonical(place.figure, metric) or 0.0


def case_of(source: Labelled, finder: NameFinder) -> Case:
    """A document's values compared with its labels."""
    items = items_of(places_of(Scene(source.document, source.origin, finder)), lambda place: {})
    case = Case(source, items, [frozenset(features.clues(item.place)) for item in items])
    text = source.document.text
    quotes = [words_in(label.quote) for label in source.labels]
    found: dict[int, list[tuple[float, int, str]]] = defaultdict(list)
    for at, item in enumerate(items):
        context = item.place.context
        zones = item.place.zones
        words = words_in(f"{text[context.start : context.end]} {zones.get('column', '')} {zones.get('label', '')}")
        for metric in item.metrics:
            value = said(item.place, metric)
            for number, label in enumerate(source.labels):
                if same_value(label, metric, value):
                    share = len(quotes[number] & words) / max(len(quotes[number]), 1)
                    found[number].append((share, at, metric))
            if any(same_value(label, metric, value) for label in source.borderline):
                case.alike.add((at, metric))
    for number, places in found.items():
        best = max(place[0] for place in places)
        for share, at, metric in places:
            case.alike.add((at, metric))
            if share >= _CLOSE * best:
                case.right.setdefault((at, metric), set()).add(number)
    return case


def fit(cases: Sequence[Case], version: str, inner: int = INNER) -> dict[str, Any]:
    """The data of a model file, calibrated on inner folds."""
    folds = folds_of([case.source for case in cases], inner)
    for fold in range(inner):
        words = _fit_words([c for c, f in zip(cases, folds, strict=True) if f != fold])
        _set_priors([c for c, f in zip(cases, folds, strict=True) if f == fold], words)
    held_out: list[tuple[list[float], int, float]] = []
    for fold in range(inner):
        middle = _fit_middle([c for c, f in zip(cases, folds, strict=True) if f != fold])
        for case in (c for c, f in zip(cases, folds, strict=True) if f == fold):
            held_out.extend(_judged(case, middle))
    rows, wanted = [row for row, _, _ in held_out], [right for _, right, _ in held_out]
    weights = [weight for _, _, weight in held_out]
    middle = _fit_middle(cases)
    return {
        "format": FORMAT, "version": version, "words": _fit_words(cases), "sense": middle["sense"],
        "owner": middle["owner"], "affinity": middle["affinity"],
        "judge": fit_trees(rows, wanted, weights, _JUDGE_TREES, **_JUDGE),
        "calibration": _calibration(rows, wanted, weights, folds_count=5),
        "features": feature_names(),
    }  # fmt: skip


def _calibration(
    rows: Sequence[list[float]], wanted: Sequence[int], weights: Sequence[float], folds_count: int
) -> list[list[float]]:
    """The judge's own word on rows that it has not seen, in blocks, against what was right."""
    scores = np.zeros(len(rows))
    block = max(1, len(rows) // folds_count)
    for begin in range(0, len(rows), block):
        own = range(begin, min(begin + block, len(rows)))
        rest = [i for i in range(len(rows)) if i not in own]
        forest = Forest(
            fit_trees(
                [rows[i] for i in rest], [wanted[i] for i in rest], [weights[i] for i in rest], _JUDGE_TREES, **_JUDGE
            )
        )
        scores[own.start : own.stop] = chance(forest.score(np.asarray([rows[i] for i in own], dtype=np.float64)))
    return calibration_of([float(s) for s in scores], wanted)


def _fit_words(cases: Sequence[Case]) -> dict[str, Any]:
    rows: list[tuple[frozenset[str], str, str]] = []
    weights: list[float] = []
    for case in cases:
        weight = _weight(len(case.items))
        for at, item in enumerate(case.items):
            right = [metric for metric in item.metrics if (at, metric) in case.right]
            if right or not any((at, metric) in case.alike for metric in item.metrics):
                rows.append((case.clues[at], right[0] if right else "", case.source.name))
                weights.append(weight)
    return fit_words(rows, weights)


def _set_priors(cases: Sequence[Case], words: Mapping[str, Any]) -> None:
    model = Words(words)
    for case in cases:
        for item, clues in zip(case.items, case.clues, strict=True):
            item.prior = model.chances(sorted(clues), item.metrics)


def _fit_middle(cases: Sequence[Case]) -> dict[str, Any]:
    rows: list[list[float]] = []
    wanted: list[int] = []
    weights: list[float] = []
    for case in cases:
        more, keys = sense_rows(case.items)
        weight = _weight(len({at for at, _ in keys}))
        rows.extend(more)
        wanted.extend(int(key in case.right) for key in keys)
        weights.extend(weight * float(key in case.right or key not in case.alike) for key in keys)
    affinity = _affinity(cases)
    owners: list[list[float]] = []
    owns: list[int] = []
    sizes: list[int] = []
    worth: list[float] = []
    for case in cases:
        weight = _weight(len(case.right))
        for (at, metric), labels in case.right.items():
            place = case.items[at].place
            if place.candidates:
                owners.extend(features.owner_rows(place, metric, affinity))
                owns.extend(int(case.is_owner(labels, c.name)) for c in place.candidates)
                sizes.append(len(place.candidates))
                worth.extend([weight] * len(place.candidates))
    return {
        "sense": fit_trees(rows, wanted, weights, _SENSE_TREES),
        "owner": fit_ranks(owners, owns, sizes, worth, _OWNER_TREES),
        "affinity": affinity,
    }


def _weight(count: int) -> float:
    """How much each of a document's values counts: a long table is not a hundred witnesses."""
    return math.sqrt(_USUAL / max(count, _USUAL))


def _affinity(cases: Sequence[Case]) -> dict[str, float]:
    """How often a candidate of a kind is the subject of a metric."""
    all_of: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for case in cases:
        for (at, metric), labels in case.right.items():
            for candidate in case.items[at].place.candidates:
                key = f"{metric}|{candidate.kind}"
                all_of[key] += 1
                right[key] += case.is_owner(labels, candidate.name)
    return {key: round((right[key] + 0.5) / (count + 5), 4) for key, count in sorted(all_of.items())}


def _judged(case: Case, middle: Mapping[str, Any]) -> list[tuple[list[float], int, float]]:
    """The judge's rows of a document that the models before have not seen, whether each is right, and its weight."""
    rows, keys = sense_rows(case.items)
    if not rows:
        return []
    sense = chance(Forest(middle["sense"]).score(np.asarray(rows, dtype=np.float64)))
    proposals = propose(case.items, keys, [float(s) for s in sense], Forest(middle["owner"]).score, middle["affinity"])
    judged = judge_rows(case.items, proposals, middle["affinity"])
    weight = _weight(len(proposals) // 3)
    found = []
    for proposal, row in zip(proposals, judged, strict=True):
        right = is_right(case, proposal)
        if right or (proposal.item, proposal.metric) not in _borderline(case):
            found.append((row, int(right), weight))
    return found


def is_right(case: Case, proposal: Proposal) -> bool:
    """Whether a reading says a label of its document: value, metric and subject."""
    return any(says(case, number, proposal) for number in range(len(case.source.labels)))


def says(case: Case, number: int, proposal: Proposal) -> bool:
    """Whether a reading says one label."""
    label = case.source.labels[number]
    value = said(proposal.place, proposal.metric)
    return same_value(label, proposal.metric, value) and case.is_owner({number}, proposal.candidate.name)


def _borderline(case: Case) -> set[tuple[int, str]]:
    labels = case.source.borderline
    return {
        (at, metric)
        for at, metric in case.alike
        if any(same_value(label, metric, said(case.items[at].place, metric)) for label in labels)
    }
