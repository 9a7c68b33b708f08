"""Every spelling of everything in the registry: what it stands for, and what the registry holds under a name. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pydantic import BaseModel

from pipelines.frozen import frozen
from pipelines.registry.accelerators import entry_spellings
from pipelines.registry.entries import AcceleratorEntry, SystemEntry
from pipelines.registry.load import Entries
from pipelines.registry.names import name_key
from pipelines.registry.registry import load_registry

# kinds of things whose names are theirs as written, their section, and the field that says whose they are
_NAMED = (
    ("site", "sites", "operator"), ("cpu", "cpus", "vendor"), ("network", "networks", "vendor"),
    ("software", "software", "vendor"), ("organisation", "organisations", "id"),
)  # fmt: skip


@frozen
class Spelling:
    """One way to write one thing; `name` is the canonical name with its maker."""

    text: str
    subject_id: str
    name: str
    kind: str
    vendor_id: str


def spellings(entries: Entries) -> Iterator[Spelling]:
    """All spellings; of several owners of one, the first is meant: machines before products before generations."""
    makers = {entry.id: entry.name for entry in entries.organisations}
    yield from _systems(entries, makers)
    yield from _accelerators(entries, makers)
    for kind, section, owner in _NAMED:
        for entry in getattr(entries, section):
            yield from _plain(entry.spellings, entry.id, entry.name, kind, getattr(entry, owner) or "")
    for generation in entries.generations:
        name = with_maker(generation.name, makers[generation.vendor])
        yield from _plain(generation.spellings, generation.id, name, "generation", generation.vendor)


def with_maker(name: str, maker: str) -> str:
    """A name with its maker's in front, unless it begins with it or is a brand of its own."""
    return name if name.casefold().startswith(maker.casefold()) else f"{maker} {name}"


def accelerator_name(entry: AcceleratorEntry, maker: str) -> str:
    """A model's short name: a superchip by its code, anything else by its own name."""
    is_long = "superchip" in entry.name.casefold() or "(" in entry.name
    return with_maker(entry.model, maker) if is_long else entry.name


def _plain(words: Iterable[str], subject_id: str, name: str, kind: str, vendor: str) -> Iterator[Spelling]:
    for word in words:
        yield Spelling(word, subject_id, name, kind, vendor)


def _accelerators(entries: Entries, makers: Mapping[str, str]) -> Iterator[Spelling]:
    for entry in entries.accelerators:
        name = accelerator_name(entry, makers[entry.vendor])
        forms = {entry.id: None} | {variant.id: variant.form_factor for variant in entry.variants}
        for accelerator_id, text in entry_spellings(entry):
            form = forms[accelerator_id] if forms[accelerator_id] not in (None, entry.form_factor) else ""
            yield Spelling(text, accelerator_id, f"{name} {form}".strip(), "accelerator", entry.vendor)
        short = _without_maker(entry.name, makers[entry.vendor])
        yield from _plain((*entry.tokens, *short), entry.id, name, "accelerator", entry.vendor)


def _systems(entries: Entries, makers: Mapping[str, str]) -> Iterator[Spelling]:
    for entry in entries.systems:
        for text in (*entry.spellings, *_without_maker(entry.name, makers[entry.vendor])):
            name = _name_as_used(entry, text, makers[entry.vendor])
            for way in dict.fromkeys((text, with_maker(text, makers[entry.vendor]))):
                yield Spelling(way, entry.id, name, "system", entry.vendor)


def _without_maker(name: str, maker: str) -> Iterator[str]:
    """The name alone, where it is more than one short word."""
    rest = name.removeprefix(f"{maker} ")
    if rest != name and (" " in rest or any(character.isdigit() for character in rest)):
        yield rest


def _name_as_used(entry: SystemEntry, text: str, maker: str) -> str:
    """A machine under the name the text gives it: 'VR NVL144' stays an NVL144 though it is the NVL72 of today."""
    digits = _digits(text)
    if entry.kind == "node" or not digits or digits <= _digits(entry.name):
        return entry.name
    borne = (named.name for named in entry.names if _digits(named.name) == digits)
    return with_maker(next(borne, text), maker)


def _digits(text: str) -> frozenset[str]:
    return frozenset(word for word in text.casefold().replace("-", " ").split() if any(c.isdigit() for c in word))


def subject_of(text: str) -> Spelling | None:
    """The registry's entry under an id or a spelling; None for what it does not know."""
    ids, names = _index()
    return ids.get(text) or names.get(name_key(text))


@lru_cache(maxsize=1)
def _index() -> tuple[dict[str, Spelling], dict[str, Spelling]]:
    ids: dict[str, Spelling] = {}
    names: dict[str, Spelling] = {}
    for spelling in spellings(load_registry().entries):
        ids.setdefault(spelling.subject_id, spelling)
        names.setdefault(name_key(spelling.text), spelling)
    return ids, names


_KINDS = ("accelerators", "systems", "sites", "cpus", "networks", "software", "organisations", "generations")
_LEFT_OUT = frozenset({"id", "name", "reference", "variants"})


@frozen
class Description:
    """One thing the registry knows: its facts as (label, value) in the order of its entry."""

    kind: str
    id: str
    name: str
    facts: tuple[tuple[str, str], ...]


def describe(name: str) -> list[Description]:
    """Everything that bears a name or id, products first."""
    entries = load_registry().entries
    key = name_key(name)
    ids = {(each.kind, each.subject_id) for each in spellings(entries) if name_key(each.text) == key}
    found: list[Description] = []
    for section in _KINDS:
        kind = section.removesuffix("s")
        for entry in getattr(entries, section):
            known = {entry.id, *(variant.id for variant in getattr(entry, "variants", ()))}
            if name in known or any((kind, each) in ids for each in known):
                found.append(Description(kind, entry.id, entry.name, tuple(_facts(entry))))
    return found


def names() -> list[str]:
    """Every spelling that the registry knows."""
    return sorted({each.text for each in spellings(load_registry().entries)})


def _facts(entry: BaseModel) -> Iterator[tuple[str, str]]:
    for field in type(entry).model_fields:
        value = getattr(entry, field)
        if field not in _LEFT_OUT and value not in (None, "", (), False):
            yield field.replace("_", " "), _in_words(value)


def _in_words(value: object) -> str:
    if isinstance(value, tuple):
        return "; ".join(_in_words(each) for each in value)
    if isinstance(value, BaseModel):
        said = ((field, getattr(value, field)) for field in type(value).model_fields)
        return ", ".join(f"{field} {each}" for field, each in said if each not in (None, "", ()))
    return str(value)
