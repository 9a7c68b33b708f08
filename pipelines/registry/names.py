"""How a raw name becomes a key, and a text its tokens: the one normalisation that aliases and rules share.

Pure text functions. Nothing here knows a product.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from pipelines.frozen import frozen

_MARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
_RUNS = re.compile(r"\d+|[^\W\d_]+")
_TOKENS = re.compile(r"[^\W_]+")


def clean(text: str) -> str:
    """Lower-case compatibility form of a name without trademark signs."""
    plain = unicodedata.normalize("NFKC", _MARKS.sub(" ", text)).casefold()
    return unicodedata.normalize("NFKC", plain)


def lowered(text: str) -> str:
    """A text in small letters, of the same length, so that every place holds; the Turkish İ and ı are an i."""
    small = text.lower()
    small = small if len(small) == len(text) else "".join([sign.lower()[0] for sign in text])
    return small.replace("\u0131", "i")


@lru_cache(maxsize=65536)
def name_key(text: str) -> str:
    """The comparison key of a name: insensitive to case, spaces, punctuation and trademark signs.

    Runs of letters are joined and runs of digits stay apart, so 'Gaudi® 2', 'Gaudi2' and 'GAUDI-2' agree while
    'SXM4-40GB' and 'SXM-440GB' do not. Applying it twice changes nothing.
    """
    parts: list[str] = []
    previous_is_letters = False
    for run in _RUNS.findall(clean(text)):
        is_letters = not run[0].isdecimal()
        if is_letters and previous_is_letters:
            parts[-1] += run
        else:
            parts.append(run)
        previous_is_letters = is_letters
    return " ".join(parts)


def name_tokens(text: str) -> tuple[str, ...]:
    """The words of a name, lower case, split at everything that is neither letter nor digit."""
    return tuple(_TOKENS.findall(clean(text)))


# 'x' between a digit and a letter is a sign of its own: '8xH100'; marks in brackets are dropped like their signs; an
# ideograph is a word of its own, for no space parts it from a name
_PIECE = re.compile(
    r"\((?:[rR]|[tT][mM]|[cC])\)|(?<=\d)[xX](?=[A-Za-z])|[^\W\d_\u2e80-\u9fff]+|\d+|[\u2e80-\u9fff]|\s+|[^\w\s]|_"
)
_DROPPED = frozenset(
    (*"®™©-‐‑‒–_\u00ad\u200b", *(f"({mark})" for mark in ("r", "R", "c", "C", "tm", "TM", "Tm", "tM")))
)
_LONGEST_GAP = 6


class Token(NamedTuple):
    """A run of characters; `key` is what is compared."""

    start: int
    end: int
    key: str


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text in order; linear in its length."""
    pieces = _PIECE.findall(text)
    ends = accumulate(map(len, pieces))  # the pieces are the whole text
    make = tuple.__new__  # past the named tuple's own constructor, which takes most of the time
    return [
        make(Token, (end - len(piece), end, _key(piece)))
        for piece, end in zip(pieces, ends, strict=True)
        if not piece.isspace() and piece not in _DROPPED
    ]


def _key(piece: str) -> str:
    return piece.lower() if piece.isascii() else unicodedata.normalize("NFKC", piece).casefold()


def is_of_word(sign: str) -> bool:
    """Whether a sign goes on with the word that it touches: a letter or a digit, but no ideograph."""
    return sign.isalnum() and not "\u2e80" <= sign <= "\u9fff"


def is_joined(text: str, one: Token, two: Token) -> bool:
    """Whether one name may hold a token and the next: little stands between them, and no empty line."""
    gap = two.start - one.end
    return gap < 2 or (gap <= _LONGEST_GAP and text.count("\n", one.end, two.start) < 2)


@frozen
class NameHit:
    """A name of the registry in a text; `name` is canonical with its maker, `vendor_id` '' where nobody owns it."""

    start: int
    end: int
    subject_id: str
    name: str
    kind: str
    vendor_id: str
