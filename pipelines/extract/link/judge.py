"""What is told of each reading once the first models have read the whole document: numbers in a fixed order. Pure.

Twice: for a first judgement of each reading (`judge_rows`), and for a second look at all judgements together
(`consent_rows`). A column shares a metric, a row a subject, a table the place where its subjects stand: each reading is
told how sure the other values of its line, column, table and document were of the same thing.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np

from pipelines.extract.link.crowd import Flags
from pipelines.extract.link.groups import (
    Told,
    columns_of,
    highest_of_each,
    highest_of_others,
    in_order,
    means,
    numbered,
)
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import ALL_METRICS, DIMENSION_AT, METRIC_AT
from pipelines.extract.link.owner import kind_number
from pipelines.extract.link.proposal import SOURCE_AT, Item, Proposal, numbered_lines
from pipelines.extract.link.qualify import PER_MARKS, per_marks
from pipelines.extract.link.trees import Numbers, Rows, chance

_NOBODY = -9.0  # log odds where no other reading is, or nobody says a thing
_SURE_SENSE = 0.3  # a value votes for its table's axis from here

JUDGE = (
    "sense", "rival_sense", "owner", "rival_owner", "raw", "lead", "rank", "in_table", "metric", "kind", "joint",
    "rival_joint", "group_sense", "group_owner", "group_size", "prior", "lent", "values", "log_number", "dimension",
    "vote", "rival_vote", "votes", "affinity", "known", "document_share", "line_share",
    "crossing_share", "block_share", "said_again", "said_of_others", "document_density", "block_density",
    "column_density", "neighbour_density", "place", "axis_lead", "said", "said_by", "said_gap",
    "said_of_any", "words", *PER_MARKS,
)  # fmt: skip


def judge_rows(items: Sequence[Item], proposals: Sequence[Proposal], lore: Lore) -> Rows:
    """What is known of each proposal once the whole document has been read."""
    item_of = np.array([p.item for p in proposals], dtype=np.intp)
    metric_of = np.array([METRIC_AT[p.metric] for p in proposals], dtype=np.intp)
    sense, rival, owner, rival_owner = np.array([(p.sense, p.rival_sense, p.owner, p.rival_owner) for p in proposals]).T
    joint, is_first = sense * owner, np.array([p.rank == 0 for p in proposals])
    chances = {
        "sense": sense, "rival_sense": rival, "owner": owner, "rival_owner": rival_owner, "joint": joint,
        "rival_joint": highest_of_others(joint, item_of, 0.0),
    }  # fmt: skip
    line_of = numbered_lines(item.place for item in items)
    told = {name: _log_odds(each) for name, each in chances.items()}
    told |= columns_of([_alone(items[p.item], p, lore) for p in proposals])
    numbers = np.array([p.place.figure.number for p in proposals], dtype=np.float64)
    kinds = [p.candidate.kind for p in proposals]
    affinity = lore.affinity(list(dict.fromkeys(kinds)))[metric_of, numbered(kinds)]
    told |= {"log_number": np.log10(abs(numbers) + 1e-9), "affinity": affinity}
    told["words"] = np.array([p.words for p in proposals])
    told |= _said_by_others(proposals, metric_of, lore)
    told |= _columns(line_of[item_of, 1] * len(ALL_METRICS) + metric_of, is_first, sense, owner)
    told |= _votes(proposals, line_of[item_of, 2], sense, owner)
    told |= _shares(proposals, line_of[item_of], is_first, joint) | _said_again(proposals, is_first)
    told |= _densities(line_of, item_of, sense)
    return in_order(JUDGE, told)


def _alone(item: Item, proposal: Proposal, lore: Lore) -> dict[str, float]:
    """What is known of one proposal without the others."""
    place, candidate, figure = proposal.place, proposal.candidate, proposal.place.figure
    return {
        "raw": proposal.raw, "lead": proposal.lead, "rank": proposal.rank, "in_table": place.table >= 0,
        "metric": METRIC_AT[proposal.metric], "prior": item.prior.get(proposal.metric, 0.0),
        "lent": figure.lender != "", "values": place.marks.get("values", 0.0),
        "dimension": DIMENSION_AT[figure.dimension],
        "place": SOURCE_AT[proposal.source.partition(" ")[0]],
        "axis_lead": candidate.marks.get("axis_named", 0.0) - place.marks.get("column_named", 0.0),
        "said_of_any": lore.said_of_any(proposal.metric, proposal.value), "kind": kind_number(candidate.kind),
        "known": bool(candidate.subject_id), **per_marks(proposal),
    }  # fmt: skip


def _said_by_others(proposals: Sequence[Proposal], metric_of: Numbers, lore: Lore) -> Told:
    """Whether others say each reading, how many, and how far theirs are."""
    about = lore.about([p.candidate.name for p in proposals])[np.arange(len(proposals)), metric_of]
    fits = lore.fits(about, np.array([p.value for p in proposals]))
    return dict(zip(("said", "said_by", "said_gap"), fits.T, strict=True))


def _columns(column_of: Numbers, is_first: Flags, sense: Rows, owner: Rows) -> Told:
    """Of the likeliest readings of a column (or block) and metric the mean sense and owner, and how many they are."""
    first = column_of[is_first]
    return {
        "group_sense": means(sense[is_first], first)[column_of], "group_size": np.bincount(first)[column_of],
        "group_owner": means(owner[is_first], first)[column_of],
    }  # fmt: skip


def _votes(proposals: Sequence[Proposal], whole_of: Numbers, sense: Rows, owner: Rows) -> Told:
    """How the values of a table or block vote for the place where its subjects stand, each once a metric and place."""
    _, votes = np.unique(numbered([(p.item, p.metric, p.source) for p in proposals]), return_index=True)
    votes = votes[sense[votes] > _SURE_SENSE]
    voted = np.zeros(len(proposals), dtype=bool)
    voted[votes] = True
    axis, one_of = _numbered_in_front(list(zip(whole_of.tolist(), [p.source for p in proposals], strict=True)), voted)
    whole_of_axis = whole_of[one_of]
    shares: Rows = np.bincount(axis[votes], owner[votes], len(one_of)).astype(np.float64)  # none where nobody votes
    total = np.bincount(whole_of_axis, shares)[whole_of_axis]
    total[total == 0] = 1.0
    rival = highest_of_others(shares, whole_of_axis, 0.0)
    count = np.bincount(axis[votes], minlength=len(one_of))
    return {"vote": (shares / total)[axis], "rival_vote": (rival / total)[axis], "votes": count[axis]}


def _shares(proposals: Sequence[Proposal], line_of: Numbers, is_first: Flags, joint: Rows) -> Told:
    """How far the other values of the document, the line, the line across and the block are its subject's too."""
    pairs = [(line, p.candidate.name) for lines, p in zip(line_of.tolist(), proposals, strict=True) for line in lines]
    of_first = np.repeat(is_first, 4)
    pair, one_of = _numbered_in_front(pairs, of_first)
    weights = np.bincount(pair[of_first], np.repeat(joint, 4)[of_first], minlength=len(one_of))
    own = np.where(is_first, joint, 0.0)[:, None]
    rest = np.bincount(line_of.ravel()[one_of], weights)[line_of] - own
    told = np.where(rest > 1e-6, (weights[pair].reshape(-1, 4) - own) / np.where(rest > 1e-6, rest, 1.0), -1.0)
    return dict(zip(("line_share", "crossing_share", "block_share", "document_share"), told.T, strict=True))


