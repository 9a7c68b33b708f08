"""How a raw name becomes a key: the one normalisation that aliases and rules share.

Pure text functions. Nothing here knows a product.
"""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]", re.IGNORECASE)
_RUNS = re.compile(r"\d+|[^\W\d_]+")
_TOKENS = re.compile(r"[^\W_]+")


def clean(text: str) -> str:
    """Lower-case compatibility form of a name without trademark signs."""
    plain = unicodedata.normalize("NFKC", _MARKS.sub(" ", text)).casefold()
    return unicodedata.normalize("NFKC", plain)


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
