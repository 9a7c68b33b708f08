"""The published rules of MLPerf Training and HPC as tables: runs, trimming, limits, names, availability.

Sources: `benchmark_meta.py`, the compliance checker's rule sets and the summarizer's `config.yaml` of MLCommons'
logging repository (4.1.68). A benchmark or word that stands in no table is reported, never guessed.
"""

from __future__ import annotations

from typing import Final

from pipelines.parse.mlperf.kind import RoundKind

RUNS_REQUIRED: Final[dict[str, dict[str, int]]] = {
    "training": {
        "bert": 10, "deepseekv3_671b": 3, "dlrm": 5, "dlrm_dcnv2": 10, "dlrmv4": 10, "flux1": 10, "gnmt": 10, "gnn": 10,
        "gpt3": 3, "gpt_oss_20b": 10, "llama2_70b_lora": 10, "llama31_405b": 3, "llama31_8b": 10, "maskrcnn": 5,
        "minigo": 10, "ncf": 10, "qwen35_397b_grpo": 3, "resnet": 5, "retinanet": 5, "rgat": 10, "rnnt": 10, "ssd": 5,
        "stable_diffusion": 10, "transformer": 10, "unet3d": 40,
    },
    "hpc": {"cosmoflow": 10, "deepcam": 5, "oc20": 5, "openfold": 10},
}  # fmt: skip

# The same benchmark under another folder name (v0.6 Google).
_BENCHMARK_ALIASES: Final = {"mask": "maskrcnn"}

# One model under two names: (name, first round with this meaning) -> the name that later rounds use.
_FAMILIES: Final = {"ssd": ((2, 0), "retinanet"), "gnn": ((4, 0), "rgat")}

_AVAILABILITY: Final = {
    "available on-premise": "available on-premise",
    "available on-prem": "available on-premise",
    "available on premise": "available on-premise",
    "available onprem": "available on-premise",
    "available": "available on-premise",
    "onprem": "available on-premise",
    "on-prem": "available on-premise",
    "on-premise": "available on-premise",
    "available cloud": "available cloud",
    "available in cloud": "available cloud",
    "cloud": "available cloud",
    "preview": "preview",
    "research, development, or internal (rdi)": "rdi",
    "research, development, or internal": "rdi",
    "rdi": "rdi",
    "research": "rdi",
    "development": "rdi",
    "internal": "rdi",
}
_DIVISIONS: Final = {"closed": "closed", "close": "closed", "open": "open"}

UNKNOWN: Final = "unknown"


def benchmark_of(benchmark_dir: str) -> str:
    """The benchmark's name for a folder's name."""
    return _BENCHMARK_ALIASES.get(benchmark_dir, benchmark_dir)


def benchmark_family(kind: RoundKind, benchmark: str) -> str:
    """One name for one model across rounds: 'ssd' is RetinaNet since v2.0, 'gnn' of v4.0 and v4.1 is R-GAT."""
    since, family = _FAMILIES.get(benchmark, ((0, 0), benchmark))
    return family if kind.version >= since else benchmark


def runs_required(suite: str, benchmark: str) -> int | None:
    """How many runs a result needs, or None for a benchmark that is not in the table."""
    return RUNS_REQUIRED.get(suite, {}).get(benchmark)


def runs_trimmed(benchmark: str) -> int:
    """How many runs are dropped at each end, and how many may fail: four for 3D U-Net, else one."""
    return 4 if benchmark == "unet3d" else 1


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


def availability_of(status: str) -> str:
    """The official category for a submitter's word, or 'unknown'."""
    return _AVAILABILITY.get(" ".join(status.lower().split()), UNKNOWN)


def division_of(division: str) -> str:
    """'closed' or 'open' for a submitter's word, or 'unknown'."""
    return _DIVISIONS.get(division.strip().lower(), UNKNOWN)
