"""What is the same for all figures of a table: its frame, its unit, its footnotes, what the words above say. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.extract.table_frame import Figure, Frame, Surroundings
from pipelines.extract.table_labels import rate_unit, sparsity_words
from pipelines.extract.unit_words import UnitWord
from pipelines.model.claim import Origin, Span
from pipelines.model.document import Block, BlockKind, Cell, Document, Table
from pipelines.registry.mentions import NameFinder

_EXAMPLE = re.compile(r"\b(?:illustrative|hypothetical|example|fictional)\b", re.IGNORECASE)
_PROMISED = re.compile(
    r"\b(?:roadmap|expected|preview|projected|preliminary|planned|rumou?red|upcoming)\b", re.IGNORECASE
)
_MEASURED = re.compile(r"\bmeasured (?:values|results|performance|on|in|with)\b", re.IGNORECASE)
_HOURLY = re.compile(
    r"\$ ?[\d.,]+ ?(?:/|per ) ?(?:GPU[- ]?)?(?:hr|hour|h)\b|\bhourly\b|\bper (?:GPU[- ])?hour\b", re.IGNORECASE
)
_LONGEST_LEAD = 600
_LONGEST_INTRO, _LONGEST_CONTEXT = 260, 400
_FOOTNOTE = re.compile(r"\s*(?:[*†‡§¹²³]|\[\^?\w+\]|\(?\d\)?[.)\s])")
_NOTES_WITHIN = 600  # characters after the table


@dataclass(frozen=True, slots=True)
class Ground:
    """One table and all that holds for every figure in it.

    `unit` is what the words above give for bare numbers; `said` the sparsity they state for all; `has_sparse` that a
    column says 'sparse', so that the others are dense; `notes` the text of the footnotes.
    """

    document: Document
    origin: Origin
    frame: Frame
    finder: NameFinder
    unit: UnitWord | None
    said: str
    has_sparse: bool
    notes: str
    is_example: bool
    is_promised: bool
    is_measured: bool
    is_hourly: bool  # whether dollars without a label are dollars an hour

    def text(self, figure: Figure) -> str:
        """The characters of a figure's cell."""
        return self.document.text[figure.cell.start : figure.cell.end]

    def span(self, figure: Figure, start: int, end: int) -> Span:
        """Places in a cell as places in the document."""
        return Span(figure.cell.start + start, figure.cell.start + end)

    def context(self, figure: Figure) -> Span:
        """From the cell that names the row to the figure."""
        row = [cell for cell in self.frame.grid[figure.cell.row] if cell is not None]
        first = min([figure.cell, *row], key=lambda cell: cell.start)
        is_near = figure.cell.end - first.start <= _LONGEST_CONTEXT
        return Span(first.start if is_near else figure.cell.start, figure.cell.end)


def ground_of(document: Document, table: Table, origin: Origin, finder: NameFinder, block: Block | None) -> Ground:
    """Everything about a table that does not change from cell to cell."""
    around = surroundings(document, table, block)
    frame = Frame(document, table, finder, around)
    near = around.zones[:3]
    return Ground(
        document=document,
        origin=origin,
        frame=frame,
        finder=finder,
        unit=next((unit for zone in (*near, around.lead) if (unit := rate_unit(zone)) is not None), None),
        said=next((said[0] for zone in (*near[:2], around.lead) if len(said := sparsity_words(zone)) == 1), ""),
        has_sparse=any("sparse" in sparsity_words(frame.words(cell)) for cell in _label_cells(frame)),
        notes=_notes(document, table),
        is_example=any(_EXAMPLE.search(zone) is not None for zone in near),
        is_measured=_MEASURED.search(around.lead) is not None,
        is_hourly=any(_HOURLY.search(words) is not None for words in (*near, *_body_words(frame))),
        is_promised=any(_PROMISED.search(zone) is not None for zone in near),
    )


def surroundings(document: Document, table: Table, block: Block | None) -> Surroundings:
    """Caption, leading line, headings and title of a table."""
    caption = "" if table.caption is None else document.text[table.caption[0] : table.caption[1]]
    headings: tuple[str, ...] = ()
    intro = lead = ""
    if block is not None:
        headings = tuple(reversed(block.heading_path))
        index = bisect_left(document.blocks, block.start, key=lambda each: each.start)
        before = document.blocks[index - 1] if index else None
        if before is not None and before.kind in (BlockKind.PARAGRAPH, BlockKind.CAPTION):
            words = document.text_of(before).rstrip()
            lead = words[:_LONGEST_LEAD]
            intro = words if words.endswith(":") or len(words) < _LONGEST_INTRO // 2 else ""
    return Surroundings(caption, intro[-_LONGEST_INTRO:], headings, document.title or "", lead)


def _body_words(frame: Frame) -> Iterator[str]:
    for row in frame.grid[frame.head :]:
        yield from (frame.words(cell) for cell in row if cell is not None)


def _label_cells(frame: Frame) -> Iterator[Cell]:
    for row in frame.grid[: frame.head]:
        yield from (cell for cell in row if cell is not None)


def _notes(document: Document, table: Table) -> str:
    """The footnotes of a table: lines after it, or its own last rows, that begin with a mark."""
    after = [line for line in document.text[table.end : table.end + _NOTES_WITHIN].splitlines() if line.strip()][:4]
    own = [line for line in document.text[table.start : table.end].splitlines()[-4:] if line.strip()]
    return "\n".join(line for line in (*own, *after) if _FOOTNOTE.match(line) is not None)
