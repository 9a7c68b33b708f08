"""The linker: for every value the metric and the subject that fit best, and how sure that is. Pure, deterministic.

Three trained models in a row: the words around a value say which metrics it may be of (`sense`); how a name stands to
the value says whose it is (`owner`); both, with what the rest of the table or block says, give the confidence
(`judge`), which is calibrated. Training runs the same steps, so that nothing is told to one and not to the other.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipelines.extract.link import features
from pipelines.extract.link.cards import is_attribute
from pipelines.extract.link.meaning import ALL_METRICS, DIMENSIONS, canonical, metrics_of
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.link.trees import Forest, Rows, Words, chance
from pipelines.registry.reader_model import ModelError

LEAST_PRIOR = 0.005  # of a metric by the words alone; below it nothing more is asked
LEAST_SENSE = 0.08  # below it a metric is not thought of further
_SURE_SENSE = 0.3  # a value votes for its table's axis from here
_FEW = 6  # metrics of a dimension that may all be asked
_METRICS_EACH, _OWNERS_EACH = 2, 4
_LEAST_SHARE = 0.05  # of a candidate beside the best
_BESIDE = 0.5  # a second subject of the same value needs this confidence, and not much less than the first's

Score = Callable[[Rows], Rows]
Priors = Callable[[Place], Mapping[str, float]]


@dataclass(slots=True)
class Item:
    """A place with the metrics its value may be of."""

    place: Place
    metrics: tuple[str, ...]
    prior: Mapping[str, float]


@dataclass(slots=True)
class Proposal:
    """One reading of a value: `metric` of `candidate`; the chances that led to it, and `confidence` at the end."""

    item: int
    place: Place
    metric: str
    value: float
    candidate: Candidate
    sense: float
    rival_sense: float
    owner: float
    rival_owner: float
    raw: float
    lead: float
    rank: int
    source: str
    confidence: float = 0.0


def items_of(places: Iterable[Place], priors: Priors) -> list[Item]:
    """The places whose values may be of some metric."""
    found = []
    for place in places:
        metrics = metrics_of(place.figure, in_table=place.table >= 0)
        if metrics:
            found.append(Item(place, metrics, priors(place)))
    return found


def sense_rows(items: Sequence[Item]) -> tuple[list[list[float]], list[tuple[int, str]]]:
    """The features of each value with each metric, and which they are."""
    groups: dict[tuple[str, int, int, str], list[float]] = defaultdict(list)
    for item in items:
        for metric in item.metrics:
            for key in _groups(item.place, metric):
                groups[key].append(item.prior.get(metric, 0.0))
    means = {key: features.mean(values) for key, values in groups.items()}
    rows: list[list[float]] = []
    keys: list[tuple[int, str]] = []
    for at, item in enumerate(items):
        metrics = [metric for metric in item.metrics if _is_possible(item, metric)]
        around = [_around(item.place, metric, means) for metric in metrics]
        rows.extend(features.sense_rows_of(item.place, metrics, item.prior, around) if metrics else ())
        keys.extend((at, metric) for metric in metrics)
    return rows, keys


def _is_possible(item: Item, metric: str) -> bool:
    """Whether the words leave a metric a chance; a metric that they were never taught for this dimension keeps one."""
    return item.prior.get(metric, 1.0 if len(item.metrics) <= _FEW else 0.0) >= LEAST_PRIOR


def _around(place: Place, metric: str, means: Mapping[tuple[str, int, int, str], float]) -> tuple[float, float, float]:
    """What the words say of a metric in the value's column, row and block."""
    return (
        means.get(("column", place.table, place.column, metric), 0.0),
        means.get(("row", place.table, place.row, metric), 0.0),
        means.get(("block", place.block, -1, metric), 0.0),
    )


def _groups(place: Place, metric: str) -> tuple[tuple[str, int, int, str], ...]:
    if place.table < 0:
        return (("block", place.block, -1, metric),)
    return ("column", place.table, place.column, metric), ("row", place.table, place.row, metric)


