"""The figures in one cell of a table, given what its labels say: value, unit, metric and qualifiers. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipelines.extract import cues
from pipelines.extract.quantities import Quantity, find_quantities
from pipelines.extract.table_labels import Label, clean_precision, memory_type, sparsity_words, topic_metric
from pipelines.extract.unit_words import UnitWord
from pipelines.model.claim import Span


@dataclass(frozen=True, slots=True)
class CellValue:
    """One figure of a cell: metric, number with its printed unit, places in the cell's text, qualifiers it states."""

    metric: str
    value: float
    unit: str
    digits: Span
    printed: Span
    per: str = ""
    qualifiers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Near:
    """A quantity's words: before and after up to its neighbours, its own, its line; its place among its like."""

    before: str
    own: str
    after: str
    line: str
    place: int
    count: int


_EMPTY = re.compile(
    r"\s*(?:[-–—?*.]+|n\.?/?a\.?|tbd|tba|not (?:applicable|available|disclosed|supported|stated|specified)|none|no|yes|"
    r"unknown|undisclosed|unspecified|various|✓|✗|×)?\s*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\[\^?[\w-]{1,12}\](?:\([^)\s]*\))?|(?<=\d)[¹²³⁴⁵⁶⁷⁸⁹]+|[*†‡§]+")
