"""What the words of price lists, benchmarks, lists and owners' tables mean in the registry, as temporary views.

The names are matched when the warehouse is built, so a new alias mends old rows without parsing them again. A word
that matches nothing stays 'unknown', or itself, with its raw form kept. The queries need the views `lake_*` and
`committed_*` of the tables they name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.lake import table_of
from pipelines.registry import AcceleratorNames, Registry, load_registry
from pipelines.registry.market_names import (
    AcceleratorCoresRow,
    FilerRow,
    ProviderClassRow,
    load_list_labels,
    load_market_parties,
)

# The columns that hold a name of hardware with its memory, of a provider, of a chip on a list, of an organisation.
_HARDWARE = {"cloud_offers": "accelerator_raw, memory_gb", "inferencex": "hardware_raw, NULL"}
_PROVIDERS = {"cloud_offers": "provider"}
_CHIPS = {
    "top500": "accelerator_raw", "green500": "accelerator_raw", "chip_owners": "chip_raw", "chip_sales": "chip_raw",
    "clusters": "unnest([chip_raw, second_chip_raw])", "hardware_specs": "hardware_raw",
}  # fmt: skip
_ORGANISATIONS = {
    "top500": "site", "green500": "site", "chip_owners": "unnest([owner_raw, maker_raw])", "chip_sales": "maker_raw",
    "sites": "unnest(owners)", "hardware_specs": "maker_raw",
    "clusters": "unnest([owner_raw] || list_transform(string_split(owner_raw, ','), lambda one: trim(one)))",
}  # fmt: skip
_LAKE_ONLY = ("top500", "green500")  # their terms keep the rows out of the committed facts


def stage_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the views of what price lists, lists and owners' tables name."""
    stage_market_names(connection)
    stage_list_names(connection)


def stage_market_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `market_accelerators`, `market_providers`, `registry_provider_classes` and `registry_filers`."""
    names, registry, parties = AcceleratorNames.load(), load_registry(), load_market_parties()
    hardware = ((raw, memory, _accelerator(names, raw, memory)) for raw, memory in _named(connection, _HARDWARE))
    providers = ((raw, *_organisation(registry, raw, parties.feed_names)) for (raw,) in _named(connection, _PROVIDERS))
    _register(connection, "market_accelerators", hardware, accelerator_raw=str, memory_gb=float, accelerator=str)
    _register(connection, "market_providers", providers, provider=str, organisation_id=str, name=str)
    connection.register("registry_provider_classes", table_of(parties.provider_classes, ProviderClassRow))
    connection.register("registry_filers", table_of(parties.filers, FilerRow))


def stage_list_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `listed_chips`, `listed_organisations` and `registry_accelerator_cores`."""
    labels, registry = load_list_labels(), load_registry()
    meanings = ((raw, labels.meaning(raw)) for (raw,) in _named(connection, _CHIPS))
    chips = ((raw, found.accelerator, found.generation, found.vendor) for raw, found in meanings)
    organisations = ((raw, *_organisation(registry, raw)) for (raw,) in _named(connection, _ORGANISATIONS))
    _register(connection, "listed_chips", chips, label=str, accelerator=str, generation=str, vendor=str)
    _register(connection, "listed_organisations", organisations, raw=str, organisation_id=str, organisation=str)
    connection.register("registry_accelerator_cores", table_of(labels.cores, AcceleratorCoresRow))


def _named(connection: duckdb.DuckDBPyConnection, columns: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """The names in these columns of the tables of lake and committed facts, each once."""
    tables = [
        (f"{place}_{table}", column)
        for table, column in columns.items()
        for place in (("lake",) if table in _LAKE_ONLY else ("lake", "committed"))
    ]
    parts = " UNION ".join(f"SELECT {column} FROM {table}" for table, column in tables)  # noqa: S608 - our own names
    return [row for row in connection.execute(f"{parts} ORDER BY ALL").fetchall() if row[0]]


def _accelerator(names: AcceleratorNames, raw: str, memory_gb: float | None) -> str:
    """The entry for a name; the memory that stands beside it may decide between two forms of a model."""
    if memory_gb is None:
        return names.match(raw).accelerator_id
    with_memory = names.match(f"{raw} {memory_gb:g}GB").accelerator_id
    return with_memory if with_memory != "unknown" else names.match(raw).accelerator_id


def _organisation(
    registry: Registry, raw: str, known: Mapping[str, str | None] | None = None
) -> tuple[str | None, str]:
    """(organisation id, name); no id where the word is no one organisation of the registry."""
    parts = registry.submitter(raw).parts
    found = known[raw] if known and raw in known else parts[0] if len(parts) == 1 else None
    entry = None if found is None else registry.organisation(found)
    return (None if entry is None else entry.id), (raw if entry is None else entry.name)


def _register(
    connection: duckdb.DuckDBPyConnection, view: str, rows: Iterable[Sequence[object]], /, **columns: type
) -> None:
    """A view of rows with these columns."""
    kinds = {str: pa.string(), float: pa.float64()}
    schema = pa.schema([(column, kinds[kind]) for column, kind in columns.items()])
    table = pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)
    connection.register(view, table)
