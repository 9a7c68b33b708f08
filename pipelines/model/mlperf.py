"""Rows that the MLPerf parsers give: one result of a suite, one system description.

What the suites share is declared once, on `MlperfRow` and `MlperfResult`. Paths are inside the repository, without the
archive's top folder.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from pipelines.frozen import frozen

UNKNOWN = "unknown"


@frozen(kw_only=True)
class MlperfRow:
    """What a system description says and every row of a round repeats."""

    round: str  # 'v5.0'
    suite: str  # 'training', 'hpc' or 'inference'
    division: str = UNKNOWN  # 'closed', 'open' or 'network'
    submitter: str = ""  # unified spelling
    submitter_raw: str = ""  # as the system description says it
    submitter_dir: str = ""
    system: str = ""  # folder name of the system under results/
    system_name: str = ""
    availability: str = UNKNOWN  # 'available', 'available on-premise', 'available cloud', 'preview', 'rdi'
    accelerator_raw: str = ""
    accelerator: str = UNKNOWN  # registry id, 'none' for CPU-only systems, 'unknown' where no alias matches
    accelerators: int | None = None  # packages (chips for TPU) of the whole system
    nodes: int | None = None
    host_processor: str = ""
    framework: str = ""
    system_path: str = ""
    problem: str = ""  # '; '-joined reasons, empty when all was as expected

    @property
    def submitter_named(self) -> str:
        """The name to unify over all rounds: in inference the folder's, for descriptions are often a partner's copy."""
        return self.submitter_dir if self.suite == "inference" else self.submitter_raw or self.submitter_dir


@frozen(kw_only=True)
class MlperfSystem(MlperfRow):
    """One system description of a round, all keys kept in `raw_json`."""

    accelerators_per_node: int | None = None
    accelerator_memory: str = ""
    accelerator_interconnect: str = ""
    accelerator_host_interconnect: str = ""
    host_processors_per_node: int | None = None
    host_memory: str = ""
    host_networking: str = ""
    cooling: str = ""
    operating_system: str = ""
    software_json: str = "{}"
    raw_json: str = ""
    has_results: bool = False


@frozen(kw_only=True)
class MlperfResult(MlperfRow):
    """What a result of any suite says. `figure` is the official one; None where there is none, `problem` says why."""

    benchmark: str = UNKNOWN
    benchmark_dir: str = ""
    availability_raw: str = ""
    n_runs: int = 0
    energy_j: float | None = None
    member_dir: str = ""
    member_paths: tuple[str, ...] = ()

    @property
    def figure(self) -> float | None:
        """The official figure in the row's own unit."""
        raise NotImplementedError


@frozen(kw_only=True)
class TrainingResult(MlperfResult):
    """One submitted training or HPC result: one benchmark on one system, scored over its runs.

    `score_minutes` is the official time to train in minutes; for weak scaling (HPC) it is the time to train all
    `n_models` instances.
    """

    accelerators: int = 0  # nodes x accelerators per node
    division_raw: str = ""
    table: str = "strong"  # or 'weak'
    n_runs_required: int | None = None
    n_not_converged: int = 0
    raw_minutes: float | None = None  # olympic mean (or median) before the scaling factor
    scaling_factor: float | None = None  # as committed in scaling.json; None where none is given
    score_minutes: float | None = None
    n_models: int | None = None  # weak scaling: models trained at the same time
    instance_scale: int | None = None  # weak scaling: accelerators of one instance
    global_batch_size: int | None = None
    first_run_at: dt.datetime | None = None  # UTC, earliest run_start

    @property
    def figure(self) -> float | None:
        """Minutes to train."""
        return self.score_minutes


@frozen(kw_only=True)
class InferenceResult(MlperfResult):
    """One submitted inference result: one benchmark in one scenario on one system.

    `benchmark` is MLPerf's model with its accuracy target ('llama2-70b-99.9'); `benchmark_dir`, the model's folder,
    differs from it in the open division. `result` is the official figure in `unit`, which comes from benchmark,
    scenario and round, not from a label. `energy_j` are joules per query or stream, in latency scenarios only.
    """

    category: str = UNKNOWN  # 'datacenter', 'edge', 'datacenter,edge' (submitted to both); unknown in v0.5
    accuracy_class: str = ""  # '99', '99.9', '95' (percent of the reference) or ''
    scenario: str = UNKNOWN
    accelerators_basis: str = ""  # 'nodes x accelerators per node' or 'name' (systems whose nodes are not alike)
    system_notes: str = ""  # hardware notes as typed
    result: float | None = None
    unit: str = ""  # 'tokens/s', 'samples/s', 'queries/s', 'tasks/s', 'ms', 's' or 'streams'
    percentile: float | None = None  # of a latency; None for rates and means
    result_summary: float | None = None  # the summary's figure in the same unit, two decimals for rates
    result_detail: float | None = None  # the detail log's figure in the same unit, six digits
    ttft_p99_ms: float | None = None  # time to first token
    tpot_p99_ms: float | None = None  # time per output token
    valid: bool | None = None  # what the log states
    accuracy: float | None = None  # the benchmark's leading metric
    accuracy_metric: str = ""
    accuracy_target: float | None = None
    accuracy_met: bool | None = None  # all metrics of the benchmark that have a least value
    accuracy_raw: str = ""
    has_power: bool = False
    power_w: float | None = None  # mean watts over the measured run
    weight_type: str = ""
    inferred: bool = False  # taken from a run in another scenario, by the checker's rules
    inferred_from: str = ""
    result_id: str = ""  # id of MLCommons' results table, '' where it is not published with the row
    from_organisers: tuple[str, ...] = ()  # fields that the archive at hand lacks, taken from the organisers' rows

    @property
    def figure(self) -> float | None:
        """The result in its unit."""
        return self.result


# The tables of the committed facts and of the warehouse; in the lake each is a folder below `mlperf/`.
TABLES: Final[dict[str, type[MlperfRow]]] = {
    "mlperf_training": TrainingResult,
    "mlperf_inference": InferenceResult,
    "mlperf_systems": MlperfSystem,
}


def lake_folder(table: str) -> str:
    """Where the lake keeps a table: 'mlperf/training' for mlperf_training, any other under its own name."""
    return table.replace("_", "/", 1) if table in TABLES else table
