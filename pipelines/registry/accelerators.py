"""Matches raw accelerator names to registry entries: exact alias first, then the rule grammar, then nothing.

A name that matches nothing stays 'unknown' with its raw form kept; a CPU-only system is 'none'. Never guesses. The
grammar: maker's words, model, memory size, form factor; all else is ignored. A rule answers with the entry that states
as much as the name states and no more: an open memory size or form factor gives the model's own entry.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from pipelines.frozen import frozen
from pipelines.registry.entries import AcceleratorEntry, VariantEntry
from pipelines.registry.load import Entries, by_spelling, committed_entries
from pipelines.registry.names import clean, name_key, name_tokens

LONGEST_MODEL = 6  # words in the longest spelling of a model
_MIG = re.compile(r"\b(\d+x)?\d+g\.\d+gb\b")  # a slice of a card, not its memory
_MEMORY = re.compile(r"(?<![\w.])(\d{1,4})[\s_-]?gi?b?(?:x\d+)?(?![a-z0-9])")
_COUNT_AFTER = re.compile(r"x\d+$")
_COUNT_BEFORE = re.compile(r"^\d+x(?=[a-z])")
_SEPARATORS = re.compile(r"[,;&+]|\band\b")
_FORM_WORDS: Mapping[str, str] = {
    "nvl": "NVL",
    "sxm": "SXM",
    "sxm2": "SXM2",
    "sxm3": "SXM3",
    "sxm4": "SXM4",
    "sxm5": "SXM5",
    "sxm6": "SXM6",
    "hgx": "SXM",
    "oam": "OAM",
    "pcie": "PCIe",
    "pci": "PCIe",
}


@frozen
class Hit:
    """A model found in a name, and which words of the name it took."""

    entry: AcceleratorEntry
    start: int
    end: int


@frozen
class Stated:
    """What a name says about memory (GB) and form factor; None where it says nothing or contradicts itself."""

    memory_gb: float | None
    form_factor: str | None

    @property
    def count(self) -> int:
        """How many of the two are stated."""
        return (self.memory_gb is not None) + (self.form_factor is not None)


def segments(raw: str) -> tuple[str, ...]:
    """The parts of a name that lists several accelerators."""
    return tuple(part for part in (piece.strip() for piece in _SEPARATORS.split(clean(raw))) if part)


def find_models(tokens: Sequence[str], models: Mapping[str, AcceleratorEntry]) -> tuple[Hit, ...]:
    """All models in the words of a name, left to right, the longest spelling first."""
    hits: list[Hit] = []
    start = 0
    while start < len(tokens):
        hit = _model_at(tokens, start, models)
        if hit is None:
            start += 1
        else:
            hits.append(hit)
            start = hit.end
    return tuple(hits)


def _model_at(tokens: Sequence[str], start: int, models: Mapping[str, AcceleratorEntry]) -> Hit | None:
    for end in range(min(start + LONGEST_MODEL, len(tokens)), start, -1):
        entry = models.get(name_key(" ".join(tokens[start:end])))
        if entry is not None:
            return Hit(entry, start, end)
    bare = _COUNT_BEFORE.sub("", _COUNT_AFTER.sub("", tokens[start]))
    entry = models.get(name_key(bare)) if bare != tokens[start] else None
    return None if entry is None else Hit(entry, start, start + 1)


def read_stated(raw: str) -> Stated:
    """Memory size and form factor that a name states."""
    text = _MIG.sub(" ", clean(raw))
    sizes = {float(size) for size in _MEMORY.findall(text)}
    forms = {_FORM_WORDS[token] for token in name_tokens(text) if token in _FORM_WORDS}
    return Stated(memory_gb=sizes.pop() if len(sizes) == 1 else None, form_factor=_one_form(forms))


def _one_form(forms: set[str]) -> str | None:
    """One form factor out of the words found: NVL is a PCIe card and SXM5 an SXM, so the narrower word wins."""
    if "NVL" in forms:
        forms = forms - {"PCIe"}
    if any(form.startswith("SXM") and form != "SXM" for form in forms):
        forms = forms - {"SXM"}
    return next(iter(forms)) if len(forms) == 1 else None


def is_spelled_out(tokens: Sequence[str], hit: Hit) -> bool:
    """Whether nothing but model, memory and form factor stands in the name."""
    rest = (*tokens[: hit.start], *tokens[hit.end :])
    return all(token in _FORM_WORDS or _MEMORY.fullmatch(token) is not None for token in rest)


def choose(entry: AcceleratorEntry, stated: Stated) -> AcceleratorEntry:
    """The model or the variant of it that agrees with what is stated and says no more than is certain."""
    if not entry.variants:
        memory = entry.memory_gb if _memory_agrees(entry, stated.memory_gb) else None
        form = entry.form_factor if _form_agrees(entry.form_factor, stated.form_factor) else None
        return entry.model_copy(update={"memory_gb": memory, "form_factor": form})
    agreeing = [
        variant
        for variant in entry.variants
        if _memory_agrees(variant, stated.memory_gb) and _form_agrees(variant.form_factor, stated.form_factor)
    ]
    covered = [variant for variant in agreeing if _says_no_more(variant, stated)]
    best = max(covered, key=_fields_set, default=None)
    if best is None or _fields_set(best) < stated.count:
        whole = [v for v in agreeing if _fields_set(v) == 2 or _is_alone(v, entry)]
        if stated.count > 0 and len(whole) == 1:
            best = whole[0]
    return entry if best is None else entry.as_variant(best)


def _fields_set(entry: VariantEntry) -> int:
    return (entry.memory_gb is not None) + (entry.form_factor is not None)


def _is_alone(variant: VariantEntry, entry: AcceleratorEntry) -> bool:
    """A variant that no other variant narrows down, though it leaves a field open itself."""
    return not any(
        other.id != variant.id
        and _fields_set(other) > _fields_set(variant)
        and (variant.form_factor in (None, other.form_factor))
        and (variant.memory_gb in (None, other.memory_gb))
        for other in entry.variants
    )


def _says_no_more(variant: VariantEntry, stated: Stated) -> bool:
    return (variant.memory_gb is None or stated.memory_gb is not None) and (
        variant.form_factor is None or stated.form_factor is not None
    )


def _memory_agrees(entry: AcceleratorEntry | VariantEntry, stated: float | None) -> bool:
    if stated is None or entry.memory_gb is None:
        return True
    return stated == entry.memory_gb or stated in entry.memory_printed_gb


def _form_agrees(form: str | None, stated: str | None) -> bool:
    if stated is None or form is None or form == stated:
        return True
    return form.startswith("SXM") and stated.startswith("SXM") and "SXM" in (form, stated)


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
