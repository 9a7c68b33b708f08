"""Lists of phrases by what they say (`phrases.yaml`), and whether a text has one. Read once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from pipelines.registry.entries import Entry
from pipelines.registry.names import lowered
from pipelines.registry.read_yaml import HERE, read_model

_List = Annotated[tuple[str, ...], Field(min_length=1)]


class Phrases:
    """The phrases of one list, and those of which they say nothing; immutable. Any case, whole words."""

    def __init__(self, phrases: Iterable[str], unless: Iterable[str] = ()) -> None:
        silent, said = ([_spelled(each) for each in sorted(some, key=len, reverse=True)] for some in (unless, phrases))
        # one flat list: its first letters are what a search skips to; an empty group tells what says something
        either = "|".join([*silent, *(f"{each}()" for each in said)])
        self._pattern = re.compile(either)  # in small letters: searched for sooner
        self._here = re.compile(either, re.IGNORECASE)  # at a place of a text of any length, as it is
        self._has = lru_cache(maxsize=4096)(self._search)  # a sentence is asked for each of its values

    def ends(self, text: str) -> Iterator[int]:
        """Where a phrase of the list ends in a text, in order."""
        return (match.end() for match in self._pattern.finditer(lowered(text)) if match.lastindex)

    def are_in(self, text: str) -> bool:
        """Whether a text has a phrase of the list."""
        return self._has(text)

    def _search(self, text: str) -> bool:
        return next(self.ends(text), None) is not None

    def start(self, text: str, at: int) -> bool:
        """Whether one begins at a position."""
        match = self._here.match(text, at)
        return match is not None and match.lastindex is not None


def _spelled(phrase: str) -> str:
    """A phrase as a pattern: a letter at an end begins or ends a word, '*' is any further letters, '#' a digit."""
    phrase = phrase.casefold()
    inside = re.escape(phrase).replace(r"\*", r"\w*").replace(r"\#", r"\d").replace(r"\ ", r"\s")
    if _is_letter(phrase[0]):
        inside = rf"{phrase[0]}(?<![a-z0-9_].){inside[1:]}"
    return inside + (r"(?![a-z0-9_])" if _is_letter(phrase[-1]) else "")


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
