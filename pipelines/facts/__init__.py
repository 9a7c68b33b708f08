"""Committed facts that are made here: of what the lake holds (`mlperf`, `market`), of texts that are read (`read`)."""
