"""Label files without the words of their documents: facts, addresses and digests, so that others can train again.

    python bench/reader_labels.py FOLDER… > labels.jsonl

A quote becomes its place in the file's characters; texts stay where they are.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEPT = ("doc", "subject", "subject_alt", "metric", "metric_alt", "value", "alt_values", "unit", "qualifiers")


def facts(folder: Path) -> Iterator[dict[str, Any]]:
    """The labels of a folder, each with its document's origin and digest and its quote's place."""
    documents = {row["doc"]: row for row in lines_of(folder / "docs.jsonl")}
    for row in lines_of(folder / "gold.jsonl"):
        about = documents[row["doc"]]
        text = (folder / "docs" / row["doc"]).read_text(encoding="utf-8")
        place = place_of(row["quote"], text)
        known = {name: row[name] for name in KEPT if row.get(name)}
        yield known | {"origin": about["origin"], "sha256": about.get("sha256", "")} | place


def place_of(quote: str, text: str) -> dict[str, int]:
    """Where a quote stands, whatever lies between its words; empty where it does not."""
    at = text.find(quote)
    if at >= 0:
        return {"start": at, "end": at + len(quote)}
    words = [re.escape(word) for word in re.findall(r"\w+", quote)]
    found = re.search(r"(?:[\W_]|<[^<>]*>)*".join(words), text) if words else None
    return {"start": found.start(), "end": found.end()} if found is not None else {}


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for fact in facts(Path(name)):
            print(json.dumps(fact, ensure_ascii=False))