def propose(
    items: Sequence[Item], keys: Sequence[tuple[int, str]], sense: Sequence[float], owner: Score,
    affinity: Mapping[str, float],
) -> list[Proposal]:  # fmt: skip
    """The likeliest metrics of each value, each with its likeliest subjects."""
    by_item: dict[int, list[tuple[float, str]]] = defaultdict(list)
    for (at, metric), score in zip(keys, sense, strict=True):
        by_item[at].append((float(score), metric))
    asked: list[tuple[int, str, float, float]] = []
    rows: list[list[float]] = []
    for at, scored in by_item.items():
        scored.sort(reverse=True)
        if not items[at].place.candidates:
            continue
        for order, (score, metric) in enumerate(scored[:_METRICS_EACH]):
            if score >= LEAST_SENSE:
                rival = scored[1 - order][0] if len(scored) > 1 else 0.0
                asked.append((at, metric, score, rival))
                rows.extend(features.owner_rows(items[at].place, metric, affinity))
    raw = owner(np.asarray(rows, dtype=np.float64)) if rows else np.zeros(0)
    found: list[Proposal] = []
    begin = 0
    for at, metric, score, rival in asked:
        end = begin + len(items[at].place.candidates)
        found.extend(_owners(at, items[at].place, metric, (score, rival), raw[begin:end]))
        begin = end
    return found


def _owners(at: int, place: Place, metric: str, sense: tuple[float, float], raw: Rows) -> list[Proposal]:
    shares = np.exp(raw - raw.max())
    shares /= shares.sum()
    order = sorted(range(len(raw)), key=lambda i: (-raw[i], i))
    value = canonical(place.figure, metric)
    assert value is not None
    best, second = order[0], float(shares[order[1]]) if len(order) > 1 else 0.0
    return [
        Proposal(
            at, place, metric, value, place.candidates[i], *sense, float(shares[i]),
            float(shares[best]) if rank else second, float(raw[i]), float(raw[i] - raw[best]), rank,
            source_of(place.candidates[i], place),
        )
        for rank, i in enumerate(order[:_OWNERS_EACH])
        if rank == 0 or shares[i] >= _LEAST_SHARE
    ]  # fmt: skip


_TEXT_ZONES = ("in_sentence", "parent", "back0", "intro", "back1", "heading", "heading_label", "title", "main")
_TABLE_ZONES = ("in_cell", "band", "band_label", "caption", "intro", "heading", "heading_label", "title", "main")


def source_of(candidate: Candidate, place: Place) -> str:
    """Where a candidate stands: the axis of the table, or the zone of the text."""
    marks = candidate.marks
    if place.table < 0:
        return next((zone for zone in _TEXT_ZONES if zone in marks), "")
    if "row_name" in marks:
        return f"row {marks.get('axis_column', 0):.0f} {candidate.kind == 'label'}"
    if "head_name" in marks:
        return f"head {candidate.kind == 'label'}"
    return next((zone for zone in _TABLE_ZONES if zone in marks), "")


JUDGE = (
    "sense", "rival_sense", "owner", "rival_owner", "raw", "lead", "rank", "in_table", "metric", "kind", "joint",
    "rival_joint", "group_sense", "group_owner", "group_size", "prior", "lent", "values", "log_number", "dimension",
    "vote", "rival_vote", "votes", "affinity", "has_digit", "known", "attribute", "document_share", "line_share",
    "crossing_share", "block_share", "said_again", "said_of_others", "document_density", "block_density",
    "column_density", "neighbour_density", "place", "axis_lead", "known_fit",
)  # fmt: skip


@dataclass(slots=True)
class Survey:
    """What the first readings of a whole document say together, before any is judged."""

    columns: dict[tuple[int, int, str], list[Proposal]]  # the likeliest readings by column (or block) and metric
    votes: dict[tuple[int, str], list[float]]  # shares by table (or block) and the place where the subject stands
    totals: dict[int, dict[str, float]]
    weights: dict[tuple[object, ...], dict[str, float]]  # by line, crossing line, block and document: subject → weight
    again: dict[tuple[str, float], dict[str, int]]  # by metric and value: subject → items
    best: dict[int, float]  # by item: the surest metric's chance
    means: dict[tuple[object, ...], float]  # of that chance by block, column and document
    joint: dict[int, list[tuple[float, str, str]]]  # by item: sense x owner of each reading, best first


