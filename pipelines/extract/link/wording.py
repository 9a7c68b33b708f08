"""Text as words, the way the linker compares them: lower case, digits as one sign. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[a-z]+#?[a-z]*(?:/[a-z]+)?|[\u4e00-\u9fff]|[%$#]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text; an ideograph is a word of its own."""
    return tuple(_WORD.findall(_DIGITS.sub("#", text.casefold())))


def numerals_in(text: str) -> int:
    """How many numerals a text has."""
    return len(_DIGITS.findall(text))
