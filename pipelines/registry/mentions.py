"""Finds the registry's names in running text: longest match, in order, without overlap, with context for homonyms.

Spellings are a trie over tokens, so the time depends on the length of the text, not on how many spellings there are. A
name without a digit must be written with a capital. A curated homonym then needs what its entry asks for within a few
hundred characters, or a context that is of the field, and loses to contrary words that stand nearer. A name is taken
whole: a model with the form that follows it, a product with its maker in front. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pipelines.frozen import frozen
from pipelines.registry.accelerators import Stated, choose
from pipelines.registry.field_words import load_field_words
from pipelines.registry.load import Entries, committed_entries
from pipelines.registry.name_entries import HomonymEntry
from pipelines.registry.names import NameHit, Token, is_joined, is_of_word, name_key, tokens_of
from pipelines.registry.product_like import ProductLike, product_like
from pipelines.registry.spellings import Spelling, spellings

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
        self.makers = makers
        self._rules: dict[str, list[HomonymEntry]] = {}
        self._contrary: set[str] = set()
        self._hardware = frozenset(hardware)
        self._lower_too = frozenset(name_key(name) for name in lower_too)
        for entry in entries:
            self._contrary |= entry.contrary
            for name in entry.names:
                self._rules.setdefault(name_key(name), []).append(entry)
        self._told = self._hardware | self._contrary

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
            if (hit.kind != "organisation" or hit.subject_id in self.makers) and not self._rules_of(key)
        ]
        words: dict[str, list[int]] = {}
        for start, _, key in [token for token in tokens if token.key in self._told]:
            if key in self._hardware:
                places.append(start)
            if key in self._contrary:
                words.setdefault(key, []).append(start)
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
    return any(sign.isalnum() and not sign.islower() for sign in name)  # ideographs have no small form


def _count(places: Sequence[int], low: int, high: int) -> int:
    return bisect_right(places, high) - bisect_left(places, low)


def _is_maker_in_front(text: str, hit: NameHit) -> bool:
    """Whether the word before is the maker's: 'Nvidia hopper' needs no further proof."""
    if hit.kind == "organisation" or not hit.vendor_id:
        return False
    front = text[max(0, hit.start - 24) : hit.start].casefold().rstrip(" \t\u00a0®™-'’s")
    return front.endswith(hit.vendor_id.replace("-", " "))


_GROUPED = re.compile(r"[.,]\d")


@dataclass(slots=True)
class _Node:
    """A step of the trie: the next tokens, and what ends here."""

    children: dict[str, _Node]
    spelling: Spelling | None = None


class SpellingTrie:
    """All spellings at once; immutable after it is made."""

    def __init__(self, spellings: Iterable[Spelling]) -> None:
        self._root = _Node({})
        for spelling in spellings:
            self._add(spelling)
        self._begins = frozenset(form for key in self._root.children for form in (key, f"{key}s"))

    def hits(self, text: str, tokens: Sequence[Token]) -> list[KeyedHit]:
        """What of a text is spelled so, each hit with its key."""
        hits = list(self._matches(text, tokens))
        return [(hit, name_key(text[hit.start : hit.end])) for hit in hits]

    def _add(self, spelling: Spelling) -> None:
        words = [token.key for token in tokens_of(spelling.text)]
        for way in (words, _version_joined(words)):
            node = self._root
            for word in way:
                node = node.children.setdefault(word, _Node({}))
            if way and node.spelling is None:
                node.spelling = spelling

    def _matches(self, text: str, tokens: Sequence[Token]) -> Iterator[NameHit]:
        free = 0
        for index in [at for at, token in enumerate(tokens) if token.key in self._begins]:
            match = self._longest(text, tokens, index) if index >= free else None
            if match is not None:
                spelling, last = match
                free = last + 1
                yield NameHit(
                    tokens[index].start, tokens[last].end,
                    spelling.subject_id, spelling.name, spelling.kind, spelling.vendor_id,
                )  # fmt: skip

    def _longest(self, text: str, tokens: Sequence[Token], index: int) -> tuple[Spelling, int] | None:
        start = tokens[index].start
        if (
            index
            and tokens[index - 1].end == start
            and is_of_word(text[start])
            and not _may_precede(text, tokens, index)
        ):
            return None
        node, best, at = self._root, None, index
        while at < len(tokens) and (at == index or is_joined(text, tokens[at - 1], tokens[at])):
            token = tokens[at]
            child = node.children.get(token.key)
            if child is None:
                child = node.children.get(token.key[:-1]) if token.key.endswith("s") and len(token.key) > 3 else None
                if child is not None and child.spelling is not None and _ends_at(text, tokens, at):
                    best = (child.spelling, at)
                break
            if child.spelling is not None:
                last = _end_of_name(text, tokens, at)
                best = best if last is None else (child.spelling, last)
            node, at = child, at + 1
        return best


def _version_joined(words: Sequence[str]) -> list[str]:
    """The other way to write a version: 'TPUv5e' for 'TPU v5e'."""
    joined: list[str] = []
    for word in words:
        if word == "v" and joined and joined[-1].isalpha():
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _may_precede(text: str, tokens: Sequence[Token], index: int) -> bool:
    """Whether a token may touch a name from the left: punctuation, or the sign in '8xH100'."""
    before = tokens[index - 1]
    return not is_of_word(text[before.start]) or (before.key == "x" and index > 1 and tokens[index - 2].key.isdecimal())


