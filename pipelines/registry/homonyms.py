"""Names that are also words: whether the text around one speaks of hardware. Pure; the words are data.

The rule: a name without a digit must be written with a capital. A curated homonym then needs what its entry asks for
within a few hundred characters, or a context that is of the field, and loses to contrary words that stand nearer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

from pipelines.frozen import frozen
from pipelines.registry.name_entries import HomonymEntry
from pipelines.registry.names import name_key
from pipelines.registry.tokens import Token

FAR = 300  # characters within which a word of the field counts
NEAR = 90  # characters within which a contrary word counts
_WORD_AFTER = re.compile(r"[\s'’]*([^\W_]+|-)")


@frozen
class Support:
    """Places of a text that speak for hardware, and of words that speak for something else, both in order."""

    supports: Sequence[int]
    words: Mapping[str, Sequence[int]]  # contrary words, with their places

    @property
    def speaks_for(self) -> int:
        """How many places speak for hardware."""
        return len(self.supports)


@frozen
class _Rule:
    needs: str
    contrary: frozenset[str]
    not_before: frozenset[str]
    not_after: frozenset[str]


class Homonyms:
    """The curated homonyms, ready to be asked."""

    def __init__(self, entries: Iterable[HomonymEntry], hardware: Iterable[str], lower_too: Iterable[str]) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._contrary: set[str] = set()
        self._hardware = frozenset(hardware)
        self._lower_too = frozenset(name_key(name) for name in lower_too)
        for entry in entries:
            rule = _Rule(
                entry.needs, frozenset(entry.contrary), frozenset(entry.not_before), frozenset(entry.not_after)
            )
            self._contrary |= rule.contrary
            for name in entry.names:
                self._rules.setdefault(name_key(name), []).append(rule)

    def is_one(self, name: str) -> bool:
        """Whether a spelling is also something else."""
        key = name_key(name)
        return key in self._rules or key.removesuffix("s").rstrip() in self._rules

    def evidence(self, tokens: Sequence[Token], strong: Iterable[int]) -> Support:
        """What a text's words say: `strong` are places of unmistakable names."""
        supports = list(strong)
        words: dict[str, list[int]] = {}
        for token in tokens:
            if token.key in self._hardware:
                supports.append(token.start)
            if token.key in self._contrary:
                words.setdefault(token.key, []).append(token.start)
        return Support(sorted(supports), words)

    def is_meant(self, text: str, start: int, end: int, evidence: Support, is_field: bool) -> bool:
        """Whether the name at a place is the registry's; `is_field`: the context around the text is of the field."""
        name = text[start:end]
        key = name_key(name)
        if not _is_capital(name) and key not in self._lower_too:
            return False
        rules = self._rules.get(key) or self._rules.get(key.removesuffix("s").rstrip()) or ()
        return all(self._holds(rule, text, start, end, evidence, is_field) for rule in rules)

    def _holds(self, rule: _Rule, text: str, start: int, end: int, evidence: Support, is_field: bool) -> bool:
        before = _last_word(text[max(0, start - 30) : start])
        after = _WORD_AFTER.match(text[end : end + 30])
        if before in rule.not_after:
            return False
        if after is not None and after.group(1).casefold() in rule.not_before:
            return False
        if after is not None and after.group(1).casefold() in self._hardware and rule.needs != "maker":
            return True  # 'Frontier supercomputer', 'Blackwell GPUs'
        against = sum(
            _count(places, start - NEAR, end + NEAR) for word, places in evidence.words.items() if word in rule.contrary
        )
        around = _count(evidence.supports, start - NEAR, end + NEAR) - _count(evidence.supports, start, end - 1)
        if rule.needs == "maker":
            return False
        if rule.needs == "no-contrary":
            return against == 0 or around > against
        far = _count(evidence.supports, start - FAR, end + FAR) - _count(evidence.supports, start, end - 1)
        return (far > 0 or is_field) and (against == 0 or around > against)


def _last_word(text: str) -> str:
    """The word that a text ends with, punctuation after it left out."""
    words = text.rstrip(" \t\n\r\u00a0.'’-").rsplit(None, 1)
    return words[-1].rsplit("-", 1)[-1].strip('("“').casefold() if words else ""


def _is_capital(name: str) -> bool:
    return any(character.isupper() or character.isdigit() for character in name)


def _count(places: Sequence[int], low: int, high: int) -> int:
    return bisect_right(places, high) - bisect_left(places, low)
