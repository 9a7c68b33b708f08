"""A quantity's surroundings in its sentence: the words near it on both sides, and those further out. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.extract.cues import Cue
from pipelines.extract.quantities import Quantity
from pipelines.extract.setting import Setting
from pipelines.extract.subjects import Mention
from pipelines.model.claim import Span

_CUT_BEFORE = re.compile(r"[;,]\s|\.\s|\)|\n|\s(?:and|or|with|but|vs\.?)\s(?=[^;,]*$)")
_PAIR = re.compile(r"\s(?:vs\.?|versus|compared (?:to|with)|against)\s(?:[A-Z]\w+['’]s\s)?")
_JOINT = re.compile(r"\s?(?:,|and|or|/|, and|vs\.?|versus)\s")
_AND = re.compile(r"\sand\s(?=[\w-]+\s(?:\w+\s)?(?:of\s)?$|[a-z]+-[a-z]+\s)")
_CUT_AFTER = re.compile(r"[;,](?=\s|$)|\.\s|\.$|\n|\s[–-]\s|\s?—")


@dataclass(frozen=True, slots=True)
class Place:
    """A quantity in its sentence.

    `near_before`/`near_after` reach to the next punctuation or quantity; `before`/`after` to the sentence's ends.
    `mentions` are the sentence's, `others` its other quantities in order.
    """

    text: str
    quantity: Quantity
    sentence: Span
    near_before: str
    near_after: str
    before: str
    after: str
    setting: Setting
    mentions: Sequence[Mention]
    others: Sequence[Quantity]
    aside: frozenset[int]  # starts of mentions that the sentence only compares with or builds on

    @property
    def words(self) -> str:
        """The sentence."""
        return self.text[self.sentence.start : self.sentence.end]

    @property
    def near(self) -> str:
        """The words near the quantity, with the quantity's own."""
        quantity = self.quantity
        return f"{self.near_before}{self.text[quantity.at.start : quantity.at.end]}{self.near_after}"


def place_of(
    text: str,
    at: int,
    quantities: Sequence[Quantity],
    sentence: Span,
    setting: Setting,
    mentions: Sequence[Mention],
    aside: frozenset[int],
) -> Place:
    """The place of the quantity with index `at` among its sentence's."""
    quantity = quantities[at]
    start, end = quantity.at.start, quantity.at.end
    siblings = [q for q in quantities if q.dimension and q.digits.start < quantity.digits.start and q.at.end <= start]
    if siblings and siblings[-1].dimension == quantity.dimension and _PAIR.fullmatch(text, siblings[-1].at.end, start):
        siblings.pop()  # both figures of 'memory (192 GB versus 128 GB)' have the same words before them
    floor = siblings[-1].at.end if siblings else sentence.start
    following = next((q for q in quantities[at + 1 :] if q.dimension and q.at.start >= end), None)
    ceiling = following.at.start if following is not None else sentence.end
    near_after = _after(text, end, ceiling, following, quantity, quantities[at + 1 :], sentence.end)
    near_before = text[max(floor, start - 90) : start]
    cuts = list(_CUT_BEFORE.finditer(near_before))
    if cuts:
        near_before = near_before[cuts[-1].end() :]
    return Place(
        text, quantity, sentence, near_before, near_after, text[sentence.start : start], text[end : sentence.end],
        setting, mentions, quantities, aside,
    )  # fmt: skip


def _after(
    text: str,
    end: int,
    ceiling: int,
    following: Quantity | None,
    quantity: Quantity,
    later: Sequence[Quantity],
    stop: int,
) -> str:
    """The words after a quantity that are its own; of '192 GB and 144 GB of HBM' both have the last words."""
    if following is not None and following.dimension == quantity.dimension and following.unit[:1] == quantity.unit[:1]:
        if _JOINT.fullmatch(text, end, following.at.start) is not None:
            end = following.at.end
            beyond = next((q for q in later if q.at.start >= end), None)
            ceiling = beyond.at.start if beyond is not None else stop
    elif following is not None:
        joint = _AND.search(text, end, ceiling)
        ceiling = joint.start() if joint is not None else ceiling
    cut = _CUT_AFTER.search(text, end, ceiling)
    return text[end : cut.start() if cut is not None else ceiling]


def nearest(cues: Sequence[Cue], place: Place) -> str | None:
    """The metric whose words stand nearest to the quantity: beside it, else in the label, above, or in the heading.

    '' when words stand nearest that point away; None when nothing points anywhere.
    """
    beside = _beside(cues, place.near_before, place.near_after)
    if beside is not None:
        return beside
    setting = place.setting
    zones = (setting.label, *setting.parents, place.before, setting.intro, *setting.headings[:1])
    for zone in zones:
        if zone:
            found = _last(cues, zone)
            if found is not None:
                return found
    return None


def _beside(cues: Sequence[Cue], before: str, after: str) -> str | None:
    best: tuple[int, str] | None = None
    for cue in cues:
        match = cue.words.search(after)
        if match is not None and (best is None or match.start() < best[0]):
            best = (match.start(), cue.metric)
        for match in cue.words.finditer(before):
            distance = len(before) - match.end()
            if best is None or distance < best[0]:
                best = (distance, cue.metric)
    return best[1] if best is not None else None


def _last(cues: Sequence[Cue], zone: str) -> str | None:
    best: tuple[int, str] | None = None
    for cue in cues:
        for match in cue.words.finditer(zone):
            if best is None or match.end() > best[0]:
                best = (match.end(), cue.metric)
    return best[1] if best is not None else None
