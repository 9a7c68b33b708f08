"""The one door for ways of reading claims: extractors by name. A new one registers here and nothing else changes."""

from __future__ import annotations

from pipelines.extract.reader import ClaimReader
from pipelines.model.claim import Extractor

_EXTRACTORS: dict[str, Extractor] = {}


def register(extractor: Extractor) -> None:
    """Add an extractor; raises ValueError when its name is taken by another."""
    known = _EXTRACTORS.get(extractor.name)
    if known is not None and known is not extractor:
        raise ValueError(f"an extractor named {extractor.name!r} is registered already")
    _EXTRACTORS[extractor.name] = extractor


def unregister(name: str) -> None:
    """Take an extractor out again; raises KeyError when none has the name."""
    del _EXTRACTORS[name]


def extractors() -> tuple[Extractor, ...]:
    """All extractors in order of registration."""
    return tuple(_EXTRACTORS.values())


register(ClaimReader())
