"""What is told of each reading once the first models have read the whole document: numbers in a fixed order. Pure."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from pipelines.extract.link.cards import is_attribute
from pipelines.extract.link.crowd import Flags, kind_number
from pipelines.extract.link.groups import highest_of_others, numbered
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import DIMENSION_AT, METRIC_AT
from pipelines.extract.link.owner import has_digit
from pipelines.extract.link.proposal import PLACES, Item, Proposal, column_of, lines_of, whole_of
from pipelines.extract.link.trees import Numbers, Rows

_NOBODY = -9.0  # where no other reading of a value is
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
_ALONE = (
    "raw", "lead", "rank", "in_table", "metric", "kind", "prior", "lent", "values", "dimension", "affinity",
    "has_digit", "known", "attribute", "place", "axis_lead", "said_of_any",
)  # fmt: skip
_PLACE_AT = {name: at for at, name in enumerate(PLACES)}
Told = dict[str, Rows]


def judge_rows(items: Sequence[Item], proposals: Sequence[Proposal], lore: Lore) -> Rows:
    """What is known of each proposal once the whole document has been read."""
    item_of = np.array([p.item for p in proposals], dtype=np.intp)
    chances = np.array([(p.sense, p.rival_sense, p.owner, p.rival_owner) for p in proposals])
    sense, _, owner, _ = chances.T
    joint, is_first = sense * owner, np.array([p.rank == 0 for p in proposals])
    odds = logits(np.column_stack([chances, joint, highest_of_others(joint, item_of, 0.0)]))
    numbers = np.array([p.place.figure.number for p in proposals], dtype=np.float64)
    alone = np.array([_alone(items[p.item], p, lore) for p in proposals])
    lines = [lines_of(item.place) for item in items]
    line_of = numbered([key for keys in lines for key in keys]).reshape(-1, 4)
    told = dict(zip(_CHANCES, odds.T, strict=True)) | dict(zip(_ALONE, alone.T, strict=True))
    told |= {"log_number": np.log10(abs(numbers) + 1e-9)} | _said_by_others(proposals, item_of, lore)
    told |= _columns(proposals, is_first, sense, owner) | _votes(proposals, sense, owner)
    told |= _shares(proposals, line_of[item_of], is_first, joint) | _said_again(proposals, is_first)
    told |= _densities(line_of, item_of, sense)
    return np.column_stack([told[name] for name in JUDGE])


def _alone(item: Item, proposal: Proposal, lore: Lore) -> tuple[float, ...]:
    """What is known of one proposal without the others: the features of `_ALONE`."""
    place, candidate, figure = proposal.place, proposal.candidate, proposal.place.figure
    return (
        proposal.raw, proposal.lead, proposal.rank, place.table >= 0, METRIC_AT[proposal.metric],
        kind_number(candidate), item.prior.get(proposal.metric, 0.0), figure.lender != "",
        place.marks.get("values", 0.0), DIMENSION_AT[figure.dimension], lore.affinity(proposal.metric, candidate.kind),
        has_digit(candidate.name), bool(candidate.subject_id),
        is_attribute(candidate.name) if candidate.kind == "label" else 0.0,
        _PLACE_AT[proposal.source.partition(" ")[0]],
        candidate.marks.get("axis_named", 0.0) - place.marks.get("column_named", 0.0),
        lore.said_of_any(proposal.metric, proposal.value),
    )  # fmt: skip


def _said_by_others(proposals: Sequence[Proposal], item_of: Numbers, lore: Lore) -> Told:
    """Whether others say each reading, how many, how far theirs are, and whether they say another of the same value."""
    names = list(dict.fromkeys(p.candidate.name for p in proposals))
    row = {name: at for at, name in enumerate(names)}
    readings = np.array([(row[p.candidate.name], METRIC_AT[p.metric]) for p in proposals], dtype=np.intp)
    fits = lore.fits(lore.about(names)[tuple(readings.T)], np.array([p.value for p in proposals]))
    rivals = highest_of_others(fits[:, 0], item_of, _NOBODY)
    told = np.column_stack([fits, np.where(rivals == _NOBODY, 0.0, rivals)])
    return dict(zip(("said", "said_by", "said_gap", "rival_said"), told.T, strict=True))


def _columns(proposals: Sequence[Proposal], is_first: Flags, sense: Rows, owner: Rows) -> Told:
    """Of the likeliest readings of a column (or block) and metric the mean sense and owner, and how many they are."""
    column_of_each = numbered([column_of(p) for p in proposals])
    first, size = column_of_each[is_first], int(column_of_each.max()) + 1
    count = np.bincount(first, minlength=size)
    sums = [np.bincount(first, each[is_first], minlength=size) / np.maximum(count, 1) for each in (sense, owner)]
    told = np.stack([*sums, count])[:, column_of_each]
    return dict(zip(("group_sense", "group_owner", "group_size"), told, strict=True))


def _votes(proposals: Sequence[Proposal], sense: Rows, owner: Rows) -> Told:
    """How the values of a table or block vote for the place where its subjects stand, each once a metric and place."""
    _, votes = np.unique(numbered([(p.item, p.metric, p.source) for p in proposals]), return_index=True)
    votes = votes[sense[votes] > _SURE_SENSE]
    voted = np.zeros(len(proposals), dtype=bool)
    voted[votes] = True
    axis = _numbered_in_front([(whole_of(p.place), p.source) for p in proposals], voted)
    whole_of_axis = np.empty(int(axis.max()) + 1, dtype=np.intp)
    whole_of_axis[axis] = numbered([whole_of(p.place) for p in proposals])
    shares: Rows = np.bincount(axis[votes], owner[votes], minlength=len(whole_of_axis)).astype(np.float64)
    total = np.bincount(whole_of_axis, shares)[whole_of_axis]
    total[total == 0] = 1.0
    rival = highest_of_others(shares, whole_of_axis, 0.0)
    count = np.bincount(axis[votes], minlength=len(whole_of_axis))
    told = np.stack([shares / total, rival / total, count])[:, axis]
    return dict(zip(("vote", "rival_vote", "votes"), told, strict=True))


def _shares(proposals: Sequence[Proposal], line_of: Numbers, is_first: Flags, joint: Rows) -> Told:
    """How far the other values of the document, the line, the line across and the block are its subject's too."""
    names = numbered([p.candidate.name for p in proposals]).tolist()
    pairs = [(line, name) for lines, name in zip(line_of.tolist(), names, strict=True) for line in lines]
    flat, of_first = line_of.ravel(), np.repeat(is_first, 4)
    pair = _numbered_in_front(pairs, of_first)
    line_of_pair = np.empty(int(pair.max()) + 1, dtype=np.intp)
    line_of_pair[pair] = flat
    weights = np.bincount(pair[of_first], np.repeat(joint, 4)[of_first], minlength=len(line_of_pair))
    own = np.where(is_first, joint, 0.0)[:, None]
    rest = np.bincount(line_of_pair, weights)[line_of] - own
    told = np.where(rest > 1e-6, (weights[pair].reshape(-1, 4) - own) / np.where(rest > 1e-6, rest, 1.0), -1.0)
    return dict(zip(("line_share", "crossing_share", "block_share", "document_share"), told.T, strict=True))