def _end_of_name(text: str, tokens: Sequence[Token], at: int) -> int | None:
    """The last token of a name that ends at `at`, with a plural s taken in; None where the word goes on."""
    if _ends_at(text, tokens, at):
        return at
    after = tokens[at + 1]
    if after.key == "s" and after.start == tokens[at].end and _ends_at(text, tokens, at + 1):
        return at + 1
    return at if FORM.match(text, tokens[at].end) is not None else None


def _ends_at(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether the word ends here: no letter or digit goes on, and no decimal part follows a number or 'v'."""
    end = tokens[at].end
    if not is_of_word(text[end - 1]):
        return True
    if at + 1 < len(tokens) and tokens[at + 1].start == end and is_of_word(text[end]):
        return False
    is_number = tokens[at].key.isdecimal() or tokens[at].key == "v"
    return not (is_number and _GROUPED.match(text, end) is not None)


# what may follow a model and narrows it to one variant: 'H100 PCIe', 'A100 80GB SXM4', 'H200 (NVL)'
FORM = re.compile(
    r"[ \t\u00a0_-]{0,2}\(?(?:\d{2,3} ?GB?[ -]{0,2})?(?P<form>SXM ?\d?|PCI-?e|NVL|OAM)(?![\w-]*\d)(?!\w)\)?",
    re.IGNORECASE,
)
_FORMS = {"SXM": "SXM", "PCIE": "PCIe", "NVL": "NVL", "OAM": "OAM"}


class NameFinder:
    """The finder over one set of entries; immutable after it is made, safe to share."""

    def __init__(self, entries: Entries, more: Iterable[Spelling] = ()) -> None:
        words = load_field_words()
        self.makers = {entry.vendor for entry in entries.accelerators}
        self._homonyms = Homonyms(
            (*entries.homonyms, *_short_names(entries)), words.hardware_words, words.lower_case_too, self.makers
        )
        self._models = {entry.id: entry for entry in entries.accelerators}
        self._parents = {entry.id: entry.parent or "" for entry in entries.organisations}
        self._spellings = SpellingTrie((*spellings(entries), *more))
        self._is_of_the_field = lru_cache(maxsize=256)(self._of_the_field)

    @classmethod
    def load(cls) -> NameFinder:
        """The finder over the registry that ships with the code."""
        return _committed_finder()

    def find(self, text: str, context: str = "") -> list[NameHit]:
        """All names in a text, in order. `context` (title, headings, caption) helps only to settle homonyms."""
        tokens = tokens_of(text)
        found = self._spellings.hits(text, tokens)
        kept = self._homonyms.meant(text, tokens, found, bool(context) and self._is_of_the_field(context))
        return self._taken_whole(text, kept)

    def products(self, text: str, context: str = "") -> list[ProductLike]:
        """What looks like a product name and is none of the registry's, in order."""
        return product_like(text, self.find(text, context), self.makers)

    def _of_the_field(self, context: str) -> bool:
        tokens = tokens_of(context)
        return self._homonyms.is_of_the_field(tokens, self._spellings.hits(context, tokens))

    def _taken_whole(self, text: str, hits: Iterable[NameHit]) -> list[NameHit]:
        """The names of a text, in order, each as far as it reaches.

        'NVIDIA' or 'Blackwell' directly before 'GB200' is part of the name, not a second one.
        """
        joined: list[NameHit] = []
        for hit in (self._narrowed(text, found) for found in hits):
            before = joined[-1] if joined else None
            if before is not None and hit.start < before.end:
                continue  # swallowed when the one before was narrowed
            if (
                before is not None
                and self._belongs(before, hit)
                and not text[before.end : hit.start].strip(" \t\u00a0®™")
            ):
                joined[-1] = replace(hit, start=before.start)
                continue
            joined.append(hit)
        return joined

    def _narrowed(self, text: str, hit: NameHit) -> NameHit:
        """A model with the form factor that follows it: 'H100 PCIe' is not 'H100 SXM'."""
        entry = self._models.get(hit.subject_id) if hit.kind == "accelerator" else None
        match = FORM.match(text, hit.end) if entry is not None else None
        if entry is None or match is None:
            return hit
        form = _FORMS[re.sub(r"[^A-Z]", "", match["form"].upper())] + "".join(c for c in match["form"] if c.isdigit())
        end = match.end() if match.group().count("(") == match.group().count(")") else match.end("form")
        return replace(hit, end=end, subject_id=choose(entry, Stated(None, form)).id, name=f"{hit.name} {form}")

    def _belongs(self, before: NameHit, hit: NameHit) -> bool:
        """Whether a name is the maker or the architecture of the product that follows it."""
        if not hit.vendor_id or hit.kind == "organisation":
            return False
        if before.kind == "generation":
            return hit.kind in ("accelerator", "system") and hit.vendor_id == before.vendor_id
        is_maker = hit.vendor_id in (before.subject_id, self._parents.get(before.subject_id, "-"))
        return before.kind == "organisation" and is_maker


def _short_names(entries: Entries) -> Iterator[HomonymEntry]:
    """Spellings too short to stand alone, as far as no curated rule says what decides: the maker's name must."""
    curated = {name_key(name) for entry in entries.homonyms for name in entry.names}
    for accelerator in entries.accelerators:
        names = tuple(
            name
            for name in accelerator.tokens
            if name_key(name) not in curated and not name_key(name).startswith(name_key(accelerator.vendor))
        )
        if accelerator.needs_vendor and names:
            yield HomonymEntry(names=names, needs="maker")


@lru_cache(maxsize=1)
def _committed_finder() -> NameFinder:
    return NameFinder(committed_entries())
