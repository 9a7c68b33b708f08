"""What the official rules of MLPerf Training and HPC ask of a run and a result.

Sources: the compliance checker's rule sets and the summarizer's `config.yaml` of MLCommons' logging repository
(4.1.68). What is particular to a benchmark stands in the registry; one that it does not know is reported, not guessed.
"""

from __future__ import annotations

from pipelines.frozen import frozen
from pipelines.model.mlperf import UNKNOWN
from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.registry.mlperf import MlperfRules


@frozen
class Benchmark:
    """A benchmark as its round calls it; `runs_required` is None for one that the registry does not know.

    `runs_trimmed` are dropped at each end of the ordered runs, and as many may fail.
    """

    name: str = UNKNOWN
    runs_required: int | None = None
    runs_trimmed: int = 1


def benchmark_of(rules: MlperfRules, kind: RoundKind, benchmark_dir: str) -> Benchmark:
    """The benchmark of a folder: by the folder's name, unless that is another spelling (`mask`, v0.6)."""
    entry, named = next(rules.named(kind.suite, kind.round, benchmark_dir), (None, None))
    if entry is None or named is None:
        return Benchmark(benchmark_dir)
    return Benchmark(entry.id if named.is_spelling else benchmark_dir, entry.runs_required, entry.runs_trimmed)


def init_limit_ms(kind: RoundKind, division: str) -> float | None:
    """How long initialisation may take: 30 minutes; 20 in v0.7; 240 for open training runs since v2.0.

    None where MLCommons' tool has no rule set (v0.5, v0.6 and HPC v0.7). `division` is the log's own word.
    """
    if kind.version < (0, 7) or (kind.suite == "hpc" and kind.version < (1, 0)):
        return None
    minutes = 30
    if kind.version == (0, 7):
        minutes = 20
    elif kind.suite == "training" and kind.version >= (2, 0) and division == "open":
        minutes = 240
    return minutes * 60_000.0
