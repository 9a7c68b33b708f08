"""A document as the extractor looks at it: its names found, its publisher unknown."""

from __future__ import annotations

from pipelines.extract.link.scene import Scene
from pipelines.extract.names.mentions import names_of
from pipelines.model.claim import Origin
from pipelines.model.document import Document
from pipelines.registry.mentions import NameFinder


def scene_of(document: Document) -> Scene:
    origin = Origin("page.md")
    return Scene(document, origin, names_of(document, origin, NameFinder.load()))
