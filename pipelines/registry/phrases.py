"""Lists of phrases by what they say (`phrases.yaml`), and whether a text has one. Read once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from pipelines.registry.entries import Entry
from pipelines.registry.read_yaml import HERE, read_model

_List = Annotated[tuple[str, ...], Field(min_length=1)]


class Phrases:
    """The phrases of one list, and those of which they say nothing; immutable. Any case, whole words."""

    def __init__(self, phrases: Iterable[str], unless: Iterable[str] = ()) -> None:
        unless = _any_of(unless) or "(?!)"
        self._pattern = re.compile(rf"(?P<unless>{unless})|(?P<said>{_any_of(phrases)})", re.IGNORECASE)
        self._has = lru_cache(maxsize=4096)(self._search)  # a sentence is asked for each of its values

    def ends(self, text: str) -> Iterator[int]:
        """Where a phrase of the list ends in a text, in order."""
        return (match.end() for match in self._pattern.finditer(text) if match.lastgroup == "said")

    def are_in(self, text: str) -> bool:
        """Whether a text has a phrase of the list."""
        return self._has(text)

    def _search(self, text: str) -> bool:
        return next(self.ends(text), None) is not None

    def start(self, text: str, at: int) -> bool:
        """Whether one begins at a position."""
        match = self._pattern.match(text, at)
        return match is not None and match.lastgroup == "said"


def _any_of(phrases: Iterable[str]) -> str:
    """A pattern of phrases, the longest first; where words may begin is looked at once for all of them."""
    longest_first = sorted(phrases, key=len, reverse=True)
    words = [each for each in longest_first if _is_letter(each[0])]
    initials = "".join(sorted({each[0].casefold() for each in words}))
    at_words = rf"(?=[{initials}])(?<![A-Za-z0-9_])(?:{'|'.join(map(_spelled, words))})" if words else ""
    return "|".join(filter(None, (at_words, *(_spelled(each) for each in longest_first if each not in words))))


def _spelled(phrase: str) -> str:
    """A phrase as a pattern: a letter at its end ends a word, '*' is any further letters, '#' a digit."""
    inside = re.escape(phrase).replace(r"\*", r"\w*").replace(r"\#", r"\d").replace(r"\ ", r"\s")
    return inside + (r"(?![A-Za-z0-9_])" if _is_letter(phrase[-1]) else "")


def _is_letter(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


class _File(Entry):
    """Lists by name, each of phrases and, where there are any, of those that say nothing."""

    lists: Mapping[str, Annotated[tuple[_List, ...], Field(min_length=1, max_length=2)]]


def read_phrases(path: Path) -> Mapping[str, tuple[_List, ...]]:
    """The lists of a file by name, each with the phrases that say nothing behind it. Raises RegistryError."""
    return read_model(path, _File).lists


@cache
def load_phrases() -> Mapping[str, tuple[_List, ...]]:
    """The lists that ship with the code. Raises RegistryError."""
    return read_phrases(HERE / "phrases.yaml")


@cache
def phrases(name: str) -> Phrases:
    """A list that ships with the code, by its name. Raises RegistryError, KeyError."""
    return Phrases(*load_phrases()[name])
