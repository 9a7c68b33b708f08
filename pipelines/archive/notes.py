"""What a person said of a document that was added by hand: who published it, who asserts it, and when. Kept beside it.

    notes/documents.jsonl      append-only, one JSON object a line; of a capture the last word on each field counts

What is said here goes before what the page says of itself.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from pathlib import Path

from pipelines.archive.layout import append_lines
from pipelines.frozen import frozen

PLACE = Path("notes") / "documents.jsonl"


@frozen
class DocumentNote:
    """What was said of one capture; '' and None where nothing was."""

    capture_id: str
    publisher: str = ""
    published_on: dt.date | None = None
    claimant: str = ""


def add_notes(root: Path, notes: Iterable[DocumentNote]) -> None:
    """Append these notes; when this returns they are on the disk. Raises OSError."""
    append_lines(root / PLACE, notes)


def read_notes(root: Path) -> dict[str, DocumentNote]:
    """The notes by capture; a line that a kill cut short is passed over."""
    found: dict[str, DocumentNote] = {}
    path = root / PLACE
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        day = record["published_on"]
        published_on = dt.date.fromisoformat(day) if day else None
        claimant = record.get("claimant", "")  # notes of 2026-11 and before have none
        capture_id = record["capture_id"]
        before = found.get(capture_id, DocumentNote(capture_id))
        found[capture_id] = DocumentNote(
            capture_id,
            record["publisher"] or before.publisher,
            published_on or before.published_on,
            claimant or before.claimant,
        )
    return found
