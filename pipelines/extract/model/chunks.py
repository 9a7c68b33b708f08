"""A document in pieces that a model is asked about one by one: a section's text, or one table under its headings."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.model.document import Block, Document

LARGEST = 6_000  # characters; a longer section is cut between its blocks, a longer block where it is full


@dataclass(frozen=True, slots=True)
class Chunk:
    """Characters `start..end` of a document, and the headings that they stand under."""

    start: int
    end: int
    headings: tuple[str, ...]
    is_table: bool = False

    def text(self, document: Document) -> str:
        """The words of the chunk."""
        return document.text[self.start : self.end]


def chunks_of(document: Document) -> tuple[Chunk, ...]:
    """The pieces in order of the text; each character of a block is in exactly one."""
    found: list[Chunk] = []
    for block in document.blocks:
        headings = _headings(document, block)
        last = found[-1] if found else Chunk(0, 0, (), is_table=True)  # a table is joined to nothing
        is_table = block.table is not None
        is_open = not is_table and not last.is_table and last.headings == headings
        if is_open and block.end - last.start <= LARGEST:
            found[-1] = Chunk(last.start, max(last.end, block.end), headings)
        else:
            places = range(max(block.start, last.end), block.end, LARGEST)
            found += [Chunk(at, min(at + LARGEST, block.end), headings, is_table) for at in places]
    return tuple(found)


def _headings(document: Document, block: Block) -> tuple[str, ...]:
    own = (document.text_of(block).strip(),) if block.level and block.kind == "heading" else ()
    return (*block.heading_path, *own)
