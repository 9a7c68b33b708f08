"""Shapes of what the registry holds of MLPerf: rounds, benchmarks under the names of their time, submitters' words."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, Self

from pydantic import Field, PositiveFloat, PositiveInt, StringConstraints, model_validator

from pipelines.model.evidence import Evidence
from pipelines.registry.entries import Entry, PartialDate, Precision, first_day, precision_of

Suite = Literal["training", "hpc", "inference"]
Scenario = Literal["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]
RoundName = Annotated[str, StringConstraints(pattern=r"^v\d+\.\d+$")]


class RoundEntry(Entry):
    """One MLPerf round: when it was published, on what basis that date stands, and where its repository is."""

    suite: Suite
    round: RoundName
    published: PartialDate | None
    evidence: Evidence
    said_by: str
    url: Annotated[str, StringConstraints(pattern=r"^https://")]
    basis: str
    repository: Annotated[str, StringConstraints(pattern=r"^mlcommons/[\w.]+$")]
    branch: Literal["main", "master"] | None
    has_summary: bool = False  # the organisers' rows at hand are MLCommons' published table, not a run of its checker
    note: str = ""

    @property
    def published_on(self) -> dt.date | None:
        """Day of publication (first day of the written period); None where no date is known."""
        return None if self.published is None else first_day(self.published)

    @property
    def keys(self) -> tuple[str, ...]:
        """Its suite and name."""
        return (f"{self.suite}/{self.round}",)

    @property
    def published_precision(self) -> Precision | None:
        """How much of that day is written."""
        return None if self.published is None else precision_of(self.published)


class DirectoryEntry(Entry):
    """A directory name under which a benchmark was submitted, for the rounds from `first` to `last`.

    A mere spelling is never what a round calls the benchmark.
    """

    name: str
    first: RoundName | None = None
    last: RoundName | None = None
    is_spelling: bool = False


class TargetEntry(Entry):
    """The least accuracy by metric that a closed inference result must reach; without `since` from the first round."""

    of: Literal["", "95", "99", "99.9"] = ""  # accuracy class, percent of the reference; ends the benchmark's name
    since: RoundName | None = None
    scenario: Scenario | None = None  # of all where none is named
    least: Annotated[dict[str, float], Field(min_length=1)]


class UnitEntry(Entry):
    """The unit of an inference figure in these scenarios; without `since` from the benchmark's first round."""

    unit: Literal["tokens/s", "tasks/s", "s"]
    scenarios: tuple[Scenario, ...]
    since: RoundName | None = None


class BenchmarkEntry(Entry):
    """One benchmark of a suite under one id; the same directory name may mean another benchmark in other rounds."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+([._-][a-z0-9]+)*$")]
    suite: Suite
    title: str
    area: str
    unit: str
    dataset: str = ""
    first: RoundName | None = None  # none where the rules name it and no round has it yet
    last: RoundName | None = None
    directories: tuple[DirectoryEntry, ...] = Field(default=(), min_length=1)
    replaces: str | None = None
    note: str = ""
    # training and HPC
    runs_required: PositiveInt | None = None
    runs_trimmed: PositiveInt = 1  # dropped at each end of the ordered runs; as many may fail
    # inference
    targets: tuple[TargetEntry, ...] = ()
    units: tuple[UnitEntry, ...] = ()
    report_names: tuple[str, ...] = ()  # what MLCommons' report calls it
    single_stream_percentile: PositiveFloat = 90
    has_early_stopping: bool = True  # false: the latency of SingleStream is the plain percentile in every round
    has_inferred_tokens: bool = False  # tokens are counted from samples

    @model_validator(mode="after")
    def _says_its_suites_rules(self) -> Self:
        missing = "targets" if self.suite == "inference" and not self.targets else ""
        missing = "runs_required" if self.suite != "inference" and self.runs_required is None else missing
        if missing:
            raise ValueError(f"{missing}, which a benchmark of {self.suite} needs")
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """Its suite and id."""
        return (f"{self.suite}/{self.id}",)

    @property
    def directory_names(self) -> tuple[str, ...]:
        """The names that it was submitted under."""
        return tuple(named.name for named in self.directories)


class FamilyEntry(Entry):
    """The inference benchmark that a submitter's own model stands for, by its folder's name, in some rounds."""

    benchmark: str
    begins: tuple[str, ...] = ()
    holds: tuple[str, ...]
    first: RoundName | None = None
    last: RoundName | None = None
    note: str = ""


class WordEntry(Entry):
    """What submitters' words mean in a field of these suites."""

    field: Literal["availability", "division", "scenario"]
    suites: tuple[Suite, ...]
    means: str
    spellings: tuple[str, ...]
