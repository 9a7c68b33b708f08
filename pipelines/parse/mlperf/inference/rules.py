"""The published rules of MLPerf Inference as tables: benchmark names, units, which figure is the official one.

Sources: `submission_checker` of MLCommons' inference repository (tags v2.0, v4.0; c7db1c3f, e20506b2, b66003e1) and its
`generate_final_report.py`. Units are derived here: the labels in the official files are wrong in places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pipelines.parse.mlperf.inference.targets import TARGETS

Version = tuple[int, int]

SCENARIOS: Final = {
    "offline": "Offline",
    "server": "Server",
    "singlestream": "SingleStream",
    "multistream": "MultiStream",
    "interactive": "Interactive",
}
UNKNOWN: Final = "unknown"

SAMPLES, QUERIES, TOKENS, TASKS = "samples/s", "queries/s", "tokens/s", "tasks/s"
MILLISECONDS, SECONDS, STREAMS = "ms", "s", "streams"
THROUGHPUT: Final = frozenset({SAMPLES, QUERIES, TOKENS, TASKS, STREAMS})

_SPELLINGS: Final = {
    "resnet50": "resnet", "mobilenet": "resnet", "ssd-mobilenet": "ssd-small", "llama3_1-405b": "llama3.1-405b",
    "llama3_1-8b": "llama3.1-8b", "llama3_1-8b-edge": "llama3.1-8b-edge", "text_to_video": "wan-2.2-t2v-a14b",
}  # fmt: skip
# MLCommons' report names some benchmarks by their task; these are the names of the folders.
REPORT_NAMES: Final = {"VLM": "qwen3-vl-235b-a22b", "text_to_video": "wan-2.2-t2v-a14b", "agentic edge": "qwen3.6-27b"}

# Rounds from which a benchmark's rate is counted in tokens; (benchmark without its target) -> first round.
_TOKENS_SINCE: Final[dict[str, Version]] = {
    "llama2-70b": (4, 0), "gptj": (4, 1), "mixtral-8x7b": (4, 1), "llama2-70b-interactive": (5, 0),
    "llama3.1-405b": (5, 0), "llama3.1-8b": (5, 1), "deepseek-r1": (5, 1), "gpt-oss-120b": (6, 0),
}  # fmt: skip
_OFFLINE_TOKENS_SINCE: Final[dict[str, Version]] = {"whisper": (5, 1), "llama3.1-8b-edge": (5, 1)}

_AVAILABILITY: Final = {
    "available": "available",
    "on-premise": "available",
    "available on-premise": "available",
    "preview": "preview",
    "rdi": "rdi",
    "rdo": "rdi",
    "research, development, or internal": "rdi",
    "research, development, internal": "rdi",
}
_CATEGORIES: Final = ("datacenter", "edge")

_SSD_SMALL_WORDS: Final = ("ssdlite", "ssd-inception", "ssd-mobilenet", "ssd_mobilenet", "ssd-resnet50", "ssd_resnet",
                           "yolo", "fasterrcnn", "rcnn")  # fmt: skip


def scenario_of(word: str) -> str:
    """The scenario's name for a folder's or a log's word, in any case and with spaces; 'unknown' for another word."""
    return SCENARIOS.get(word.replace(" ", "").lower(), UNKNOWN)


def availability_of(status: str) -> str:
    """The official category for a submitter's word, or 'unknown'."""
    return _AVAILABILITY.get(" ".join(status.lower().split()), UNKNOWN)


def category_of(system_type: str) -> str:
    """'datacenter', 'edge', 'datacenter,edge' for systems in both, 'unknown' where the description does not say."""
    words = {word.strip() for word in system_type.lower().split(",")}
    return ",".join(word for word in _CATEGORIES if word in words) or UNKNOWN


