"""Spellings as a trie over tokens: the longest that begins at each place of a text, in order, without overlap.

The time depends on the length of the text, not on how many spellings there are. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipelines.registry.homonyms import KeyedHit
from pipelines.registry.name_hit import NameHit
from pipelines.registry.names import name_key
from pipelines.registry.spellings import Spelling
from pipelines.registry.tokens import Token, tokens_of
from pipelines.registry.whole_names import FORM

_GROUPED = re.compile(r"[.,]\d")


@dataclass(slots=True)
class _Node:
    """A step of the trie: the next tokens, and what ends here."""

    children: dict[str, _Node]
    spelling: Spelling | None = None


class SpellingTrie:
    """All spellings at once; immutable after it is made."""

    def __init__(self, spellings: Iterable[Spelling]) -> None:
        self._root = _Node({})
        for spelling in spellings:
            self._add(spelling)

    def hits(self, text: str, tokens: Sequence[Token]) -> list[KeyedHit]:
        """What of a text is spelled so, each hit with its key."""
        hits = list(self._matches(text, tokens))
        return [(hit, name_key(text[hit.start : hit.end])) for hit in hits]

    def _add(self, spelling: Spelling) -> None:
        words = [token.key for token in tokens_of(spelling.text)]
        for way in (words, _version_joined(words)):
            node = self._root
            for word in way:
                node = node.children.setdefault(word, _Node({}))
            if way and node.spelling is None:
                node.spelling = spelling

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
    """Whether the word ends here: no letter or digit goes on, and no decimal part follows a number or 'v'."""
    end = tokens[at].end
    if at + 1 < len(tokens) and tokens[at + 1].start == end and tokens[at + 1].is_word:
        return False
    is_number = tokens[at].key.isdecimal() or tokens[at].key == "v"
    return not (is_number and _GROUPED.match(text, end) is not None)
