"""A system description read into the columns of its row, with what was odd. All keys are kept in `raw_json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pipelines.frozen import frozen
from pipelines.model.mlperf import UNKNOWN, MlperfSystem
from pipelines.parse.mlperf.common.fields import Fields
from pipelines.parse.mlperf.common.jsontext import JsonText, Note
from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.problems import Reason


@frozen
class Description:
    """One system as its submitter describes it; texts are empty and numbers None where the description is silent.

    `row` knows neither its place nor its accelerator's id yet. `accelerators_basis` says what the total is from.
    """

    row: MlperfSystem
    division_raw: str = ""
    availability_raw: str = ""
    category: str = UNKNOWN
    accelerators_basis: str = ""
    system_notes: str = ""
    unknown_keys: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def is_readable(self) -> bool:
        """Whether the description's text could be read at all."""
        return all(reason is not Reason.SYSTEM_UNREADABLE for reason, _ in self.notes)


def unreadable(kind: RoundKind, data: bytes, read: JsonText, submitter: str = "") -> Description:
    """An empty description whose notes say why; its text is kept."""
    raw = data.decode("utf-8", "replace")
    return Description(MlperfSystem(round=kind.round, suite=kind.suite, submitter_raw=submitter, raw_json=raw),
                       notes=read.notes)  # fmt: skip


def system_row(kind: RoundKind, fields: Fields, whole: Mapping[str, Any], software: tuple[str, ...]) -> MlperfSystem:
    """The columns that all suites read alike; `whole` is the object as written, `software` its keys on software."""
    return MlperfSystem(
        round=kind.round,
        suite=kind.suite,
        submitter_raw=fields.text("submitter"),
        system_name=fields.text("system_name"),
        nodes=fields.count("number_of_nodes"),
        accelerators_per_node=fields.count("accelerators_per_node"),
        accelerator_raw=fields.text("accelerator_model_name"),
        accelerator_memory=fields.text("accelerator_memory_capacity"),
        accelerator_interconnect=fields.text("accelerator_interconnect"),
        accelerator_host_interconnect=fields.text("accelerator_host_interconnect"),
        host_processor=fields.text("host_processor_model_name"),
        host_processors_per_node=fields.optional_count("host_processors_per_node"),
        host_memory=fields.text("host_memory_capacity"),
        host_networking=fields.text("host_networking"),
        cooling=fields.text("cooling"),
        framework=fields.text("framework", "framework_name"),
        operating_system=fields.text("operating_system"),
        software_json=_dump({key: whole[key] for key in software if key in whole}),
        raw_json=_dump(whole),
    )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
