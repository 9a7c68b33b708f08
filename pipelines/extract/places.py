"""Every typed value of a document with its surroundings, in order of the text. Pure, linear."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.extract.link.prose import enter_heading, enter_list, prose_places
from pipelines.extract.link.scene import Around, Place, Scene
from pipelines.extract.tables.cells import table_places
from pipelines.model.claim import Span
from pipelines.model.document import BlockKind

_INTRO = 300  # characters of a paragraph that may say what the list or the table after it is about


def places_of(scene: Scene) -> Iterator[Place]:
    """The values of a document's headings, text, lists, code and tables."""
    around = Around()
    for index, block in enumerate(scene.document.blocks):
        if block.kind is BlockKind.HEADING:
            enter_heading(scene, around, block)
            yield from prose_places(scene, around, block, index)
        elif block.table is not None:
            yield from table_places(scene, around, block, index)
        else:
            enter_list(around, block)
            yield from prose_places(scene, around, block, index)
            if block.kind is not BlockKind.LIST_ITEM:
                around.intro = Span(max(block.start, block.end - _INTRO), block.end)
