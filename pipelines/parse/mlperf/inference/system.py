"""A system description of an inference round, read into typed fields with what was odd. All keys stay in `raw_json`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from pipelines.parse.mlperf.fields import as_count
from pipelines.parse.mlperf.inference import rules
from pipelines.parse.mlperf.jsontext import Note, read_object
from pipelines.problems import Reason

_REQUIRED: Final = ("submitter", "status", "system_name", "number_of_nodes", "accelerators_per_node",
                    "accelerator_model_name", "host_processor_model_name")  # fmt: skip
_ABSENT: Final = frozenset({"", "-", "n/a", "none", "na"})
_COUNT_IN_NAME: Final = re.compile(r"\(x(\d+)\)")
_NODES_IN_NAME: Final = re.compile(r"(\d+) Nodes?:[^,]*?x(\d+)", re.IGNORECASE)
_SOFTWARE_KEYS: Final = ("framework", "operating_system", "other_software_stack", "sw_notes", "boot_firmware_version",
                         "filesystem", "management_firmware_version", "nics_enabled_firmware")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Description:
    """One system as its submitter describes it. `accelerators` is the total; `total_basis` says what it is from."""

    submitter: str = ""
    division_raw: str = ""
    category: str = rules.UNKNOWN
    category_raw: str = ""
    availability: str = rules.UNKNOWN
    availability_raw: str = ""
    system_name: str = ""
    nodes: int | None = None
    accelerators_per_node: int | None = None
    accelerators: int | None = None
    total_basis: str = ""
    accelerator_raw: str = ""
    accelerator_memory: str = ""
    accelerator_interconnect: str = ""
    accelerator_host_interconnect: str = ""
    host_processor: str = ""
    host_processors_per_node: int | None = None
    host_memory: str = ""
    host_networking: str = ""
    cooling: str = ""
    framework: str = ""
    operating_system: str = ""
    notes_raw: str = ""
    software_json: str = "{}"
    raw_json: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Whether the description's text could be read at all."""
        return all(reason is not Reason.SYSTEM_UNREADABLE for reason, _ in self.notes)


def read_system(data: bytes, *, design_power_watts: float | None = None) -> Description:
    """A description from its bytes; what cannot be read gives an empty one whose notes say so."""
    read = read_object(data)
    if read.value is None:
        return Description(raw_json=data.decode("utf-8", "replace"), notes=read.notes)
    whole = dict(read.value)
    if design_power_watts is not None:
        whole.setdefault("design_power_watts", design_power_watts)
    notes = [*read.notes, *((Reason.FIELD_MISSING, f"no {key!r}") for key in _REQUIRED if key not in whole)]
    return _described(whole, notes)


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


def _described(whole: dict[str, Any], notes: list[Note]) -> Description:
    def text(key: str) -> str:
        value = whole.get(key)
        if value is None:
            return ""
        return " ".join((value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)).split())

    accelerator_raw, status, kind = text("accelerator_model_name"), text("status"), text("system_type")
    nodes = _count(whole, "number_of_nodes", notes)
    per_node = _count(whole, "accelerators_per_node", notes)
    if per_node is None and accelerator_raw.lower() in _ABSENT:
        per_node = 0
    total, basis = total_accelerators(accelerator_raw, nodes, per_node)
    availability = rules.availability_of(status)
    if availability == rules.UNKNOWN and status:
        notes.append((Reason.FIELD_UNREADABLE, f"'status' is {status!r}, which no table knows"))
    return Description(
        submitter=text("submitter"),
        division_raw=text("division"),
        category=rules.category_of(kind),
        category_raw=kind,
        availability=availability,
        availability_raw=status,
        system_name=text("system_name"),
        nodes=nodes,
        accelerators_per_node=per_node,
        accelerators=total,
        total_basis=basis,
        accelerator_raw=accelerator_raw,
        accelerator_memory=text("accelerator_memory_capacity"),
        accelerator_interconnect=text("accelerator_interconnect"),
        accelerator_host_interconnect=text("accelerator_host_interconnect"),
        host_processor=text("host_processor_model_name"),
        host_processors_per_node=as_count(whole.get("host_processors_per_node")),
        host_memory=text("host_memory_capacity"),
        host_networking=text("host_networking"),
        cooling=text("cooling"),
        framework=text("framework"),
        operating_system=text("operating_system"),
        notes_raw=text("hw_notes"),
        software_json=json.dumps({key: whole[key] for key in _SOFTWARE_KEYS if key in whole}, ensure_ascii=False),
        raw_json=json.dumps(whole, ensure_ascii=False),
        notes=tuple(notes),
    )


def _count(whole: dict[str, Any], key: str, notes: list[Note]) -> int | None:
    value = whole.get(key)
    count = as_count(value)
    if count is None and value is not None and str(value).strip().lower() not in _ABSENT:
        notes.append((Reason.FIELD_UNREADABLE, f"{key!r} is {value!r}, not a whole number"))
    return count
