"""The shapes of the registry's YAML: frozen, extra keys forbidden, so a typing mistake stops the run with its place.

Shapes only: reading files and resolving references live in `load`.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    StringConstraints,
    model_validator,
)

from pipelines.model.evidence import Evidence
from pipelines.registry.dates import first_day

Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Layer = Literal[
    "hyperscale", "neocloud", "enterprise", "science", "marketplace", "sovereign", "frontier_lab", "vendor"
]  # fmt: skip
Kind = Literal["gpu", "tpu", "npu", "fpga", "dsp", "cpu"]
Suite = Literal["training", "hpc", "inference"]
Scenario = Literal["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]
RoundName = Annotated[str, StringConstraints(pattern=r"^v\d+\.\d+$")]

_PARTIAL_DATE = re.compile(r"^\d{4}(-\d{2}(-\d{2})?)?$")


def _partial_date(value: object) -> str:
    """Accept 2024 (a number in YAML), 2024-06 and 2024-06-12; keep exactly the precision that was written."""
    text = str(value)
    if _PARTIAL_DATE.match(text) is None:
        raise ValueError(f"{text!r} is not a date: write 2024, 2024-06 or 2024-06-12")
    first_day(text)  # refuses a month 13
    return text


PartialDate = Annotated[str, BeforeValidator(_partial_date)]


class Entry(BaseModel):
    """Base of all YAML shapes."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Reference(Entry):
    """A source that several entries lean on: who says it, where, how firmly."""

    id: Id
    said_by: str
    url: Annotated[str, StringConstraints(pattern=r"^https://")]
    evidence: Evidence
    basis: str


Domain = Annotated[str, StringConstraints(pattern=r"^[a-z0-9.-]+\.[a-z]+(/[a-z0-9._-]+)?$")]


class Dated(Entry):
    """A date with its precision (by how much of it is written) and the reference that gives it."""

    date: PartialDate  # 'on' would be read as a truth value in YAML
    reference: Id


class LayerEntry(Entry):
    """The market layer of an organisation from a date on; an empty `since` means as long as it is known here."""

    layer: Layer
    since: PartialDate | None = None
    until: PartialDate | None = None
    reference: Id
    note: str = ""


class OrganisationEntry(Entry):
    """A maker, seller, operator, institute or submitter, under one name."""

    id: Id
    name: str
    aliases: tuple[str, ...] = ()
    name_words: tuple[str, ...] = ()  # words in an accelerator's name that say it is this maker's
    parent: Id | None = None
    fiscal_year_start: Annotated[int, Field(ge=1, le=12)] | None = None  # month; the year is named by its end
    layers: tuple[LayerEntry, ...] = ()
    publishes_as: Literal["measured", "analyst", "press", "aggregator"] | None = None  # else a party


class DomainEntry(Entry):
    """The domains under which an organisation publishes; `host/path` where a host serves many."""

    id: Id
    domains: Annotated[tuple[Domain, ...], Field(min_length=1)]


class AdopterEntry(Entry):
    """An organisation that takes accelerators into service: its layer, and the page of a deployment or offer of it.

    Without a name it adds layer and spellings to an organisation that stands elsewhere in the registry.
    """

    id: Id
    name: str | None = None
    aliases: tuple[str, ...] = ()
    layer: Layer
    url: Annotated[str, StringConstraints(pattern=r"^https://")] = "https://epoch.ai/data/gpu_clusters.csv"

    @property
    def reference(self) -> Reference:
        """What the layer leans on: this ledger's reading of what the organisation does."""
        basis = "assigned by what it does with its accelerators, as its deployments and offers show"
        return Reference(id=f"adopter-{self.id}", said_by="rackledger", url=self.url, evidence="derived", basis=basis)

    def joined(self, known: OrganisationEntry | None) -> OrganisationEntry:
        """The organisation with the layer. Raises ValueError where one is named twice or not at all."""
        layer = LayerEntry(layer=self.layer, reference=self.reference.id)
        if (known is None) == (self.name is None):
            raise ValueError("needs a name, being new" if known is None else "has a name already: leave it out")
        if known is None:
            return OrganisationEntry(id=self.id, name=str(self.name), aliases=self.aliases, layers=(layer,))
        added = tuple(alias for alias in self.aliases if alias not in known.aliases)
        return known.model_copy(update={"aliases": (*known.aliases, *added), "layers": (*known.layers, layer)})


class GenerationEntry(Entry):
    """One architecture generation of one maker; `ordinal` counts along the maker's `line`."""

    id: Id
    vendor: Id
    name: str
    line: str
    ordinal: PositiveInt
    predecessor: Id | None = None
    words: tuple[str, ...] = ()  # words that name the generation where no product is named


class VariantEntry(Entry):
    """A product that differs from its model by memory size or form factor."""

    id: Id
    name: str | None = None
    memory_gb: PositiveFloat | None = None
    memory_printed_gb: tuple[PositiveFloat, ...] = ()  # other figures in use for the same part
    memory_type: str | None = None
    form_factor: str | None = None
    aliases: tuple[str, ...] = ()
    first_available: Dated | None = None


class AcceleratorEntry(Entry):
    """A model of accelerator; with `variants` it is the entry for names that leave memory and form factor open."""

    id: Id
    vendor: Id
    name: str
    model: str
    kind: Kind
    generation: Id | None = None
    predecessor: Id | None = None
    memory_gb: PositiveFloat | None = None
    memory_printed_gb: tuple[PositiveFloat, ...] = ()
    memory_type: str | None = None
    form_factor: str | None = None
    dies_per_package: PositiveInt | None = None
    counted_as: str = "package"
    counting_note: str = ""
    tokens: tuple[str, ...] = ()  # spellings of the model inside a longer name
    needs_vendor: bool = False  # token too short to stand without a maker's word
    needs_system: bool = False  # a family: the system's name must say which one
    aliases: tuple[str, ...] = ()
    first_available: Dated | None = None
    variants: tuple[VariantEntry, ...] = ()


class PartEntry(Entry):
    """So many of one accelerator (a registry id), or of one processor (its name), in a system."""

    accelerator: Id | None = None
    cpu: str | None = None
    count: PositiveInt

    @model_validator(mode="after")
    def _names_one_thing(self) -> Self:
        if (self.accelerator is None) == (self.cpu is None):
            raise ValueError("name either an accelerator or a cpu")
        return self


class NameEntry(Entry):
    """A name that a system bore over a period."""

    name: str
    since: PartialDate | None = None
    until: PartialDate | None = None
    reference: Id


class SystemEntry(Entry):
    """A rack, pod, node, board or desktop machine; `scale_up_domain` is how many accelerators share its fast links."""

    id: Id
    vendor: Id
    name: str
    kind: Literal["rack", "pod", "node", "board", "desktop"]
    reference: Id | None = None  # what its composition rests on; a name alone needs none
    predecessor: Id | None = None
    scale_up_domain: PositiveInt | None = None
    parts: tuple[PartEntry, ...] = ()
    counting_note: str = ""
    names: tuple[NameEntry, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name a machine is known by."""
        return (self.name, *(named.name for named in self.names), *self.aliases)


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
            raise ValueError(f"a benchmark of {self.suite} needs {missing}")
        return self


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
