"""What a person said of a document that was added by hand: who published it, who asserts it, and when. Kept beside it.

    notes/documents.jsonl      append-only, one JSON object a line; of a capture the last word on each field counts

What is said here goes before what the page says of itself.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Iterable
from pathlib import Path

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
    lines = [
        json.dumps(
            {
                "capture_id": note.capture_id,
                "publisher": note.publisher,
                "published_on": note.published_on and note.published_on.isoformat(),
                "claimant": note.claimant,
            },
            ensure_ascii=False,
        )
        for note in notes
    ]
    if not lines:
        return
    path = root / PLACE
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())


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
