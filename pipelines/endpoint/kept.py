"""Answers that were given, one file each, by the digest of text, prompt, schema and model: a rebuild asks nobody."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pipelines.frozen import frozen


@frozen
class Kept:
    """The answers below one folder."""

    root: Path

    def get(self, digest: str) -> tuple[bool, str | None]:
        """Whether the answer is kept, and its words (None for a refusal). A file that a kill cut short is none."""
        try:
            record = json.loads(self._path(digest).read_text(encoding="utf-8"))
            return True, record["answer"]
        except (OSError, ValueError, KeyError, TypeError):
            return False, None

    def put(self, digest: str, answer: str | None) -> None:
        """Keep an answer; when this returns it is on the disk, whole."""
        path = self._path(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        trial = path.with_name(f".{path.name}.{os.getpid()}")
        with trial.open("w", encoding="utf-8") as file:
            json.dump({"answer": answer}, file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        trial.replace(path)

    def _path(self, digest: str) -> Path:
        return self.root / digest[:2] / f"{digest}.json"
