"""What the words of price lists and benchmarks mean in the registry, as temporary views for the SQL of the tables.

The names are matched when the warehouse is built, so a new alias mends old rows without parsing them again. A word
that matches nothing stays 'unknown' with its raw form kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from pipelines.lake import table_of
from pipelines.registry import AcceleratorNames, Registry, load_registry
from pipelines.registry.market_parties import FilerRow, ProviderClassRow, load_market_parties

_NAMED_HARDWARE = """
    SELECT DISTINCT accelerator_raw, memory_gb FROM lake_cloud_offers
    UNION SELECT DISTINCT accelerator_raw, memory_gb FROM committed_cloud_offers
    UNION SELECT DISTINCT hardware_raw, NULL FROM lake_inferencex
    UNION SELECT DISTINCT hardware_raw, NULL FROM committed_inferencex
    ORDER BY ALL
"""
_NAMED_PROVIDERS = """
    SELECT DISTINCT provider FROM lake_cloud_offers UNION SELECT DISTINCT provider FROM committed_cloud_offers
    ORDER BY ALL
"""
_HARDWARE = pa.schema([("accelerator_raw", pa.string()), ("memory_gb", pa.float64()), ("accelerator", pa.string())])
_PROVIDERS = pa.schema([("provider", pa.string()), ("organisation_id", pa.string()), ("name", pa.string())])


def stage_market_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `market_accelerators`, `market_providers`, `registry_provider_classes` and `registry_filers`.

    Needs the views `lake_*` and `committed_*` of cloud offers and InferenceX.
    """
    names, registry, parties = AcceleratorNames.load(), load_registry(), load_market_parties()
    hardware = [
        (raw, memory, _accelerator(names, raw, memory))
        for raw, memory in connection.execute(_NAMED_HARDWARE).fetchall()
    ]
    providers = [(raw, *_provider(registry, raw)) for (raw,) in connection.execute(_NAMED_PROVIDERS).fetchall()]
    connection.register("market_accelerators", _table(hardware, _HARDWARE))
    connection.register("market_providers", _table(providers, _PROVIDERS))
    connection.register("registry_provider_classes", table_of(parties.provider_classes, ProviderClassRow))
    connection.register("registry_filers", table_of(parties.filers, FilerRow))


def _accelerator(names: AcceleratorNames, raw: str, memory_gb: float | None) -> str:
    """The entry for a name; the memory that stands beside it may decide between two forms of a model."""
    if memory_gb is None:
        return names.match(raw).accelerator_id
    with_memory = names.match(f"{raw} {memory_gb:g}GB").accelerator_id
    return with_memory if with_memory != "unknown" else names.match(raw).accelerator_id


def _provider(registry: Registry, raw: str) -> tuple[str | None, str]:
    """(organisation id, name); no id where the word is no one organisation of the registry."""
    feed_names, parts = load_market_parties().feed_names, registry.submitter(raw).parts
    organisation_id = feed_names[raw] if raw in feed_names else parts[0] if len(parts) == 1 else None
    entry = None if organisation_id is None else registry.organisation(organisation_id)
    return organisation_id, raw if entry is None else entry.name


def _table(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)