def _survey(items: Sequence[Item], proposals: Sequence[Proposal]) -> Survey:
    found = Survey(
        defaultdict(list), defaultdict(list), defaultdict(dict), defaultdict(lambda: defaultdict(float)),
        defaultdict(lambda: defaultdict(int)), {}, {}, defaultdict(list),
    )  # fmt: skip
    seen: set[tuple[int, str, str]] = set()
    for p in proposals:
        name = p.candidate.name
        found.joint[p.item].append((p.sense * p.owner, p.metric, name))
        found.best[p.item] = max(found.best.get(p.item, 0.0), p.sense)
        if p.rank == 0:
            found.columns[_column(p)].append(p)
            found.again[p.metric, float(f"{p.value:.2g}")][name] += 1
            for key in _lines(p.place):
                found.weights[key][name] += p.sense * p.owner
        vote = (p.item, p.metric, p.source)
        if p.sense > _SURE_SENSE and vote not in seen:
            seen.add(vote)
            found.votes[_whole(p.place), p.source].append(p.owner)
    for (whole, source), shares in found.votes.items():
        found.totals[whole][source] = sum(shares)
    groups: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for at, item in enumerate(items):
        for key in _lines(item.place):
            groups[key].append(found.best.get(at, 0.0))
    found.means = {key: features.mean(values) for key, values in groups.items()}
    for readings in found.joint.values():
        readings.sort(reverse=True)
    return found


def _lines(place: Place) -> tuple[tuple[object, ...], ...]:
    """What a value shares with others: its line (row or sentence), the line across it, its block, the document."""
    if place.table >= 0:
        return (
            ("row", place.table, place.row), ("column", place.table, place.column), ("block", place.block), ("all",)
        )  # fmt: skip
    return ("sentence", place.context.start), ("block", place.block), ("block", place.block), ("all",)


def judge_rows(
    items: Sequence[Item], proposals: Sequence[Proposal], affinity: Mapping[str, float]
) -> list[list[float]]:
    """What is known of each proposal once the whole document has been read."""
    survey = _survey(items, proposals)
    return [_judge_row(items, p, survey, affinity) for p in proposals]


def _judge_row(items: Sequence[Item], proposal: Proposal, survey: Survey, affinity: Mapping[str, float]) -> list[float]:
    place, candidate, figure = proposal.place, proposal.candidate, proposal.place.figure
    group, total = survey.columns[_column(proposal)], survey.totals[_whole(place)]
    whole = sum(total.values()) or 1.0
    rival = max((votes_ for source, votes_ in total.items() if source != proposal.source), default=0.0)
    logit, mean = features.logit, features.mean
    own = (proposal.metric, candidate.name)
    rivals = (joint for joint, *reading in survey.joint[proposal.item] if tuple(reading) != own)
    again = survey.again[proposal.metric, float(f"{proposal.value:.2g}")]
    near = [survey.best.get(proposal.item + step, 0.0) for step in (-2, -1, 1, 2)]
    return [
        logit(proposal.sense), logit(proposal.rival_sense), logit(proposal.owner), logit(proposal.rival_owner),
        proposal.raw, proposal.lead, float(proposal.rank), float(place.table >= 0),
        float(ALL_METRICS.index(proposal.metric)), features.kind_number(candidate),
        logit(proposal.sense * proposal.owner), logit(next(rivals, 0.0)),
        mean([p.sense for p in group]), mean([p.owner for p in group]), float(len(group)),
        items[proposal.item].prior.get(proposal.metric, 0.0),
        float(figure.lender != ""), place.marks.get("values", 0.0),
        float(np.log10(abs(figure.number) + 1e-9)), float(DIMENSIONS.index(figure.dimension)),
        total.get(proposal.source, 0.0) / whole, rival / whole,
        float(len(survey.votes.get((_whole(place), proposal.source), ()))),
        affinity.get(f"{proposal.metric}|{candidate.kind}", 0.0), float(any(c.isdigit() for c in candidate.name)),
        float(bool(candidate.subject_id)), is_attribute(candidate.name) if candidate.kind == "label" else 0.0,
        *_shares(proposal, survey), float(again.get(candidate.name, 0)),
        float(sum(again.values()) - again.get(candidate.name, 0)),
        *(survey.means.get(key, 0.0) for key in (("all",), ("block", place.block), _lines(place)[1])), mean(near),
        float(_PLACES.index(proposal.source.split(" ")[0])),
        candidate.marks.get("axis_named", 0.0) - place.marks.get("column_named", 0.0),
        features.known_fit(candidate, proposal.metric, proposal.value),
    ]  # fmt: skip


