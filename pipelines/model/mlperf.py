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


@dataclass(frozen=True, slots=True)
class InferenceResult:
    """One submitted inference result: one benchmark in one scenario on one system.

    `result` is the official figure in `unit` (None when there is none, then `problem` says why). `unit` comes from
    benchmark, scenario and round, not from a label. `member_dir` and `member_paths` are paths inside the repository,
    without the archive's top folder.
    """

    round: str  # 'v5.1'
    suite: str  # 'inference'
    division: str  # 'closed', 'open' or 'network', from the path
    category: str  # 'datacenter', 'edge', 'datacenter,edge' (submitted to both) or 'unknown' (v0.5)
    submitter: str  # unified spelling
    submitter_raw: str
    submitter_dir: str
    system: str  # directory name of the system under results/
    system_name: str
    benchmark: str  # MLPerf's model with its accuracy target, 'llama2-70b-99.9'; 'unknown' where nothing says
    benchmark_dir: str  # the model's folder; differs from the benchmark in the open division
    accuracy_class: str  # '99', '99.9', '95' (percent of the reference) or ''
    scenario: str
    availability: str  # 'available', 'preview', 'rdi', 'unknown'
    availability_raw: str
    accelerator_raw: str
    accelerator: str  # registry id, 'none' for CPU-only systems, 'unknown' where no alias matches
    accelerators: int | None  # of the whole system
    accelerators_basis: str  # 'nodes x accelerators per node' or 'name' (systems whose nodes are not alike)
    nodes: int | None
    host_processor: str
    framework: str
    system_notes: str  # hardware notes as typed
    result: float | None
    unit: str  # 'tokens/s', 'samples/s', 'queries/s', 'tasks/s', 'ms', 's' or 'streams'
    percentile: float | None  # of a latency; None for rates and means
    result_summary: float | None  # the summary's figure in the same unit, two decimals for rates
    result_detail: float | None  # the detail log's figure in the same unit, six digits
    ttft_p99_ms: float | None  # time to first token
    tpot_p99_ms: float | None  # time per output token
    valid: bool | None  # what the log states
    accuracy: float | None  # the benchmark's leading metric
    accuracy_metric: str
    accuracy_target: float | None
    accuracy_met: bool | None  # all metrics of the benchmark that have a least value
    accuracy_raw: str
    has_power: bool
    power_w: float | None  # mean watts over the measured run
    energy_j: float | None  # joules per query or stream; latency scenarios only
    weight_type: str
    inferred: bool  # taken from a run in another scenario, by the checker's rules
    inferred_from: str
    n_runs: int
    result_id: str  # id of MLCommons' results table, '' where it is not published with the row
    from_organisers: tuple[str, ...]  # fields that the archive at hand lacks, taken from the organisers' rows
    member_dir: str
    member_paths: tuple[str, ...] = field(default=())
    system_path: str = ""
    problem: str = ""
