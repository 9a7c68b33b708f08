"""A claim's passage from the reader's own lake: the text belongs to its author and is not published.

Reads the Parquet files of one source, read-only; without them there is nothing to show.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

AROUND = 160  # characters shown before and after the passage


def passage(lake: Path, source_id: str, document_id: str, start: int, end: int) -> tuple[str, str, str] | None:
    """Text before, at and after a locator; None where this machine keeps no such document."""
    if not source_id.replace("_", "").isalnum():
        return None
    folder = lake / "documents"
    for path in (folder / f"{source_id}.parquet", *sorted(folder.glob(f"{source_id}~*.parquet"))):
        if path.exists() and (text := _text(path, document_id)) is not None:
            is_there = 0 <= start < end <= len(text)
            return (
                (text[max(start - AROUND, 0) : start], text[start:end], text[end : end + AROUND]) if is_there else None
            )
    return None


def _text(path: Path, document_id: str) -> str | None:
    table = pq.read_table(path, columns=["document_id", "text"])
    found = table.filter(pc.equal(table["document_id"], document_id))
    return str(found.column("text")[0].as_py()) if found.num_rows else None