def benchmark_of(benchmark_dir: str, version: Version, mapping: Mapping[str, str]) -> str:
    """The benchmark that a folder's model stands for.

    It is its own name, a known spelling, what the submitter's mapping says, its family, or 'unknown'. Order and
    families are those of MLCommons' checker.
    """
    if is_benchmark(benchmark_dir, version):
        return benchmark_dir
    if benchmark_dir == "ssd-resnet34":
        return "ssd-large" if version < (2, 1) else "retinanet"
    spelled = _SPELLINGS.get(benchmark_dir) or mapping.get(benchmark_dir) or _family(benchmark_dir, version)
    if not is_benchmark(spelled, version):
        spelled = _SPELLINGS.get(spelled, spelled)
    return spelled if is_benchmark(spelled, version) else UNKNOWN


def is_benchmark(name: str, version: Version) -> bool:
    """Whether a round knows a benchmark by this name."""
    if name == "mobilenet":
        return version == (0, 5)
    if name in ("ssd-small", "ssd-large") and version >= (2, 1):
        return False
    return any(since <= version for since, _ in TARGETS.get(name, ()))


def _family(model: str, version: Version) -> str:
    if version == (2, 0) and (model.startswith("rcnn-") or "_1024x1024" in model):
        return "ssd-large"  # by the table of v2.0; before, every such model counted as the small one
    if version < (2, 1) and any(word in model for word in _SSD_SMALL_WORDS):
        return "ssd-small"
    if "mobilenet" in model and version == (0, 5):
        return "mobilenet"
    if "mobilenet" in model or "efficientnet" in model or "resnet50" in model:
        return "resnet"
    for family in ("bert-99.9", "bert-99", "3d-unet-99.9", "3d-unet-99", "ssd-resnet34"):
        if family in model:
            return family if family != "ssd-resnet34" else "ssd-large" if version < (2, 1) else "retinanet"
    return model


def without_target(benchmark: str) -> str:
    """The benchmark without its accuracy target: 'llama2-70b' for 'llama2-70b-99.9'."""
    stem, _, target = benchmark.rpartition("-")
    return stem if target in ("99", "99.9", "95") else benchmark


def target_of(benchmark: str) -> str:
    """The accuracy target in a benchmark's name, percent of the reference: '99.9', '99', '95', or ''."""
    _, _, target = benchmark.rpartition("-")
    return target if target in ("99", "99.9", "95") else ""


def is_in_tokens(benchmark: str, scenario: str, version: Version) -> bool:
    """Whether the official rate of a benchmark in a scenario is tokens a second.

    Llama 2 70B of v4.0 counts tokens Offline and samples in Server: that is what the organisers' figures are.
    """
    name = without_target(benchmark)
    if scenario == "Offline" and name in _OFFLINE_TOKENS_SINCE:
        return version >= _OFFLINE_TOKENS_SINCE[name]
    if scenario not in ("Offline", "Server", "Interactive") or name not in _TOKENS_SINCE:
        return False
    if version == (4, 0) and name == "llama2-70b" and scenario == "Server":
        return False
    return version >= _TOKENS_SINCE[name]


def unit_of(benchmark: str, scenario: str, version: Version) -> str:
    """The unit of the official figure, from benchmark, scenario and round alone."""
    if scenario == "MultiStream" and version < (2, 0):
        return STREAMS
    if scenario in ("SingleStream", "MultiStream"):
        return SECONDS if benchmark == "wan-2.2-t2v-a14b" else MILLISECONDS
    if benchmark == "e2e-rag-qna":
        return TASKS
    if is_in_tokens(benchmark, scenario, version):
        return TOKENS
    return SAMPLES if scenario == "Offline" else QUERIES


def percentile_of(benchmark: str, scenario: str, version: Version) -> float | None:
    """The percentile of a latency figure; None for rates, and for the mean that runs without LoadGen logs give."""
    if scenario == "SingleStream":
        return 99.9 if benchmark == "pointpainting" else 90.0
    return 99.0 if scenario == "MultiStream" and version >= (2, 0) else None
