"""Frozen types that cross a border between stages. Pure: no network, disk, database, clock or Dagster."""
