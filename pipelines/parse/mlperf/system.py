"""A system description as submitters write it, in three forms, read into typed fields with what was odd.

Forms: the flat object since v0.6, v0.5's `entry.json` with `nodes` as a list, and v0.6's lines with an `entry`. All
keys are kept in `raw_json`; a key that no form knows is named, so that nothing is dropped unseen.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from pipelines.parse.mlperf import rules
from pipelines.parse.mlperf.fields import Fields, as_count
from pipelines.parse.mlperf.jsontext import Note, read_object
from pipelines.problems import Reason

_SOFTWARE_KEYS: Final = (
    "framework", "framework_name", "other_software_stack", "other_software", "operating_system", "os", "sw_notes",
    "libraries", "ml_libraries", "math_libraries", "compilers", "runtime", "python_version", "accelerator_driver",
    "filesystem",
)  # fmt: skip
_KNOWN_KEYS: Final = frozenset((
    *_SOFTWARE_KEYS, "submitter", "division", "status", "system_name", "system_type", "system_type_detail",
    "number_of_nodes", "nodes", "org", "platform", "entry", "hardware", "notes", "interconnect", "power",
    "host_processors_per_node", "host_processor_model_name", "host_processor_core_count",
    "host_processor_vcpu_count", "host_processor_frequency", "host_processor_caches",
    "host_processor_interconnect", "host_memory_capacity", "host_memory_configuration", "host_storage_type",
    "host_storage_capacity", "host_networking", "host_networking_topology", "host_network_card_count",
    "accelerators_per_node", "accelerator_model_name", "accelerator_host_interconnect", "accelerator_frequency",
    "accelerator_on-chip_memories", "accelerator_memory_configuration", "accelerator_memory_capacity",
    "accelerator_interconnect", "accelerator_interconnect_topology", "accelerator_core_count", "cooling", "hw_notes",
    "poc_name", "poc_email",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Description:
    """One system as its submitter describes it; texts are empty and numbers None where the description is silent."""

    submitter: str = ""
    division: str = rules.UNKNOWN
    division_raw: str = ""
    availability: str = rules.UNKNOWN
    availability_raw: str = ""
    system_name: str = ""
    nodes: int | None = None
    accelerators_per_node: int | None = None
    accelerators: int | None = None
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
    software_json: str = "{}"
    raw_json: str = ""
    unknown_keys: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


def read_description(data: bytes, *, org: str = "") -> Description:
    """A description from its bytes; `org` is v0.5's submitter, which stands in another file.

    A text that cannot be read gives an empty description whose notes say so; its text is kept in `raw_json`.
    """
    read = read_object(data)
    if read.value is None:
        return Description(submitter=org, raw_json=data.decode("utf-8", "replace"), notes=read.notes)
    notes = list(read.notes)
    flat = _flattened(read.value)
    if org:
        flat.setdefault("submitter", org)
    fields = Fields(flat, notes)
    unknown = tuple(sorted(key for key in read.value if fields.read_as.get(key, key) not in _KNOWN_KEYS))
    return _described(fields, read.value, unknown)


def _described(fields: Fields, whole: dict[str, Any], unknown: tuple[str, ...]) -> Description:
    nodes, per_node = fields.count("number_of_nodes"), fields.count("accelerators_per_node")
    total = fields.optional_count("_accelerators")
    if total is None and nodes is not None and per_node is not None:
        total = nodes * per_node
    division, status = fields.text("division"), fields.text("status")
    return Description(
        submitter=" ".join(fields.text("submitter").split()),
        division=fields.word("division", division, rules.division_of(division)),
        division_raw=division,
        availability=fields.word("status", status, rules.availability_of(status)),
        availability_raw=status,
        system_name=fields.text("system_name"),
        nodes=nodes,
        accelerators_per_node=per_node,
        accelerators=total,
        accelerator_raw=fields.text("accelerator_model_name"),
        accelerator_memory=fields.optional_text("accelerator_memory_capacity"),
        accelerator_interconnect=fields.optional_text("accelerator_interconnect"),
        accelerator_host_interconnect=fields.optional_text("accelerator_host_interconnect"),
        host_processor=fields.text("host_processor_model_name"),
        host_processors_per_node=fields.optional_count("host_processors_per_node"),
        host_memory=fields.optional_text("host_memory_capacity"),
        host_networking=fields.optional_text("host_networking"),
        cooling=fields.optional_text("cooling"),
        framework=fields.optional_text("framework") or fields.optional_text("framework_name"),
        operating_system=fields.optional_text("operating_system"),
        software_json=_dump({key: whole[key] for key in _SOFTWARE_KEYS if key in whole}),
        raw_json=_dump(whole),
        unknown_keys=unknown,
        notes=tuple(fields.notes),
    )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _flattened(value: dict[str, Any]) -> dict[str, Any]:
    """The object in the keys of the flat form; what the flat form holds already stays."""
    flat = dict(value)
    entry = flat.get("entry")
    if isinstance(entry, dict):  # v0.6 NVIDIA: what was entry.json, below the submission's own keys
        flat = {**entry, **flat}
    for old, new in (("org", "submitter"), ("platform", "system_name"), ("hardware", "system_name"),
                     ("os", "operating_system"), ("interconnect", "host_networking")):  # fmt: skip
        if old in flat and new not in flat:
            flat[new] = flat[old]
    nodes = flat.get("nodes")
    groups = [nodes] if isinstance(nodes, dict) else nodes
    if isinstance(groups, list) and groups and all(isinstance(group, dict) for group in groups):
        _add_nodes(flat, groups)
    return flat


def _add_nodes(flat: dict[str, Any], groups: list[dict[str, Any]]) -> None:
    """v0.5's groups of equal nodes: counts are summed, texts joined; accelerators per node where all are equal."""
    counts = [(as_count(group.get("num_nodes")), as_count(group.get("num_accelerators"))) for group in groups]
    if all(nodes is not None for nodes, _ in counts):
        flat.setdefault("number_of_nodes", sum(nodes or 0 for nodes, _ in counts))
    if all(nodes is not None and each is not None for nodes, each in counts):
        flat["_accelerators"] = sum((nodes or 0) * (each or 0) for nodes, each in counts)
    if len({each for _, each in counts}) == 1 and counts[0][1] is not None:
        flat.setdefault("accelerators_per_node", counts[0][1])
    for old, new in (("accelerator", "accelerator_model_name"), ("cpu", "host_processor_model_name"),
                     ("sys_mem_size", "host_memory_capacity"), ("network_card", "host_networking"),
                     ("cpu_accel_interconnect", "accelerator_host_interconnect")):  # fmt: skip
        texts = list(dict.fromkeys(str(group[old]) for group in groups if group.get(old) not in (None, "")))
        if new not in flat and (texts or old == "accelerator"):  # no accelerator named is a CPU-only system
            flat[new] = " + ".join(texts)


def note_reasons(notes: tuple[Note, ...]) -> str:
    """The notes' reasons, each once, as the `problem` of a row."""
    return "; ".join(dict.fromkeys(reason.value for reason, _ in notes))


def is_readable(description: Description) -> bool:
    """Whether the description's text could be read at all."""
    return all(reason is not Reason.SYSTEM_UNREADABLE for reason, _ in description.notes)
