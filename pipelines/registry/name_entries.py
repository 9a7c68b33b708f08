"""Shapes of the registry's other named things: processors, networks, software, sites, and names that are also words.

Shapes only. Identity (name, maker, other spellings) needs no source; whatever else is said names its reference.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import PositiveInt, StringConstraints

from pipelines.registry.entries import (
    AcceleratorId,
    Entry,
    Id,
    OrganisationId,
    PartialDate,
    ReferenceId,
    first_day,
    of_section,
)

CpuKind = Literal["arm", "x86", "risc-v", "power", "sparc"]
NetworkKind = Literal["link", "switch", "nic", "dpu", "fabric", "optics", "standard"]
Scope = Literal["chip", "scale-up", "scale-out", "host"]
SoftwareKind = Literal[
    "scheduler", "orchestration", "partitioning", "topology", "resilience", "serving", "communication", "runtime",
    "framework", "storage", "management", "model",
]  # fmt: skip
SiteKind = Literal["supercomputer", "cluster", "campus", "programme"]
CpuId = Annotated[Id, of_section("cpus")]
NetworkId = Annotated[Id, of_section("networks")]
SoftwareId = Annotated[Id, of_section("software")]
SiteId = Annotated[Id, of_section("sites")]
Need = Literal["hardware", "no-contrary", "maker"]


class NamedEntry(Entry):
    """What all of them have: id, name, other spellings, and the reference of what else is said."""

    id: Id
    name: str
    reference: ReferenceId | None = None
    note: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every name that it is known by."""
        return (self.name, *self.aliases)


class CpuEntry(NamedEntry):
    """A processor or a line of processors, as it stands beside accelerators; `cores` is the most it is sold with."""

    vendor: OrganisationId
    architecture: CpuKind
    cores: PositiveInt | None = None
    predecessor: CpuId | None = None


class NetworkEntry(NamedEntry):
    """A link, switch, adapter or fabric; `scope` says what it joins, `generation` counts along the maker's line."""

    kind: NetworkKind
    scope: Scope
    vendor: OrganisationId | None = None  # empty for a standard that belongs to nobody
    generation: PositiveInt | None = None
    predecessor: NetworkId | None = None


class SoftwareEntry(NamedEntry):
    """A program that places work, cuts accelerators into parts, runs models or keeps jobs alive."""

    kind: SoftwareKind
    vendor: OrganisationId | None = None
    part_of: SoftwareId | None = None


class SiteEntry(NamedEntry):
    """A supercomputer, a large cluster, a campus or a building programme, with who runs it and where it is."""

    kind: SiteKind
    operator: OrganisationId | None = None
    country: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")] | None = None
    part_of: SiteId | None = None
    accelerator: AcceleratorId | None = None  # the one kind it is known to hold
    since: PartialDate | None = None

    @property
    def since_on(self) -> dt.date | None:
        """First day of the period from which it is known to run."""
        return None if self.since is None else first_day(self.since)


class HomonymEntry(Entry):
    """Spellings that also mean something else, and what decides.

    `hardware`: a word of the field must stand near (or the context be of the field); `maker`: a maker's name must;
    `no-contrary`: it holds unless `contrary` words stand near. `contrary` always speaks against, `not_before` and
    `not_after` are words that rule it out when they follow or precede directly.
    """

    names: tuple[str, ...]
    needs: Need
    contrary: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()
    not_after: frozenset[str] = frozenset()
