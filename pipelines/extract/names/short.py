"""Names that a text shortens once it has said them whole. Pure.

'the 950DT' of the Ascend family, 'the UltraServer' of Trainium2, 'the NVL72'.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from operator import attrgetter

from pipelines.extract.names.mention import Mention
from pipelines.extract.values.around import tail_at
from pipelines.extract.values.counted import counted_at
from pipelines.registry import load_registry
from pipelines.registry.field_words import load_field_words
from pipelines.registry.mentions import NameFinder
from pipelines.registry.metric_entries import load_lexicon
from pipelines.registry.names import NameHit
from pipelines.registry.spellings import spellings

NUMBERED_KINDS = frozenset({"accelerator", "system", "site", "product", "generation", "network"})
_OF_FAMILY = re.compile(r"(?:.* )?(?P<family>[A-Z][A-Za-z]+)(?: (?:\d{3,4}(?:[A-Z]{1,2}| [A-Z][A-Za-z]+)?|v\d[a-z]?))?")
# a model without its family's name: '950DT', '960:', the second of 'Ascend 910B/910C', 'v5p', 'a 4090', 'the 400 has';
# a number alone only at the head of a table's row
_CODE = re.compile(
    r"(?<![\w.,$€£+–-])(?:\d{3,4}(?:[A-Z]{1,2}(?![\w%-])|(?=\s?[:：]|/\d{3}|\s(?:[QH][1-4] )?20[2-4]\d\b))"
    r"(?!\s(?:param|tok))|"
    r"(?<=\n\| )\d{3,4}(?= \|)|(?<=\n)\d{3,4}(?=\t)|"
    r"(?<=[Tt]he )\d{3,4}(?![\w%.,-]*\d)(?!\w)|(?<=\b[Aa] )\d{3,4}(?![\w%.,-]*\d)(?!\w)|"
    r"[1-9]0[5-9]0(?: Ti| [Ss]uper)?(?=s?(?![\w%]|[.,]\d)))|(?<=/)\d{3,4}(?![\w%]|\.\d)|"
    r"(?<![\w.,/-])v\d[a-z]?(?![\w-]|\.\d)"
)
# 'UltraServer', 'CPX': no word of a language
_LAST_WORD = re.compile(r"(?<![\w-])(?:[A-Z][a-z]+[A-Z]\w+|[A-Z]{3}(?![\w-]))")
_LONG = 3  # letters of a family's word
_ONE_OF = re.compile(r"(?:\b(?:[Aa]|[Tt]he|[Mm]y|[Yy]our|one|single|dual)|\d\s?[x×])\s$")
_OF_CARDS = "RTX"  # whose numbers are rarely said with it: 'two 4090s'
_RACK, _RACK_MAKER = re.compile(r" NVL\d+$"), "NVIDIA"  # 'NVIDIA NVL72' is a size of racks, no rack's name


def shortened(text: str, found: Sequence[Mention], finder: NameFinder) -> Iterator[Mention]:
    """What stands in a text for one of the names found in it, in no order."""
    yield from _of_families(text, found, finder)
    yield from _by_last_word(text, found)


def _of_families(text: str, found: Sequence[Mention], finder: NameFinder) -> Iterator[Mention]:
    """Models of the registry that are named by their code alone, in a text that names their family, maker or another.

    Of several families that have one the last named before it is meant.
    """
    named = [(each.start, _OF_FAMILY.fullmatch(each.name)) for each in found if each.kind in NUMBERED_KINDS]
    said = [(start, name["family"]) for start, name in named if name is not None]
    makers = [(each.start, each.subject_id) for each in found if each.kind == "organisation"]
    for word, maker in _words_of_families().items():
        said += [(text.find(word), word)] if word in text else []
        said += [(start, word) for start, its in makers if its == maker]
    spoken_of = deque(sorted(said))
    families = dict.fromkeys(family for _, family in reversed(spoken_of))  # the last named is last
    is_of_chips = bool(families) or any(each.kind == "accelerator" for each in found)
    for short in _CODE.finditer(text) if is_of_chips else ():
        while spoken_of and spoken_of[0][0] < short.start():
            _, family = spoken_of.popleft()
            del families[family]
            families[family] = None
        own = (*reversed(families), _OF_CARDS) if _is_card(text, short) else reversed(families)
        hits = (whole_name(f"{family} {short[0]}", finder) for family in own)
        hit = next((hit for hit in hits if hit is not None), None)
        if hit is not None and not _is_figure(text, short):
            yield _of_hit(short.span(), hit)


def _is_card(text: str, code: re.Match[str]) -> bool:
    """Whether words say that a number is one of things: 'a 4090', 'two 3080s'."""
    return text.startswith("s", code.end()) or _ONE_OF.search(text, max(0, code.start() - 8), code.start()) is not None


def _is_figure(text: str, code: re.Match[str]) -> bool:
    """Whether a number behind 'the' or 'a' is none of a name: 'the 900 GB/s', 'the 910 chips'."""
    is_one = code[0].isdecimal() and _ONE_OF.search(text, max(0, code.start() - 8), code.start()) is not None
    return is_one and bool(tail_at(text, code.end()).parts or counted_at(text, code.end()))


@cache
def _words_of_families() -> Mapping[str, str]:
    """The words with which models of the registry are numbered, with their makers: 'Ascend', '昇腾', 'MTIA'.

    None that many texts have.
    """
    found: dict[str, str] = {}
    for each in spellings(load_registry().entries):
        first, _, code = each.text.rpartition(" ")
        word = first.rpartition(" ")[2]
        is_family = word.isalpha() and (len(word) > _LONG or not word.isascii())
        if each.kind == "accelerator" and code[:3].isdecimal() and is_family:
            found[word] = each.vendor_id
    return found


def _by_last_word(text: str, found: Sequence[Mention]) -> Iterator[Mention]:
    """'The UltraServer' is what was named last with this word at its end, be it one or several."""
    named: dict[str, list[Mention]] = {}
    for name in found:
        *first, word = text[name.start : name.end].split()
        if first and name.kind in NUMBERED_KINDS and not _is_common(word):
            named.setdefault(word.removesuffix("s"), []).append(name)
    for short in _LAST_WORD.finditer(text) if named else ():
        names = named.get(short[0], [])
        before = bisect_right(names, short.start(), key=attrgetter("end"))
        if before:
            yield names[before - 1]._replace(start=short.start(), end=short.end())


def _is_common(word: str) -> bool:
    """Whether a name's last word, in capitals, is what many things are: 'Rubin GPU'."""
    return word.isupper() and (
        word.casefold() in load_field_words().no_part_of_a_name or load_lexicon().thing(word) is not None
    )


def _of_hit(at: tuple[int, int], hit: NameHit) -> Mention:
    return Mention(*at, hit.name, hit.kind, hit.subject_id, hit.vendor_id)


@lru_cache(maxsize=16384)
def whole_name(words: str, finder: NameFinder) -> NameHit | None:
    """The one name of the registry that some words are."""
    hits = finder.find(words)
    return hits[0] if len(hits) == 1 and (hits[0].start, hits[0].end) == (0, len(words)) else None


def racks_whole(names: Sequence[Mention]) -> list[Mention]:
    """'the NVL72' is the rack of this size that was named whole before it, or else first after it."""
    sizes = [_RACK.search(name.name) for name in names]
    whole: dict[str, Mention] = {}
    for name, size in zip(reversed(names), reversed(sizes), strict=True):
        if size is not None and size.start() > len(_RACK_MAKER):
            whole[size[0]] = name
    found = []
    for name, size in zip(names, sizes, strict=True):
        if size is not None and size.start() > len(_RACK_MAKER):
            whole[size[0]] = name
        elif size is not None:
            name = whole.get(size[0], name)._replace(start=name.start, end=name.end)
        found.append(name)
    return found
