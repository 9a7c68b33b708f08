"""Curated names: accelerators, generations, organisations, MLPerf rounds and benchmarks, with a loader and matchers.

The facts are the YAML files beside this module. The package reads them and nothing else: no network, no database,
no clock.
"""

from pipelines.registry.accelerators import MIXED, NONE, UNKNOWN, AcceleratorMatch, AcceleratorNames
from pipelines.registry.read_yaml import RegistryError
from pipelines.registry.registry import Registry, Submitter, load_registry
from pipelines.registry.rows import registry_rows

__all__ = [
    "MIXED",
    "NONE",
    "UNKNOWN",
    "AcceleratorMatch",
    "AcceleratorNames",
    "Registry",
    "RegistryError",
    "Submitter",
    "load_registry",
    "registry_rows",
]
