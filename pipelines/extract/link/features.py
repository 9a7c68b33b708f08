"""What the linker is told of a value, of a metric for it and of a candidate: numbers in a fixed order. Pure."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pipelines.extract.link.cards import CARD_MARKS, card_marks, is_attribute
from pipelines.extract.link.clues import near_of
from pipelines.extract.link.lore import UNKNOWN, Lore
from pipelines.extract.link.meaning import DIMENSION_AT, METRIC_AT, entry_of
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.stance import is_change, is_difference, is_dropped, is_former, is_generic
from pipelines.registry.names import name_key

_KINDS = (
    "accelerator", "system", "generation", "site", "product", "organisation", "network", "cpu", "programme", "label",
    "memory",
)  # fmt: skip
_NO_KINDS = [0.0] * len(_KINDS)
_KIND_AT = {kind: float(at) for at, kind in enumerate(_KINDS)}
_NOUNS = (
    "", "accelerator", "chip", "package", "card", "die", "superchip", "module", "node", "system", "rack", "pod",
    "domain", "site", "cluster", "cpu", "socket", "core", "port", "link", "nic", "switch", "cable", "stack",
    "transistor", "part", "unit", "failure", "way", "product",
)  # fmt: skip
_NOUN_AT = {noun: float(at) for at, noun in enumerate(_NOUNS)}
_LENT = ("", "column", "row", "caption")


_PLACE = (
    "in_table", "row", "column", "rows", "columns", "column_numeric", "row_numeric", "column_named", "row_named",
    "in_head", "values", "is_whole_cell", "cell_length", "first_column_named", "head_named", "is_first_column",
    "is_list", "is_code", "is_heading", "sentence_length", "number", "names", "position", "has_label",
    "dimension_values",
)  # fmt: skip
SENSE = (
    "prior", "prior_none", "prior_best", "prior_rank", "metric", "log_value", "range_at", "in_range", "column_prior",
    "row_prior", "block_prior", *CARD_MARKS, "best_rival_label", "best_rival_near", "counts", "dimension", "lent",
    "is_integer", "bound", "approximate", "end", "is_word", "list_place", "noun_class", "has_per", "in_sentence",
    "in_row", "in_head_names", "has_heading", "has_title", "hardware_near", "dropped", "changed", "generic",
    *(f"near_{kind}" for kind in _KINDS), "nearest_kind", "nearest_gap", "char_before", "char_after", *_PLACE,
    "owners_near", "nearest_owns", "said_near", "said_near_by", "said_far", "said_of_any", "said_of_rivals",
)  # fmt: skip


def sense_rows_of(
    place: Place,
    metrics: Sequence[str],
    prior: Mapping[str, float],
    groups: Sequence[tuple[float, float, float]],
    lore: Lore,
) -> list[list[float]]:
    """The features of some metrics for one value: what words say of each, alone and beside the other values'.

    `prior` is the chance that the words alone give each metric, `groups` that of the metric in the value's column, row
    and block.
    """
    cards = card_marks(metrics, place.zones)
    near = sorted(near_of(place), key=lambda c: c.marks.get("gap", 500.0))
    labels = _Rivals({name: max(m[0], m[2], m[4]) for name, m in zip(metrics, cards, strict=True)})
    beside = _Rivals({name: max(m[8], m[9]) for name, m in zip(metrics, cards, strict=True)})
    chances = _Rivals({name: chance for name, chance in prior.items() if name})
    fixed, thing = _place_row(place, near), place.figure.value.thing
    ranked = sorted(prior.values(), reverse=True)
    of_any = {metric: lore.said_of_any(metric, place.values[metric]) for metric in metrics}
    said = _Rivals(of_any)
    rows = []
    for metric, card, group in zip(metrics, cards, groups, strict=True):
        own = prior.get(metric, 0.0)
        value = place.values[metric]
        low, high = _range(metric)
        log = math.log10(value) if value > 0 else -9.0
        rows.append([
            own, prior.get("", 0.0), chances.of(metric), float(ranked.index(own)) if own in ranked else 9.0,
            float(METRIC_AT[metric]), log, (log - low) / (high - low), float(low <= log <= high), *group,
            *card, labels.of(metric), beside.of(metric),
            float(thing in entry_of(metric).counts) if thing else -1.0, *fixed, *_owned(near, metric),
            *_said(place, near, metric, lore), of_any[metric], said.of(metric),
        ])  # fmt: skip
    return rows


class _Rivals:
    """The highest of the others' numbers."""

    def __init__(self, numbers: Mapping[str, float]) -> None:
        ranked = sorted(numbers, key=lambda name: -numbers[name])
        self._first = ranked[0] if ranked else ""
        self._most, self._next = (*[numbers[name] for name in ranked[:2]], 0.0, 0.0)[:2]

    def of(self, name: str) -> float:
        """The highest that is not this one's; 0 of none."""
        return self._next if name == self._first else self._most


