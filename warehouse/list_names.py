"""What the labels of lists, owners' tables and cluster tables mean in the registry, as temporary views for the SQL.

As in `market_names`: matched when the warehouse is built, so a new alias mends old rows; what matches nothing keeps its
label and stays 'unknown'.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from pipelines.lake import table_of
from pipelines.registry import load_registry
from pipelines.registry.accelerator_cores import AcceleratorCoresRow, load_list_labels

_LABELS = """
    SELECT accelerator_raw AS raw FROM lake_top500
    UNION SELECT accelerator_raw FROM lake_green500
    UNION SELECT chip_raw FROM (FROM lake_chip_owners UNION ALL FROM committed_chip_owners)
    UNION SELECT chip_raw FROM (FROM lake_chip_sales UNION ALL FROM committed_chip_sales)
    UNION SELECT unnest([chip_raw, second_chip_raw]) FROM (FROM lake_clusters UNION ALL FROM committed_clusters)
    UNION SELECT hardware_raw FROM (FROM lake_hardware_specs UNION ALL FROM committed_hardware_specs)
    ORDER BY raw
"""
_ORGANISATIONS = """
    SELECT site AS raw FROM lake_top500
    UNION SELECT site FROM lake_green500
    UNION SELECT unnest([owner_raw, maker_raw]) FROM (FROM lake_chip_owners UNION ALL FROM committed_chip_owners)
    UNION SELECT maker_raw FROM (FROM lake_chip_sales UNION ALL FROM committed_chip_sales)
    UNION SELECT unnest(owners) FROM (FROM lake_sites UNION ALL FROM committed_sites)
    UNION SELECT owner_raw FROM (FROM lake_clusters UNION ALL FROM committed_clusters)
    UNION SELECT trim(unnest(string_split(owner_raw, ','))) FROM (FROM lake_clusters UNION ALL FROM committed_clusters)
    UNION SELECT maker_raw FROM (FROM lake_hardware_specs UNION ALL FROM committed_hardware_specs)
    ORDER BY raw
"""
_CHIPS = pa.schema([(name, pa.string()) for name in ("label", "accelerator", "generation", "vendor")])
_NAMED = pa.schema([("raw", pa.string()), ("organisation_id", pa.string()), ("organisation", pa.string())])


def stage_list_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `listed_chips`, `listed_organisations` and `registry_accelerator_cores`.

    Needs the views `lake_*` and `committed_*` of the lists and of Epoch AI's tables.
    """
    labels = load_list_labels()
    chips = []
    for raw in _words(connection, _LABELS):
        found = labels.meaning(raw)
        chips.append({"label": raw, **{name: getattr(found, name) for name in _CHIPS.names[1:]}})
    registry = load_registry()
    named = []
    for raw in _words(connection, _ORGANISATIONS):
        parts = registry.submitter(raw).parts
        entry = registry.organisation(parts[0]) if len(parts) == 1 else None
        known = (None, raw) if entry is None else (entry.id, entry.name)
        named.append({"raw": raw, "organisation_id": known[0], "organisation": known[1]})
    connection.register("listed_chips", pa.Table.from_pylist(chips, schema=_CHIPS))
    connection.register("listed_organisations", pa.Table.from_pylist(named, schema=_NAMED))
    connection.register("registry_accelerator_cores", table_of(labels.cores, AcceleratorCoresRow))


def _words(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    return [raw for (raw,) in connection.execute(query).fetchall() if raw]
