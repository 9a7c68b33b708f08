"""Documents made ready for training: which readings agree with which labels, and decisions on readings as labels."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from pipelines.decisions import Decision
from pipelines.extract.link.clues import clues
from pipelines.extract.link.meaning import DATES, canonical, entry_of
from pipelines.extract.link.proposal import Item, Proposal, items_of
from pipelines.extract.link.scene import Place, Scene
from pipelines.extract.names.mentions import names_of
from pipelines.extract.reader import places_of
from pipelines.extract.values.periods import period_label
from pipelines.ledger.fields import read_period
from pipelines.registry.mentions import NameFinder
from pipelines.training.labels import Label, Labelled, quotes_at, same_subject, same_value, words_in

_CLOSE = 0.75  # of the best overlap with a label's quote


@dataclass(slots=True)
class Case:
    """A document made ready for training: its items, and which (item, metric) agree with which labels."""

    source: Labelled
    items: list[Item]
    clues: list[frozenset[str]]
    right: dict[tuple[int, str], set[int]] = field(default_factory=dict)  # by value and place
    alike: set[tuple[int, str]] = field(default_factory=set)  # by value alone, or borderline: no example either way
    is_turned: bool = False  # its tables stand with rows as columns: for training alone
    is_practice: bool = False  # a made-up page: it trains, and says no fact of anything
    share: float = 1.0  # of a document's weight: less where its tables stand both ways, and of a made-up page
    _matches: dict[tuple[int, str], bool] = field(default_factory=dict)

    @property
    def is_measured(self) -> bool:
        """Whether figures are taken on it: a document as it stands, that somebody published."""
        return not self.is_turned and not self.is_practice

    def metric_of(self, at: int) -> str:
        """The metric that a value's labels name first, of those that they let pass; '' where no label is of it."""
        right = [(metric, self.right[at, metric]) for metric in self.items[at].metrics if (at, metric) in self.right]
        places = {
            metric: min(self.source.labels[label].metrics.index(metric) for label in labels) for metric, labels in right
        }
        return min(places, key=lambda metric: places[metric], default="")

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


def case_of(source: Labelled, finder: NameFinder, *, is_turned: bool = False) -> Case:
    """A document's values compared with its labels; where its tables were turned, theirs alone."""
    names = names_of(source.document, source.origin, finder)
    places = places_of(Scene(source.document, source.origin, names))
    items = items_of((place for place in places if place.table >= 0 or not is_turned), lambda kept: [{} for _ in kept])
    told = [frozenset(chain.from_iterable(clues(item.place))) for item in items]
    case = Case(source, items, told, is_turned=is_turned)
    text = source.document.text
    quoted = [words_in(label.quote) for label in source.labels]
    spots = quotes_at(text, [label.quote for label in source.labels])
    found: dict[int, list[_Fit]] = defaultdict(list)
    for at, item in enumerate(items):
        context, figure, zones = item.place.context, item.place.figure, item.place.zones
        words = words_in(f"{text[context.start : context.end]} {zones.get('column', '')} {zones.get('label', '')}")
        for metric in item.metrics:
            value = said(item.place, metric)
            for number, label in enumerate(source.labels):
                if same_value(label, metric, value):
                    share = len(quoted[number] & words) / max(len(quoted[number]), 1)
                    is_in = any(start <= figure.digits.start < end for start, end in spots[number])
                    found[number].append(_Fit(at, metric, share, is_in, _counts(figure.value.thing, metric)))
            if any(same_value(label, metric, value) for label in source.borderline):
                case.alike.add((at, metric))
    for number, fits in found.items():
        case.alike.update((fit.at, fit.metric) for fit in fits)
        for fit in _best(fits):
            case.right.setdefault((fit.at, fit.metric), set()).add(number)
    return case


class _Fit(NamedTuple):
    """A value that a label may be of: how much of the quote stands around it, and whether it stands in the quote."""

    at: int
    metric: str
    share: float
    is_quoted: bool
    counts: float


def _counts(thing: str, metric: str) -> float:
    """1 where a value counts what its metric counts, -1 where it counts something else, 0 where it says nothing."""
    return 0.0 if not thing else 1.0 if thing in entry_of(metric).counts else -1.0


def _best(fits: Sequence[_Fit]) -> list[_Fit]:
    """Those in the label's quote, or else those whose words are most like it, without such as count another thing."""
    most = max(fit.share for fit in fits)
    near = [fit for fit in fits if fit.is_quoted] or [fit for fit in fits if fit.share >= _CLOSE * most]
    best = max(fit.counts for fit in near)
    return [fit for fit in near if fit.counts == best or fit.counts >= 0]


def is_right(case: Case, proposal: Proposal) -> bool:
    """Whether a reading says a label of its document: value, metric and subject."""
    return any(says(case, number, proposal) for number in range(len(case.source.labels)))


def says(case: Case, number: int, proposal: Proposal) -> bool:
    """Whether a reading says one label."""
    label = case.source.labels[number]
    value = said(proposal.place, proposal.metric)
    return same_value(label, proposal.metric, value) and case.is_owner({number}, proposal.candidate.name)


def borderline(case: Case) -> set[tuple[int, str]]:
    """The (item, metric) of a document that agree with borderline facts only by value."""
    labels = case.source.borderline
    return {
        (at, metric)
        for at, metric in case.alike
        if any(same_value(label, metric, said(case.items[at].place, metric)) for label in labels)
    }


_AROUND = 60  # characters on either side of a value that stand for its quote
ADDED, TAKEN_OUT, ELSEWHERE = "added", "taken out", "of other documents"


def apply_decisions(
    documents: Sequence[Labelled], decisions: Iterable[Decision], names: Mapping[str, str]
) -> Mapping[str, int]:
    """Change the labels by the latest decision on each claim; how many did what.

    `names` gives the file's name of a document id. A document without labels would learn that all else in it is wrong:
    decisions on documents that are not among these are counted and not used.
    """
    by_name = {item.name: item for item in documents}
    latest = {one.claim_id: one for one in decisions if one.decision not in ("merge", "new")}
    done: Counter[str] = Counter(dict.fromkeys((ADDED, TAKEN_OUT, ELSEWHERE), 0))
    for decision in latest.values():
        item = by_name.get(names.get(decision.document_id, ""))
        if item is None or decision.locator_start is None or decision.locator_end is None:
            done[ELSEWHERE] += 1
            continue
        label = _label(item, decision, decision.locator_start, decision.locator_end)
        same = [known for known in item.labels if _is_same(known, label)]
        if decision.decision == "reject":
            item.labels[:] = [known for known in item.labels if known not in same]
            done[TAKEN_OUT] += len(same)
        elif not same:
            item.labels.append(label)
            done[ADDED] += 1
    return done


def _label(item: Labelled, decision: Decision, start: int, end: int) -> Label:
    text = item.document.text
    value: float | str = decision.value
    if decision.metric in DATES:
        value = period_label(*read_period("value", decision.value))
    else:
        with contextlib.suppress(ValueError):
            value = float(decision.value)
    return Label(
        item.name, tuple(filter(None, (decision.subject, decision.subject_id))), (decision.metric,), (value,),
        text[max(0, start - _AROUND) : end + _AROUND],
    )  # fmt: skip


def _is_same(known: Label, label: Label) -> bool:
    return same_value(known, label.metrics[0], label.values[0]) and any(
        same_subject(one, two) for one in known.subjects for two in label.subjects
    )