def _said_again(proposals: Sequence[Proposal], is_first: Flags) -> Told:
    """How many values of the document are read as the same figure, of the same subject and of others."""
    figures = [(p.metric, float(f"{p.value:.2g}")) for p in proposals]
    codes = numbered(figures), numbered(zip(figures, [p.candidate.name for p in proposals], strict=True))
    whole, same = (np.bincount(each, is_first)[each] for each in codes)
    return {"said_again": same, "said_of_others": whole - same}


def _densities(line_of: Numbers, item_of: Numbers, sense: Rows) -> Told:
    """How sure of any metric the values of the document, the block, the column and the neighbours are, on average."""
    best = np.zeros(len(line_of))
    np.maximum.at(best, item_of, sense)
    sure = means(np.repeat(best, 4), line_of.ravel())[line_of[item_of]]
    two = np.concatenate([[0.0, 0.0], best, [0.0, 0.0]])
    near = (two[item_of] + two[item_of + 1] + two[item_of + 3] + two[item_of + 4]) / 4
    return {
        "document_density": sure[:, 3], "block_density": sure[:, 2], "column_density": sure[:, 1],
        "neighbour_density": near,
    }  # fmt: skip


def _numbered_in_front(keys: Sequence[Hashable], is_first: Flags) -> tuple[Numbers, Numbers]:
    """Keys as numbers in order of their appearance among the first, then among the rest: as sums are added up.

    Beside them where one of each number stands.
    """
    order = np.argsort(~is_first, kind="stable")
    result = np.empty(len(keys), dtype=np.intp)
    result[order] = numbered([keys[at] for at in order.tolist()])
    return result, np.unique(result, return_index=True)[1]


