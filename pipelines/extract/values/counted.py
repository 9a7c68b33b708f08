"""What a number counts: the head noun of the words that follow it. Pure, a bounded look ahead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipelines.registry.field_words import load_field_words
from pipelines.registry.metric_entries import load_lexicon

_WORD = re.compile(r"[ \u00a0]?[-‑]?[\"“‘*`]*([A-Za-z0-9(\[][\w®™+.’'/&()\]‑-]*|[\u4e00-\u9fff]{1,3})")
_OF_THESE = re.compile(r"[ \u00a0]of (?:these|those|its|their|the|[A-Z]\w+['’]s?)(?: own)?(?= )")
_OF_THEM = re.compile(r"[ \u00a0](?P<them>of (?:them|these|those|which))(?!\w)")
_CODE = re.compile(
    r"(?=[A-Za-z-]*\d)(?:[A-Z][A-Za-z]{0,5}-?)\d{1,4}[A-Za-z]{0,4}(?:-(?:SXM\d?|PCI[eE]|NVL|OAM|\d{2,3}GB)){0,2}"
)
# formats of numbers, kinds of memory and of buses are written like models, but nobody counts them: '312 (TF32)'
_FORMAT = re.compile(r"(?:(?:nv|mx)?fp|bf|tf|u?int|hbm|(?:lp|g)?ddr|pcie?)-?\d+[a-z]?", re.IGNORECASE)
_RATED = re.compile(r"\d+(?:\.\d+)?(?:G|T|Gb|Gbit|GbE|Gb/s|Gbps|GB|-gigabit|-core|-bit)?")
_TIME = frozenset(["hour", "hours", "day", "days", "year", "years", "month", "months", "week", "weeks"])
_WHOLE = re.compile(r"(?:super)?(?:cluster|computer|system|pod|rack|domain|configuration|deployment|server|node)s?")
_PLUS = re.compile(r"(?<=\w)\+(?=\d)")
_ENDS = ".,:;!?)]*"
_LONGEST = 7
_REACH = 72  # characters that a look ahead reads


@dataclass(frozen=True, slots=True)
class Counted:
    """The counted words, from after the number to the head noun, and the lexicon's id of that noun."""

    start: int
    end: int
    thing: str


def counted_at(
    text: str, at: int, stop: int | None = None, *, is_one: bool = False, is_each: bool = False
) -> Counted | None:
    """What the number that ends at `at` counts; None where no known noun or model's name follows.

    '72 of them' are things that were named before: 'product', whatever they are.
    """
    stop = at + _REACH if stop is None else stop
    them = None if is_one else _OF_THEM.match(text, at, stop)
    of_these = _OF_THESE.match(text, at, stop)
    at = of_these.end() if of_these is not None else at
    is_hyphened = text[at : at + 1] in ("-", "‑")
    words = _without_sizes(_words(text, at, stop)) if not is_hyphened else _words(text, at, stop)
    first = next((i for i, (word, _) in enumerate(words) if thing_of(word)), None)
    if first is None:
        return None if them is None else Counted(*them.span("them"), "product")
    last = first if is_each or (is_hyphened and first == 0) else _head_noun(words, first)
    if thing_of(words[first][0]) in ("core", "transistor"):
        last = first  # '32 core CPU' counts cores, '80 billion transistor chip' transistors
    is_one_whole = not words[last][0].endswith("s") and _WHOLE.fullmatch(words[last][0]) is not None
    if is_one_whole and not is_one and thing_of(words[first][0]) in ("accelerator", "product"):
        last = first  # 'an 8x H100 server' counts H100, 'an 8 GPU node' GPUs
    noun, start = words[last]
    after = words[last + 1][0] if last + 1 < len(words) else ""
    if after.casefold() in _TIME:
        return None  # 'GPU hours'
    describes = after[:1].islower() and _WHOLE.fullmatch(after) is None
    thing = thing_of(noun)
    is_whole = (
        is_one
        or is_each
        or is_hyphened
        or noun.endswith("s")
        or thing in ("transistor", "product", "failure")
        or not after
    )
    if not is_whole and describes:
        return None  # 'two GPU generations'
    return Counted(words[0][1], start + len(noun), thing)


def _without_sizes(words: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Without what only says how large the counted things are: '2x 32-core AMD EPYC', '2x 24 core AMD EPYC'."""
    kept = words
    while len(kept) > 1 and kept[0][0][:1].isdigit():
        is_apart = kept[0][0].isdigit() and thing_of(kept[1][0]) == "core"
        kept = kept[2:] if is_apart else kept[1:]
    return kept


def _head_noun(words: Sequence[tuple[str, int]], first: int) -> int:
    """The last of the things in a row; names may stand between a model's code and its noun ('A16 NVIDIA GPU nodes')."""
    last, is_model = first, thing_of(words[first][0]) == "product"
    for at in range(first + 1, len(words)):
        word = words[at][0]
        if thing_of(word):
            last = at
        elif not is_model or word[:1].islower():
            break
    return last


def _words(text: str, at: int, stop: int) -> list[tuple[str, int]]:
    """Up to seven words of a noun phrase with their starts; a preposition, verb or punctuation ends it."""
    words: list[tuple[str, int]] = []
    stop_words = load_field_words().after_nouns
    while len(words) < _LONGEST:
        found = _WORD.match(text, at, stop)
        if found is None:
            break
        word = found[1].rstrip(_ENDS)
        sum_ = _PLUS.search(word)
        if sum_ is not None:  # '4*Blackwell GPUs+2*Grace CPU'
            words.append((word[: sum_.start()], found.start(1)))
            break
        if not word or (found[1].startswith("(") and ")" not in found[1]) or word.casefold() in stop_words:
            break
        if word[0].isdigit() and not (words and words[-1][0][:1].isupper()) and _RATED.fullmatch(word) is None:
            break
        words.append((word.strip("()[]"), found.start(1) + (found[1][0] in "([")))
        if word != found[1].rstrip("]"):
            break
        at = found.end()
        while text[at : at + 1] in ("`", "_", "*") and at < stop:
            at += 1
    return words


@lru_cache(maxsize=8192)
def thing_of(word: str) -> str:
    """The lexicon's id of a word, 'product' for a model's code ('H100s'), '' for any other."""
    bare = word.rstrip("®™")
    lexicon = load_lexicon()
    thing = lexicon.thing(bare) or lexicon.thing(bare.rpartition("/")[2] if "/" in bare else bare)
    if thing is not None:
        return thing.id
    return "product" if _CODE.fullmatch(bare) is not None and _FORMAT.fullmatch(bare) is None else ""
