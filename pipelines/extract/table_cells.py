"""The figures in one cell of a table, given what its labels say: value, unit, metric and qualifiers. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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


_EMPTY = re.compile(
    r"\s*(?:[-–—?*.]+|n\.?/?a\.?|tbd|tba|not (?:applicable|available|disclosed|supported|stated|specified)|none|no|yes|"
    r"unknown|undisclosed|unspecified|various|✓|✗|×)?\s*",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\[\^?[\w-]{1,12}\](?:\([^)\s]*\))?|(?<=\d)[¹²³⁴⁵⁶⁷⁸⁹]+|[*†‡§]+")
_MULTIPLE = re.compile(r"(?<![\w.,])(?P<times>\d[\d,]*)\s?[x×*]\s?(?=\d)", re.IGNORECASE)
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
_DEFAULT_UNIT = {"transistor_count": "transistors", "process_node": "nm"}
_ELSE = re.compile(
    r"\b(?:PCI-?e|PCI Express|C2C|host|L[123]|cache|DDR[345]|storage|NVMe|per pin|read|write|off-peak|idle|spot)\b",
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
        if _is_multiplier(masked, quantity):
            continue
        metric, printed_unit = _metric_of(quantity, label, unit)
        if _is_of_another(masked, quantities, index):
            continue
        if metric and not (index and not quantity.dimension and not _is_list(masked, quantities, index)):
            yield from _values(masked, text, quantity, metric, printed_unit, label, index, len(quantities))


def _is_of_another(text: str, quantities: list[Quantity], index: int) -> bool:
    """Whether the words beside a figure point to something else than its label: 'PCIe Gen5: 128 GB/s'."""
    floor = quantities[index - 1].at.end if index else 0
    floor = max(floor, text.rfind("\n", 0, quantities[index].at.start) + 1)
    before = text[floor : quantities[index].at.start]
    if _ELSE.search(before) is not None:
        return True
    ceiling = quantities[index + 1].at.start if index + 1 < len(quantities) else len(text)
    after = text[quantities[index].at.end : ceiling]
    is_named_before = re.search(r"[A-Za-z]{3,}", before) is not None
    return (
        not is_named_before
        and re.match(r"[ (,]{0,3}(?:of |over |via )?", after) is not None
        and (_ELSE.match(after.lstrip(" (,")) is not None)
    )


def _is_multiplier(text: str, quantity: Quantity) -> bool:
    """The '8x' of '8x 80 GB'."""
    match = _MULTIPLE.match(text, quantity.digits.start)
    return match is not None


def _is_list(text: str, quantities: list[Quantity], index: int) -> bool:
    """Whether a bare number goes on a list: '1,979 / 989', or follows the multiplier of '4 x 96'."""
    before = text[quantities[index - 1].digits.end : quantities[index].digits.start]
    return re.fullmatch(r"\s?(?:/|\||,|x|×|or|\n)\s?", before) is not None


def _metric_of(quantity: Quantity, label: Label, unit: UnitWord | None) -> tuple[str, str]:
    """The metric of a quantity under a label and the unit to read it in; '' where it is none."""
    topic = label.topic
    if topic == "configuration":
        counted = {"accelerator": "accelerator_count", "cpu": "cpu_count"}
        return (counted.get(quantity.noun_class, ""), "count") if quantity.dimension == "count" else ("", "")
    if topic in _NOUNS_OF:
        return _count_of(quantity, label)
    by_dimension = _BY_DIMENSION.get(topic, {})
    if quantity.dimension and quantity.dimension != "count":
        if quantity.dimension == "bare_rate" and unit is not None:
            return "", ""
        return by_dimension.get(quantity.dimension, ""), quantity.unit
    if quantity.dimension == "count" and quantity.noun_class not in ("", "node") and topic != "transistor_count":
        return "", ""
    if unit is not None and unit.dimension in by_dimension:
        return by_dimension[unit.dimension], unit.unit
    return "", ""


def _count_of(quantity: Quantity, label: Label) -> tuple[str, str]:
    metric = topic_metric(label.topic)
    wanted = _NOUNS_OF[metric]
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


def _values(
    text: str, raw: str, quantity: Quantity, metric: str, unit: str, label: Label, index: int, count: int
) -> Iterator[CellValue]:
    found = dict(_qualifiers(text, quantity, metric, label, index, count))
    after = raw[quantity.digits.end :]
    if _NOTE.match(after.lstrip()[:14]) is not None or _NOTE.search(raw[quantity.at.end :][:4]) is not None:
        found["note"] = "marked"
    factor = label.factor if quantity.dimension in ("", "money", "count") else 1.0
    printed = Span(quantity.at.start, quantity.at.end)
    if quantity.is_range:
        for bound, value, at in (("low", quantity.low, quantity.low_at), ("high", quantity.high, quantity.high_at)):
            yield CellValue(metric, value * factor, unit, at, printed, quantity.per, {**found, "bound": bound})
        return
    if quantity.bound:
        found["bound"] = quantity.bound
    if quantity.is_approximate:
        found["approx"] = "true"
    yield CellValue(metric, quantity.low * factor, unit, quantity.digits, printed, quantity.per, found)


def _qualifiers(
    text: str, quantity: Quantity, metric: str, label: Label, index: int, count: int
) -> Iterator[tuple[str, str]]:
    line = _line_of(text, quantity)
    if metric == "compute":
        own = tuple(clean_precision(m["one"]) for m in cues.PRECISION.finditer(line))
        yield "precision", "/".join(dict.fromkeys(own or label.precision))
        if label.topic == "hpl":
            yield "benchmark", "HPL"
            yield "precision", "fp64"
        said = sparsity_words(line)
        several = label.sparsity if len(label.sparsity) > 1 else said if len(said) > 1 else ()
        if several:
            yield "sparsity", several[min(index, len(several) - 1)] if count > 1 else "unstated"
        else:
            yield "sparsity", (said or label.sparsity or ("",))[0]
        yield "unit_kind", _unit_kind(label.text)
    if metric == "memory_capacity":
        yield "memory_type", memory_type(line) or label.memory_type
    if metric == "scale_up_bandwidth":
        yield "direction", label.direction


def _unit_kind(words: str) -> str:
    if re.search(r"\b(?:tensor|matrix)\b", words, re.IGNORECASE) is not None:
        return "matrix"
    return "vector" if re.search(r"\b(?:vector|VFMA)\b", words, re.IGNORECASE) is not None else ""


def _line_of(text: str, quantity: Quantity) -> str:
    start = text.rfind("\n", 0, quantity.digits.start) + 1
    end = text.find("\n", quantity.at.end)
    return text[start : end if end >= 0 else len(text)]


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
