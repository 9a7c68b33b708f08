"""Finds listed phrases in a text by its words: one pass, whole words, longest first. Pure.

Hyphen, slash and space between words are one; the last word may stand in the plural; a word ending in * stands for any
ending. Case does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

T = TypeVar("T")
_TOKEN = re.compile(r"[A-Za-zµ]+[A-Za-z0-9]*|\d+[A-Za-z]*|[$#%]|[\u4e00-\u9fff]+")
_GAP = re.compile(r"[\s\-\u2010-\u2012_/.®™()]{0,3}")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A phrase and its place; `names` are what was listed with it."""

    start: int
    end: int
    names: tuple[T, ...]


class Phrases(Generic[T]):
    """Phrases with the names listed for each; immutable once built."""

    def __init__(self, listed: Iterable[tuple[str, T]]) -> None:
        self._by_words: dict[tuple[str, ...], tuple[T, ...]] = {}
        self._longest: dict[str, int] = {}
        self._stems: set[str] = set()
        for phrase, name in listed:
            words = tuple(_words(phrase))
            names = self._by_words.get(words, ())
            self._by_words[words] = names if name in names else (*names, name)
            self._longest[words[0]] = max(self._longest.get(words[0], 0), len(words))
            self._stems |= {word.removesuffix("*") for word in words if word.endswith("*")}
        self._shortest_stem = min(map(len, self._stems), default=99)

    def find(self, text: str) -> Iterator[Found[T]]:
        """The phrases of a text in order, none overlapping, the longest at each place."""
        tokens = [(match[0].casefold(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
        tokens = [part for token in tokens for part in _characters(token)]
        at = 0
        while at < len(tokens):
            size, names = self._longest_at(text, tokens, at)
            if size:
                yield Found(tokens[at][1], tokens[at + size - 1][2], names)
            at += size or 1

    def _longest_at(self, text: str, tokens: list[tuple[str, int, int]], at: int) -> tuple[int, tuple[T, ...]]:
        for first in self._forms(tokens[at][0]):
            for size in range(min(self._longest.get(first, 0), len(tokens) - at), 0, -1):
                part = tokens[at : at + size]
                if any(not _is_gap(text, one[2], two[1]) for one, two in pairwise(part)):
                    continue
                middle = tuple(word for word, _, _ in part[1:-1])
                for last in self._forms(part[-1][0]) if size > 1 else ("",):
                    words = (first, *middle, last) if size > 1 else (first,)
                    if words in self._by_words:
                        return size, self._by_words[words]
        return 0, ()

    def _forms(self, word: str) -> list[str]:
        """A word as printed, in the singular, and as the endings-open words that it begins with."""
        forms = [word]
        if word.endswith("s") and len(word) > 2:
            forms.append(word[:-1])
        stems = (word[:size] for size in range(len(word), self._shortest_stem - 1, -1))
        return forms + [f"{stem}*" for stem in stems if stem in self._stems]


def _words(phrase: str) -> list[str]:
    found = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(phrase.casefold())]
    parts = [part for token in found for part in _characters(token)]
    if not parts:
        raise ValueError(f"{phrase!r} has no word")
    return [f"{word}*" if phrase[end : end + 1] == "*" else word for word, _, end in parts]


def _characters(token: tuple[str, int, int]) -> list[tuple[str, int, int]]:
    """A Chinese run has no gaps between its words: each sign is one."""
    word, start, _ = token
    if word[0] < "\u4e00":
        return [token]
    return [(sign, start + at, start + at + 1) for at, sign in enumerate(word)]


def _is_gap(text: str, end: int, start: int) -> bool:
    return start - end <= 3 and _GAP.fullmatch(text, end, start) is not None
