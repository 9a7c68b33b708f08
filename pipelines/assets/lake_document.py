"""A document of the lake as the object that parsers made: its text and the offsets of its parts."""

from __future__ import annotations

from typing import Any

import orjson

from pipelines.model.document import Block, BlockKind, Cell, Document, DocumentFormat, ItemList, Table

COLUMNS = (
    "document_id", "source_id", "url", "captured_at", "format", "title", "publisher", "authors", "published_on",
    "language", "canonical_url", "text", "structure_json",
)  # fmt: skip


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
