"""Matches raw accelerator names to registry entries: exact alias first, then the rule grammar, then nothing.

A name that matches nothing stays 'unknown' with its raw form kept; a CPU-only system is 'none'. Never guesses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Literal

from pipelines.frozen import frozen
from pipelines.registry.entries import AcceleratorEntry
from pipelines.registry.grammar import Hit, choose, find_models, is_spelled_out, read_stated, segments
from pipelines.registry.load import Entries, by_spelling, committed_entries
from pipelines.registry.names import name_key, name_tokens

NONE = "none"  # the system has no accelerator
UNKNOWN = "unknown"  # the name matches no entry
MIXED = "mixed"  # the system has accelerators of several kinds; see `parts`
How = Literal["alias", "rule", "context", "none", "unknown"]

_NO_ACCELERATOR = frozenset(
    {"", "na", "none", "0", "no", "nil", "null", "cpu", "cpuonly", "noaccelerator", "notapplicable"}
)


@frozen
class AcceleratorMatch:
    """What a raw name was matched to.

    `memory_gb` and `form_factor` are set only where the entry fixes them and the name does not contradict. With
    `accelerator_id` 'unknown' the maker or generation may still be certain. `parts` lists the entries of a mixed
    system.
    """

    raw: str
    accelerator_id: str
    vendor: str | None
    generation: str | None
    memory_gb: float | None
    form_factor: str | None
    how: How
    parts: tuple[str, ...] = ()


class AcceleratorNames:
    """The matcher over one set of registry entries; immutable, answers are cached."""

    def __init__(self, entries: Entries) -> None:
        whole = {each.id: each for entry in entries.accelerators for each in entry.with_variants}
        spelled = ((text, name, whole[name]) for e in entries.accelerators for name, text in entry_spellings(e))
        self._aliases = by_spelling("accelerators", spelled)
        tokens = ((token, e.id, e) for e in entries.accelerators for token in e.tokens)
        self._models = by_spelling("accelerators", tokens)
        self._vendor_words = _vendor_words(entries)
        self._generations = {name_key(word): entry for entry in entries.generations for word in entry.words}
        self._cached = lru_cache(maxsize=65536)(self._match)

    @classmethod
    def load(cls) -> AcceleratorNames:
        """The matcher over the registry that ships with the code."""
        return _committed_names()

    def match(self, raw_name: str, system_name: str = "") -> AcceleratorMatch:
        """The entry for a raw name; `system_name` helps only where a family name leaves the version open."""
        return self._cached(raw_name, system_name)

    def _match(self, raw: str, system_name: str) -> AcceleratorMatch:
        key = name_key(raw)
        if key in _NO_ACCELERATOR:
            return AcceleratorMatch(raw, NONE, None, None, None, None, "none")
        named = self._aliases.get(key)
        if named is None:
            return self._by_rule(raw, system_name)
        return (
            self._by_context(raw, named, system_name, "alias") if named.needs_system else _match_of(raw, named, "alias")
        )

    def _by_context(self, raw: str, family: AcceleratorEntry, system_name: str, how: How) -> AcceleratorMatch:
        """A family name such as 'TPU': the system's name may say which model of the same maker it is."""
        hits = find_models(name_tokens(system_name), self._models)
        found = {hit.entry.id: hit.entry for hit in hits if not hit.entry.needs_system}
        if len(found) == 1:
            (entry,) = found.values()
            if entry.vendor == family.vendor:
                return _match_of(raw, choose(entry, read_stated(raw)), "context")
        return AcceleratorMatch(raw, family.id, family.vendor, family.generation, None, None, how)

    def _by_rule(self, raw: str, system_name: str) -> AcceleratorMatch:
        hits = self._credible_hits(raw)
        models = {hit.entry.id: hit.entry for hit in hits}
        if not models:
            return self._unknown(raw)
        entry = _meant(models.values())
        parts = segments(raw)
        if entry is None or (len(models) > 1 and len(parts) > 1):
            return self._mixed(raw, parts, system_name)
        if entry.needs_system:
            return self._by_context(raw, entry, system_name, "rule")
        return _match_of(raw, choose(entry, read_stated(raw)), "rule")

    def _credible_hits(self, raw: str) -> tuple[Hit, ...]:
        """Models in the name that its maker's words do not contradict and that are long enough to stand alone."""
        tokens = name_tokens(raw)
        vendors = self._vendors(tokens)
        return tuple(
            hit
            for hit in find_models(tokens, self._models)
            if (not vendors or hit.entry.vendor in vendors)
            and (not hit.entry.needs_vendor or bool(vendors) or is_spelled_out(tokens, hit))
        )

    def _mixed(self, raw: str, parts: tuple[str, ...], system_name: str) -> AcceleratorMatch:
        """Several models in one name: each part of a list is matched on its own; without a list it stays unknown."""
        matches = [self.match(part, system_name) for part in parts] if len(parts) > 1 else []
        found = {match.accelerator_id: match for match in matches if match.how in ("alias", "rule", "context")}
        if len(found) < 2 or MIXED in found:
            return self._unknown(raw)
        vendors = {match.vendor for match in found.values()}
        generations = {match.generation for match in found.values()}
        vendor = vendors.pop() if len(vendors) == 1 else None
        generation = generations.pop() if len(generations) == 1 else None
        return AcceleratorMatch(raw, MIXED, vendor, generation, None, None, "rule", tuple(found))

    def _vendors(self, tokens: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(self._vendor_words.get(token, frozenset()) for token in tokens))

    def _unknown(self, raw: str) -> AcceleratorMatch:
        """No entry: keep what the words still say for certain about maker and generation."""
        tokens = name_tokens(raw)
        vendors = self._vendors(tokens)
        vendor = next(iter(vendors)) if len(vendors) == 1 else None
        pairs = (name_key(" ".join(tokens[i : i + n])) for n in (2, 1) for i in range(len(tokens)))
        generation = next((self._generations[key] for key in pairs if key in self._generations), None)
        if generation is None or vendor not in (None, generation.vendor):
            return AcceleratorMatch(raw, UNKNOWN, vendor, None, None, None, "unknown")
        return AcceleratorMatch(raw, UNKNOWN, generation.vendor, generation.id, None, None, "unknown")


