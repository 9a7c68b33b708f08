"""Words that texts of this field write small: what begins a sentence and is none of them may be a name. Pure."""

from __future__ import annotations

from functools import cache

from pipelines.registry.read_yaml import HERE


@cache
def load_plain_words() -> frozenset[str]:
    """The words of `plain_words.txt`, in small letters, of several languages; `bench/plain_words.py` makes it."""
    return frozenset((HERE / "plain_words.txt").read_text(encoding="utf-8").split())
