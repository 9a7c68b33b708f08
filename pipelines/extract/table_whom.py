"""Whom a figure of a table is about, and what a count counts: a whole for its parts, a maker for its money. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pipelines.extract.qualify import default_per
from pipelines.extract.subjects import Mention
from pipelines.extract.table_cells import CellValue
from pipelines.extract.table_frame import Axis
from pipelines.extract.table_ground import Ground
from pipelines.extract.table_labels import Label

WHOLES = frozenset({"accelerator_count", "cpu_count", "cluster_size"})
_OF_ORGANISATIONS = frozenset(
    {"capex", "revenue", "cluster_size", "units_shipped", "mtti", "deployed_on", "site_power"}
)
_OF_NETWORKS = frozenset({"scale_out_bandwidth", "power", "process_node", "transistor_count"})
_PARTS = frozenset({"accelerator", "product", "generation", "cpu"})
_HAS_GPU = re.compile(r"\b(?:GPU|HBM|device|accelerator|VRAM|GDDR|graphics|LPDDR)", re.IGNORECASE)
_TOTAL = re.compile(r"\b(?:total|aggregate|fast)\b", re.IGNORECASE)
_OF_CPU = re.compile(r"\bCPU\b", re.IGNORECASE)
_WORD = re.compile(r"\+?\s?[x×]?\s{0,2}(?P<word>[A-Za-z][\w-]*)")
_GENERAL = re.compile(
    r"(?:[\w-]+ ){0,3}?(?:GPU|TPU|NPU|XPU|accelerator|chip|device|package|OAM|GCD|die|unit|total|per)s?\b"
    r"|(?:or|to|and)\b",
    re.IGNORECASE,
)


def whom(ground: Ground, axis: Axis, value: CellValue, label: Label) -> tuple[Axis, dict[str, str]] | None:
    """The subject of a figure with the qualifiers that follow from it; None where it can be nobody's."""
    kind, metric = axis.subject.kind, value.metric
    if metric in WHOLES:
        return _of_a_whole(ground, axis, metric, label)
    if kind == "cpu" or (kind == "organisation" and metric not in _OF_ORGANISATIONS):
        return None
    if (kind == "network") != (metric == "port_count") and not (kind == "network" and metric in _OF_NETWORKS):
        return None
    if metric.startswith("memory"):
        return _of_memory(axis, value, label, is_theirs=ground.frame.has_accelerators)
    return axis, {}


def _of_a_whole(ground: Ground, axis: Axis, metric: str, label: Label) -> tuple[Axis, dict[str, str]] | None:
    """A count of parts: of the machine in the row or column, else of the one that the words above name."""
    kind = axis.subject.kind
    if label.per in ("pod", "rack", "domain", "node", "system"):
        return axis, {"per": label.per}
    if "superchip" in axis.subject.name.casefold():
        return axis, {"per": "superchip"}
    if metric == "cluster_size" and kind == "site":
        return axis, {"per": "system"}
    if kind in _PARTS and axis.cell is not None:
        whole = _whole(ground)
        name = "node_type" if metric == "cpu_count" else "accelerator"
        return None if whole is None else (whole, {name: axis.subject.name, "per": "system"})
    is_organisation = kind == "organisation"
    return None if kind == "network" or (is_organisation and metric != "cluster_size") else (axis, {})


def _of_memory(axis: Axis, value: CellValue, label: Label, *, is_theirs: bool) -> tuple[Axis, dict[str, str]] | None:
    """The accelerators' memory: of a machine only where words say so; a CPU's only where the two share a board."""
    words = f"{label.text} {value.qualifiers.get('memory_type', '')}"
    is_capacity = value.metric == "memory_capacity"
    is_rack = default_per(axis.subject) == "rack" and _TOTAL.search(label.text) is not None
    is_said = is_theirs or is_rack or _HAS_GPU.search(words) is not None
    if is_capacity and axis.subject.kind in ("site", "system") and not is_said:
        return None
    if _OF_CPU.search(label.text) is not None:
        return (axis, {"memory_kind": "CPU"}) if is_capacity and "LPDDR" in words else None
    return axis, {}


def _whole(ground: Ground) -> Axis | None:
    """The machine that the words above the table name."""
    around = ground.frame.around
    for zone in around.zones:
        hits = [hit for hit in ground.finder.find(zone, around.title) if hit.kind in ("site", "system")]
        if len({hit.subject_id for hit in hits}) == 1:
            hit = hits[0]
            return Axis(Mention(hit.start, hit.end, hit.name, hit.kind, hit.subject_id, hit.vendor_id), None, "")
    return None


def counted(ground: Ground, text: str, value: CellValue) -> Mapping[str, str] | None:
    """The product that a count names ('8x H100'); None where it counts something that is no accelerator."""
    if value.metric not in ("accelerator_count", "cluster_size"):
        return {}
    after = text[value.digits.end :]
    word = _WORD.match(after)
    if word is None:
        return {}
    at = word.start("word")
    hits = ground.finder.find(after, ground.frame.around.title or "accelerators")
    named = next((hit for hit in hits if hit.start <= at + 12 and hit.kind == "accelerator"), None)
    if named is not None and "\n" not in after[: named.start]:
        return {"accelerator": named.name}
    return {} if _GENERAL.match(after[at:]) is not None else None
