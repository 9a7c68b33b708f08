"""A document's claims by the model: what is kept is taken, the rest is asked for while the budget lasts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.endpoint.kept import Kept
from pipelines.extract.model.chunks import Chunk, chunks_of
from pipelines.extract.model.ground import Grounded, ground
from pipelines.extract.model.question import digest_of, request
from pipelines.frozen import frozen
from pipelines.model.claim import Origin
from pipelines.model.document import Document

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
