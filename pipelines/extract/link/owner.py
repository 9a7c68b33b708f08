"""What the linker is told of each candidate of a value, for one metric: numbers in a fixed order. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pipelines.extract.link.cards import is_attribute
from pipelines.extract.link.crowd import KINDS, MARKS, RELATED, Crowd, Key, places_and_metrics
from pipelines.extract.link.groups import columns_of, in_order
from pipelines.extract.link.meaning import DIMENSION_AT, METRIC_AT
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.link.trees import Rows

_NOUNS = (
    "", "accelerator", "chip", "package", "card", "die", "superchip", "module", "node", "system", "rack", "pod",
    "domain", "site", "cluster", "cpu", "socket", "core", "port", "link", "nic", "switch", "cable", "stack",
    "transistor", "part", "unit", "failure", "way", "product",
)  # fmt: skip
_NOUN_AT = {noun: float(at) for at, noun in enumerate(_NOUNS)}
_KIND_AT = {kind: float(at) for at, kind in enumerate(KINDS)}
_CONTEXT = (
    "columns", "column_named", "row_named", "first_column_named", "head_named", "values", "is_list", "position",
    "row_numeric", "column_numeric",
)  # fmt: skip
OWNER = (
    "metric", "dimension", "affinity", "kind", "is_owner", "known", "has_digit", "length", "words", "attribute",
    "capitals", "code", "said", "said_by", "said_gap", "noun_class", "log_value", *MARKS, *RELATED, *_CONTEXT,
)  # fmt: skip


def owner_rows(crowd: Crowd, asked: Sequence[Key]) -> Rows:
    """The features of each candidate of a place, for one metric of its value: for each asked, one after the other."""
    entries, ask_of, fits = crowd.said(asked)
    _, metric_of = places_and_metrics(asked)
    members = crowd.member_of[entries]
    pair = metric_of[ask_of], crowd.kind_of[members]
    of_ask = columns_of([_of_ask(crowd.places[place], metric) for place, metric in asked])
    alone = columns_of([_of_candidate(each) for each in crowd.members])
    told = {name: column[ask_of] for name, column in of_ask.items()}
    told |= {name: column[members] for name, column in alone.items()}
    told |= dict(zip(MARKS, crowd.marks[members].T, strict=True))
    told |= dict(zip(RELATED, crowd.related[entries].T, strict=True))
    told |= dict(zip(("said", "said_by", "said_gap"), fits.T, strict=True))
    told |= {"affinity": crowd.lore.affinity(crowd.kinds)[pair], "is_owner": crowd.owns[pair]}
    return in_order(OWNER, told)


def _of_ask(place: Place, metric: str) -> dict[str, float]:
    """What is the same for all candidates of a value that is asked for one metric."""
    figure = place.figure
    return {
        "metric": METRIC_AT[metric], "dimension": DIMENSION_AT[figure.dimension],
        "noun_class": noun_number(figure.value.thing), "log_value": log_of(place.values[metric]),
        **{name: place.marks.get(name, 0.0) for name in _CONTEXT},
    }  # fmt: skip


def noun_number(thing: str) -> float:
    """What is counted, as a number."""
    return _NOUN_AT.get(thing, -1.0)


def log_of(value: float) -> float:
    """The power of ten of a value; -9 where it has none."""
    return math.log10(value) if value > 0 else -9.0


def kind_number(kind: str) -> float:
    """The kind of a candidate, as a number."""
    return _KIND_AT.get(kind, -1.0)


def _of_candidate(candidate: Candidate) -> dict[str, float]:
    """What is known of a candidate alone: its kind, whether the registry has it, how its name is written."""
    shape = _shape(candidate.name, candidate.kind == "label")
    return {"kind": kind_number(candidate.kind), "known": bool(candidate.subject_id), **shape}


_CODE = re.compile(r"(?:^|[ _-])[A-Za-z]{1,10}-?\d{1,5}[A-Za-z]{0,4}(?:$|[ _-])")


@lru_cache(maxsize=16384)
def _shape(name: str, is_label: bool) -> Mapping[str, float]:
    """How a name is written: digits, length, words; like a property, in capitals, like a code."""
    words = name.split()
    return {
        "has_digit": any(c.isdigit() for c in name), "length": len(name), "words": name.count(" "),
        "attribute": is_attribute(name) if is_label else 0.0,
        "capitals": sum(word[:1].isupper() or word[:1].isdigit() for word in words) / max(len(words), 1),
        "code": _CODE.search(name) is not None,
    }  # fmt: skip