def _owned(near: Sequence[Candidate], metric: str) -> tuple[float, float]:
    """How many near names are of a kind that has this metric, and whether the nearest is."""
    owners = entry_of(metric).owners
    owns = [candidate.kind in owners for candidate in near]
    return float(sum(owns)), float(owns[0]) if owns else -1.0


def _said(place: Place, near: Sequence[Candidate], metric: str, lore: Lore) -> tuple[float, float, float]:
    """Whether others say this of one of the near names, and how many; and whether of any other candidate."""
    value = place.values[metric]
    fits = [lore.fit(candidate.name, metric, value) for candidate in near]
    best = max(fits, key=lambda fit: (fit[0] > 0, abs(fit[0]), fit[1]), default=UNKNOWN)
    far = max((lore.fit(candidate.name, metric, value)[0] for candidate in place.candidates), default=0.0)
    return best[0], best[1], far


_CHARACTERS = " .,;:()[]{}/\\-–—_x×*~≈<>=+|%$#&'\"@"


def _character(text: str) -> float:
    """A character as a number: -1 for none, then signs, a letter, anything else."""
    return (
        float(_CHARACTERS.find(text)) if text and text in _CHARACTERS else -1.0 if not text else 50.0 + text.isalpha()
    )


def _place_row(place: Place, near: Sequence[Candidate]) -> list[float]:
    """What is the same for every metric of a value."""
    figure = place.figure
    found = [mark for c in place.candidates for mark in _told(c)[2]]
    kinds = [c.kind for c in near]
    return [
        float(DIMENSION_AT[figure.dimension]), float(_LENT.index(figure.lender)),
        float(figure.number == int(figure.number)) if abs(figure.number) < 1e15 else 1.0, float(bool(figure.bound)),
        float(figure.value.is_approximate), {"": 0.0, "low": 1.0, "high": 2.0}[figure.end],
        float(figure.value.is_word), float(figure.value.place),
        _NOUN_AT.get(figure.value.thing, -1.0),
        float(bool(figure.value.per)),
        float(found.count("in_sentence")), float(found.count("row_name")), float(found.count("head_name")),
        float("heading" in found), float("title" in found),
        float(sum([kind in _HARDWARE for kind in kinds])), *_stance(place),
        *([float(kinds.count(kind)) for kind in _KINDS] if kinds else _NO_KINDS),
        kind_number(near[0]) if near else -2.0, near[0].marks.get("gap", 500.0) if near else 999.0,
        _character(place.zones["before"][-1:]), _character(place.zones["after"][:1]),
        *[place.marks.get(name, 0.0) for name in _PLACE],
    ]  # fmt: skip


def _stance(place: Place) -> tuple[float, float, float]:
    """Whether the words deny or suppose the value, say what it changed by or was, or speak of a kind of thing."""
    sentence, before, after = place.zones.get("sentence", ""), place.zones["before"], place.zones["after"]
    if not sentence:
        return 0.0, 0.0, 0.0
    is_changed = is_difference(after) or is_change(before) or is_former(before, after)
    return float(is_dropped(sentence, before)), float(is_changed), float(is_generic(before))


@lru_cache(maxsize=256)
def _range(metric: str) -> tuple[float, float]:
    if not entry_of(metric).is_number:
        return 3.29, 3.31
    ranges = entry_of(metric).ranges
    low = min((r.low for r in ranges), default=1e-6) or 1e-3
    return math.log10(low), math.log10(max((r.high for r in ranges), default=1e12))


