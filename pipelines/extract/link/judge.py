"""What is told of each reading once the first models have read the whole document: numbers in a fixed order. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pipelines.extract.link.cards import is_attribute
from pipelines.extract.link.crowd import kind_number
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import DIMENSION_AT, METRIC_AT
from pipelines.extract.link.owner import has_digit
from pipelines.extract.link.proposal import PLACES, Item, Proposal, column_of, lines_of, whole_of
from pipelines.extract.link.trees import Rows

_SURE_SENSE = 0.3  # a value votes for its table's axis from here

JUDGE = (
    "sense", "rival_sense", "owner", "rival_owner", "raw", "lead", "rank", "in_table", "metric", "kind", "joint",
    "rival_joint", "group_sense", "group_owner", "group_size", "prior", "lent", "values", "log_number", "dimension",
    "vote", "rival_vote", "votes", "affinity", "has_digit", "known", "attribute", "document_share", "line_share",
    "crossing_share", "block_share", "said_again", "said_of_others", "document_density", "block_density",
    "column_density", "neighbour_density", "place", "axis_lead", "said", "said_by", "said_gap", "rival_said",
    "said_of_any",
)  # fmt: skip

_CHANCES = ("sense", "rival_sense", "owner", "rival_owner", "joint", "rival_joint")  # told as odds
_SAID = ("said", "said_by", "said_gap", "rival_said")
_OTHERS = tuple(name for name in JUDGE if name not in (*_CHANCES, *_SAID, "log_number"))
_PLACE_AT = {name: at for at, name in enumerate(PLACES)}

Key = tuple[object, ...]
_Group = TypeVar("_Group")
_Number = TypeVar("_Number", int, float)


@dataclass(slots=True)
class Survey:
    """What the first readings of a whole document say together, before any is judged."""

    columns: dict[tuple[int, int, str], tuple[float, float, float]]  # by column (or block) and metric: see `_survey`
    votes: dict[tuple[int, str], list[float]]  # shares by table (or block) and the place where the subject stands
    totals: dict[int, tuple[dict[str, float], float]]  # their sums by table and place, and over all places
    weights: dict[Key, tuple[dict[str, float], float]]  # by line, line across, block and document: of each subject, all
    again: dict[tuple[str, float], tuple[dict[str, int], int]]  # by metric and value: items of each subject, of all
    best: list[float]  # by item: the surest metric's chance
    means: dict[Key, float]  # of that chance by block, column and document
    joint: dict[int, list[tuple[float, tuple[str, str]]]]  # by item: sense x owner of each reading, best first
    lines: list[tuple[Key, ...]]  # by item: what it shares with others


def _survey(items: Sequence[Item], proposals: Sequence[Proposal], lore: Lore) -> Survey:
    """Of the likeliest readings of a column are kept the mean sense, the mean owner, and how many they are."""
    columns: dict[tuple[int, int, str], list[Proposal]] = defaultdict(list)
    votes: dict[tuple[int, str], list[float]] = defaultdict(list)
    weights: dict[Key, dict[str, float]] = defaultdict(dict)
    again: dict[tuple[str, float], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    joint: dict[int, list[tuple[float, tuple[str, str]]]] = defaultdict(list)
    best, lines = [0.0] * len(items), [lines_of(item.place) for item in items]
    seen: set[tuple[int, str, str]] = set()
    for p in proposals:
        name, both = p.candidate.name, p.sense * p.owner
        joint[p.item].append((both, (p.metric, name)))
        best[p.item] = max(best[p.item], p.sense)
        if p.rank == 0:
            columns[column_of(p)].append(p)
            again[_said(p)][name] += 1
            for key in lines[p.item]:
                known = weights[key]
                known[name] = known.get(name, 0.0) + both
        vote = (p.item, p.metric, p.source)
        if p.sense > _SURE_SENSE and vote not in seen:
            seen.add(vote)
            votes[whole_of(p.place), p.source].append(p.owner)
    totals: dict[int, dict[str, float]] = defaultdict(dict)
    for (whole, source), shares in votes.items():
        totals[whole][source] = sum(shares)
    groups: dict[Key, list[float]] = defaultdict(list)
    for keys, surest in zip(lines, best, strict=True):
        for key in keys:
            groups[key].append(surest)
    for readings in joint.values():
        readings.sort(reverse=True)
    told = {
        key: (mean([p.sense for p in of]), mean([p.owner for p in of]), float(len(of))) for key, of in columns.items()
    }
    return Survey(
        told,
        votes, _summed(totals), _summed(weights), _summed(again), best,
        {key: mean(values) for key, values in groups.items()}, joint, lines,
    )  # fmt: skip


def _summed(parts: Mapping[_Group, dict[str, _Number]]) -> dict[_Group, tuple[dict[str, _Number], _Number]]:
    """Each with the sum of its parts."""
    return {key: (own, sum(own.values())) for key, own in parts.items()}


def _said(proposal: Proposal) -> tuple[str, float]:
    return proposal.metric, float(f"{proposal.value:.2g}")


def judge_rows(items: Sequence[Item], proposals: Sequence[Proposal], lore: Lore) -> Rows:
    """What is known of each proposal once the whole document has been read."""
    survey = _survey(items, proposals, lore)
    chances = [
        (p.sense, p.rival_sense, p.owner, p.rival_owner, p.sense * p.owner, _rival(p, survey)) for p in proposals
    ]
    odds = dict(zip(_CHANCES, logits(np.array(chances)).T, strict=True))
    numbers = np.array([p.place.figure.number for p in proposals], dtype=np.float64)
    others = np.array([_judge_row(items, p, survey, lore) for p in proposals])
    told = dict(zip(_OTHERS, others.T, strict=True)) | odds | {"log_number": np.log10(abs(numbers) + 1e-9)}
    told |= dict(zip(_SAID, _said_by_others(proposals, lore).T, strict=True))
    return np.column_stack([told[name] for name in JUDGE])


def _said_by_others(proposals: Sequence[Proposal], lore: Lore) -> Rows:
    """Whether others say each reading, how many, how far theirs are, and whether they say another of the same value."""
    names = list(dict.fromkeys(p.candidate.name for p in proposals))
    row = {name: at for at, name in enumerate(names)}
    readings = [(row[p.candidate.name], METRIC_AT[p.metric]) for p in proposals]
    about = lore.about(names)[tuple(np.array(readings).T)]
    fits = lore.fits(about, np.array([p.value for p in proposals]))
    by_item: dict[int, list[tuple[float, tuple[int, int]]]] = defaultdict(list)
    for p, reading, agrees in zip(proposals, readings, fits[:, 0].tolist(), strict=True):
        by_item[p.item].append((agrees, reading))
    rivals = [
        max([agrees for agrees, other in by_item[p.item] if other != reading], default=0.0)
        for p, reading in zip(proposals, readings, strict=True)
    ]
    return np.column_stack([fits, rivals])


def _rival(proposal: Proposal, survey: Survey) -> float:
    """The best joint chance of the other readings of the same value."""
    own = proposal.metric, proposal.candidate.name
    return next((joint for joint, reading in survey.joint[proposal.item] if reading != own), 0.0)


def _judge_row(items: Sequence[Item], proposal: Proposal, survey: Survey, lore: Lore) -> tuple[float, ...]:
    """What is told besides odds: the features of `_OTHERS`."""
    place, candidate, figure, at = proposal.place, proposal.candidate, proposal.place.figure, proposal.item
    whole = whole_of(place)
    votes, sum_ = survey.totals.get(whole, ({}, 0.0))
    rival = max([vote for source, vote in votes.items() if source != proposal.source], default=0.0)
    lines, means, best = survey.lines[at], survey.means, survey.best
    again, told = survey.again.get(_said(proposal), ({}, 0))
    same = again.get(candidate.name, 0)
    near = [best[at + step] if 0 <= at + step < len(items) else 0.0 for step in (-2, -1, 1, 2)]
    return (
        proposal.raw, proposal.lead, proposal.rank, place.table >= 0, METRIC_AT[proposal.metric],
        kind_number(candidate),
        *survey.columns.get(column_of(proposal), (0.0, 0.0, 0.0)), items[at].prior.get(proposal.metric, 0.0),
        figure.lender != "", place.marks.get("values", 0.0), DIMENSION_AT[figure.dimension],
        votes.get(proposal.source, 0.0) / (sum_ or 1.0), rival / (sum_ or 1.0),
        len(survey.votes.get((whole, proposal.source), ())), lore.affinity(proposal.metric, candidate.kind),
        has_digit(candidate.name), bool(candidate.subject_id),
        is_attribute(candidate.name) if candidate.kind == "label" else 0.0,
        *_shares(proposal, lines, survey), same, told - same,
        means.get(("all",), 0.0), means.get(("block", place.block), 0.0), means.get(lines[1], 0.0), mean(near),
        _PLACE_AT[proposal.source.partition(" ")[0]],
        candidate.marks.get("axis_named", 0.0) - place.marks.get("column_named", 0.0),
        lore.said_of_any(proposal.metric, proposal.value),
    )  # fmt: skip


def _shares(proposal: Proposal, lines: tuple[Key, ...], survey: Survey) -> list[float]:
    """How far the other values of the document, the line, the line across and the block are its subject's too."""
    name, own = proposal.candidate.name, proposal.sense * proposal.owner if proposal.rank == 0 else 0.0
    shares = []
    for key in (lines[3], lines[0], lines[1], lines[2]):
        weights, rest = survey.weights[key]
        rest -= own
        shares.append((weights.get(name, 0.0) - own) / rest if rest > 1e-6 else -1.0)
    return shares


def logits(chances: Rows) -> Rows:
    """Log odds, kept finite."""
    kept = np.minimum(np.maximum(chances, 1e-5), 1 - 1e-5)
    odds = (kept / (1 - kept)).ravel().tolist()
    return np.array([math.log(each) for each in odds]).reshape(chances.shape)  # as exact as on any other machine


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of none."""
    return sum(values) / len(values) if values else 0.0
