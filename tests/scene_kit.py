"""A document as the extractor looks at it: its names found, its publisher unknown."""

from __future__ import annotations

import datetime as dt

from pipelines.extract.link.scene import Scene
from pipelines.extract.names.mentions import names_of
from pipelines.model.claim import Origin
from pipelines.model.document import Document
from pipelines.parse.document import parse_document
from pipelines.registry.mentions import NameFinder


def scene_of(document: Document) -> Scene:
    origin = Origin("page.md")
    return Scene(document, origin, names_of(document, origin, NameFinder.load()))


def markdown(text: str) -> Document:
    """A document of one Markdown page."""
    return _page(text, "page.md")


def html(text: str) -> Document:
    """A document of one HTML page."""
    return _page(text, "page.html")


def _page(text: str, url: str) -> Document:
    when = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    return parse_document(text.encode(), media_type=None, charset=None, url=url, captured_at=when)
