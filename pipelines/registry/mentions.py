"""Finds the registry's names in running text: longest match, in order, without overlap, with context for homonyms.

Pure; what looks like a product and is none of the registry's is `products`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from pipelines.registry.homonyms import Homonyms
from pipelines.registry.load import Entries, committed_entries
from pipelines.registry.name_entries import FieldWords, HomonymEntry
from pipelines.registry.name_hit import NameHit
from pipelines.registry.names import name_key
from pipelines.registry.product_like import ProductLike, product_like
from pipelines.registry.read_yaml import HERE, read_model
from pipelines.registry.spelling_trie import SpellingTrie
from pipelines.registry.spellings import Spelling, spellings
from pipelines.registry.tokens import tokens_of
from pipelines.registry.whole_names import WholeNames


class NameFinder:
    """The finder over one set of entries; immutable after it is made, safe to share."""

    def __init__(self, entries: Entries, more: Iterable[Spelling] = ()) -> None:
        words = read_model(HERE / "field_words.yaml", FieldWords)
        self._makers = {entry.vendor for entry in entries.accelerators}
        self._homonyms = Homonyms(
            (*entries.homonyms, *_short_names(entries)), words.hardware_words, words.lower_case_too, self._makers
        )
        self._whole = WholeNames(entries)
        self._spellings = SpellingTrie((*spellings(entries), *more))
        self._is_of_the_field = lru_cache(maxsize=256)(self._of_the_field)

    @classmethod
    def load(cls) -> NameFinder:
        """The finder over the registry that ships with the code."""
        return _committed_finder()

    def find(self, text: str, context: str = "") -> list[NameHit]:
        """All names in a text, in order. `context` (title, headings, caption) helps only to settle homonyms."""
        tokens = tokens_of(text)
        found = self._spellings.hits(text, tokens)
        kept = self._homonyms.meant(text, tokens, found, bool(context) and self._is_of_the_field(context))
        return self._whole.names(text, kept)

    def products(self, text: str, context: str = "") -> list[ProductLike]:
        """What looks like a product name and is none of the registry's, in order."""
        return product_like(text, self.find(text, context), self._makers)

    def _of_the_field(self, context: str) -> bool:
        tokens = tokens_of(context)
        return self._homonyms.is_of_the_field(tokens, self._spellings.hits(context, tokens))


def _short_names(entries: Entries) -> Iterator[HomonymEntry]:
    """Spellings too short to stand alone, as far as no curated rule says what decides: the maker's name must."""
    curated = {name_key(name) for entry in entries.homonyms for name in entry.names}
    for accelerator in entries.accelerators:
        names = tuple(
            name
            for name in accelerator.tokens
            if name_key(name) not in curated and not name_key(name).startswith(name_key(accelerator.vendor))
        )
        if accelerator.needs_vendor and names:
            yield HomonymEntry(names=names, needs="maker")


@lru_cache(maxsize=1)
def _committed_finder() -> NameFinder:
    return NameFinder(committed_entries())