def _shares(proposal: Proposal, survey: Survey) -> list[float]:
    """How far the other values of the document, the line, the line across and the block are its subject's too."""
    name, own = proposal.candidate.name, proposal.sense * proposal.owner if proposal.rank == 0 else 0.0
    lines = _lines(proposal.place)
    shares = []
    for key in (lines[3], lines[0], lines[1], lines[2]):
        weights = survey.weights[key]
        rest = sum(weights.values())
        rest -= own if proposal.rank == 0 else 0.0
        shares.append((weights.get(name, 0.0) - own) / rest if rest > 1e-6 else -1.0)
    return shares


_PLACES = ("", "row", "head", *dict.fromkeys((*_TEXT_ZONES, *_TABLE_ZONES)))


def _column(proposal: Proposal) -> tuple[int, int, str]:
    place = proposal.place
    return (place.table, place.column, proposal.metric) if place.table >= 0 else (-1 - place.block, -1, proposal.metric)


def _whole(place: Place) -> int:
    return place.table if place.table >= 0 else -1 - place.block


def decide(proposals: Sequence[Proposal]) -> list[Proposal]:
    """One metric a value, with its best subject; further subjects of the same value only where they are as sure."""
    best: dict[int, Proposal] = {}
    for proposal in proposals:
        known = best.get(proposal.item)
        if known is None or proposal.confidence > known.confidence:
            best[proposal.item] = proposal
    kept = []
    for proposal in proposals:
        first = best[proposal.item]
        is_beside = proposal.metric == first.metric and proposal.confidence > max(_BESIDE, first.confidence - 0.2)
        if proposal is first or is_beside:
            kept.append(proposal)
    return kept


def feature_names() -> dict[str, list[str]]:
    """What the numbers told to the models mean, in order; a metric is told by its place among the metrics."""
    return {
        "sense": list(features.SENSE), "owner": list(features.OWNER), "judge": list(JUDGE),
        "metrics": list(ALL_METRICS), "dimensions": list(DIMENSIONS),
    }  # fmt: skip


class Linker:
    """The trained models of a model file, ready to read places; immutable. Raises ModelError for other features."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        if data["features"] != feature_names():
            raise ModelError("trained for other features or metrics: rackledger train-reader makes it anew")
        self.version: str = data["version"]
        self._words = Words(data["words"])
        self._sense, self._owner, self._judge = (Forest(data[name]) for name in ("sense", "owner", "judge"))
        self._affinity: Mapping[str, float] = data["affinity"]
        self._steps: Sequence[Sequence[float]] = data["calibration"]

    def link(self, places: Iterable[Place]) -> list[Proposal]:
        """The readings of a document's values, one metric a value, each with its calibrated confidence."""
        items = items_of(places, self.prior)
        rows, keys = sense_rows(items)
        if not rows:
            return []
        sense = chance(self._sense.score(np.asarray(rows, dtype=np.float64)))
        proposals = propose(items, keys, [float(s) for s in sense], self._owner.score, self._affinity)
        if not proposals:
            return []
        judged = chance(self._judge.score(np.asarray(judge_rows(items, proposals, self._affinity), dtype=np.float64)))
        for proposal, score in zip(proposals, judged, strict=True):
            proposal.confidence = calibrated(float(score), self._steps)
        return decide(proposals)

    def prior(self, place: Place) -> Mapping[str, float]:
        """What the words around a value say of its metric, '' for none: chances that sum to 1."""
        return self._words.chances(features.clues(place), metrics_of(place.figure, in_table=place.table >= 0))


def calibrated(score: float, steps: Sequence[Sequence[float]]) -> float:
    """A score read off the calibration line: pairs of score and observed share, in order, joined by straight lines."""
    scores, shares = steps
    at = bisect.bisect_right(scores, score)
    if at == 0:
        return float(shares[0])
    if at == len(scores):
        return float(shares[-1])
    step = (score - scores[at - 1]) / (scores[at] - scores[at - 1])
    return float(shares[at - 1] + step * (shares[at] - shares[at - 1]))
