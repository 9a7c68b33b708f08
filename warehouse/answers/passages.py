"""A claim's passage from the reader's own lake: the text belongs to its author and is not published.

Reads the source's partition of the lake, read-only; without it there is nothing to show.
"""

from __future__ import annotations

from pathlib import Path

from pipelines.lake import Lake

AROUND = 160  # characters shown before and after the passage


def passage(lake: Path, source_id: str, document_id: str, start: int, end: int) -> tuple[str, str, str] | None:
    """Text before, at and after a locator; None where this machine keeps no such document."""
    if not source_id.replace("_", "").isalnum() or not Lake(lake).files("documents", source_id):
        return None
    found = Lake(lake).read("documents", source_id, ["text"], ("document_id", [document_id]))
    if found.num_rows == 0:
        return None
    text = str(found.column("text")[0].as_py())
    if not 0 <= start < end <= len(text):
        return None
    return text[max(start - AROUND, 0) : start], text[start:end], text[end : end + AROUND]
