"""System descriptions of training and HPC rounds, in three forms.

Forms: the flat object since v0.6, v0.5's `entry.json` with `nodes` as a list, and v0.6's lines with an `entry`. A key
that no form knows is named, so that nothing is dropped unseen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.parse.mlperf.common.system import Description, Fields, as_count, read_object, system_row, unreadable
from pipelines.registry.mlperf import MlperfRules

_REQUIRED: Final = (
    "submitter", "division", "status", "system_name", "number_of_nodes", "accelerators_per_node",
    "accelerator_model_name", "host_processor_model_name",
)  # fmt: skip
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


def read_description(data: bytes, kind: RoundKind, rules: MlperfRules, *, org: str = "") -> Description:
    """A description from its bytes; `org` is v0.5's submitter, which stands in another file.

    A text that cannot be read gives an empty description whose notes say so; its text is kept in `raw_json`.
    """
    read = read_object(data)
    if read.value is None:
        return unreadable(kind, data, read, submitter=org)
    flat = _flattened(read.value)
    if org:
        flat.setdefault("submitter", org)
    fields = Fields(flat, _REQUIRED, read.notes, misspelt=True)
    row = system_row(kind, fields, read.value, _SOFTWARE_KEYS)
    total = fields.optional_count("_accelerators")
    if total is None and row.nodes is not None and row.accelerators_per_node is not None:
        total = row.nodes * row.accelerators_per_node
    division, status = fields.text("division"), fields.text("status")
    row = replace(
        row,
        accelerators=total,
        division=fields.word("division", division, rules.word(kind.suite, "division", division)),
        availability=fields.word("status", status, rules.word(kind.suite, "availability", status)),
    )
    return Description(
        row,
        division_raw=division,
        availability_raw=status,
        unknown_keys=tuple(sorted(key for key in read.value if fields.read_as.get(key, key) not in _KNOWN_KEYS)),
        notes=tuple(fields.notes),
    )


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
