"""What the linker is told of a value and of a metric for it: numbers in a fixed order. Pure.

All values of a document are told of at once: what is the same for every metric of a value is worked out once a value,
the rest as columns over all pairs of a value and a metric.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from pipelines.extract.link.cards import CARD_MARKS, card_marks
from pipelines.extract.link.crowd import HARDWARE, KIND_AT, KINDS, Crowd
from pipelines.extract.link.groups import highest_of_others, numbered, ranges
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import ALL_METRICS, DIMENSION_AT, METRIC_AT, entry_of
from pipelines.extract.link.owner import noun_number
from pipelines.extract.link.proposal import Item
from pipelines.extract.link.scene import Place
from pipelines.extract.link.trees import Numbers, Rows
from pipelines.extract.stance import is_change, is_difference, is_dropped, is_former, is_generic

LEAST_PRIOR = 0.005  # of a metric by the words alone; below it nothing more is asked
_FEW = 6  # metrics of a dimension that may all be asked
_LENT = {"": 0.0, "column": 1.0, "row": 2.0, "caption": 3.0}
_ENDS = {"": 0.0, "low": 1.0, "high": 2.0}
_PLACE = (
    "in_table", "row", "column", "rows", "columns", "column_numeric", "row_numeric", "column_named", "row_named",
    "in_head", "values", "is_whole_cell", "cell_length", "first_column_named", "head_named", "is_first_column",
    "is_list", "is_code", "is_heading", "sentence_length", "number", "names", "position", "has_label",
    "dimension_values",
)  # fmt: skip
_OF_FIGURE = (
    "dimension", "lent", "is_integer", "bound", "approximate", "end", "is_word", "list_place", "noun_class", "has_per",
)  # fmt: skip
_OF_CROWD = (
    "in_sentence", "in_row", "in_head_names", "has_heading", "has_title", "hardware_near",
)  # fmt: skip
_OF_WORDS = ("dropped", "changed", "generic")
_OF_NEAR = (*(f"near_{kind}" for kind in KINDS), "nearest_kind", "nearest_gap")
_OF_VALUE = (*_OF_FIGURE, *_OF_CROWD, *_OF_WORDS, *_OF_NEAR, "char_before", "char_after", *_PLACE)
SENSE = (
    "prior", "prior_none", "prior_best", "prior_rank", "metric", "log_value", "range_at", "in_range", "column_prior",
    "row_prior", "block_prior", *CARD_MARKS, "best_rival_label", "best_rival_near", "counts", *_OF_VALUE,
    "owners_near", "nearest_owns", "said_near", "said_near_by", "said_far", "said_of_any", "said_of_rivals",
)  # fmt: skip
_AT = {name: at for at, name in enumerate(SENSE)}
_CARDS_AT = slice(_AT[CARD_MARKS[0]], _AT[CARD_MARKS[0]] + len(CARD_MARKS))
_VALUE_AT = slice(_AT[_OF_VALUE[0]], _AT[_OF_VALUE[0]] + len(_OF_VALUE))
_LABEL_COVERS, _NEAR_COVERS = ([CARD_MARKS.index(f"{zone}_cover") for zone in zones] for zones in
                               (("column", "row", "label"), ("before", "after")))  # fmt: skip
Key = tuple[int, str]  # an item and a metric that its value may be of


def sense_rows(items: Sequence[Item], crowd: Crowd, lore: Lore) -> tuple[Rows, list[Key]]:
    """The features of each value with each metric that its words leave a chance, and which they are.

    A value beside which nobody stands is a figure of nobody: it is left out.
    """
    pairs = [(at, metric) for at, item in enumerate(items) for metric in item.metrics]
    if not pairs:
        return np.zeros((0, len(SENSE))), []
    item_of = np.array([at for at, _ in pairs], dtype=np.intp)
    metric_of = np.array([METRIC_AT[metric] for _, metric in pairs], dtype=np.intp)
    prior = np.array([items[at].prior.get(metric, 0.0) for at, metric in pairs])
    best = highest_of_others(prior, item_of, 0.0)
    groups = _group_means(items, item_of, metric_of, prior)
    kept = np.array([_is_possible(items[at], metric) for at, metric in pairs], dtype=bool) & (crowd.sizes > 0)[item_of]
    keys = [pair for pair, is_kept in zip(pairs, kept.tolist(), strict=True) if is_kept]
    if not keys:
        return np.zeros((0, len(SENSE))), []
    item_of, metric_of, prior = item_of[kept], metric_of[kept], prior[kept]
    rows = np.empty((len(keys), len(SENSE)))
    rows[:, _AT["prior"]], rows[:, _AT["prior_best"]] = prior, best[kept]
    rows[:, _AT["prior_none"]] = np.array([item.prior.get("", 0.0) for item in items])[item_of]
    rows[:, _AT["prior_rank"]] = _prior_ranks(items, keys)
    rows[:, [_AT["column_prior"], _AT["row_prior"], _AT["block_prior"]]] = groups[kept]
    _tell_size(rows, items, keys, metric_of)
    _tell_cards(rows, items, keys, item_of)
    rows[:, _AT["counts"]] = [_counts(items[at].place, metric) for at, metric in keys]
    rows[:, _VALUE_AT] = _of_values(items, crowd)[item_of]
    _tell_owners(rows, crowd, item_of, metric_of)
    _tell_lore(rows, items, keys, item_of, crowd, lore)
    return rows, keys


def _is_possible(item: Item, metric: str) -> bool:
    """Whether the words leave a metric a chance; a metric that they were never taught for this dimension keeps one."""
    return item.prior.get(metric, 1.0 if len(item.metrics) <= _FEW else 0.0) >= LEAST_PRIOR


def _group_means(items: Sequence[Item], item_of: Numbers, metric_of: Numbers, prior: Rows) -> Rows:
    """What the words say of a metric in the value's column, row and block, on average; 0 outside of tables or text."""
    lines = numbered([key for item in items for key in _lines(item.place)]).reshape(-1, 3)[item_of]
    is_in_table = np.array([item.place.table >= 0 for item in items], dtype=bool)[item_of]
    means = np.zeros((len(item_of), 3))
    for column, line in enumerate(lines.T):
        is_in = is_in_table == (column < 2)
        code = line * len(ALL_METRICS) + metric_of
        total, count = np.bincount(code[is_in], prior[is_in]), np.bincount(code[is_in])
        means[is_in, column] = (total / np.maximum(count, 1))[code[is_in]]
    return means


