"""The shapes of the registry's YAML: frozen, extra keys forbidden, so a typing mistake stops the run with its place.

Shapes only, and how their dates are written: '2024', '2024-06' or '2024-06-12', the precision being what is written.
Reading files and checking what entries refer to is `load`'s.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Literal, Protocol, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    StringConstraints,
    ValidationInfo,
    model_validator,
)

from pipelines.model.evidence import Evidence

Precision = Literal["day", "month", "year"]


def first_day(partial: str) -> dt.date:
    """First day of the period that '2024', '2024-06' or '2024-06-12' names."""
    return dt.date.fromisoformat((partial + "-01-01")[:10])


def last_day(partial: str) -> dt.date:
    """Last day of the period that '2024', '2024-06' or '2024-06-12' names."""
    start = first_day(partial)
    match precision_of(partial):
        case "day":
            return start
        case "month":
            return (start.replace(day=28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
        case "year":
            return dt.date(start.year, 12, 31)


def precision_of(partial: str) -> Precision:
    """How much of a date is written."""
    if len(partial) == len("2024"):
        return "year"
    return "month" if len(partial) == len("2024-06") else "day"


Id = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


def of_section(section: str) -> AfterValidator:
    """That a word is an id of a section, where the reader's context says which there are."""

    def check(name: str, info: ValidationInfo) -> str:
        if info.context is not None and name not in info.context[section]:
            raise ValueError(f"an id of {section}")
        return name

    return AfterValidator(check)


ReferenceId = Annotated[Id, of_section("references")]
OrganisationId = Annotated[Id, of_section("organisations")]
GenerationId = Annotated[Id, of_section("generations")]
AcceleratorId = Annotated[Id, of_section("accelerators")]
SystemId = Annotated[Id, of_section("systems")]
Layer = Literal[
    "hyperscale", "neocloud", "enterprise", "science", "marketplace", "sovereign", "frontier_lab", "vendor"
]  # fmt: skip
Kind = Literal["gpu", "tpu", "npu", "fpga", "dsp", "cpu"]

_PARTIAL_DATE = re.compile(r"^\d{4}(-\d{2}(-\d{2})?)?$")


def _partial_date(value: object) -> str:
    """Accept 2024 (a number in YAML), 2024-06 and 2024-06-12; keep exactly the precision that was written."""
    text = str(value)
    try:
        if _PARTIAL_DATE.match(text) is not None and first_day(text):  # a month 13 is refused
            return text
    except ValueError:
        pass
    raise ValueError("a date such as 2024, 2024-06 or 2024-06-12")


PartialDate = Annotated[str, BeforeValidator(_partial_date)]


class Entry(BaseModel):
    """Base of all YAML shapes."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    @property
    def keys(self) -> tuple[str, ...]:
        """What no other entry of its section may be called."""
        own = getattr(self, "id", None)
        return () if own is None else (own,)


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
    reference: ReferenceId


class _Bounded(Protocol):
    since: str | None
    until: str | None


class Held:
    """What holds over a period: the days of its written ends."""

    @property
    def valid_from(self: _Bounded) -> dt.date | None:
        """Its first day; None where that end is open."""
        return None if self.since is None else first_day(self.since)

    @property
    def valid_to(self: _Bounded) -> dt.date | None:
        """Its last day; None where that end is open."""
        return None if self.until is None else last_day(self.until)


class LayerEntry(Entry, Held):
    """The market layer of an organisation from a date on; an empty `since` means as long as it is known here."""

    layer: Layer
    since: PartialDate | None = None
    until: PartialDate | None = None
    reference: ReferenceId
    note: str = ""


class OrganisationEntry(Entry):
    """A maker, seller, operator, institute or submitter, under one name."""

    id: Id
    name: str
    aliases: tuple[str, ...] = ()
    name_words: tuple[str, ...] = ()  # words in an accelerator's name that say it is this maker's
    parent: OrganisationId | None = None
    fiscal_year_start: Annotated[int, Field(ge=1, le=12)] | None = None  # month; the year is named by its end
    layers: tuple[LayerEntry, ...] = ()
    publishes_as: Literal["measured", "analyst", "press", "aggregator"] | None = None  # else a party

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name that it is known by."""
        return (self.name, *self.aliases)


