"""The thing of the registry that a text names, by id or by any spelling. Pure."""

from __future__ import annotations

from functools import lru_cache

from pipelines.registry import load_registry
from pipelines.registry.names import name_key
from pipelines.registry.spellings import Spelling, spellings


def subject_of(text: str) -> Spelling | None:
    """The registry's entry under an id or a spelling; None for what it does not know."""
    ids, names = _index()
    return ids.get(text) or names.get(name_key(text))


@lru_cache(maxsize=1)
def _index() -> tuple[dict[str, Spelling], dict[str, Spelling]]:
    ids: dict[str, Spelling] = {}
    names: dict[str, Spelling] = {}
    for spelling in spellings(load_registry().entries):
        ids.setdefault(spelling.subject_id, spelling)
        names.setdefault(name_key(spelling.text), spelling)
    return ids, names
