"""Named things as the reader takes them: found by the registry, widened to subjects, named as printed. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from pipelines.extract.names.printed import as_printed
from pipelines.extract.names.subjects import Mention, subjects_of
from pipelines.model.claim import Origin
from pipelines.model.document import Document
from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder
from pipelines.registry.product_like import product_like


class DocumentNames(NamedTuple):
    """The named things of a document, of its title and of its publisher's name, each in order."""

    text: list[Mention]
    title: list[Mention]
    publisher: list[Mention]


def find_mentions(text: str, finder: NameFinder, context: str = "") -> list[Mention]:
    """All named things in a text, in order, without overlap."""
    known = finder.find(text, context)
    unknown = product_like(text, known, _makers())
    return as_printed(text, subjects_of(text, known, unknown))


def names_of(document: Document, origin: Origin, finder: NameFinder) -> DocumentNames:
    """Every named thing of a document; the title helps to read the text, and its beginning to read the title."""
    title = document.title or ""
    texts = (document.text, title), (title, document.text[:800]), (origin.publisher, "")
    return DocumentNames(*(find_mentions(text, finder, context) if text else [] for text, context in texts))


@lru_cache(maxsize=1)
def _makers() -> frozenset[str]:
    return frozenset(entry.vendor for entry in load_registry().entries.accelerators)