class DomainEntry(Entry):
    """The domains under which an organisation publishes; `host/path` where a host serves many."""

    id: OrganisationId
    domains: Annotated[tuple[Domain, ...], Field(min_length=1)]

    @property
    def keys(self) -> tuple[str, ...]:
        """Its domains: an organisation may stand several times."""
        return self.domains


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
    vendor: OrganisationId
    name: str
    line: str
    ordinal: PositiveInt
    predecessor: GenerationId | None = None
    words: tuple[str, ...] = ()  # words that name the generation where no product is named

    @property
    def spellings(self) -> tuple[str, ...]:
        """Its name, and words that name it."""
        return (self.name, *self.words)


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
    vendor: OrganisationId
    name: str
    model: str
    kind: Kind
    generation: GenerationId | None = None
    predecessor: AcceleratorId | None = None
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

    @property
    def keys(self) -> tuple[str, ...]:
        """Its own id and those of its variants."""
        return (self.id, *(variant.id for variant in self.variants))

    @property
    def first_available_on(self) -> dt.date | None:
        """First day of the period that is given for it."""
        return None if self.first_available is None else first_day(self.first_available.date)

    @property
    def first_available_precision(self) -> Precision | None:
        """How much of that date is written."""
        return None if self.first_available is None else precision_of(self.first_available.date)

    def variant_name(self, variant: VariantEntry) -> str:
        """A variant's name: as written, else the model's name with form factor and memory."""
        if variant.name is not None:
            return variant.name
        form = variant.form_factor if variant.form_factor != self.form_factor else None
        memory = None if variant.memory_gb is None else f"{variant.memory_gb:g}GB"
        return " ".join(part for part in (self.name, form, memory) if part)

    @property
    def with_variants(self) -> tuple[AcceleratorEntry, ...]:
        """The model, and itself as each of its variants."""
        return (self, *map(self.as_variant, self.variants))

    def as_variant(self, variant: VariantEntry) -> AcceleratorEntry:
        """The model as that variant of it."""
        own = {name: getattr(variant, name) for name in ("id", "memory_gb", "form_factor", "first_available")}
        memory_type = variant.memory_type or self.memory_type
        return self.model_copy(update={**own, "name": self.variant_name(variant), "memory_type": memory_type})


class PartEntry(Entry):
    """So many of one accelerator (a registry id), or of one processor (its name), in a system."""

    accelerator: AcceleratorId | None = None
    cpu: str | None = None
    count: PositiveInt

    @model_validator(mode="after")
    def _names_one_thing(self) -> Self:
        if (self.accelerator is None) == (self.cpu is None):
            raise ValueError("either an accelerator or a cpu")
        return self

    @property
    def part_kind(self) -> str:
        """'accelerator' or 'cpu'."""
        return "cpu" if self.accelerator is None else "accelerator"

    @property
    def part(self) -> str:
        """The accelerator's id or the processor's name."""
        return self.accelerator or str(self.cpu)


class NameEntry(Entry, Held):
    """A name that a system bore over a period."""

    name: str
    since: PartialDate | None = None
    until: PartialDate | None = None
    reference: ReferenceId


class SystemEntry(Entry):
    """A rack, pod, node, board or desktop machine; `scale_up_domain` is how many accelerators share its fast links."""

    id: Id
    vendor: OrganisationId
    name: str
    kind: Literal["rack", "pod", "node", "board", "desktop"]
    reference: ReferenceId | None = None  # what its composition rests on; a name alone needs none
    predecessor: SystemId | None = None
    scale_up_domain: PositiveInt | None = None
    parts: tuple[PartEntry, ...] = ()
    counting_note: str = ""
    names: tuple[NameEntry, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name a machine is known by."""
        return (self.name, *(named.name for named in self.names), *self.aliases)