def _said_again(proposals: Sequence[Proposal], is_first: Flags) -> Told:
    """How many values of the document are read as the same figure, of the same subject and of others."""
    figures = [(p.metric, float(f"{p.value:.2g}")) for p in proposals]
    of_subjects = [(figure, p.candidate.name) for figure, p in zip(figures, proposals, strict=True)]
    codes = numbered(figures), numbered(of_subjects)
    whole, same = (np.bincount(each, is_first)[each].astype(np.float64) for each in codes)
    return {"said_again": same, "said_of_others": whole - same}


def _densities(line_of: Numbers, item_of: Numbers, sense: Rows) -> Told:
    """How sure of any metric the values of the document, the block, the column and the neighbours are, on average."""
    best = np.zeros(len(line_of))
    np.maximum.at(best, item_of, sense)
    flat = line_of.ravel()
    means = (np.bincount(flat, np.repeat(best, 4)) / np.bincount(flat))[line_of[item_of]]
    two = np.concatenate([[0.0, 0.0], best, [0.0, 0.0]])
    near = (two[item_of] + two[item_of + 1] + two[item_of + 3] + two[item_of + 4]) / 4
    return {
        "document_density": means[:, 3], "block_density": means[:, 2], "column_density": means[:, 1],
        "neighbour_density": near,
    }  # fmt: skip


def _numbered_in_front(keys: Sequence[Hashable], is_first: Flags) -> Numbers:
    """Keys as numbers in order of their appearance among the first, then among the rest: as sums are added up."""
    order = np.argsort(~is_first, kind="stable")
    result = np.empty(len(keys), dtype=np.intp)
    result[order] = numbered([keys[at] for at in order.tolist()])
    return result


def logits(chances: Rows) -> Rows:
    """Log odds, kept finite."""
    kept = np.minimum(np.maximum(chances, 1e-5), 1 - 1e-5)
    odds = (kept / (1 - kept)).ravel().tolist()
    return np.array([math.log(each) for each in odds]).reshape(chances.shape)  # as exact as on any other machine
