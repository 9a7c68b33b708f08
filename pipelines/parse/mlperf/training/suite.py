"""MLPerf Training and HPC, as the reading of a round asks for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from pipelines.model.mlperf import TrainingResult
from pipelines.parse.mlperf.common.place import SystemKey
from pipelines.parse.mlperf.common.rows import ResultRow, Suite, Systems
from pipelines.parse.mlperf.common.system import Description
from pipelines.parse.mlperf.training.collect import Collector, Material
from pipelines.parse.mlperf.training.layout import place_of
from pipelines.parse.mlperf.training.result import find_shared_runs, result_row
from pipelines.parse.mlperf.training.system import read_description
from pipelines.registry.mlperf import MlperfRules


def _describe(material: Material, key: SystemKey, data: bytes, rules: MlperfRules) -> Description:
    return read_description(data, material.kind, rules, org=material.orgs.get(key[1], ""))


def _result_rows(material: Material, systems: Systems, rules: MlperfRules) -> Iterator[ResultRow[TrainingResult]]:
    shared = find_shared_runs(material.results)
    for directory, result in sorted(material.results.items()):
        system = systems.get(result.place.owner)
        yield result_row(material.kind, result, system, rules, shared_with=shared.get(directory, ()))


TRAINING: Final = Suite(
    row_type=TrainingResult,
    place_of=place_of,
    largest_member=sys.maxsize,  # logs are read in pieces
    collector=Collector,
    describe=_describe,
    result_rows=_result_rows,
    is_memory_named=False,
    are_idle_systems_counted=False,
)
