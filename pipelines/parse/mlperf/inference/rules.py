"""What the official rules of MLPerf Inference say of a benchmark in a round: its name, its unit, its accuracy.

Sources: `submission_checker` of MLCommons' inference repository (tags v2.0, v4.0; c7db1c3f, e20506b2, b66003e1) and its
`generate_final_report.py`. What is particular to a benchmark stands in the registry. Units are derived: the labels in
the official files are wrong in places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from pipelines.frozen import frozen
from pipelines.model.mlperf import UNKNOWN
from pipelines.registry.mlperf import MlperfRules, covers, round_number
from pipelines.registry.mlperf_entries import BenchmarkEntry, TargetEntry

Version = tuple[int, int]

TOKENS, MILLISECONDS, SECONDS, STREAMS = "tokens/s", "ms", "s", "streams"
LATENCY_SCENARIOS: Final = ("SingleStream", "MultiStream")


@frozen
class Benchmark:
    """A benchmark by the name that results bear, which ends with its accuracy class; without an entry it is unknown."""

    name: str = UNKNOWN
    accuracy_class: str = ""  # percent of the reference: '99.9', '99', '95', or ''
    entry: BenchmarkEntry | None = None

    def is_in(self, version: Version) -> bool:
        """Whether a round knows the benchmark by this name."""
        if self.entry is None:
            return False
        names = [named for named in self.entry.directories if named.name == self.entry.id]
        return all(covers(named, version) for named in names) and any(self._in_force(version))

    def least(self, scenario: str, version: Version) -> dict[str, float]:
        """The least accuracy by metric that a closed result must reach; empty where the round's tables have none."""
        found: dict[str, float] = {}
        for target in self._in_force(version):
            if target.scenario in (None, scenario):
                found = target.least
        return found

    def unit(self, scenario: str, version: Version) -> str:
        """The unit of the official figure, from benchmark, scenario and round alone."""
        if scenario == "MultiStream" and version < (2, 0):
            return STREAMS
        unit = MILLISECONDS if scenario in LATENCY_SCENARIOS else "samples/s" if scenario == "Offline" else "queries/s"
        if self.entry is not None:
            for special in self.entry.units:
                if scenario in special.scenarios and self._since(special.since) <= version:
                    unit = special.unit
        return unit

    def percentile(self, scenario: str, version: Version) -> float | None:
        """The percentile of a latency figure; None for rates, and for the mean that runs without LoadGen logs give."""
        if scenario == "SingleStream":
            return 90.0 if self.entry is None else self.entry.single_stream_percentile
        return 99.0 if scenario == "MultiStream" and version >= (2, 0) else None

    def _in_force(self, version: Version) -> Iterator[TargetEntry]:
        """The targets of this accuracy class that a round knows, the latest last."""
        if self.entry is not None:
            for target in self.entry.targets:
                if target.of == self.accuracy_class and self._since(target.since) <= version:
                    yield target

    def _since(self, round_name: str | None) -> tuple[int, ...]:
        first = round_name or (self.entry.first if self.entry is not None else None)
        return (0, 0) if first is None else round_number(first)


@lru_cache(maxsize=4)
def benchmarks_by_name(rules: MlperfRules) -> Mapping[str, Benchmark]:
    """All benchmarks of inference by the names that results bear, such as 'llama2-70b-99.9'."""
    named = {}
    for entry in rules.benchmarks:
        if entry.suite == "inference":
            for accuracy_class in sorted({target.of for target in entry.targets}):
                name = f"{entry.id}-{accuracy_class}" if accuracy_class else entry.id
                named[name] = Benchmark(name, accuracy_class, entry)
    return named


@lru_cache(maxsize=4096)
def benchmark_of(rules: MlperfRules, benchmark_dir: str, version: Version, mapped: str = "") -> Benchmark:
    """The benchmark that a folder's model stands for.

    It is its own name, a known spelling, what the submitter's mapping says of it, its family, or 'unknown'. Order and
    families are those of MLCommons' checker.
    """
    known = benchmarks_by_name(rules)
    own = known.get(benchmark_dir, Benchmark())
    if own.is_in(version):
        return own
    spelled = _respelt(rules, benchmark_dir, version) or mapped or _family(rules, benchmark_dir, version)
    for name in (spelled, _respelt(rules, spelled, version) or _family(rules, spelled, version)):
        found = known.get(name, Benchmark())
        if found.is_in(version):
            return found
    return Benchmark()


def reported_benchmark(rules: MlperfRules, name: str) -> Benchmark | None:
    """The benchmark by its name in MLCommons' report, which names some by their task."""
    known = benchmarks_by_name(rules)
    return known.get(name) or next(
        (found for found in known.values() if found.entry is not None and name in found.entry.report_names), None
    )


def _respelt(rules: MlperfRules, benchmark_dir: str, version: Version) -> str:
    """The id behind another spelling of a benchmark's folder, exactly as it is written; '' where it is none."""
    for entry, named in rules.named("inference", f"v{version[0]}.{version[1]}", benchmark_dir):
        if named.name == benchmark_dir != entry.id:
            return entry.id
    return ""


def _family(rules: MlperfRules, model: str, version: Version) -> str:
    for family in rules.families:
        if covers(family, version) and (model.startswith(family.begins) or any(word in model for word in family.holds)):
            return family.benchmark
    return model


def category_of(system_type: str) -> str:
    """'datacenter', 'edge', 'datacenter,edge' for systems in both, 'unknown' where the description does not say."""
    words = {word.strip() for word in system_type.lower().split(",")}
    return ",".join(word for word in ("datacenter", "edge") if word in words) or UNKNOWN
