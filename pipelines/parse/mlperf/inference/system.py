"""System descriptions of inference rounds: one flat form, whose accelerators may stand in the name."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.parse.mlperf.common.system import ABSENT, Description, Fields, read_object, system_row, unreadable
from pipelines.parse.mlperf.inference.rules import category_of
from pipelines.registry.mlperf import MlperfRules

_REQUIRED: Final = ("submitter", "status", "system_name", "number_of_nodes", "accelerators_per_node",
                    "accelerator_model_name", "host_processor_model_name")  # fmt: skip
_COUNT_IN_NAME: Final = re.compile(r"\(x(\d+)\)")
_NODES_IN_NAME: Final = re.compile(r"(\d+) Nodes?:[^,]*?x(\d+)", re.IGNORECASE)
_SOFTWARE_KEYS: Final = ("framework", "operating_system", "other_software_stack", "sw_notes", "boot_firmware_version",
                         "filesystem", "management_firmware_version", "nics_enabled_firmware")  # fmt: skip


def read_system(
    data: bytes, kind: RoundKind, rules: MlperfRules, *, division: str = "", design_power_watts: float | None = None
) -> Description:
    """A description from its bytes; what cannot be read gives an empty one whose notes say so."""
    read = read_object(data)
    if read.value is None:
        return unreadable(kind, data, read)
    whole = dict(read.value)
    if design_power_watts is not None:
        whole.setdefault("design_power_watts", design_power_watts)
    fields = Fields(whole, _REQUIRED, read.notes, misspelt=False)
    row = system_row(kind, fields, whole, _SOFTWARE_KEYS)
    status = fields.text("status")
    availability = fields.word("status", status, rules.word(kind.suite, "availability", status))
    described = Description(
        replace(row, division=division, availability=availability),
        division_raw=fields.text("division"),
        availability_raw=status,
        category=category_of(fields.text("system_type")),
        system_notes=fields.text("hw_notes"),
        notes=tuple(fields.notes),
    )
    return with_total(described)


def with_total(described: Description) -> Description:
    """The description with the accelerators of the whole system; a node without a name for any has none."""
    row = described.row
    per_node = row.accelerators_per_node
    if per_node is None and row.accelerator_raw.lower() in ABSENT:
        per_node = 0
    total, basis = total_accelerators(row.accelerator_raw, row.nodes, per_node)
    return replace(
        described, row=replace(row, accelerators_per_node=per_node, accelerators=total), accelerators_basis=basis
    )


def total_accelerators(name: str, nodes: int | None, per_node: int | None) -> tuple[int | None, str]:
    """How many accelerators a system has, and what says so: its name where the nodes are not alike, else the product.

    '… (x87)' on 11 nodes of up to 8 is 87, where the official 'Total Accelerators' says 88; '2 Nodes: …x8, 4 Nodes:
    …x4' is 32.
    """
    groups = _NODES_IN_NAME.findall(name)
    if groups:
        return sum(int(count) * int(each) for count, each in groups), "name"
    product = None if nodes is None or per_node is None else nodes * per_node
    named = _COUNT_IN_NAME.search(name)
    if named is not None and product is not None and nodes is not None and per_node is not None:
        count = int(named[1])
        if (nodes - 1) * per_node < count < product:
            return count, "name"
    return product, "" if product is None else "nodes x accelerators per node"


def design_power(data: bytes) -> float | None:
    """`design_power_watts` of a `<system>_power.yaml`, or None."""
    found = re.search(rb"^\s*design_power_watts\s*:\s*['\"]?([\d.]+)", data, re.MULTILINE)
    try:
        return None if found is None else float(found[1])
    except ValueError:
        return None
