"""A text as values are read from it: without signs of notes, numerals of other languages as English writes them.

All is of the same length, so that every place holds. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from pipelines.registry.field_words import load_field_words

_LOOKED_AT = 8000  # characters from which the language is told
_FEWEST = 2  # words of a language by which it is told
_WORD = re.compile(r"[^\W\d_]+")
_NUMERAL = re.compile(
    r"(?<![\w.,])(?:(?P<grouped>\d{1,3}(?:\.\d{3})+(?:,\d+)?)|(?P<comma>\d+,\d+)|(?P<point>\d+\.\d{1,2})|\d+(?:[.,]\d+)+)"
    r"(?![\w,]|\.\d)"
)
_SWAPPED = str.maketrans(".,", ",.")
# behind a unit: '20 PF¹', '80 GB^2', but no 'mm²' and no '10¹⁸'
_NOTES = re.compile(
    r"(?<=[A-Za-z\u4e00-\u9fff])(?<!m)(?:[¹²³⁴-⁹⁰⁽⁾]+|\^\d{1,2}(?![\w.]))|(?<=[\w%)\]+.])\s?\[\d{1,2}\](?![A-Za-z0-9(])_?"
)
_OCTETS = re.compile(r"(?<=\d)([ \u00a0\u202f]?[KMGTP])o(?![\w'’])")


@lru_cache(maxsize=4)  # of a document, asked for its names and for its values
def without_notes(text: str) -> str:
    """The text with spaces for raised numbers behind letters and for '[1]', which lead to a note."""
    return _NOTES.sub(lambda found: " " * len(found[0]), text)


def as_in_english(text: str) -> str:
    """The text of a document with '1.400' and '48,1' as '1,400' and '48.1', where its language writes them so.

    A page in such a language that itself writes decimal points more often than commas stays as it is.
    """
    words, known = Counter(_WORD.findall(text[:_LOOKED_AT])), load_field_words()  # the 'El' of a name is no Spanish
    others = [words[word] for word in known.of_comma_writers if word in words]
    if len(others) < _FEWEST or sum(others) <= 2 * sum(words[word] for word in known.of_english):
        return text
    ways = Counter(match.lastgroup for match in _NUMERAL.finditer(text))
    return text if ways["point"] > ways["comma"] else _OCTETS.sub(r"\1B", _NUMERAL.sub(_written, text))


def _written(numeral: re.Match[str]) -> str:
    return numeral[0].translate(_SWAPPED) if numeral.lastgroup in ("grouped", "comma") else numeral[0]
