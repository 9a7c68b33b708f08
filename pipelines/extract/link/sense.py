"""What the linker is told of a value and of a metric for it: numbers in a fixed order. Pure.

All values of a document are told of at once: what is the same for every metric of a value is worked out once a value,
the rest as columns over all pairs of a value and a metric.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress, groupby
from operator import itemgetter

import numpy as np

from pipelines.extract.link.cards import CARD_MARKS, card_marks
from pipelines.extract.link.crowd import HARDWARE, KINDS, Crowd, Key, places_and_metrics
from pipelines.extract.link.groups import Told, columns_of, highest_of_others, in_order, means
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import ALL_METRICS, DIMENSION_AT, METRIC_AT, entry_of
from pipelines.extract.link.owner import log_of, noun_number
from pipelines.extract.link.proposal import Item, numbered_lines
from pipelines.extract.link.scene import Place
from pipelines.extract.link.trees import Numbers, Rows
from pipelines.extract.stance import is_changed, is_dropped

LEAST_PRIOR = 0.04  # of a metric by the words alone; below it nothing more is asked
_FEW = 6  # metrics of a dimension that may all be asked
_LENT = {"": 0.0, "column": 1.0, "row": 2.0, "caption": 3.0, "sentence": 4.0, "key": 5.0}
_ENDS = {"": 0.0, "low": 1.0, "high": 2.0}
_PLACE = (
    "rows", "columns", "column_numeric", "row_numeric", "column_named", "row_named", "in_head", "values",
    "is_whole_cell", "cell_length", "first_column_named", "head_named", "is_first_column", "is_list", "is_heading",
    "sentence_length", "number", "names", "position", "dimension_values",
)  # fmt: skip
_IN_ZONES = ("in_sentence", "in_row", "in_head_names", "has_heading", "has_title")  # how many, of the last two whether
_NEAR_KINDS = tuple(f"near_{kind}" for kind in KINDS)
SENSE = (
    "prior", "prior_none", "prior_best", "prior_rank", "metric", "log_value", "range_at", "in_range", "column_prior",
    "row_prior", "block_prior", *CARD_MARKS, "best_rival_label", "best_rival_near", "counts", "dimension", "lent",
    "is_integer", "end", "is_word", "noun_class", *_IN_ZONES, "hardware_near", "dropped", "changed", *_NEAR_KINDS,
    "nearest_kind", "nearest_gap", "char_before", "char_after", *_PLACE, "owners_near", "nearest_owns", "said_near",
    "said_near_by", "said_far", "said_of_any", "said_of_rivals",
)  # fmt: skip


def crowd_of(items: Sequence[Item], lore: Lore) -> Crowd:
    """Who stands beside the values to which their words leave a chance of being of any metric."""
    is_asked = [any(_is_possible(item, metric) for metric in item.metrics) for item in items]
    return Crowd([item.place for item in items], lore, is_asked)


def sense_rows(items: Sequence[Item], crowd: Crowd) -> tuple[Rows, list[Key]]:
    """The features of each value with each metric that its words leave a chance, and which they are.

    A value beside which nobody stands is a figure of nobody: it is left out.
    """
    pairs = [(at, metric) for at, item in enumerate(items) for metric in item.metrics]
    is_kept = np.array([crowd.sizes[at] > 0 and _is_possible(items[at], metric) for at, metric in pairs], dtype=bool)
    if not is_kept.any():
        return np.zeros((0, len(SENSE))), []
    item_of, metric_of = places_and_metrics(pairs)
    told = {name: column[is_kept] for name, column in _priors(items, pairs, item_of, metric_of).items()}
    keys = list(compress(pairs, is_kept))
    item_of, metric_of = item_of[is_kept], metric_of[is_kept]
    asked = np.unique(item_of)
    row_of = np.searchsorted(asked, item_of)
    told |= {name: column[row_of] for name, column in _of_values(items, asked, crowd).items()}
    told |= columns_of([_of_pair(items[at], metric, crowd.lore) for at, metric in keys])
    told["said_of_rivals"] = highest_of_others(told["said_of_any"], item_of, 0.0)
    low, high = np.array([_range(metric) for metric in ALL_METRICS])[metric_of].T
    told["range_at"] = (told["log_value"] - low) / (high - low)
    told["in_range"] = (low <= told["log_value"]) & (told["log_value"] <= high)
    told |= _cards(items, keys, item_of) | _owners(crowd, item_of, metric_of)
    told |= _said_by_others(crowd, *crowd.said(keys), item_of)
    return in_order(SENSE, told), keys


def _is_possible(item: Item, metric: str) -> bool:
    """Whether the words leave a metric a chance; a metric that they were never taught for this dimension keeps one."""
    return item.prior.get(metric, 1.0 if len(item.metrics) <= _FEW else 0.0) >= LEAST_PRIOR


def _priors(items: Sequence[Item], pairs: Sequence[Key], item_of: Numbers, metric_of: Numbers) -> Told:
    """What the words say of a metric, for this value and on average for its column, row and block.

    Those of the column and the row are 0 outside of tables, that of the block is inside.
    """
    prior = np.array([items[at].prior.get(metric, 0.0) for at, metric in pairs])
    codes = numbered_lines(item.place for item in items)[item_of] * len(ALL_METRICS) + metric_of[:, None]
    row, column, block, _ = (means(prior, code)[code] for code in codes.T)
    is_in_table = np.array([item.place.table >= 0 for item in items])[item_of]
    return {
        "prior": prior, "prior_best": highest_of_others(prior, item_of, 0.0),
        "column_prior": np.where(is_in_table, column, 0.0), "row_prior": np.where(is_in_table, row, 0.0),
        "block_prior": np.where(is_in_table, 0.0, block),
    }  # fmt: skip


def _of_pair(item: Item, metric: str, lore: Lore) -> dict[str, float]:
    """What is known of a value with one metric, without the others.

    `prior_rank` is the place among all chances of the value, 9 where the words were not taught the metric. `counts`
    says whether the metric counts what the value counts, -1 where the value counts nothing.
    """
    value, thing = item.place.values[metric], item.place.figure.value.thing
    chances, own = item.prior.values(), item.prior.get(metric, 0.0)
    return {
        "metric": METRIC_AT[metric], "log_value": log_of(value), "said_of_any": lore.said_of_any(metric, value),
        "prior_rank": sum([chance > own for chance in chances]) if own in chances else 9,
        "counts": thing in entry_of(metric).counts if thing else -1,
    }  # fmt: skip


@lru_cache(maxsize=256)
def _range(metric: str) -> tuple[float, float]:
    if not entry_of(metric).is_number:
        return 3.29, 3.31
    ranges = entry_of(metric).ranges
    low = min((r.low for r in ranges), default=1e-6) or 1e-3
    return math.log10(low), math.log10(max((r.high for r in ranges), default=1e12))


def _cards(items: Sequence[Item], keys: Sequence[Key], item_of: Numbers) -> Told:
    """What each metric's card finds in the words around the value, and the best that another's finds."""
    asked = groupby(keys, itemgetter(0))
    rows = [row for at, own in asked for row in card_marks([metric for _, metric in own], items[at].place.zones)]
    cards = dict(zip(CARD_MARKS, np.array(rows).T, strict=True))
    label, near = (
        highest_of_others(np.max([cards[f"{zone}_cover"] for zone in zones], axis=0), item_of, 0.0)
        for zones in (("column", "row", "label"), ("before", "after"))
    )
    return cards | {"best_rival_label": label, "best_rival_near": near}


def _of_values(items: Sequence[Item], asked: Numbers, crowd: Crowd) -> Told:
    """What is the same for every metric of a value, of those that are asked."""
    near, kinds, gaps = crowd.near_kinds[asked], *(column[asked] for column in crowd.nearest)
    items = [items[at] for at in asked]
    is_hardware = [kind in HARDWARE for kind in crowd.kinds]
    zones = crowd.in_zones[asked].astype(np.float64)
    zones[:, 3:] = zones[:, 3:] > 0
    told = {
        "prior_none": np.array([item.prior.get("", 0.0) for item in items]),
        "hardware_near": near[:, is_hardware].sum(axis=1), "nearest_gap": gaps,
        "nearest_kind": np.where(kinds < 0, -2, np.where(kinds < len(KINDS), kinds, -1)),  # -2 where nobody is near
        **{name: np.array([item.place.marks.get(name, 0.0) for item in items]) for name in _PLACE},
    }  # fmt: skip
    told |= dict(zip(_IN_ZONES, zones.T, strict=True)) | dict(zip(_NEAR_KINDS, near.T, strict=False))
    return told | columns_of([_of_figure(item.place) | _stance(item.place.zones) for item in items])


def _of_figure(place: Place) -> dict[str, float]:
    figure = place.figure
    return {
        "dimension": DIMENSION_AT[figure.dimension], "lent": _LENT[figure.lender],
        "is_integer": abs(figure.number) >= 1e15 or figure.number == int(figure.number),
        "end": _ENDS[figure.end], "is_word": figure.value.is_word, "noun_class": noun_number(figure.value.thing),
        "char_before": _character(place.zones["before"][-1:]), "char_after": _character(place.zones["after"][:1]),
    }  # fmt: skip


def _stance(zones: Mapping[str, str]) -> dict[str, float]:
    """Whether the words deny or suppose the value, or say what it changed by or was."""
    sentence, before, after = zones.get("sentence", ""), zones["before"], zones["after"]
    if not sentence:
        return {"dropped": False, "changed": False}
    return {"dropped": is_dropped(sentence, before), "changed": is_changed(before, after)}


_CHARACTERS = " .,;:()[]{}/\\-–—_x×*~≈<>=+|%$#&'\"@"


def _character(text: str) -> float:
    """A character as a number: -1 for none, then signs, a letter, anything else."""
    if not text:
        return -1.0
    return float(_CHARACTERS.index(text)) if text in _CHARACTERS else 50.0 + text.isalpha()


def _owners(crowd: Crowd, item_of: Numbers, metric_of: Numbers) -> Told:
    """How many near names are of a kind that has this metric, and whether the nearest is."""
    kinds = crowd.nearest[0][item_of]
    return {
        "owners_near": (crowd.near_kinds[item_of] * crowd.owns[metric_of]).sum(axis=1),
        "nearest_owns": np.where(kinds >= 0, crowd.owns[metric_of, kinds], -1.0),
    }  # fmt: skip


def _said_by_others(crowd: Crowd, entries: Numbers, row_of: Numbers, fits: Rows, item_of: Numbers) -> Told:
    """Whether others say this value of a near name or another one, and how many."""
    agrees, near, count = fits[:, 0], crowd.is_near[entries], len(item_of)
    said, denied, said_near, denied_near = (
        np.bincount(row_of[flags], minlength=count)
        for flags in (agrees > 0, agrees < 0, near & (agrees > 0), near & (agrees < 0))
    )
    by = np.zeros(count)
    np.maximum.at(by, row_of[near], fits[near, 1])
    is_denied = denied == crowd.sizes[item_of]  # of all candidates
    return {
        "said_near": np.where(said_near > 0, 1.0, np.where(denied_near > 0, -1.0, 0.0)), "said_near_by": by,
        "said_far": np.where(said > 0, 1.0, np.where(is_denied, -1.0, 0.0)),
    }  # fmt: skip
