"""Rows that the MLPerf parsers give: one result, one system description.

Column order here is the column order of the exported files and of the warehouse tables.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """One submitted training result: one benchmark on one system, scored over its runs.

    `score_minutes` is the official time to train in minutes (None when the result has no score, then `problem` says
    why); for weak scaling (HPC) it is the time to train all `n_models` instances. `member_dir` and `member_paths` are
    paths inside the repository, without the archive's top folder.
    """

    round: str  # 'v5.0'
    suite: str  # 'training' or 'hpc'
    division: str  # 'closed' or 'open'; the publisher's own word is kept in division_raw
    division_raw: str
    submitter: str  # as the system description says it, unified spelling
    submitter_raw: str
    submitter_dir: str
    system: str  # directory name of the system under results/
    system_name: str
    benchmark: str  # canonical benchmark id
    benchmark_dir: str
    table: str  # 'strong' or 'weak'
    availability: str  # 'available on-premise', 'available cloud', 'preview', 'rdi', 'unknown'
    availability_raw: str
    accelerator_raw: str
    accelerator: str  # registry id, 'none' for CPU-only systems, 'unknown' where no alias matches
    accelerators: int  # packages (chips for TPU), nodes x accelerators per node
    nodes: int | None
    host_processor: str
    framework: str
    n_runs: int
    n_runs_required: int | None
    n_not_converged: int
    raw_minutes: float | None  # olympic mean (or median) before the scaling factor
    scaling_factor: float | None  # as committed in scaling.json; None where none is given
    score_minutes: float | None
    n_models: int | None  # weak scaling: models trained at the same time
    instance_scale: int | None  # weak scaling: accelerators of one instance
    energy_j: float | None
    global_batch_size: int | None
    first_run_at: dt.datetime | None  # UTC, earliest run_start
    member_dir: str
    member_paths: tuple[str, ...] = field(default=())
    system_path: str = ""
    problem: str = ""  # '; '-joined reasons, empty when all was as expected


@dataclass(frozen=True, slots=True)
class MlperfSystem:
    """One system description of a round, all keys kept in `raw_json`."""

    round: str
    suite: str
    submitter: str
    submitter_raw: str
    submitter_dir: str
    system: str
    system_name: str
    division: str
    availability: str
    accelerator_raw: str
    accelerator: str
    accelerators_per_node: int | None
    nodes: int | None
    accelerators: int | None
    accelerator_memory: str
    accelerator_interconnect: str
    accelerator_host_interconnect: str
    host_processor: str
    host_processors_per_node: int | None
    host_memory: str
    host_networking: str
    cooling: str
    framework: str
    operating_system: str
    software_json: str
    raw_json: str
    has_results: bool
    system_path: str
    problem: str = ""