_MULTIPLE = re.compile(r"(?<![\w.,])(?P<times>\d[\d,]*)\s?[x×*]\s?(?=\d)", re.IGNORECASE)
_TYPED = re.compile(r" (?:HBM|GDDR)\d", re.IGNORECASE)  # '96 HBM3': gigabytes go without saying
_TIMES_BEFORE = re.compile(r"\d\s?[x×*]\s?$")
_PER_AFTER = re.compile(r"\s*(?:per|/)\s?(?P<what>[A-Za-z]+)")
# what a topic makes of a figure with a unit of its own, by the unit's dimension
_BY_DIMENSION: Mapping[str, Mapping[str, str]] = {
    "memory": {"bytes": "memory_capacity", "byte_rate": "memory_bandwidth"},
    "memory_bandwidth": {"byte_rate": "memory_bandwidth", "bit_rate": "memory_bandwidth", "bytes": ""},
    "scale_up": {"byte_rate": "scale_up_bandwidth", "bit_rate": "scale_up_bandwidth"},
    "scale_out": dict.fromkeys(("bit_rate", "bare_rate", "byte_rate"), "scale_out_bandwidth"),
    "power": {"power": "power"},
    "site_power": {"power": "site_power"},
    "compute": {"flops": "compute"},
    "hpl": {"flops": "compute"},
    "weight": {"mass": "weight"},
    "mtti": {"time": "mtti"},
    "train_time": {"time": "train_time"},
    "price": {"money": "price"},
    "capex": {"money": "capex"},
    "revenue": {"money": "revenue"},
    "gpu_hour_price": {"money": "gpu_hour_price"},
    "token_rate": {"token_rate": "token_rate"},
    "transistor_count": {"count": "transistor_count"},
}  # fmt: skip
_NOUNS_OF: Mapping[str, tuple[str, ...]] = {
    "accelerator_count": ("accelerator", "chip"),
    "cluster_size": ("accelerator", "chip"),
    "scale_up_domain_size": ("accelerator", "chip"),
    "cpu_count": ("cpu", "socket"),
    "die_count": ("die",),
    "units_shipped": ("accelerator", "chip", "unit", "rack", "node"),
    "transistor_count": ("transistor",),
    "port_count": ("port",),
}
_DIES = re.compile(r"\bdies\b", re.IGNORECASE)
_OF_DIES = frozenset({"accelerator_count", "scale_up_domain_size"})
_DEFAULT_UNIT = {"transistor_count": "transistors", "process_node": "nm"}
_ELSE = re.compile(
    r"\b(?:PCI-?e|PCI Express|C2C|host|L[123]|cache|DDR[345]|storage|NVMe|per pin|read|write|off-peak|idle|spot)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"[;|]|, (?=[A-Za-z])|\band (?=\d)")
_OPENS_COUNT = re.compile(
    r"(?:[,;:(+/|&~≈]|\b(?:and|with|of|to|has|holds|contains|includes|or|total|up|at|least|over|about|per|max|dual|x))$|[x×]$",
    re.IGNORECASE,
)
_LITHOGRAPHY = re.compile(
    r"(?<![\w.])(?:(?P<nm>\d{1,2}(?:\.\d)?)\s?-?nm\b|N(?P<n>\d{1,2})(?:[A-Z]{1,3})?(?!\w)|(?P<lead>\d)N[A-Z]?(?!\w)|"
    r"SF(?P<sf>\d)\w?(?!\w))"
)


def read_cell(text: str, label: Label, table_unit: UnitWord | None = None) -> Iterator[CellValue]:
    """The figures of a cell's text; `table_unit` is the unit that the words above the table give for bare numbers."""
    if _EMPTY.fullmatch(text) is not None or label.topic in ("", "none"):
        return
    if label.topic == "process_node":
        yield from _lithography(text, label)
        return
    masked = _NOTE.sub(lambda match: " " * len(match[0]), text)
    quantities = find_quantities(masked)
    unit = label.unit or (table_unit if label.topic == "compute" else None)
    for index, quantity in enumerate(quantities):
        is_rate = label.topic == "scale_out" and quantity.dimension in ("bit_rate", "bare_rate")
        is_inside = index > 0 and quantity.digits.start < quantities[index - 1].at.end and not quantity.place
        is_inside = is_inside and not is_rate  # '24x 200 Gbps NICs'
        if is_inside or _is_multiplier(masked, quantity):
            continue
        metric, printed_unit = _metric_of(
            quantity, label, unit, is_first=index == 0, is_typed=_TYPED.match(masked, quantity.digits.end) is not None
        )
        near = _near(masked, quantities, index)
        if _is_of_another(near) or _is_model_number(metric, quantity, near):
            continue
        if metric and not (index and not quantity.dimension and not _is_list(masked, quantities, index)):
            yield from _values(text, quantity, metric, printed_unit, label, near)


def _near(text: str, quantities: Sequence[Quantity], index: int) -> _Near:
    """What stands on the quantity's line between its neighbours, and its place among its like."""
    quantity = quantities[index]
    floor = max((q.at.end for q in quantities[:index] if q.dimension), default=0)
    floor = max(floor, text.rfind("\n", 0, quantity.at.start) + 1)
    line_end = text.find("\n", quantity.at.end)
    line_end = line_end if line_end >= 0 else len(text)
    ceiling = quantities[index + 1].at.start if index + 1 < len(quantities) else len(text)
    like = [q for q in quantities if q.dimension in (quantity.dimension, "")]
    return _Near(
        before=text[floor : quantity.at.start],
        own=text[quantity.digits.end : quantity.at.end],
        after=_CUT.split(text[quantity.at.end : min(ceiling, line_end)], maxsplit=1)[0],
        line=text[text.rfind("\n", 0, quantity.at.start) + 1 : line_end],
        place=like.index(quantity) if quantity in like else 0,
        count=len(like),
    )


def _is_of_another(near: _Near) -> bool:
    """Whether the words beside a figure point to something else than its label: 'PCIe Gen5: 128 GB/s'."""
    if _ELSE.search(near.before) is not None:
        return True
    is_named_before = re.search(r"[A-Za-z]{3,}", near.before) is not None
    after = re.sub(r"^[ (,]*(?:of |over |via )?", "", near.after)
    return not is_named_before and _ELSE.match(after) is not None


def _is_model_number(metric: str, quantity: Quantity, near: _Near) -> bool:
    """Whether a bare number under a count belongs to a name: 'Xeon Platinum 8570 Processors'."""
    if metric not in _NOUNS_OF or metric == "transistor_count":
        return False
    before = near.before.rstrip()
    return bool(before) and _OPENS_COUNT.search(before) is None


def _is_multiplier(text: str, quantity: Quantity) -> bool:
    """The '8x' of '8x 80 GB'; or the '72 TFLOPS' of '4,500 x 72 TFLOPS', which is no figure by itself."""
    if quantity.dimension == "flops":
        return _TIMES_BEFORE.search(text, max(0, quantity.digits.start - 12), quantity.digits.start) is not None
    return _MULTIPLE.match(text, quantity.digits.start) is not None


def _is_list(text: str, quantities: list[Quantity], index: int) -> bool:
    """Whether a bare number goes on a list: '1,979 / 989', or follows the multiplier of '4 x 96'."""
    before = text[quantities[index - 1].digits.end : quantities[index].digits.start]
    return re.fullmatch(r"\s?(?:/|\||,|x|×|or|\n)\s?", before) is not None


def _metric_of(
    quantity: Quantity, label: Label, unit: UnitWord | None, *, is_first: bool, is_typed: bool
) -> tuple[str, str]:
    """The metric of a quantity under a label and the unit to read it in; '' where it is none."""
    topic = label.topic
    if topic == "configuration" and quantity.dimension == "flops":
        return "compute", quantity.unit
    if topic == "configuration":
        counted = {"accelerator": "accelerator_count", "cpu": "cpu_count"}
        return (counted.get(quantity.noun_class, ""), "count") if quantity.dimension == "count" else ("", "")
    if topic in _NOUNS_OF:
        return _count_of(quantity, label, is_first=is_first)
    by_dimension = _BY_DIMENSION.get(topic, {})
    if quantity.dimension and quantity.dimension != "count":
        if quantity.dimension == "bare_rate" and unit is not None:
            return "", ""
        return by_dimension.get(quantity.dimension, ""), quantity.unit
    if quantity.dimension == "count" and quantity.noun_class not in ("", "node") and topic != "transistor_count":
        return "", ""
    if unit is not None and unit.dimension in by_dimension:
        return by_dimension[unit.dimension], unit.unit
    if topic == "memory" and unit is None and is_typed:
        return "memory_capacity", "GB"
    return "", ""


def _count_of(quantity: Quantity, label: Label, *, is_first: bool) -> tuple[str, str]:
    metric = topic_metric(label.topic)
    wanted = _NOUNS_OF[metric]
    if quantity.noun_class == "die" and metric in _OF_DIES and is_first:
        return metric, "count"
    if quantity.dimension == "count" and quantity.noun_class in wanted:
        return metric, _DEFAULT_UNIT.get(metric, "count")
    is_bare = quantity.dimension == "" or (
        quantity.dimension == "ratio" and quantity.unit == "ratio" and metric != "transistor_count"
    )
    if metric == "transistor_count" and quantity.dimension == "bytes":
        return "", ""
    if is_bare and (quantity.low == int(quantity.low) or metric == "transistor_count"):
        return metric, _DEFAULT_UNIT.get(metric, "count")
    return "", ""


def _values(raw: str, quantity: Quantity, metric: str, unit: str, label: Label, near: _Near) -> Iterator[CellValue]:
    found = dict(_qualifiers(metric, label, near))
    after = raw[quantity.digits.end :]
    if _NOTE.match(after.lstrip()[:14]) is not None or _NOTE.search(raw[quantity.at.end :][:4]) is not None:
        found["note"] = "marked"
    factor = label.factor if quantity.dimension in ("", "money", "count") else 1.0
    printed = Span(quantity.at.start, quantity.at.end)
    after_it = _PER_AFTER.match(near.after)
    is_near = bool(quantity.per) and quantity.per in f"{near.own}{near.after}"
    per = quantity.per if is_near else after_it["what"] if after_it is not None else ""
    if not per and near.after.strip() in ("x", "×"):
        per = "GPU"  # '192 GB x 72 = 13.8 TB'
    if quantity.is_range:
        for bound, value, at in (("low", quantity.low, quantity.low_at), ("high", quantity.high, quantity.high_at)):
            yield CellValue(metric, value * factor, unit, at, printed, per, {**found, "bound": bound})
        return
    if metric in _OF_DIES:
        is_dies = quantity.noun_class == "die" or _DIES.search(label.text) is not None
        found["counted_as"] = "dies" if is_dies else "unstated"
    if metric == "memory_capacity" and not quantity.dimension and label.unit is None:
        found["unit"] = "unstated"
    if quantity.bound:
        found["bound"] = quantity.bound
    if quantity.is_approximate:
        found["approx"] = "true"
    yield CellValue(metric, quantity.low * factor, unit, quantity.digits, printed, per, found)


def _qualifiers(metric: str, label: Label, near: _Near) -> Iterator[tuple[str, str]]:
    if metric == "compute":
        yield "precision", _precision(label, near)
        if label.topic == "hpl":
            yield "benchmark", "HPL"
            yield "precision", "fp64"
        yield "sparsity", _sparsity(label, near)
        yield "unit_kind", _unit_kind(label.text)
    if metric == "memory_capacity":
        yield "memory_type", memory_type(near.line) or label.memory_type
    if metric == "scale_up_bandwidth":
        yield "direction", label.direction


def _precision(label: Label, near: _Near) -> str:
    """The formats a figure holds for: its own words, those beside it, else the label's, one by one where they pair."""
    is_led = near.before.rstrip().endswith(":")
    beside = (near.before, near.after) if is_led else (near.after, near.before)
    for zone in (near.own, *beside):
        own = tuple(dict.fromkeys(clean_precision(match["one"]) for match in cues.PRECISION.finditer(zone)))
        if own:
            return "/".join(own)
    if near.count > 1 and len(label.precision) == near.count:
        return label.precision[near.place]
    return "/".join(label.precision)


def _sparsity(label: Label, near: _Near) -> str:
    said = sparsity_words(f"{near.own} {near.after}") or sparsity_words(near.before)
    if len(said) == 1:
        return said[0]
    several = label.sparsity if len(label.sparsity) > 1 else sparsity_words(near.line)
    if len(several) > 1:
        return several[min(near.place, len(several) - 1)] if near.count > 1 else "unstated"
    return (label.sparsity or ("",))[0]


def _unit_kind(words: str) -> str:
    if re.search(r"\b(?:tensor|matrix)\b", words, re.IGNORECASE) is not None:
        return "matrix"
    return "vector" if re.search(r"\b(?:vector|VFMA)\b", words, re.IGNORECASE) is not None else ""


def _lithography(text: str, label: Label) -> Iterator[CellValue]:
    seen: set[float] = set()
    for match in _LITHOGRAPHY.finditer(text):
        name = match.lastgroup or "nm"
        value = float(match[name])
        if value not in seen and 1 <= value <= 130:
            seen.add(value)
            yield CellValue("process_node", value, "nm", Span(*match.span(name)), Span(*match.span()))
    bare = re.fullmatch(r"\s*~?(?P<nm>\d{1,3})\s*", text)
    if not seen and bare is not None and label.unit is not None and label.unit.dimension == "nm":
        yield CellValue("process_node", float(bare["nm"]), "nm", Span(*bare.span("nm")), Span(*bare.span("nm")))
