"""Finds the registry's names in running text: longest match, in order, without overlap, with context for homonyms.

A trie over tokens: the time depends on the length of the text, not on how many spellings there are. Pure; what looks
like a product and is none of the registry's is `products`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipelines.registry.checks import Entries
from pipelines.registry.homonyms import Homonyms, KeyedHit
from pipelines.registry.load import committed_entries
from pipelines.registry.name_entries import HomonymEntry
from pipelines.registry.name_hit import NameHit
from pipelines.registry.names import name_key
from pipelines.registry.product_like import ProductLike, product_like
from pipelines.registry.spellings import Spelling, spellings
from pipelines.registry.tokens import Token, tokens_of
from pipelines.registry.whole_names import FORM, WholeNames

_GROUPED = re.compile(r"[.,]\d")


@dataclass(slots=True)
class _Node:
    """A step of the trie: the next tokens, and what ends here."""

    children: dict[str, _Node]
    spelling: Spelling | None = None


class NameFinder:
    """The finder over one set of entries; immutable after it is made, safe to share."""

    def __init__(self, entries: Entries, more: Iterable[Spelling] = ()) -> None:
        self._root = _Node({})
        self._makers = {entry.vendor for entry in entries.accelerators}
        self._homonyms = Homonyms(
            (*entries.homonyms, *_short_names(entries)), entries.hardware_words, entries.lower_case_too, self._makers
        )
        self._whole = WholeNames(entries)
        for spelling in (*spellings(entries), *more):
            self._add(spelling)
        self._is_of_the_field = lru_cache(maxsize=256)(self._of_the_field)

    @classmethod
    def load(cls) -> NameFinder:
        """The finder over the registry that ships with the code."""
        return _committed_finder()

    def find(self, text: str, context: str = "") -> list[NameHit]:
        """All names in a text, in order. `context` (title, headings, caption) helps only to settle homonyms."""
        tokens = tokens_of(text)
        found = self._keyed(text, tokens)
        kept = self._homonyms.meant(text, tokens, found, bool(context) and self._is_of_the_field(context))
        return self._whole.names(text, kept)

    def products(self, text: str, context: str = "") -> list[ProductLike]:
        """What looks like a product name and is none of the registry's, in order."""
        return product_like(text, self.find(text, context), self._makers)

    def _add(self, spelling: Spelling) -> None:
        words = [token.key for token in tokens_of(spelling.text)]
        for way in (words, _version_joined(words)):
            node = self._root
            for word in way:
                node = node.children.setdefault(word, _Node({}))
            if way and node.spelling is None:
                node.spelling = spelling

    def _keyed(self, text: str, tokens: Sequence[Token]) -> list[KeyedHit]:
        hits = list(self._matches(text, tokens))
        return [(hit, name_key(text[hit.start : hit.end])) for hit in hits]

    def _matches(self, text: str, tokens: Sequence[Token]) -> Iterator[NameHit]:
        index, count = 0, len(tokens)
        first = self._root.children
        while index < count:
            key = tokens[index].key
            if key in first or (key.endswith("s") and key[:-1] in first):
                match = self._longest(text, tokens, index)
                if match is not None:
                    spelling, last = match
                    yield NameHit(
                        tokens[index].start, tokens[last].end,
                        spelling.subject_id, spelling.name, spelling.kind, spelling.vendor_id,
                    )  # fmt: skip
                    index = last + 1
                    continue
            index += 1

    def _longest(self, text: str, tokens: Sequence[Token], index: int) -> tuple[Spelling, int] | None:
        if index and tokens[index - 1].end == tokens[index].start and not _may_precede(tokens, index):
            return None
        node, best, at = self._root, None, index
        while at < len(tokens) and (at == index or tokens[at].is_joined):
            token = tokens[at]
            child = node.children.get(token.key)
            if child is None:
                child = node.children.get(token.key[:-1]) if token.key.endswith("s") and len(token.key) > 3 else None
                if child is not None and child.spelling is not None and _ends_at(text, tokens, at):
                    best = (child.spelling, at)
                break
            if child.spelling is not None:
                last = _end_of_name(text, tokens, at)
                best = best if last is None else (child.spelling, last)
            node, at = child, at + 1
        return best

    def _of_the_field(self, context: str) -> bool:
        tokens = tokens_of(context)
        return self._homonyms.is_of_the_field(tokens, self._keyed(context, tokens))


def _version_joined(words: Sequence[str]) -> list[str]:
    """The other way to write a version: 'TPUv5e' for 'TPU v5e'."""
    joined: list[str] = []
    for word in words:
        if word == "v" and joined and joined[-1].isalpha():
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _may_precede(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token may touch a name from the left: punctuation, or the sign in '8xH100'."""
    before = tokens[index - 1]
    return not before.is_word or (before.key == "x" and index > 1 and tokens[index - 2].key.isdecimal())


def _end_of_name(text: str, tokens: Sequence[Token], at: int) -> int | None:
    """The last token of a name that ends at `at`, with a plural s taken in; None where the word goes on."""
    if _ends_at(text, tokens, at):
        return at
    after = tokens[at + 1]
    if after.key == "s" and after.start == tokens[at].end and _ends_at(text, tokens, at + 1):
        return at + 1
    return at if FORM.match(text, tokens[at].end) is not None else None


def _ends_at(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether the word ends here: no letter or digit goes on, and no decimal part follows a number."""
    end = tokens[at].end
    if at + 1 < len(tokens) and tokens[at + 1].start == end and tokens[at + 1].is_word:
        return False
    return not (tokens[at].key.isdecimal() and _GROUPED.match(text, end) is not None)


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
