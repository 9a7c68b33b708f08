"""Text as tokens for the name finder: runs of letters, runs of digits, single signs, each with its place.

Hyphens, underscores and trademark signs are no tokens: 'GB200-NVL72', 'ConnectX®-8' and 'Gaudi(R) 3' read as if they
were written with a space. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

# 'x' between a digit and a capital is a sign of its own: '8xH100'; marks in brackets are dropped like their signs
_TOKEN = re.compile(
    r"(?P<mark>\((?:r|tm|c)\)|[®™©\-‐‑‒–_\u00ad\u200b])|(?<=\d)x(?=[A-Z])|[^\W\d_]+|\d+|[^\w\s]", re.IGNORECASE
)
_LONGEST_GAP = 6


class Token(NamedTuple):
    """A run of characters; `key` is what is compared, `is_joined` whether one name may hold it and the token before."""

    start: int
    end: int
    key: str
    is_word: bool
    is_joined: bool


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text in order; linear in its length."""
    found: list[Token] = []
    make = tuple.__new__  # past the named tuple's own constructor, which takes most of the time
    before = 0
    for match in _TOKEN.finditer(text):
        if match.lastindex is None:
            run = match[0]
            start = match.start()
            key = run.lower() if run.isascii() else _key(run)
            gap = start - before
            is_joined = gap < 2 or (gap <= _LONGEST_GAP and text.count("\n", before, start) < 2)  # no empty line
            before = start + len(run)
            found.append(make(Token, (start, before, key, run[0].isalnum(), is_joined)))
    return found


def _key(run: str) -> str:
    return unicodedata.normalize("NFKC", run).casefold()
