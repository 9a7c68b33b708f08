"""Thin Dagster glue: an asset reads, calls one pure function, writes, reports counts. No parsing, no SQL here."""
