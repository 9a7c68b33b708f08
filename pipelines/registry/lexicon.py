"""The lexicon of things that hold accelerators or are counted: one table for prose and tables.

A word has one thing; what a figure per such a thing is per, and what a count of such things counts, stand with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pydantic import Field, model_validator

from pipelines.registry.entries import Entry
from pipelines.registry.read_yaml import HERE, read_model


class Thing(Entry):
    """One kind of thing; `per` and `counts` are the words that qualifiers of metrics use."""

    id: str
    per: str
    counts: str = ""
    words: tuple[str, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _counts_itself(cls, data: Mapping[str, object]) -> Mapping[str, object]:
        return {"counts": data.get("id", ""), **data}


class _File(Entry):
    things: tuple[Thing, ...]


class Lexicon:
    """Look-up from a word, in singular or plural and any case, to its thing; immutable."""

    def __init__(self, things: tuple[Thing, ...]) -> None:
        self.things = things
        self._by_word: dict[str, Thing] = {}
        for thing in things:
            for word in thing.words:
                if word in self._by_word:
                    raise ValueError(f"{thing.id}: {word!r} is also {self._by_word[word].id}'s")
                self._by_word[word] = thing
        self.longest = max(word.count(" ") + 1 for word in self._by_word)

    def thing(self, word: str) -> Thing | None:
        """The thing that a word or a phrase names; None for any other word."""
        folded = word.casefold()
        found = self._by_word.get(folded)
        if found is None and folded.endswith("s"):
            found = self._by_word.get(folded[:-1])
        return found

    def per_word(self, word: str) -> str:
        """What a figure per such a thing is per: 'GPU', 'chips' and 'package' are all 'accelerator'."""
        found = self.thing(word.strip())
        return found.per if found is not None else word.strip().casefold()


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """The lexicon that ships with the code, read once; raises `RegistryError` for a mistake in the file."""
    return Lexicon(read_model(HERE / "lexicon.yaml", _File).things)
