"""The rule grammar for accelerator names: maker's words, model, memory size, form factor; all else is ignored.

Pure. A rule answers with the entry that states as much as the name states and no more: an open memory size or form
factor gives the model's own entry, never the likeliest variant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pipelines.frozen import frozen
from pipelines.registry.entries import AcceleratorEntry, VariantEntry
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