def _match_of(raw: str, entry: AcceleratorEntry, how: How) -> AcceleratorMatch:
    return AcceleratorMatch(raw, entry.id, entry.vendor, entry.generation, entry.memory_gb, entry.form_factor, how)


def _meant(models: Collection[AcceleratorEntry]) -> AcceleratorEntry | None:
    """The one model a name means: its only one, or the superchip named beside the package it carries."""
    if len(models) == 1:
        return next(iter(models))
    superchips = [entry for entry in models if entry.form_factor == "Superchip"]
    is_one_family = len({(entry.vendor, entry.generation) for entry in models}) == 1
    return superchips[0] if is_one_family and len(superchips) == 1 else None


def entry_spellings(entry: AcceleratorEntry) -> Iterable[tuple[str, str]]:
    """(accelerator id, spelling) of a model and its variants: ids, names and aliases."""
    for spelling in (entry.id, entry.name, *entry.aliases):
        yield entry.id, spelling
    for variant in entry.variants:
        for spelling in (variant.id, variant.name or "", *variant.aliases):
            if spelling:
                yield variant.id, spelling


def _vendor_words(entries: Entries) -> Mapping[str, frozenset[str]]:
    words: dict[str, frozenset[str]] = {}
    for organisation in entries.organisations:
        for word in organisation.name_words:
            words[word] = words.get(word, frozenset()) | {organisation.id}
    return words


@lru_cache(maxsize=1)
def _committed_names() -> AcceleratorNames:
    return AcceleratorNames(committed_entries())
