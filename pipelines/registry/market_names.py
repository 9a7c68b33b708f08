"""What the words of price lists, filings and lists of supercomputers mean, where the registry's names leave it open.

Reads `market_parties.yaml` and `accelerator_cores.yaml` and checks them against the registry; nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence
from pipelines.registry.accelerators import UNKNOWN, AcceleratorNames
from pipelines.registry.entries import AcceleratorId, Entry, GenerationId, OrganisationId, ReferenceId
from pipelines.registry.load import committed_entries
from pipelines.registry.names import name_key
from pipelines.registry.read_yaml import HERE, RegistryError, read_model

PARTIES, CORES = HERE / "market_parties.yaml", HERE / "accelerator_cores.yaml"
Cores = Annotated[int, Field(strict=True, ge=1, le=100_000)]


class _Classes(Entry):
    """Organisation ids by kind of seller."""

    reference: ReferenceId
    hyperscaler: tuple[OrganisationId, ...]
    neocloud: tuple[OrganisationId, ...]
    marketplace: tuple[OrganisationId, ...]
    platform: tuple[OrganisationId, ...]
    generalist: tuple[OrganisationId, ...]


class _Parties(Entry):
    provider_classes: _Classes
    feed_names: dict[str, OrganisationId | None]
    filers: dict[int, OrganisationId]


class _Reference(Entry):
    said_by: str
    url: str
    evidence: Evidence
    basis: str


class _Model(Entry):
    model: AcceleratorId
    cores: Cores
    unit: str
    note: str = ""


class _Label(Entry):
    label: str
    accelerator: AcceleratorId | None = None
    generation: GenerationId | None = None
    cores: Cores | None = None
    note: str = ""


class _System(Entry):
    system: str
    cores: Cores
    note: str


class _Lists(Entry):
    """How the lists of supercomputers count accelerators, and what labels mean that names leave open."""

    reference: _Reference
    models: tuple[_Model, ...]
    labels: tuple[_Label, ...]
    systems: tuple[_System, ...]


@frozen
class ProviderClassRow:
    """The kind of one seller, and who says so."""

    organisation_id: str
    provider_class: str
    said_by: str
    evidence: str
    basis: str
    url: str


@frozen
class FilerRow:
    """The organisation behind a number at the SEC."""

    cik: int
    organisation_id: str


@frozen
class MarketParties:
    """Kinds of sellers and numbers of filers: which organisation a price list or a filing speaks of."""

    provider_classes: tuple[ProviderClassRow, ...]
    feed_names: Mapping[str, str | None]  # a price list's word → organisation id, None where it is ambiguous
    filers: tuple[FilerRow, ...]


@frozen
class AcceleratorCoresRow:
    """registry.accelerator_cores: the cores of one accelerator as the lists count, for a model, label or one system.

    A system's row goes before its label's, and that before its model's.
    """

    subject_kind: str  # 'model', 'label' or 'system'
    subject: str
    cores: int
    unit: str
    note: str
    said_by: str
    evidence: Evidence
    basis: str
    url: str


@frozen
class LabelMeaning:
    """What a printed label means: registry ids; no generation where it is not known."""

    accelerator: str
    generation: str | None
    vendor: str | None


@frozen
class ListLabels:
    """What the lists of supercomputers count and print, beside the registry's names."""

    cores: tuple[AcceleratorCoresRow, ...]
    labels: Mapping[str, tuple[str | None, str | None]]  # name key → (accelerator, generation)

    def meaning(self, label: str) -> LabelMeaning:
        """The accelerator and generation behind a label; the file's word goes before the registry's rules."""
        names = AcceleratorNames.load()
        own = self.labels.get(name_key(label))
        if own is not None and own[0] is not None:
            found = names.match(own[0])
            return LabelMeaning(own[0], found.generation, found.vendor)
        if own is not None:
            vendors = {entry.id: entry.vendor for entry in committed_entries().generations}
            return LabelMeaning(UNKNOWN, own[1], vendors.get(own[1] or ""))
        match = names.match(label)
        is_known = match.accelerator_id != UNKNOWN or match.generation is not None
        return LabelMeaning(match.accelerator_id, match.generation, match.vendor if is_known else None)


def read_market_parties(path: Path = PARTIES) -> MarketParties:
    """Read and check the file; raises RegistryError for unknown or repeated ids."""
    entries = committed_entries()
    found = read_model(path, _Parties, entries.ids)
    said = next(each for each in entries.references if each.id == found.provider_classes.reference)
    classes = found.provider_classes.model_dump(exclude={"reference"})
    rows = tuple(
        ProviderClassRow(seller, name, said.said_by, str(said.evidence), said.basis, said.url)
        for name, sellers in classes.items()
        for seller in sellers
    )
    _refuse_repeated(path, (row.organisation_id for row in rows))
    return MarketParties(rows, found.feed_names, tuple(FilerRow(*pair) for pair in sorted(found.filers.items())))


@lru_cache(maxsize=1)
def load_list_labels() -> ListLabels:
    """The labels that ship with the code, read and checked once; raises RegistryError for unknown or repeated ids."""
    found = read_model(CORES, _Lists, committed_entries().ids)
    given = [("model", item.model, item.cores, item.unit, item.note) for item in found.models]
    given += [("label", item.label, item.cores, "", item.note) for item in found.labels if item.cores is not None]
    given += [("system", item.system, item.cores, "", item.note) for item in found.systems]
    labels = [name_key(item.label) for item in found.labels]
    _refuse_repeated(CORES, (*labels, *(subject for kind, subject, *_ in given if kind != "label")))
    said = found.reference
    return ListLabels(
        tuple(AcceleratorCoresRow(*row, said.said_by, said.evidence, said.basis, said.url) for row in given),
        dict(zip(labels, ((item.accelerator, item.generation) for item in found.labels), strict=True)),
    )


def _refuse_repeated(path: Path, names: Iterable[str]) -> None:
    held = list(names)
    repeated = sorted({name for name in held if held.count(name) > 1})
    if repeated:
        raise RegistryError(f"{path.name}: given twice: {', '.join(repeated)}")


@lru_cache(maxsize=1)
def load_market_parties() -> MarketParties:
    """The sellers and filers that ship with the code, read and checked once."""
    return read_market_parties()
