"""MLPerf Inference, as the reading of a round asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pipelines.model.mlperf import InferenceResult
from pipelines.parse.mlperf.common.place import SystemKey
from pipelines.parse.mlperf.common.rows import ResultRow, Suite, Systems
from pipelines.parse.mlperf.common.system import Description
from pipelines.parse.mlperf.inference.collect import Collector, Material
from pipelines.parse.mlperf.inference.layout import LARGEST_LOG, place_of
from pipelines.parse.mlperf.inference.result import result_row
from pipelines.parse.mlperf.inference.system import read_system
from pipelines.registry.mlperf import MlperfRules


def _describe(material: Material, key: SystemKey, data: bytes, rules: MlperfRules) -> Description:
    watts = material.design_watts.get(key)
    return read_system(data, material.kind, rules, division=key[0], design_power_watts=watts)


def _result_rows(material: Material, systems: Systems, rules: MlperfRules) -> Iterator[ResultRow[InferenceResult]]:
    for _, result in sorted(material.results.items()):
        yield result_row(material, result, systems.get(result.place.owner), rules)


INFERENCE: Final = Suite(
    row_type=InferenceResult,
    place_of=place_of,
    largest_member=LARGEST_LOG,
    collector=Collector,
    describe=_describe,
    result_rows=_result_rows,
    is_memory_named=True,  # v0.5 to v1.1
    are_idle_systems_counted=True,
)