def _lines(place: Place) -> tuple[tuple[str, int, int], ...]:
    return ("column", place.table, place.column), ("row", place.table, place.row), ("block", place.block, -1)


def _prior_ranks(items: Sequence[Item], keys: Sequence[Key]) -> list[float]:
    """The place of each metric among all chances of its value; 9 where the words were not taught it."""
    ranked = [sorted(item.prior.values(), reverse=True) for item in items]
    owns = [items[at].prior.get(metric, 0.0) for at, metric in keys]
    return [float(ranked[at].index(own)) if own in ranked[at] else 9.0 for (at, _), own in zip(keys, owns, strict=True)]


def _tell_size(rows: Rows, items: Sequence[Item], keys: Sequence[Key], metric_of: Numbers) -> None:
    """The metric, how large the value is in its unit, and where that lies in what is believable."""
    values = [items[at].place.values[metric] for at, metric in keys]
    logs = np.array([math.log10(value) if value > 0 else -9.0 for value in values])
    low, high = np.array([_range(metric) for metric in ALL_METRICS])[metric_of].T
    rows[:, _AT["metric"]], rows[:, _AT["log_value"]] = metric_of, logs
    rows[:, _AT["range_at"]], rows[:, _AT["in_range"]] = (logs - low) / (high - low), (low <= logs) & (logs <= high)


@lru_cache(maxsize=256)
def _range(metric: str) -> tuple[float, float]:
    if not entry_of(metric).is_number:
        return 3.29, 3.31
    ranges = entry_of(metric).ranges
    low = min((r.low for r in ranges), default=1e-6) or 1e-3
    return math.log10(low), math.log10(max((r.high for r in ranges), default=1e12))


def _tell_cards(rows: Rows, items: Sequence[Item], keys: Sequence[Key], item_of: Numbers) -> None:
    """What each metric's card finds in the words around the value, and the best that another's finds."""
    metrics: dict[int, list[str]] = {}
    for at, metric in keys:
        metrics.setdefault(at, []).append(metric)
    cards = np.array([row for at, asked in metrics.items() for row in card_marks(asked, items[at].place.zones)])
    rows[:, _CARDS_AT] = cards
    rows[:, _AT["best_rival_label"]] = highest_of_others(cards[:, _LABEL_COVERS].max(axis=1), item_of, 0.0)
    rows[:, _AT["best_rival_near"]] = highest_of_others(cards[:, _NEAR_COVERS].max(axis=1), item_of, 0.0)


def _counts(place: Place, metric: str) -> float:
    """Whether a metric counts what the value counts; -1 where the value counts nothing."""
    thing = place.figure.value.thing
    return float(thing in entry_of(metric).counts) if thing else -1.0