def _log_odds(chances: Rows) -> Rows:
    """Log odds, kept finite."""
    kept = np.clip(chances, 1e-5, 1 - 1e-5)
    return np.array([math.log(odds) for odds in (kept / (1 - kept)).tolist()])  # as exact as on any other machine


_PLACES = ("line", "across", "whole", "all")  # line, line across, table or block, document
# what is shared: the place and what is said there, at last anything at all
_SHARED = (
    ("line", "subject"), ("line", "metric"), ("across", "metric"), ("across", "subject"), ("across", "both"),
    ("whole", "metric"), ("whole", "subject"), ("whole", "source"), ("whole", "both"), ("all", "subject"),
    ("all", "metric"), ("all", "kind"), *((place, "any") for place in _PLACES),
)  # fmt: skip
_ANY = slice(-len(_PLACES), None)
_PLACE_AT = [_PLACES.index(place) for place, _ in _SHARED]
CONSENT = (
    "first", "first_behind", "rival", "rival_metric", "rival_subject", "rivals",
    *(f"{place}_{what}_{how}" for place, what in _SHARED if what != "any" for how in ("mean", "most")),
    *(f"{place}_{how}" for place in _PLACES for how in ("sure", "count")),
)  # fmt: skip


def consent_rows(proposals: Sequence[Proposal], first: Rows) -> Rows:
    """The features of each proposal, from the log odds that the first look gave all of them."""
    items = numbered([p.item for p in proposals])
    metrics = numbered([p.metric for p in proposals])
    lines = numbered_lines(p.place for p in proposals).T
    said = {
        "metric": metrics, "subject": numbered([p.candidate.name for p in proposals]),
        "source": numbered([p.source for p in proposals]), "both": numbered([(p.metric, p.source) for p in proposals]),
        "kind": numbered([(p.metric, p.candidate.kind) for p in proposals]), "any": np.zeros_like(items),
    }  # fmt: skip
    groups = lines[_PLACE_AT] * len(items) + np.stack([said[what] for _, what in _SHARED])
    return np.column_stack([*_rivals(metrics, items, first), _agreement(groups, items, first)])


def _rivals(metrics: Numbers, items: Numbers, first: Rows) -> list[Rows]:
    """How the other proposals of the same value were judged: all, those of other metrics, those of the same."""
    _, pairs = np.unique(items * len(items) + metrics, return_inverse=True)
    surest = highest_of_each(first, pairs)
    rival, same = (highest_of_others(first, group, _NOBODY) for group in (items, pairs))
    metric = highest_of_others(first[surest], items[surest], _NOBODY)[pairs]
    return [first, first - np.maximum(first, rival), rival, metric, same, np.bincount(items)[items].astype(np.float64)]


def _agreement(groups: Numbers, items: Numbers, first: Rows) -> Rows:
    """How sure the other items of a place are of the same: on average over them and at most, for each of `_SHARED`.

    A row of `groups` says who says the same in the same place. Of anything at all: on average, and how many they are.
    """
    kinds, count = groups.shape
    _, same = np.unique(groups + np.arange(kinds)[:, None] * (groups.max() + 1), return_inverse=True)
    same = same.reshape(groups.shape)
    _, own = np.unique(same * count + items, return_inverse=True)
    own = own.reshape(groups.shape)
    best = highest_of_each(np.tile(first, kinds), own.ravel())  # one proposal for each item that says the same
    of, best = same.ravel()[best], best % count
    sure = chance(first)[best]
    others = (np.bincount(of)[same[_ANY]] - 1).astype(np.float64)
    beside = others[_PLACE_AT]
    total = np.bincount(of, weights=sure)[same] - sure[own]
    mean = np.where(beside > 0, total / np.maximum(beside, 1.0), -1.0)
    most = np.where(beside > 0, highest_of_others(first[best], of, _NOBODY)[own], _NOBODY)
    most[_ANY] = others
    told: Rows = np.stack([mean, most], axis=1).reshape(-1, count).T
    return told