_MARKS = (
    "in_sentence", "before", "after", "gap", "between", "values_between", "order", "first", "comma", "and_", "inside",
    "of", "than", "counted", "offset", "ordinal", "back0", "back1", "back2", "back_order", "parent", "parent_order",
    "intro",
    "intro_order", "heading", "heading_order", "heading_label", "title", "title_order", "publisher", "main", "in_cell",
    "cell_gap", "cell_before", "cell_order", "row_name", "row_distance", "row_left", "axis_named", "axis_numeric",
    "axis_distinct", "axis_column", "axis_place", "axis_words", "name_order", "names_in_axis", "whole", "label_row",
    "label_head", "has_name", "head_name", "head_depth", "head_span", "band", "band_label", "caption", "caption_order",
    "count", "rank",
)  # fmt: skip
_RELATED = (
    "n_in_sentence", "n_row", "n_head", "n_heading", "gap_rank", "same_kind_near", "n_candidates", "narrower", "wider",
    "best_axis", "axis_lead", "hardware_rank", "kinds_above", "count_share",
)  # fmt: skip
_CONTEXT = (
    "in_table", "columns", "column_named", "row_named", "first_column_named", "head_named", "values", "is_list",
    "is_code", "position", "is_first_column", "column", "row_numeric", "column_numeric",
)  # fmt: skip
OWNER = (
    "metric", "dimension", "affinity", "kind", "is_owner", "known", "has_digit", "length", "words", "attribute",
    "capitals", "code", "sized", "said", "said_by", "said_gap", "noun_class", "has_per", "log_value", "counted_own",
    *_MARKS, *_RELATED, *_CONTEXT,
)  # fmt: skip
_ABSENT = {"gap": 999.0, "cell_gap": 999.0, "rank": 9.0, "back_order": 9.0, "heading_order": 9.0}
_NO_MARKS = [_ABSENT.get(name, 0.0) for name in _MARKS]
_MARK_AT = {name: at for at, name in enumerate(_MARKS)}
_INSIDE, _COUNTED_BY = _MARK_AT["inside"], _MARK_AT["counted"]


def owner_rows(place: Place, metric: str, lore: Lore) -> list[list[float]]:
    """The features of each candidate of a place, for one metric of its value."""
    figure = place.figure
    value = place.values[metric]
    owners = entry_of(metric).owners
    log = math.log10(value) if value > 0 else -9.0
    noun = _NOUN_AT.get(figure.value.thing, -1.0)
    head = (float(METRIC_AT[metric]), float(DIMENSION_AT[figure.dimension]))
    tail = (noun, float(bool(figure.value.per)), log)
    is_count = metric in _COUNTED
    rows = []
    for candidate, (is_counted, fixed) in zip(place.candidates, _fixed_rows(place), strict=True):
        rows.append([
            *head, lore.affinity(metric, candidate.kind), kind_number(candidate),
            float(candidate.kind in owners), float(bool(candidate.subject_id)),
            *_shape(candidate.name, candidate.kind == "label"),
            *lore.fit(candidate.name, metric, value), *tail, float(is_count and is_counted), *fixed,
        ])  # fmt: skip
    return rows


def _fixed_rows(place: Place) -> list[tuple[bool, list[float]]]:
    """What is the same for every metric: how each candidate stands to the value and among the others."""
    if place.fixed is None:
        context = [place.marks.get(name, 0.0) for name in _CONTEXT]
        place.fixed = [
            (own[_INSIDE] > 0 or own[_COUNTED_BY] > 0, [*own, *related, *context])
            for own, related in _compared(place.candidates)
        ]
    return place.fixed


_Told = tuple[list[float], float, frozenset[str], str]


def _told(candidate: Candidate) -> _Told:
    """Of a candidate alone: its marks in order, how near it is, its zones, its key."""
    if candidate.told is None:
        row = _NO_MARKS.copy()
        for name, value in candidate.marks.items():
            at = _MARK_AT.get(name)
            if at is not None:
                row[at] = value
        zones = _SAME_ZONE & candidate.marks.keys()
        candidate.told = row, nearness(candidate.marks), zones, _key(candidate.name)
    return candidate.told