def _of_values(items: Sequence[Item], crowd: Crowd) -> Rows:
    """What is the same for every metric of a value."""
    zones, near = crowd.in_zones, crowd.near_kinds
    is_hardware = [at for at, kind in enumerate(crowd.kinds) if kind in HARDWARE]
    by_kind = np.zeros((len(items), len(KINDS)))
    for at, kind in enumerate(crowd.kinds):
        if kind in KIND_AT:
            by_kind[:, int(KIND_AT[kind])] = near[:, at]
    kinds, gaps = crowd.nearest
    numbers = np.array([*(KIND_AT.get(kind, -1.0) for kind in crowd.kinds), -2.0])[kinds]  # -2 where nobody is near
    return np.column_stack([
        [_of_figure(item.place) for item in items], zones[:, :3], zones[:, 3:] > 0, near[:, is_hardware].sum(axis=1),
        [_stance(item.place.zones) for item in items], by_kind, numbers, gaps,
        [_character(item.place.zones["before"][-1:]) for item in items],
        [_character(item.place.zones["after"][:1]) for item in items],
        [[item.place.marks.get(name, 0.0) for name in _PLACE] for item in items],
    ])  # fmt: skip


def _of_figure(place: Place) -> tuple[float, ...]:
    figure = place.figure
    return (
        float(DIMENSION_AT[figure.dimension]), _LENT[figure.lender],
        float(figure.number == int(figure.number)) if abs(figure.number) < 1e15 else 1.0, float(bool(figure.bound)),
        float(figure.value.is_approximate), _ENDS[figure.end], float(figure.value.is_word), float(figure.value.place),
        noun_number(figure.value.thing), float(bool(figure.value.per)),
    )  # fmt: skip


def _stance(zones: Mapping[str, str]) -> tuple[float, float, float]:
    """Whether the words deny or suppose the value, say what it changed by or was, or speak of a kind of thing."""
    sentence, before, after = zones.get("sentence", ""), zones["before"], zones["after"]
    if not sentence:
        return 0.0, 0.0, 0.0
    is_changed = is_difference(after) or is_change(before) or is_former(before, after)
    return float(is_dropped(sentence, before)), float(is_changed), float(is_generic(before))


_CHARACTERS = " .,;:()[]{}/\\-–—_x×*~≈<>=+|%$#&'\"@"


@lru_cache(maxsize=4096)
def _character(text: str) -> float:
    """A character as a number: -1 for none, then signs, a letter, anything else."""
    return (
        float(_CHARACTERS.find(text)) if text and text in _CHARACTERS else -1.0 if not text else 50.0 + text.isalpha()
    )


def _tell_owners(rows: Rows, crowd: Crowd, item_of: Numbers, metric_of: Numbers) -> None:
    """How many near names are of a kind that has this metric, and whether the nearest is."""
    owns = np.array([[*(kind in entry_of(metric).owners for kind in crowd.kinds), False] for metric in ALL_METRICS])
    rows[:, _AT["owners_near"]] = (crowd.near_kinds[item_of] * owns[metric_of, :-1]).sum(axis=1)
    kinds = crowd.nearest[0][item_of]
    rows[:, _AT["nearest_owns"]] = np.where(kinds >= 0, owns[metric_of, kinds], -1.0)


def _tell_lore(
    rows: Rows, items: Sequence[Item], keys: Sequence[Key], item_of: Numbers, crowd: Crowd, lore: Lore
) -> None:
    """Whether others say this value of a near name or another one, and how many say it of anything."""
    of_any = np.array([lore.said_of_any(metric, items[at].place.values[metric]) for at, metric in keys])
    rows[:, _AT["said_of_any"]], rows[:, _AT["said_of_rivals"]] = of_any, highest_of_others(of_any, item_of, 0.0)
    sizes = crowd.sizes[item_of]
    entries, row_of = ranges(crowd.starts[item_of], sizes), np.repeat(np.arange(len(keys)), sizes)
    about = crowd.about(lore)[crowd.member_of[entries], rows[row_of, _AT["metric"]].astype(np.intp)]
    values = np.array([items[at].place.values[metric] for at, metric in keys])
    known = about >= 0
    row_of, is_near = row_of[known], crowd.is_near[entries[known]]
    fits = lore.fits(about[known], values[row_of])
    agrees, count = fits[:, 0], len(keys)
    near, near_agree = (
        np.bincount(row_of[flags], minlength=count) > 0 for flags in (is_near & (agrees != 0), is_near & (agrees > 0))
    )
    rows[:, _AT["said_near"]] = np.where(near_agree, 1.0, np.where(near, -1.0, 0.0))
    rows[:, [_AT["said_near_by"], _AT["said_far"]]] = 0.0
    np.maximum.at(rows[:, _AT["said_near_by"]], row_of[is_near], fits[is_near, 1])
    is_said = np.bincount(row_of[agrees > 0], minlength=count) > 0
    is_denied = np.bincount(row_of[agrees < 0], minlength=count) == sizes  # of all candidates
    rows[:, _AT["said_far"]] = np.where(is_said, 1.0, np.where(is_denied, -1.0, 0.0))
