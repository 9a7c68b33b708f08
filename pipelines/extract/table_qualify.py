"""Qualifiers of a figure that stand outside its cell: sparsity by footnote, per what, which period. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipelines.extract.qualify import default_per, per_word
from pipelines.extract.table_cells import CellValue
from pipelines.extract.table_frame import Axis, Figure
from pipelines.extract.table_ground import Ground
from pipelines.extract.table_labels import Label, sparsity_words
from pipelines.extract.values.periods import Period, find_periods
from pipelines.registry import load_registry
from pipelines.units import UnknownUnit, to_canonical

OF_PERIODS = frozenset({"capex", "revenue", "units_shipped"})
_WITHOUT_PER = OF_PERIODS | {"process_node", "mtti", "cluster_size", "scale_up_domain_size", "site_power"}
_OF_PORTS = re.compile(r"\b(?:ports?|NICs?|SuperNICs?|ConnectX)\b", re.IGNORECASE)
_MARK = re.compile(r"[*†‡§]+|\[\^?\w+\]|[¹²³⁴⁵⁶⁷⁸⁹]")
_ESTIMATE = re.compile(r"(?<=\d) ?(?:E|F|A|est\.?)$")  # '2026E'
_WIDE = re.compile(r"(?:fp|f)(?:64|32)")
_BOARD_KW = 1.7  # from here on a superchip's power is that of the board, not of one package
_YEAR = re.compile(r"\b(20[0-4]\d)\b")


def qualifiers(ground: Ground, figure: Figure, label: Label, value: CellValue, axis: Axis) -> Mapping[str, str]:
    """What cell, labels, footnotes and subject say beside the value; what must be stated and is not is 'unstated'."""
    found = {name: word for name, word in value.qualifiers.items() if word and name not in ("note", "unit")}
    if value.metric == "compute":
        stated = found.get("sparsity") or _sparsity(ground, label, value, found.get("precision", ""))
        found["sparsity"] = stated or "unstated"
    if value.metric not in _WITHOUT_PER:
        found["per"] = _per(ground, figure, label, value, axis) or "unstated"
    if value.metric == "scale_up_bandwidth":
        found.setdefault("direction", "unstated")
    if value.metric in OF_PERIODS:
        period = period_of(ground, figure)
        years = [year for zone in ground.frame.around.zones for year in _YEAR.findall(zone)]
        found["period"] = period.label if period is not None else years[0] if years else ""
    beside = _beside(ground, axis)
    return {**found, "variant": beside} if beside else found


def period_of(ground: Ground, figure: Figure) -> Period | None:
    """The one period that the labels or the row's first cell name."""
    first = ground.frame.words(ground.frame.grid[figure.cell.row][0])
    month = fiscal_month(figure.axis.subject.vendor_id or figure.axis.subject.subject_id)
    for words in (*figure.labels, first):
        periods = find_periods(_ESTIMATE.sub("", words), ground.origin.published_on, month)
        if len(periods) == 1:
            return periods[0]
    return None


def fiscal_month(organisation_id: str) -> int | None:
    """The month in which an organisation's fiscal year begins."""
    organisation = load_registry().organisation(organisation_id)
    return None if organisation is None else organisation.fiscal_year_start


def _sparsity(ground: Ground, label: Label, value: CellValue, precision: str) -> str:
    is_marked = bool(value.qualifiers.get("note")) or _MARK.search(label.text) is not None
    said = sparsity_words(ground.notes) if is_marked else ()
    if said:
        return said[0]
    if ground.said and not (ground.said == "sparse" and _WIDE.search(precision) is not None):
        return ground.said
    return "dense" if ground.has_sparse and not label.sparsity else ""


def _per(ground: Ground, figure: Figure, label: Label, value: CellValue, axis: Axis) -> str:
    said = per_word(value.per) if value.per else ""
    if said:
        return said
    if label.per and label.per != "total":
        return label.per
    kind = axis.subject.kind
    if kind == "network":
        return "system"
    words = f"{label.text} {ground.text(figure)}"
    if value.metric == "scale_out_bandwidth" and _OF_PORTS.search(words) is not None:
        return "port"
    default = default_per(axis.subject)
    if kind == "accelerator" and default == "gpu" and label.per != "total":
        return _board(axis.subject.subject_id, value) or default
    return default


def _board(subject_id: str, value: CellValue) -> str:
    """'superchip' where a board's figure stands under its name: twice a package's memory, or its power."""
    registry = load_registry()
    entry = registry.accelerator(subject_id)
    if entry is None or entry.form_factor != "Superchip" or value.metric not in ("memory_capacity", "power"):
        return ""
    try:
        canonical = to_canonical(value.value, value.unit, registry.metric(value.metric))
    except UnknownUnit:
        return ""
    if value.metric == "power":
        return "superchip" if canonical >= _BOARD_KW else ""
    return "superchip" if entry.memory_gb is not None and canonical > 1.5 * entry.memory_gb else ""


def _beside(ground: Ground, axis: Axis) -> str:
    """What stands in brackets beside a product's name: 'Liquid Cooled'."""
    match = re.search(r"\((?P<words>[A-Za-z][^()]{2,30})\)", axis.words)
    if match is None or match["words"] in axis.subject.name or ground.finder.find(match["words"], "GPU"):
        return ""
    return match["words"]
