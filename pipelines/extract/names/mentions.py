"""Named things as the reader takes them: found by the registry, widened to subjects, named as printed. Pure.

A name with a further number or word is another thing's: 'Maia 2' is not Maia, 'TPU v6e' not TPU v6, 'ABCI' not ABCI
3.0. Each is an unknown name of its own, never folded into the one that the registry knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pipelines.extract.names.subjects import Mention, merged, named_by, subjects_of
from pipelines.model.claim import Origin
from pipelines.model.document import Document
from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder
from pipelines.registry.product_like import product_like
from pipelines.registry.spellings import spellings

_DIGITS = re.compile(r"\d+")
_NUMBERED = re.compile(r"\d+[a-z]*")
# what may follow a name and makes it another one: 'v.1', '1.5', 'v2'; a unit or a counted word after it does not
_TAIL = re.compile(
    r"(?:[ -]?[vV]\.?\d+(?:\.\d+)?[A-Za-z]?|[ -]\d{1,2}(?:\.\d)?[A-Za-z]?|[A-Za-z]\d?|\+|[ -](?:Turbo|Ultra|"
    r"Super|Max|Pro|Plus|Mini|Nano|Ti|CPX|Lite))(?![\w%×]|[.,]\d|[ -]?(?:[KMGTPE]i?[Bb]|[kMG]?W|GHz|MHz|nm|[xX×]|TB/s|"
    r"years|months|days|hours|weeks|GPUs|CPUs|TPUs|chips|nodes|racks|cores|accelerators|[KMGTPE]?(?:FLOPS?|OPS)|pods|"
    r"times|percent|million|billion|systems|servers|cards|ports|in(?:ch)?\b))"
)
_SIGNS = re.compile(r"[®™]|\((?:R|TM)\)")
_PROCESSOR = re.compile(
    r"(?:[®™]|\((?:R|TM)\))?(?: (?:CPU|Processors?|Scalable|Gold|Silver|Bronze|Platinum|Max|Rome|Milan|Genoa|Turin|"
    r"GOLD|SILVER|PLATINUM)){0,3}[ -](?:[EWD]\d?[ -])?\d[0-9A-Z]\d{2}[A-Z+]{0,3}(?: ?[vV]\d)?(?![\w.,]*\d)(?!\w)"
)
_TAILED = frozenset({"accelerator", "system", "site", "product", "generation", "network"})
_MEMORY = re.compile(
    r"(?<![\w-])(?:(?:SK ?Hynix|Samsung|Micron) )?(?:HBM\d?[eE]?|GDDR\d[xX]?)"
    r"(?: (?:Shinebolt|Icebolt|Flashbolt))?(?!\w)"
)


class DocumentNames(NamedTuple):
    """The named things of a document, of its title and of its publisher's name, each in order."""

    text: list[Mention]
    title: list[Mention]
    publisher: list[Mention]


def find_mentions(text: str, finder: NameFinder, context: str = "") -> list[Mention]:
    """All named things in a text, in order, without overlap."""
    known = finder.find(text, context)
    unknown = product_like(text, known, finder.makers)
    return _printed(text, subjects_of(text, known, unknown))


def names_of(document: Document, origin: Origin, finder: NameFinder) -> DocumentNames:
    """Every named thing of a document; the title helps to read the text, and its beginning to read the title."""
    title = document.title or ""
    texts = (document.text, title), (title, document.text[:800]), (origin.publisher, "")
    return DocumentNames(*(find_mentions(text, finder, context) if text else [] for text, context in texts))


def _printed(text: str, known: Sequence[Mention]) -> list[Mention]:
    """The named things, each by the name that is printed there, and the kinds of memory; in order."""
    found = [_with_tail(text, _as_printed(text, each)) for each in known]
    memories = _MEMORY.finditer(text) if "HBM" in text or "GDDR" in text else ()
    return merged(found, [Mention(m.start(), m.end(), m[0], "memory") for m in memories])


def _as_printed(text: str, mention: Mention) -> Mention:
    """A model or machine with a number that its entry lacks bears its printed name and no id."""
    printed = text[mention.start : mention.end].strip(" ()")
    if mention.kind == "site" and not set(_DIGITS.findall(mention.name)) <= set(_DIGITS.findall(printed)):
        return mention._replace(name=printed, subject_id="")
    known = _codes_of_entries().get(mention.subject_id)
    codes = _codes(printed)
    if mention.kind not in ("accelerator", "system") or known is None or codes <= known:
        return mention
    name = mention.name if codes <= _codes(mention.name) else named_by(mention.name, printed)
    return mention._replace(name=name, subject_id="")


def _with_tail(text: str, mention: Mention) -> Mention:
    """A name with an unread tail is another name: 'Titan v.1' is not Titan, 'Intel Xeon Gold 8358' not any Xeon."""
    is_cpu = mention.kind == "cpu"
    way = _PROCESSOR if is_cpu else _TAIL if mention.kind in _TAILED else None
    tail = way.match(text, mention.end) if way is not None else None
    if tail is None or (mention.kind == "generation" and tail[0][0] not in " -"):
        return mention
    printed = text[mention.start : mention.end]
    if is_cpu:
        name = named_by(mention.name, " ".join(_SIGNS.sub(" ", f"{printed}{tail[0]}").split()))
    else:
        is_in_name = printed.casefold() in mention.name.casefold()
        name = f"{mention.name if is_in_name else named_by(mention.name, printed)}{tail[0]}"
    kind = "product" if mention.kind in ("accelerator", "generation") else mention.kind
    return mention._replace(end=tail.end(), name=name, kind=kind, subject_id="")


def _codes(name: str) -> set[str]:
    """Numbers with the letters that follow them: '6e' of 'TPU v6e' is not the '6' of 'TPU v6'."""
    return set(_NUMBERED.findall(name.casefold().removesuffix("s")))


@lru_cache(maxsize=1)
def _codes_of_entries() -> Mapping[str, set[str]]:
    """The codes of each entry's canonical name, by its id."""
    return {each.subject_id: _codes(each.name) for each in spellings(load_registry().entries) if each.subject_id}
