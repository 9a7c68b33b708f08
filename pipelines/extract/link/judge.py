"""What is told of each reading once the first models have read the whole document: numbers in a fixed order. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.extract.link import features
from pipelines.extract.link.cards import is_attribute
from pipelines.extract.link.meaning import ALL_METRICS, DIMENSIONS
from pipelines.extract.link.proposal import PLACES, Item, Proposal, column_of, lines_of, whole_of

_SURE_SENSE = 0.3  # a value votes for its table's axis from here

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
    joint: dict[int, list[tuple[float, tuple[str, str]]]]  # by item: sense x owner of each reading, best first


def _survey(items: Sequence[Item], proposals: Sequence[Proposal]) -> Survey:
    found = Survey(
        defaultdict(list), defaultdict(list), defaultdict(dict), defaultdict(lambda: defaultdict(float)),
        defaultdict(lambda: defaultdict(int)), {}, {}, defaultdict(list),
    )  # fmt: skip
    seen: set[tuple[int, str, str]] = set()
    for p in proposals:
        name = p.candidate.name
        found.joint[p.item].append((p.sense * p.owner, (p.metric, name)))
        found.best[p.item] = max(found.best.get(p.item, 0.0), p.sense)
        if p.rank == 0:
            found.columns[column_of(p)].append(p)
            found.again[p.metric, float(f"{p.value:.2g}")][name] += 1
            for key in lines_of(p.place):
                found.weights[key][name] += p.sense * p.owner
        vote = (p.item, p.metric, p.source)
        if p.sense > _SURE_SENSE and vote not in seen:
            seen.add(vote)
            found.votes[whole_of(p.place), p.source].append(p.owner)
    for (whole, source), shares in found.votes.items():
        found.totals[whole][source] = sum(shares)
    groups: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for at, item in enumerate(items):
        for key in lines_of(item.place):
            groups[key].append(found.best.get(at, 0.0))
    found.means = {key: features.mean(values) for key, values in groups.items()}
    for readings in found.joint.values():
        readings.sort(reverse=True)
    return found


def judge_rows(
    items: Sequence[Item], proposals: Sequence[Proposal], affinity: Mapping[str, float]
) -> list[list[float]]:
    """What is known of each proposal once the whole document has been read."""
    survey = _survey(items, proposals)
    return [_judge_row(items, p, survey, affinity) for p in proposals]


def _judge_row(items: Sequence[Item], proposal: Proposal, survey: Survey, affinity: Mapping[str, float]) -> list[float]:
    place, candidate, figure = proposal.place, proposal.candidate, proposal.place.figure
    group, total = survey.columns[column_of(proposal)], survey.totals[whole_of(place)]
    whole = sum(total.values()) or 1.0
    rival = max((votes_ for source, votes_ in total.items() if source != proposal.source), default=0.0)
    logit, mean = features.logit, features.mean
    own = (proposal.metric, candidate.name)
    rivals = (joint for joint, reading in survey.joint[proposal.item] if reading != own)
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
        float(len(survey.votes.get((whole_of(place), proposal.source), ()))),
        affinity.get(f"{proposal.metric}|{candidate.kind}", 0.0), float(any(c.isdigit() for c in candidate.name)),
        float(bool(candidate.subject_id)), is_attribute(candidate.name) if candidate.kind == "label" else 0.0,
        *_shares(proposal, survey), float(again.get(candidate.name, 0)),
        float(sum(again.values()) - again.get(candidate.name, 0)),
        *(survey.means.get(key, 0.0) for key in (("all",), ("block", place.block), lines_of(place)[1])), mean(near),
        float(PLACES.index(proposal.source.split(" ")[0])),
        candidate.marks.get("axis_named", 0.0) - place.marks.get("column_named", 0.0),
        features.known_fit(candidate, proposal.metric, proposal.value),
    ]  # fmt: skip


def _shares(proposal: Proposal, survey: Survey) -> list[float]:
    """How far the other values of the document, the line, the line across and the block are its subject's too."""
    name, own = proposal.candidate.name, proposal.sense * proposal.owner if proposal.rank == 0 else 0.0
    lines = lines_of(proposal.place)
    shares = []
    for key in (lines[3], lines[0], lines[1], lines[2]):
        weights = survey.weights[key]
        rest = sum(weights.values())
        rest -= own if proposal.rank == 0 else 0.0
        shares.append((weights.get(name, 0.0) - own) / rest if rest > 1e-6 else -1.0)
    return shares
