"""What a number counts: the head noun of the words that follow it. Pure, a bounded look ahead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.extract.unit_words import noun_of
from pipelines.model.claim import Span

_WORD = re.compile(r"[ \u00a0]?([A-Za-z0-9(\[][\w®™+.’'/&()\]-]*)")
_STOP_WORDS = (
    "and or of to in for with per at by on is are was were can will from than that which into each the a an "
    "more times faster as vs versus over under up has have had do does not no but while when where it its "
    "their these those this would could should may might must about be been being across within between among "
    "via without every if so also using used use like such both all then out off only just again ago later "
    "earlier"
)
_STOP = frozenset(_STOP_WORDS.split())
_PRODUCT = re.compile(r"(?=.*\d)[A-Z]{1,4}\d{1,4}[A-Za-z]{0,2}s")
# '2 compute, 2 network, 1 SoC chiplets'
_ELIDED = re.compile(r"[ \u00a0](compute)(?:,| and| \+) \d[^.;\n]{0,40}?\b(?:chiplets|dies)\b")
_RATED = re.compile(r"\d+(?:\.\d+)?(?:G|T|GbE|Gb/s|Gbps)?")
_ENDS = ".,;:!?)]"
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
    position = at + 1 if is_hyphened else at
    begin: int | None = None
    best: tuple[int, str, str] | None = None
    was_capital = False
    for _ in range(7):
        found = _WORD.match(text, position, stop)
        if found is None:
            break
        word = found[1].rstrip(_ENDS)
        is_last = word != found[1].rstrip("]") or not word
        if word.casefold() in _STOP or not _may_stand(word, was_capital, is_times):
            break
        begin = found.start(1) if begin is None else begin
        noun = _class_of(word)
        if best is not None and not noun:
            if word.casefold() in _TIME:
                return None
            if not best[2].endswith("s") and not is_one and not is_hyphened and word[:1].islower():
                return None  # 'two GPU generations': the noun only describes another
            break
        if (
            noun
            and not word.endswith("s")
            and not is_one
            and not is_hyphened
            and is_last
            and found[1].rstrip("]") != word
        ):
            if found[1][len(word) : len(word) + 1] in (",", ":", ";"):
                return None  # '2x CPU, storage and management groups'
        if noun:
            best = (found.start(1) + len(word), noun, word)
            if is_hyphened and begin == found.start(1):
                break
        if is_last:
            break
        was_capital = word[:1].isupper()
        position = found.end()
    return Counted(Span(begin, best[0]), best[1]) if best is not None and begin is not None else None


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