def _compared(candidates: Sequence[Candidate]) -> Iterator[tuple[list[float], list[float]]]:
    """The marks of each candidate, and how it stands among the others."""
    told = [_told(c) for c in candidates]
    marks = [c.marks for c in candidates]
    gaps = sorted([m["gap"] for m in marks if "gap" in m])
    found = [mark for _, _, zones, _ in told for mark in zones]
    counts = [float(found.count(name)) for name in ("in_sentence", "row_name", "head_name", "heading")]
    kinds = [c.kind for c, (_, _, zones, _) in zip(candidates, told, strict=True) if not _BESIDE.isdisjoint(zones)]
    best_axis = max([m.get("axis_named", 0.0) for m in marks], default=0.0)
    most = max([m.get("count", 0.0) for m in marks], default=0.0) or 1.0
    near = sorted([far for _, far, _, _ in told])
    hardware = sorted([far for c, (_, far, _, _) in zip(candidates, told, strict=True) if c.kind in _HARDWARE])
    for candidate, own, (row, far, zones, _) in zip(candidates, marks, told, strict=True):
        yield row, [
            *counts, float(bisect_left(gaps, own["gap"])) if "gap" in own else 9.0,
            float(kinds.count(candidate.kind)), float(len(candidates)),
            *(_nesting(candidate, candidates, told) if zones else (0.0, 0.0)), best_axis,
            own.get("axis_named", 0.0) - best_axis, float(bisect_left(hardware, far)),
            float(bisect_left(near, far)), own.get("count", 0.0) / most,
        ]  # fmt: skip


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
def _key(name: str) -> str:
    return name_key(name)


_COUNTED = frozenset(
    {"accelerator_count", "cpu_count", "cluster_size", "scale_up_domain_size", "die_count", "part_count", "port_count"}
)
_HARDWARE = frozenset({"accelerator", "system", "site", "product", "generation"})
_BESIDE = frozenset({"in_sentence", "row_name", "head_name"})
_SAME_ZONE = frozenset({"in_sentence", "row_name", "head_name", "heading", "title"})


def _nesting(candidate: Candidate, candidates: Sequence[Candidate], told: Sequence[_Told]) -> tuple[float, float]:
    """Whether another candidate of a same zone says more (its name holds this one), and whether one says less."""
    _, _, mine, own = _told(candidate)
    narrower = wider = 0.0
    for other, (_, _, zones, key) in zip(candidates, told, strict=True):
        if key == own or mine.isdisjoint(zones):
            continue
        is_member = other.vendor_id == candidate.vendor_id and other.kind in ("accelerator", "system")
        if own in key or (candidate.kind == "generation" and is_member):
            narrower = 1.0
        if key in own:
            wider = 1.0
    return narrower, wider


_ZONE_RANKS = (
    ("row_name", 2.0), ("head_name", 2.0), ("parent", 2.0), ("band", 3.0), ("band_label", 3.0), ("back0", 3.0),
    ("intro", 4.0), ("caption", 4.0), ("back1", 4.0), ("heading", 5.0), ("heading_label", 5.0), ("title", 7.0),
    ("main", 8.0), ("publisher", 9.0),
)  # fmt: skip


def nearness(marks: Mapping[str, float]) -> float:
    """How near a candidate stands to the value, by its marks: less is nearer."""
    if "in_cell" in marks or "in_sentence" in marks:
        return marks.get("gap", 0.0) / 1e3
    for zone, rank in _ZONE_RANKS:
        if zone in marks:
            return rank
    return 10.0


def kind_number(candidate: Candidate) -> float:
    """A candidate's kind as a number."""
    return _KIND_AT.get(candidate.kind, -1.0)


@lru_cache(maxsize=16384)
def has_digit(name: str) -> float:
    """1 where a name has a digit."""
    return float(any(c.isdigit() for c in name))


def logit(p: float) -> float:
    """Log odds, kept finite."""
    p = min(max(p, 1e-5), 1 - 1e-5)
    return math.log(p / (1 - p))


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of none."""
    return sum(values) / len(values) if values else 0.0
