"""What every step asks for, read as this is imported: by the process that the steps' processes are forked from."""

from pipelines.registry import load_registry
from warehouse.declared import all_checks
from warehouse.lineage import built_tables

load_registry()
built_tables()
all_checks()
