"""What the linker is told of each candidate of a value, for one metric: numbers in a fixed order. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pipelines.extract.link.cards import is_attribute
from pipelines.extract.link.crowd import MARKS, RELATED, Crowd, kind_number
from pipelines.extract.link.groups import ranges
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import DIMENSION_AT, METRIC_AT, entry_of
from pipelines.extract.link.scene import Place
from pipelines.extract.link.trees import Rows

_NOUNS = (
    "", "accelerator", "chip", "package", "card", "die", "superchip", "module", "node", "system", "rack", "pod",
    "domain", "site", "cluster", "cpu", "socket", "core", "port", "link", "nic", "switch", "cable", "stack",
    "transistor", "part", "unit", "failure", "way", "product",
)  # fmt: skip
_NOUN_AT = {noun: float(at) for at, noun in enumerate(_NOUNS)}
_CONTEXT = (
    "in_table", "columns", "column_named", "row_named", "first_column_named", "head_named", "values", "is_list",
    "is_code", "position", "is_first_column", "column", "row_numeric", "column_numeric",
)  # fmt: skip
_ALONE = ("kind", "known", "has_digit", "length", "words", "attribute", "capitals", "code", "sized")
OWNER = (
    "metric", "dimension", "affinity", "kind", "is_owner", "known", "has_digit", "length", "words", "attribute",
    "capitals", "code", "sized", "said", "said_by", "said_gap", "noun_class", "has_per", "log_value", "counted_own",
    *MARKS, *RELATED, *_CONTEXT,
)  # fmt: skip
_AT = {name: at for at, name in enumerate(OWNER)}
_ALONE_AT = [_AT[name] for name in _ALONE]
_ASKED_AT = [_AT[name] for name in ("metric", "dimension", "noun_class", "has_per", "log_value")]
_SAID_AT = slice(_AT["said"], _AT["said_gap"] + 1)
_MARKS_AT = slice(_AT[MARKS[0]], _AT[MARKS[0]] + len(MARKS))
_RELATED_AT = slice(_MARKS_AT.stop, _MARKS_AT.stop + len(RELATED))
_CONTEXT_AT = slice(_RELATED_AT.stop, len(OWNER))
_COUNTED = frozenset(
    {"accelerator_count", "cpu_count", "cluster_size", "scale_up_domain_size", "die_count", "part_count", "port_count"}
)


def owner_rows(places: Sequence[Place], crowd: Crowd, asked: Sequence[tuple[int, str]], lore: Lore) -> Rows:
    """The features of each candidate of a place, for one metric of its value: for each asked, one after the other."""
    at = np.array([place for place, _ in asked], dtype=np.intp)
    sizes = crowd.sizes[at]
    entries = ranges(crowd.starts[at], sizes)  # of the crowd
    ask_of, member_of = np.repeat(np.arange(len(asked)), sizes), crowd.member_of[entries]
    rows = np.empty((len(entries), len(OWNER)))
    rows[:, _ASKED_AT] = np.array([_asked(places[place], metric) for place, metric in asked])[ask_of]
    rows[:, _ALONE_AT] = _alone(crowd)[member_of]
    rows[:, _MARKS_AT] = crowd.marks[member_of]
    rows[:, _RELATED_AT] = crowd.related[entries]
    context = [[places[place].marks.get(name, 0.0) for name in _CONTEXT] for place, _ in asked]
    rows[:, _CONTEXT_AT] = np.array(context)[ask_of]
    metrics = list(dict.fromkeys(metric for _, metric in asked))
    metric_of = np.array([metrics.index(metric) for _, metric in asked], dtype=np.intp)[ask_of]
    pair = metric_of, crowd.kind_of[member_of]
    rows[:, _AT["affinity"]] = np.array([[lore.affinity(m, kind) for kind in crowd.kinds] for m in metrics])[pair]
    rows[:, _AT["is_owner"]] = np.array([[kind in entry_of(m).owners for kind in crowd.kinds] for m in metrics])[pair]
    is_count = np.array([metric in _COUNTED for metric in metrics])[metric_of]
    is_own = (rows[:, _AT["inside"]] > 0) | (rows[:, _AT["counted"]] > 0)
    rows[:, _AT["counted_own"]] = is_count & is_own
    about = crowd.about(lore)[member_of, rows[:, _AT["metric"]].astype(np.intp)]
    values = np.array([places[place].values[metric] for place, metric in asked])
    rows[:, _SAID_AT] = lore.fits(about, values[ask_of])
    return rows


def _asked(place: Place, metric: str) -> tuple[float, ...]:
    value = place.values[metric]
    return (
        float(METRIC_AT[metric]), float(DIMENSION_AT[place.figure.dimension]), noun_number(place.figure.value.thing),
        float(bool(place.figure.value.per)), math.log10(value) if value > 0 else -9.0,
    )  # fmt: skip


def noun_number(thing: str) -> float:
    """What is counted, as a number."""
    return _NOUN_AT.get(thing, -1.0)


def _alone(crowd: Crowd) -> Rows:
    """What is known of each member alone: the columns of `_ALONE`."""
    told = [
        (kind_number(each), float(bool(each.subject_id)), *_shape(each.name, each.kind == "label"))
        for each in crowd.members
    ]
    return np.array(told).reshape(-1, len(_ALONE))


_CODE = re.compile(r"(?:^|[ _-])[A-Za-z]{1,10}-?\d{1,5}[A-Za-z]{0,4}(?:$|[ _-])")
_SIZED = re.compile(r"\d+(?:\.\d+)?\s?(?:[BKM]\b|GB|TB|GHz|MHz|nm|W\b|GB/s|Gb|%|x\b)", re.IGNORECASE)


@lru_cache(maxsize=16384)
def _shape(name: str, is_label: bool) -> tuple[float, ...]:
    """How a name is written: digits, length, words; like a property, in capitals, like a code, like a size."""
    words = name.split()
    capital = sum(word[:1].isupper() or word[:1].isdigit() for word in words) / max(len(words), 1)
    return (
        has_digit(name), float(len(name)), float(name.count(" ")),
        is_attribute(name) if is_label else 0.0, capital, float(_CODE.search(name) is not None),
        float(_SIZED.search(name) is not None),
    )  # fmt: skip


@lru_cache(maxsize=16384)
def has_digit(name: str) -> float:
    """1 where a name has a digit."""
    return float(any(c.isdigit() for c in name))
