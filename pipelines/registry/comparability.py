"""What may share an axis or a ratio, and the rule that says so. Pure; the rules are `comparability.yaml`.

Every chart, mart and answer that puts two figures side by side asks here first. A refusal carries the rule in words and
where it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path

from pipelines.frozen import frozen
from pipelines.registry.entries import Entry
from pipelines.registry.mlperf import round_number
from pipelines.registry.read_yaml import read_model

FILE = Path(__file__).with_name("comparability.yaml")


class Rule(Entry):
    """One rule of a publisher, in this project's words, with where it is written and when it was read."""

    id: str
    says: str
    source: str
    url: str
    read_on: date


class SuiteVersions(Entry):
    """In which rounds each benchmark of a suite was changed; `last_round` is as far as the table goes."""

    last_round: str
    benchmarks: Mapping[str, tuple[str, ...]]
    scenarios: Mapping[str, tuple[str, ...]] = {}


class _File(Entry):
    rules: tuple[Rule, ...]
    versions: Mapping[str, SuiteVersions]


@frozen
class Compared:
    """What has to be known of a figure to judge a comparison. `kind` is 'mlperf', 'inferencex', 'claim', 'price', …

    `power_basis` is 'measured', 'rated' or '' where no power enters; `series` names the source and type of a price.
    """

    kind: str
    suite: str = ""
    round: str = ""
    benchmark: str = ""
    scenario: str = ""
    power_basis: str = ""
    has_power_run: bool | None = None
    series: str = ""


@frozen
class Verdict:
    """Whether figures may be compared: the rule that forbids it, or what must be said where it is allowed."""

    is_allowed: bool
    rule: Rule | None = None
    notes: tuple[str, ...] = ()

    @property
    def refusal(self) -> str:
        """The refusal in words, with the rule and its source; empty when the comparison is allowed."""
        if self.rule is None:
            return ""
        return f"Not comparable. {self.rule.says} ({self.rule.source}, {self.rule.url})"


@frozen
class VersionChange:
    """A round from which a benchmark (or, where `benchmark` is empty, a scenario of the suite) is another one."""

    suite: str
    benchmark: str
    scenario: str
    round: str


@lru_cache(maxsize=1)
def _file() -> _File:
    return read_model(FILE, _File)


def rules() -> tuple[Rule, ...]:
    """All rules, in the order of the file."""
    return _file().rules


def rule(rule_id: str) -> Rule:
    """The rule with an id; raises KeyError."""
    return {entry.id: entry for entry in rules()}[rule_id]


def version_changes() -> tuple[VersionChange, ...]:
    """MLCommons' table as rows, for SQL that compares rounds; the same entries that `rounds_compare` reads."""
    found: list[VersionChange] = []
    for suite, versions in _file().versions.items():
        for benchmark, changed in versions.benchmarks.items():
            found += [VersionChange(suite, benchmark, "", name) for name in changed]
        for scenario, changed in versions.scenarios.items():
            found += [VersionChange(suite, "", scenario, name) for name in changed]
    return tuple(found)


def compare(figures: Iterable[Compared]) -> Verdict:
    """Whether all of these may stand on one axis or in one ratio; the first rule that forbids it decides."""
    held = tuple(figures)
    notes: list[str] = []
    for index, one in enumerate(held):
        alone = _alone(one)
        if alone is not None:
            return Verdict(False, alone)
        for other in held[index + 1 :]:
            forbidden, said = _pair(one, other)
            if forbidden is not None:
                return Verdict(False, forbidden)
            notes += said
    return Verdict(True, None, tuple(dict.fromkeys(notes)))


def rounds_compare(suite: str, benchmark: str, one: str, other: str, scenario: str = "") -> bool | None:
    """Whether two rounds of a benchmark may be compared; None where MLCommons' table does not say."""
    if one == other:
        return True
    first, last = sorted((one, other), key=round_number)
    versions = _file().versions.get(suite)
    changed = versions.benchmarks.get(benchmark) if versions is not None else None
    if versions is None or changed is None:
        return None
    both = (*changed, *versions.scenarios.get(scenario, ()))
    if any(round_number(first) < round_number(change) <= round_number(last) for change in both):
        return False
    return None if round_number(last) > round_number(versions.last_round) else True


def _alone(figure: Compared) -> Rule | None:
    if figure.kind == "mlperf" and figure.power_basis == "rated":
        return rule("mlperf-measured-power")
    return None


def _pair(one: Compared, other: Compared) -> tuple[Rule | None, list[str]]:
    if "mlperf" in (one.kind, other.kind):
        if one.kind != other.kind:
            return rule("mlperf-only-with-mlperf"), []
        return _mlperf(one, other)
    if one.kind == other.kind == "price" and one.series != other.series:
        return rule("unlike-prices"), []
    return None, []


def _mlperf(one: Compared, other: Compared) -> tuple[Rule | None, list[str]]:
    if (one.suite, one.benchmark, one.scenario) != (other.suite, other.benchmark, other.scenario):
        return rule("mlperf-same-benchmark-and-scenario"), []
    if one.has_power_run is not None and other.has_power_run is not None and one.has_power_run != other.has_power_run:
        return rule("mlperf-performance-and-power-runs"), []
    allowed = rounds_compare(one.suite, one.benchmark, one.round, other.round, one.scenario)
    if allowed is False:
        return rule("mlperf-compatible-versions"), []
    if allowed is None:
        pair = " and ".join(sorted((one.round, other.round), key=round_number))
        return None, [f"MLCommons' compatibility table does not say whether {pair} may be compared for {one.benchmark}"]
    return None, []
