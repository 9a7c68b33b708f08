"""A document of the lake as the object that parsers made: its text and the offsets of its parts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from pipelines.lake import Lake
from pipelines.model.document import Block, BlockKind, Cell, Document, DocumentFormat, ItemList, Table

COLUMNS = (
    "document_id", "source_id", "url", "captured_at", "format", "title", "publisher", "claimant", "authors",
    "published_on", "language", "canonical_url", "text", "structure_json",
)  # fmt: skip


def documents_of(lake: Lake, partition: str, ids: Collection[str]) -> dict[str, dict[str, Any]]:
    """These documents of a partition by id, each with `first_seen` over its captures."""
    found: dict[str, dict[str, Any]] = {}
    for record in lake.read("documents", partition, COLUMNS, where=("document_id", ids)).to_pylist():
        seen = record["captured_at"]
        known = found.setdefault(record["document_id"], record | {"first_seen": seen})
        known["first_seen"] = min(known["first_seen"], seen)
    return found


def first_seen(lake: Lake, partition: str) -> pa.Table:
    """The readable documents of a partition in their order, each with the time of its first capture."""
    rows = lake.read("documents", partition, ["document_id", "captured_at"])
    return _first(rows.column("document_id"), rows.column("captured_at"), "first_seen")


def stated_on(lake: Lake, partition: str) -> pa.Table:
    """The readable documents of a partition in their order, each with its day."""
    rows = lake.read("documents", partition, ["document_id", "captured_at", "published_on"])
    seen = rows.column("captured_at").cast(pa.date32(), safe=False)
    return _first(rows.column("document_id"), pc.min_element_wise(rows.column("published_on"), seen), "stated_on")


def _first(ids: pa.ChunkedArray, told: pa.ChunkedArray, name: str) -> pa.Table:
    """Each id once, with the least that is told of it; as columns, for a source may hold very many."""
    rows = pa.table({"document_id": ids, name: told})
    least = rows.filter(pc.not_equal(ids, "")).group_by("document_id", use_threads=False).aggregate([(name, "min")])
    return least.rename_columns([{f"{name}_min": name}.get(column, column) for column in least.column_names])


def stated_day(record: dict[str, Any]) -> dt.date:
    """The day that a document gives itself, but not after it was first seen; else that day."""
    return _day(record["published_on"], record["first_seen"])


def _day(published: dt.date | None, first_seen: dt.datetime) -> dt.date:
    seen = first_seen.date()
    return min(published, seen) if published is not None else seen


def read_document(record: dict[str, Any]) -> Document:
    """The document as it was parsed; `record` holds the `COLUMNS` of a row of the lake."""
    parts = orjson.loads(record["structure_json"])
    return Document(
        document_id=record["document_id"],
        format=DocumentFormat(record["format"]),
        text=record["text"],
        blocks=tuple(_block(block) for block in parts["blocks"]),
        tables=tuple(_table(table) for table in parts["tables"]),
        lists=tuple(ItemList(item["is_ordered"], tuple(item["items"])) for item in parts["lists"]),
        title=record["title"] or None,
        publisher=record["publisher"] or None,
        authors=tuple(record["authors"]),
        published_on=record["published_on"],
        language=record["language"] or None,
        url=record["url"],
        canonical_url=record["canonical_url"] or None,
    )


def _block(part: dict[str, Any]) -> Block:
    return Block(**part | {"kind": BlockKind(part["kind"]), "heading_path": tuple(part["heading_path"])})


def _table(part: dict[str, Any]) -> Table:
    caption = part["caption"]
    cells = tuple(Cell(**cell) for cell in part["cells"])
    return Table(**part | {"cells": cells, "caption": tuple(caption) if caption is not None else None})
