"""A document's claims by the model: what is kept is taken, the rest is asked for while the budget lasts.

Answers are kept one file each, by the digest of text, prompt, schema and model: a rebuild asks nobody.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipelines.archive.layout import replace_file
from pipelines.extract.model.ground import Grounded, ground
from pipelines.extract.model.question import Chunk, chunks_of, digest_of, request
from pipelines.frozen import frozen
from pipelines.model.claim import Origin
from pipelines.model.document import Document


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
        replace_file(self._path(digest), json.dumps({"answer": answer}, ensure_ascii=False).encode())

    def _path(self, digest: str) -> Path:
        return self.root / digest[:2] / f"{digest}.json"


Ask = Callable[[dict[str, object]], str | None]


@dataclass(slots=True)
class Budget:
    """How many questions a run may still ask, and how many of one document."""

    run: int
    document: int
    asked: int = 0

    def allows(self, asked_of_document: int) -> bool:
        """Whether one more question may be asked."""
        return self.asked < self.run and asked_of_document < self.document


@frozen
class Read:
    """What became of one document: its grounded claims, questions asked now, kept before and left for another run."""

    grounded: Grounded
    asked: int
    kept: int
    left: int


def read_document(document: Document, origin: Origin, model: str, kept: Kept, ask: Ask | None, budget: Budget) -> Read:
    """The claims of a document; `ask` None reads what is kept and nothing else. Each answer is kept as it comes."""
    answers: list[tuple[Chunk, str | None]] = []
    asked = held = left = 0
    for chunk in chunks_of(document):
        text = chunk.text(document)
        if not any(letter.isdigit() for letter in text):
            continue  # nothing that is a figure
        body = request(text, chunk.headings, model)
        digest = digest_of(body)
        is_kept, answer = kept.get(digest)
        if is_kept:
            held += 1
        elif ask is not None and budget.allows(asked):
            budget.asked += 1
            asked += 1
            answer = ask(body)
            kept.put(digest, answer)
        else:
            left += 1
            continue
        answers.append((chunk, answer))
    return Read(ground(document, origin, answers), asked, held, left)
