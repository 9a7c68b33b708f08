"""Kinds of sellers and numbers of filers: which organisation of the registry a price list or a filing speaks of.

Reads `market_parties.yaml` and checks it against the organisations; nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from pipelines.frozen import frozen
from pipelines.registry.entries import Entry, OrganisationId, ReferenceId
from pipelines.registry.load import HERE, committed_entries
from pipelines.registry.read_yaml import RegistryError, read_model

FILE = HERE / "market_parties.yaml"


class _Classes(Entry):
    """Organisation ids by kind of seller."""

    reference: ReferenceId
    hyperscaler: tuple[OrganisationId, ...]
    neocloud: tuple[OrganisationId, ...]
    marketplace: tuple[OrganisationId, ...]
    platform: tuple[OrganisationId, ...]
    generalist: tuple[OrganisationId, ...]


class _File(Entry):
    provider_classes: _Classes
    feed_names: dict[str, OrganisationId | None]
    filers: dict[int, OrganisationId]


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
    """All of the file, checked."""

    provider_classes: tuple[ProviderClassRow, ...]
    feed_names: Mapping[str, str | None]  # a price list's word → organisation id, None where it is ambiguous
    filers: tuple[FilerRow, ...]


def read_market_parties(path: Path = FILE) -> MarketParties:
    """Read and check the file; raises RegistryError for unknown or repeated ids."""
    entries = committed_entries()
    found = read_model(path, _File, entries.ids)
    reference = next(r for r in entries.references if r.id == found.provider_classes.reference)
    listed = [
        (organisation_id, name)
        for name, ids in found.provider_classes.model_dump(exclude={"reference"}).items()
        for organisation_id in ids
    ]
    ids = [organisation_id for organisation_id, _ in listed]
    repeated = sorted({i for i in ids if ids.count(i) > 1})
    if repeated:
        raise RegistryError(f"{path.name}: given twice: {', '.join(repeated)}")
    return MarketParties(
        tuple(
            ProviderClassRow(i, name, reference.said_by, str(reference.evidence), reference.basis, reference.url)
            for i, name in listed
        ),
        dict(found.feed_names),
        tuple(FilerRow(cik, organisation_id) for cik, organisation_id in sorted(found.filers.items())),
    )


@lru_cache(maxsize=1)
def load_market_parties() -> MarketParties:
    """The file that ships with the code, read and checked once."""
    return read_market_parties()
