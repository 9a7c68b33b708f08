"""Text as sentences, and as words the way the linker compares them: lower case, digits as one sign. Pure, linear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pipelines.model.claim import Span

# no end are the dots that lead to a figure: 'Board power ........ 700 W'
_END = re.compile(
    r"(?:(?:[.!?…](?<!\.\.\.)[\"”’')\]*]{0,3}(?:\[\^?\w{1,12}\])*\s+(?=[\"“‘'(\[~*]{0,3}[A-Z0-9$@])|\.(?<=\.\.\.)\s+(?=[A-Z]))"
    r"|[。！？]|\n+)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|approx|Inc|Corp|Ltd|Co|Dr|Mr|Ms|No|St|Fig|cf|ca|incl|max|min|Jan|Feb|Mar|Apr|Jun|Jul|Aug|"
    r"Sep|Sept|Oct|Nov|Dec|U\.S|et al|gen|Gen)|(?<!\d )\b[A-Z])\.$"  # but 'draws 700 W.' ends
)
# Longer sentences are cut at a clause; they are tables or code that lost its form.
LONGEST = 1200


def sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of `text[start:end]`; a line break ends one."""
    begin = start
    for match in _END.finditer(text, start, end):
        stop = match.start() + 1 if text[match.start()] != "\n" else match.start()
        if text[match.start()] == "." and _ABBREVIATION.search(text, max(begin, stop - 10), stop) is not None:
            continue
        yield from _cut(text, begin, stop)
        begin = match.end()
    yield from _cut(text, begin, end)


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    while end - start > LONGEST:
        at = max(text.rfind(", ", start, start + LONGEST), text.rfind("; ", start, start + LONGEST))
        at = at if at > start else start + LONGEST
        yield Span(start, at)
        start = at
    if text[start:end].strip():
        yield Span(start, end)


LETTERS, SMALL_WORD = re.compile(r"[^\W\d_]{3,}"), re.compile(r"\b[a-z]{3,}\b")
DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[a-z]+#?[a-z]*(?:/[a-z]+)?|[\u4e00-\u9fff]|[%$#]")
_NUMERALS = re.compile(r"\d+(?:[.,]\d+)*")


@lru_cache(maxsize=65536)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text; an ideograph is a word of its own."""
    return tuple(_WORD.findall(_NUMERALS.sub("#", text.casefold())))


def numerals_in(text: str) -> int:
    """How many numerals a text has."""
    return len(_NUMERALS.findall(text))
