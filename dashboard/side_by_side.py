"""Cells of different things in the lines of one table, and what falls to one accelerator of each. Pure.

A figure that does not say whether it is dense is never set beside one that does, and a limit never divides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.frozen import frozen
from warehouse.answers import claim_words, formats

Line = Mapping[str, Any]
# Lines that can be shared among accelerators, and the unit of the result.
PER_ACCELERATOR = {
    "Accelerator memory": "GB", "Memory bandwidth": "TB/s", "Power": "kW", "Compute, FP4": "PFLOP/s",
    "Compute, FP8": "PFLOP/s", "Compute, BF16 or FP16": "PFLOP/s",
}  # fmt: skip
# Which cell of an accelerator answers which line of a sheet.
METRICS = {
    "Accelerator memory": ("memory_capacity", ""), "Memory bandwidth": ("memory_bandwidth", ""), "Power": ("power", ""),
    "Scale-up bandwidth": ("scale_up_bandwidth", ""), "Scale-out bandwidth": ("scale_out_bandwidth", ""),
    "Compute, FP4": ("compute", "fp4"), "Compute, FP8": ("compute", "fp8"), "Compute, BF16 or FP16": ("compute", "16"),
    "Compute, FP64": ("compute", "fp64"), "Price": ("price", ""), "Announced": ("announced_on", ""),
    "Available": ("available_from", ""), "Accelerators": ("accelerator_count", ""),
}  # fmt: skip
HIDDEN = ("per", "precision", "memory_type", "bound", "approx")


@frozen
class Share:
    """What falls to one accelerator with its formula; or no value, and why where it is not that nothing is stated."""

    value: float | None
    formula: str = ""
    why: str = ""


def lines_of(
    sheets: Sequence[Line], cells: Mapping[str, Sequence[Line]], kinds: Mapping[str, str]
) -> dict[str, dict[str, Line]]:
    """The lines of each thing by title: of systems from their sheets, of others from their cells."""
    found: dict[str, dict[str, Line]] = {name: {} for name in kinds}
    for row in sheets:
        found[str(row["id"])][str(row["title"])] = {**row, "counted": counted(row["topic"])}
    for name, rows in cells.items():
        if found[name]:
            continue
        for title, (metric, precision) in METRICS.items():
            fitting = [row for row in rows if row["metric"] == metric and precision in str(row["qualifiers"])]
            if fitting:
                found[name][title] = {
                    **_best(fitting),
                    "counted": claim_words.counting_words(_best(fitting)["qualifiers"]),
                }
    return found


def _best(rows: Sequence[Line]) -> Line:
    """A value before a limit, dense before unstated before sparse, then the order given."""
    order = {"sparsity dense": 0, "sparsity sparse": 2}

    def rank(row: Line) -> tuple[bool, bool, int]:
        sparsity = next((place for word, place in order.items() if word in str(row["qualifiers"])), 1)
        return row["value"] is None and row["value_start"] is None, bool(row["bound"]), sparsity

    return min(rows, key=rank)


def counted(topic: str | None) -> str:
    """How a cell counts, in words, without what its line says already: '{per=rack, sparsity=dense}' gives 'dense'."""
    pairs = [pair.split("=", 1) for pair in str(topic or "").strip("{}").split(", ") if "=" in pair]
    return claim_words.counting_words(", ".join(f"{key} {value}" for key, value in pairs if key not in HIDDEN))


def per_accelerator(lines: Mapping[str, Line], title: str, count: int) -> Share:
    """A line's value shared among the accelerators of a thing."""
    line = lines.get(title)
    if line is None or line["claim_id"] is None:
        return Share(None)
    if line["value"] is None:
        return Share(None, why="disputed")
    if line["bound"] or line.get("state") == "limit":
        return Share(None, why="not comparable: a limit")
    if title.startswith("Compute") and "dense" not in str(line["counted"]):
        return Share(None, why="not comparable: sparsity not stated as dense")
    value = float(line["value"])
    if count == 1:
        return Share(value, "as stated")
    return Share(value / count, f"{formats.quantity(value, str(line['unit']))} / {count:,}")
