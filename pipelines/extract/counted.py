"""What a number counts: the head noun of the words that follow it. Pure, a bounded look ahead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.extract.unit_words import noun_of
from pipelines.model.claim import Span

_WORD = re.compile(r"[ \u00a0]?[\"“‘]?([A-Za-z0-9(\[][\w®™+.’'/&()\]-]*)")
_STOP_WORDS = (
    "and or of to in for with per at by on is are was were can will from than that which into each the a an "
    "more times faster as vs versus over under up has have had do does not no but while when where it its "
    "their these those this would could should may might must about be been being across within between among "
    "share via without every if so also using used use like such both all then out off only just again ago later "
    "earlier"
)
_STOP = frozenset(_STOP_WORDS.split())
# '384 of these accelerators', '500,000 of Amazon's own chips'
_OF_THESE = re.compile(r"[ \u00a0]of (?:these|those|its|their|the|[A-Z]\w+['’]s?)(?: own)?(?= )")
_SPEED = re.compile(r"[ \u00a0]\d+[ \u00a0]?(?:GbE|Gb/s|Gbps|G)\b")  # '24 integrated 200 GbE ports'
_CORES = re.compile(r"(?:[ \u00a0](?:and|&)[ \u00a0]|/)[A-Za-z]+[ \u00a0]cores\b")  # '5920 CPU and GPU cores'
_PRODUCT = re.compile(r"(?=.*\d)[A-Z]{1,4}\d{1,4}[A-Za-z]{0,2}s")
# '2 compute, 2 network, 1 SoC chiplets'
_ELIDED = re.compile(r"[ \u00a0](compute)(?:,| and| \+) \d[^.;\n]{0,40}?\b(?:chiplets|dies)\b")
_MODEL = re.compile(r"(?:GB|GH|MI|H|B|A|V|L)\d{2,3}[A-Z]?")
_AND_MODEL = re.compile(r"\s(?:GB|GH|MI|H|B|A|V|L)\d{2,3}[A-Z]?\b")
_SPELLED = re.compile(r"[ \u00a0-]((?:[A-Z][\w®™-]* ){0,4}graphics process(?:ing units?|ors?))\b")
_RATED = re.compile(r"\d+(?:\.\d+)?(?:G|T|GbE|Gb/s|Gbps)?")
_ENDS = ".,;:!?)]"
_WHOLE = re.compile(r"(?:super)?(?:cluster|computer|system|pod|rack|domain|configuration|deployment|server|node)s?")
_TIME = frozenset(("hour", "hours", "hours.", "day", "days", "year", "years", "month", "months", "week", "weeks"))


@dataclass(frozen=True, slots=True)
class Counted:
    """The counted words, from after the number to the head noun, and the noun's class."""

    at: Span
    noun_class: str


def counted_at(text: str, at: int, stop: int, *, is_one: bool, is_times: bool) -> Counted | None:
    """What the number that ends at `at` counts; None where no known noun follows within six words."""
    if text[at : at + 4] in ("-way", "‑way"):
        return Counted(Span(at + 1, at + 4), "way")
    elided = _ELIDED.match(text, at, stop)
    if elided is not None:
        return Counted(Span(elided.start(1), elided.end(1)), "die")
    is_hyphened = text[at : at + 1] in ("-", "‑")
    of_these = _OF_THESE.match(text, at, stop)
    at = of_these.end() if of_these is not None else at
    if not is_times and text[at : at + 1].isalnum():
        return None  # '7543P': a model's number
    words = _words(text, at + is_hyphened, stop, is_times)
    spelled = _SPELLED.match(text, at, stop)
    if spelled is not None:
        return Counted(Span(spelled.start(1), spelled.end(1)), "accelerator")
    first = next((i for i, word in enumerate(words) if _class_of(word[0]) and word[0] != "Core"), None)
    if first is None:
        return _bare_product(text, words) if not is_hyphened and not is_one else None
    last = first
    while not (is_hyphened and last == 0) and last + 1 < len(words) and _class_of(words[last + 1][0]):
        last += 1
    if _class_of(words[first][0]) in ("core", "transistor"):
        last = first  # '32 core CPU' counts cores, '80 billion transistor chip' transistors
    noun, start = words[last]
    if _CORES.match(text, start + len(noun), stop) is not None:
        return Counted(Span(words[0][1], start + len(noun)), "core")
    after = words[last + 1][0] if last + 1 < len(words) else ""
    if after.casefold() in _TIME:
        return None  # 'GPU hours'
    describes = after[:1].islower() and _WHOLE.fullmatch(after) is None
    ends_at_comma = text[start + len(noun) : start + len(noun) + 1] == ","
    is_whole = is_one or is_hyphened or noun.endswith("s") or _class_of(noun) == "transistor"
    if not is_whole and (describes or ends_at_comma):
        return None  # 'two GPU generations', '2x CPU, storage and management groups'
    return Counted(Span(words[0][1], start + len(noun)), _class_of(noun))


def _bare_product(text: str, words: list[tuple[str, int]]) -> Counted | None:
    """'a total of 448 GH200)': a model's code alone at the end of a phrase is what is counted."""
    if len(words) != 1 or _MODEL.fullmatch(words[0][0]) is None:
        return None
    end = words[0][1] + len(words[0][0])
    return (
        Counted(Span(words[0][1], end), "accelerator")
        if text[end : end + 1] in (")", ".", ",", ";", "\n", "")
        else None
    )


def _words(text: str, at: int, stop: int, is_times: bool) -> list[tuple[str, int]]:
    """Up to seven words of a noun phrase with their starts; a preposition, verb or punctuation ends it."""
    words: list[tuple[str, int]] = []
    while len(words) < 7:
        speed = _SPEED.match(text, at, stop) if words else None
        at = speed.end() if speed is not None else at
        found = _WORD.match(text, at, stop)
        if found is None:
            break
        word = found[1].rstrip(_ENDS)
        if found[1].startswith("(") and not found[1].endswith(")"):
            break
        if (
            word == "and"
            and words
            and _MODEL.fullmatch(words[-1][0]) is not None
            and _AND_MODEL.match(text, found.end())
        ):
            at = found.end()
            continue  # '550,000 GB200 and GB300 GPUs'
        if word.casefold() in _STOP or not _may_stand(word, bool(words) and words[-1][0][:1].isupper(), is_times):
            break
        words.append((word, found.start(1)))
        if word != found[1].rstrip("]"):
            break
        at = found.end()
    return words


def _may_stand(word: str, was_capital: bool, is_times: bool) -> bool:
    if not word or not word[0].isdigit():
        return bool(word)
    return was_capital or "-" in word or (is_times and _RATED.fullmatch(word) is not None)


def _class_of(word: str) -> str:
    bare = word.strip("()[]").rstrip("®™")
    noun = noun_of(bare)
    if noun:
        return noun
    if _PRODUCT.fullmatch(bare) is not None:
        return "accelerator"
    tail = bare.rpartition("/")[2]
    return noun_of(tail) if tail != bare else ""
