"""What somebody may have meant by a name that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x' or 'y'?`, or '' where nothing is near."""
    names = {name.lower(): name for name in known}
    near = [names[found] for found in difflib.get_close_matches(word.lower(), list(names), n=3, cutoff=0.6)]
    return f"; did you mean {' or '.join(repr(name) for name in near)}?" if near else ""
