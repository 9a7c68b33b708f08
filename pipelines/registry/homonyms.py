"""Names that are also words: whether the text around one speaks of hardware. Pure; the words are data.

The rule: a name without a digit must be written with a capital. A curated homonym then needs what its entry asks for
within a few hundred characters, or a context that is of the field, and loses to contrary words that stand nearer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence

from pipelines.frozen import frozen
from pipelines.registry.name_entries import HomonymEntry
from pipelines.registry.names import NameHit, Token, name_key

KeyedHit = tuple[NameHit, str]  # with the key of what is printed
FAR = 300  # characters within which a word of the field counts
NEAR = 90  # characters within which a contrary word counts
_WORD_AFTER = re.compile(r"[\s'’]*([^\W_]+|-)")


@frozen
class _Support:
    """Places of a text that speak for hardware, and of words that speak for something else, both in order."""

    places: Sequence[int]
    words: Mapping[str, Sequence[int]]  # contrary words, with their places


class Homonyms:
    """The curated homonyms, ready to be asked."""

    def __init__(
        self, entries: Iterable[HomonymEntry], hardware: Iterable[str], lower_too: Iterable[str],
        makers: Collection[str],
    ) -> None:  # fmt: skip
        self._makers = makers
        self._rules: dict[str, list[HomonymEntry]] = {}
        self._contrary: set[str] = set()
        self._hardware = frozenset(hardware)
        self._lower_too = frozenset(name_key(name) for name in lower_too)
        for entry in entries:
            self._contrary |= entry.contrary
            for name in entry.names:
                self._rules.setdefault(name_key(name), []).append(entry)

    def meant(self, text: str, tokens: Sequence[Token], hits: Sequence[KeyedHit], is_field: bool) -> list[NameHit]:
        """The names of a text that are the registry's; `is_field`: the context around the text is of the field."""
        support = self._support(tokens, hits)
        return [
            hit
            for hit, key in hits
            if _is_maker_in_front(text, hit) or self._is_meant(text, hit, key, support, is_field)
        ]

    def is_of_the_field(self, tokens: Sequence[Token], hits: Sequence[KeyedHit]) -> bool:
        """Whether anything of a text speaks for hardware."""
        return bool(self._support(tokens, hits).places)

    def _support(self, tokens: Sequence[Token], hits: Sequence[KeyedHit]) -> _Support:
        """What speaks for hardware: its words, and unmistakable names of it and of the makers of accelerators."""
        places = [
            hit.start
            for hit, key in hits
            if (hit.kind != "organisation" or hit.subject_id in self._makers) and not self._rules_of(key)
        ]
        words: dict[str, list[int]] = {}
        for token in tokens:
            if token.key in self._hardware:
                places.append(token.start)
            if token.key in self._contrary:
                words.setdefault(token.key, []).append(token.start)
        return _Support(sorted(places), words)

    def _rules_of(self, key: str) -> Sequence[HomonymEntry]:
        return self._rules.get(key) or self._rules.get(key.removesuffix("s").rstrip()) or ()

    def _is_meant(self, text: str, hit: NameHit, key: str, support: _Support, is_field: bool) -> bool:
        if key not in self._lower_too and not _is_capital(text[hit.start : hit.end]):
            return False
        return all(self._holds(rule, text, hit.start, hit.end, support, is_field) for rule in self._rules_of(key))

    def _holds(self, rule: HomonymEntry, text: str, start: int, end: int, support: _Support, is_field: bool) -> bool:
        before = _last_word(text[max(0, start - 30) : start])
        after = _WORD_AFTER.match(text[end : end + 30])
        if before in rule.not_after:
            return False
        if after is not None and after.group(1).casefold() in rule.not_before:
            return False
        if after is not None and after.group(1).casefold() in self._hardware and rule.needs != "maker":
            return True  # 'Frontier supercomputer', 'Blackwell GPUs'
        against = sum(
            _count(places, start - NEAR, end + NEAR) for word, places in support.words.items() if word in rule.contrary
        )
        around = _count(support.places, start - NEAR, end + NEAR) - _count(support.places, start, end - 1)
        if rule.needs == "maker":
            return False
        if rule.needs == "no-contrary":
            return against == 0 or around > against
        far = _count(support.places, start - FAR, end + FAR) - _count(support.places, start, end - 1)
        return (far > 0 or is_field) and (against == 0 or around > against)


def _last_word(text: str) -> str:
    """The word that a text ends with, punctuation after it left out."""
    words = text.rstrip(" \t\n\r\u00a0.'’-").rsplit(None, 1)
    return words[-1].rsplit("-", 1)[-1].strip('("“').casefold() if words else ""


def _is_capital(name: str) -> bool:
    return any(character.isupper() or character.isdigit() for character in name)


def _count(places: Sequence[int], low: int, high: int) -> int:
    return bisect_right(places, high) - bisect_left(places, low)


def _is_maker_in_front(text: str, hit: NameHit) -> bool:
    """Whether the word before is the maker's: 'Nvidia hopper' needs no further proof."""
    if hit.kind == "organisation" or not hit.vendor_id:
        return False
    front = text[max(0, hit.start - 24) : hit.start].casefold().rstrip(" \t\u00a0®™-'’s")
    return front.endswith(hit.vendor_id.replace("-", " "))
