"""Whose figure it is: the sentence's own subject, else the section's, the list's, the heading's, the title's. Pure.

In that order, and only as far as the words allow: a sentence about something else than the machine at hand (a phone, an
unknown company) takes nothing from its surroundings.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pipelines.extract.aside import RELATIVE, is_board_line
from pipelines.extract.foreign import goes_on, has_verb, is_of_others
from pipelines.extract.place import Place
from pipelines.extract.setting import Setting
from pipelines.extract.subjects import HARDWARE, Mention
from pipelines.extract.topic import FRONTED

MACHINES = HARDWARE
CHIPS = frozenset({"accelerator", "product", "generation"})
LINKED = HARDWARE | {"network"}
HOLDERS = frozenset({"system", "site"})
ORGANISATIONS = frozenset({"organisation", "site"})

_AFTERWARDS = re.compile(
    r"^(?!.*\b(?:vs|versus|than|over|from|against|compared|price)\b)(?:\s*(?:\([^)]{0,20}\)|[\w/%+.'’-]+)){0,6}?\s*\b(?:for|of|"
    r"on|in|by|attributed to)\s(?:the\s|an?\s|each\s|one\s|its\s|their\s|a single\s)?"
    r"(?:[\w-]+[’']?s?\s){0,2}$",
    re.IGNORECASE,
)
_OTHER_PART = re.compile(
    r"(?:Host )?(?:CPUs?|Processors?|Host|Storage|Local (?:disk|storage)|Login)(?: memory)?", re.IGNORECASE
)
_HEADING = 0.75
_LOOSE = ("count", "ratio", "percent", "money", "time")
_VERSUS = re.compile(
    r"\b(?:vs\.?|versus|compared (?:to|with))\s(?:[^,;()]{0,40}\s(?:at|with|of)\s)?(?:the\s|roughly\s|"
    r"about\s)?(?:[A-Z]\w+['’]s\s)?$"
)
_GENITIVE = re.compile(r"['’]s\s(?:[a-z-]+\s){0,2}(?:~?[\d.,]+\s?[A-Za-z/%]+(?:\s[A-Za-z0-9]+)?(?:,\s|\sand\s))?")
_VARIANT = re.compile(r"\b(?:variant|version|derivative|sibling|successor)s?\s(?:of|to)\s(?:the\s|an?\s)?$")
_BRACKET = re.compile(r"(?:\s(?:chip|GPU|accelerator|system|rack|card|server|part)s?)?\s\((?:[a-z ]{1,16}\s)?")
_THE_SITE = re.compile(
    r"\W*(?:The|This|That) (?:deployment|facility|installation|campus|site|data cent(?:er|re)|datacenter)\b"
)
_TO_DELIVER = re.compile(r"\b(?:to (?:deliver|provide|reach|offer)|delivering|providing|for a (?:total|combined))\b")
_CLOSES = re.compile(r"[^()\n]{0,40}\)")
_WHOLE = re.compile(
    r"\b(?:the|each|per|a|this|every|entire|whole)\s(?:[\w-]+\s)?(?:racks?|systems?|cabinets?|"
    r"clusters?|machines?|supercomputer|pods?|trays?|blades?|shel(?:f|ves))\b",
    re.IGNORECASE,
)
_TRAY = re.compile(
    r"\b(?:each|the|every|a)\s(?:[\w-]+\s){0,2}(?:trays?|blades?|shel(?:f|ves)|switch(?:es)?)\b", re.IGNORECASE
)
_PART = re.compile(
    r"\b(?:the|each|per|a|this|every|single)\s(?:\w+\s)?(?:GPU|chip|accelerator|package|device|TPU|die)s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose figure it is and how sure: 1.0 in the sentence, less from further away."""

    mention: Mention
    certainty: float


def owner_of(
    place: Place,
    kinds: Collection[str],
    running: Sequence[Mention],
    skip: Collection[int] = (),
    *,
    is_of_link: bool = False,
) -> Owner | None:
    """The subject of a quantity among mentions of some kinds.

    `running` are the subjects of the section's earlier sentences, latest first; `skip` the starts of mentions that
    are part of what is counted or compared with.
    """
    inside = [m for m in place.mentions if m.kind in kinds and m.start not in skip]
    found = _afterwards(place, inside)
    if found is None and _VERSUS.search(place.before) is not None:
        return _opposed(place, inside, running)
    found = found or _inside(place, inside)
    if found is not None:
        return found
    if any(m.start not in place.aside for m in inside) and not _is_above_free(place):
        return None
    last = next((m for m in reversed(place.mentions) if m.end <= place.quantity.at.start), None)
    is_processor = last is not None and last.kind == "cpu" and last.start not in counted(place)
    if is_processor and place.quantity.dimension != "count" and _TO_DELIVER.search(place.before) is None:
        return None  # 'Grace has 120 GB'
    return _outside(place, kinds, running, is_of_link)


def _afterwards(place: Place, inside: Sequence[Mention]) -> Owner | None:
    """Whom the words beside a figure give it to: 'X's 192 GB', 'the 600 kW X', '559 kW for the X'."""
    quantity, text = place.quantity, place.text
    other = _possessor(place, inside)
    if other is not None:
        return other
    bracketed = _before_bracket(place, inside)
    if bracketed is not None:
        return Owner(bracketed, 1.0)
    beside = next((m for m in inside if m.vendor_id and m.start - quantity.at.end == 1), None)
    if beside is not None and quantity.dimension not in _LOOSE:
        return Owner(beside, 1.0)
    for mention in inside:
        gap = mention.start - quantity.at.end
        if (
            0 <= gap < 60
            and not (mention.kind == "organisation" and mention is not inside[0])  # 'A builds 4 GW for B' is A's
            and not is_board_line(mention)
            and _AFTERWARDS.match(text[quantity.at.end : mention.start]) is not None
        ):
            return Owner(mention, 0.9)
    return None


def _before_bracket(place: Place, inside: Sequence[Mention]) -> Mention | None:
    """The B200 of 'not as fast as the B200 chip (4.5 petaflops)', but not of 'a variant of B200 (700 W)'."""
    quantity, text = place.quantity, place.text
    last = next((m for m in reversed(inside) if m.end <= quantity.at.start), None)
    if last is None or quantity.dimension in _LOOSE or _BRACKET.fullmatch(text, last.end, quantity.at.start) is None:
        return None
    is_variant = _VARIANT.search(text, max(0, last.start - 32), last.start) is not None
    return None if is_variant else last


def _inside(place: Place, inside: Sequence[Mention]) -> Owner | None:
    quantity, text = place.quantity, place.text
    aside: frozenset[int] | set[int] = place.aside
    if not _is_per_piece(place):
        aside = aside | counted(place)
    before = [
        m
        for m in inside
        if m.end <= quantity.digits.start and (m.start not in aside or RELATIVE.match(text, m.end) is not None)
    ]
    before = _unbracketed(place, before)
    if before:
        return None if _is_of_processor(place, before[-1]) else Owner(before[-1], 1.0)
    after = [m for m in inside if m.start >= quantity.digits.end and m.start not in aside]
    words = place.words
    if after and (FRONTED.match(words) is not None or not has_verb(place.before)):
        comma = text.find(",", quantity.at.end, place.sentence.end)
        fronted = [m for m in after if comma != -1 and m.start > comma]
        if fronted and FRONTED.match(words) is not None:
            return Owner(fronted[0], 0.8)
        if (
            len({m.name for m in after}) == 1
            and after[0].start - quantity.at.end < 40
            and place.setting.block.level > 0
            and re.search(r"[\d(–—-]", text[quantity.at.end : after[0].start]) is None
        ):
            return Owner(after[0], 0.7)
    topics = {
        m.name for mentions in (*place.setting.heading_mentions[:2], place.setting.title_mentions) for m in mentions
    }
    topic = next((m for m in after if m.name in topics), None)
    return Owner(topic, 0.75) if topic is not None else None


def _opposed(place: Place, inside: Sequence[Mention], running: Sequence[Mention]) -> Owner | None:
    """The second figure of '288 GB vs 192 GB': of the one thing that the sentence compares with, if it says which."""
    names = {m.name for m in inside if m.start in place.aside}
    found = next((m for m in inside if m.start in place.aside), None)
    if found is not None:
        return Owner(found, 0.8) if len(names) == 1 else None
    maker = next((m for m in place.mentions if m.kind == "organisation" and m.start in place.aside), None)
    return _machine_of(maker, place, running) if maker is not None else None


def _machine_of(maker: Mention, place: Place, running: Sequence[Mention]) -> Owner | None:
    """The machine meant by its maker's name ('against Nvidia's 13.8 TB'): the one of that maker spoken of around."""
    around = [
        *running,
        *(m for heading in place.setting.heading_mentions for m in heading),
        *place.setting.title_mentions,
    ]
    machines = [m for m in around if m.kind in ("system", "accelerator") and m.vendor_id == maker.subject_id]
    return Owner(machines[0], 0.7) if machines and len({m.name for m in machines}) == 1 else None


def _possessor(place: Place, inside: Sequence[Mention]) -> Owner | None:
    """The B200 of 'the original B200's 192 GB', though the sentence only compares with it."""
    quantity, text = place.quantity, place.text
    if quantity.dimension in _LOOSE:
        return None
    last = next((m for m in reversed(inside) if m.end <= quantity.at.start), None)
    is_its = last is not None and _GENITIVE.fullmatch(text, last.end, quantity.at.start) is not None
    return Owner(last, 1.0) if last is not None and is_its else None


def _unbracketed(place: Place, mentions: Sequence[Mention]) -> list[Mention]:
    """Without the mentions in brackets that close before the quantity, while others stand outside."""
    text, at = place.text, place.quantity.digits.start
    outside = [m for m in mentions if _CLOSES.match(text, m.end, at) is None]
    return outside or list(mentions)


def counted(place: Place) -> set[int]:
    """The starts of mentions that are counted ('72 Blackwell GPUs'): contents of the machine that is spoken of."""
    spans = [q.noun_at for q in place.others if q.dimension == "count" and q.low > 1]
    return {m.start for m in place.mentions if any(s.start <= m.start < s.end for s in spans)}


def _is_per_piece(place: Place) -> bool:
    words = place.quantity.per.casefold()
    if words:
        return (
            words in ("each", "apiece")
            or re.search(r"gpu|chip|accelerator|package|device|module|card|tpu", words) is not None
        )
    if place.quantity.unit in ("TB", "PB"):
        return False  # of all together
    return re.search(r"\bwith\s(?:up to\s)?$", place.text[place.sentence.start : place.quantity.at.start]) is not None


def _is_of_processor(place: Place, owner: Mention) -> bool:
    """Whether a processor stands between a machine and a figure: 'Grace has 120 GB' after 'H200'."""
    contents = counted(place)
    between = [
        m
        for m in place.mentions
        if m.kind == "cpu" and owner.end <= m.start and m.end <= place.quantity.at.start and m.start not in contents
    ]
    if between and _TO_DELIVER.search(place.text, between[-1].end, place.quantity.at.start) is not None:
        return False
    return bool(between) and place.quantity.dimension != "count" and "GPU" not in place.near_after[:30]


def _is_above_free(place: Place) -> bool:
    """Whether mentions in the sentence leave room for a subject from above: a list line or a sentence on 'it'."""
    return place.setting.block.level > 0 or goes_on(place)


def _outside(place: Place, kinds: Collection[str], running: Sequence[Mention], is_of_link: bool) -> Owner | None:
    setting = place.setting
    if _OTHER_PART.fullmatch(setting.label) is not None and place.quantity.dimension != "count":
        return None
    if is_of_others(place):
        return None
    if _THE_SITE.match(place.words) is not None:
        kinds = [kind for kind in kinds if kind in ORGANISATIONS]
    own = next((m for m in running if m.kind in kinds and m.start >= setting.block.start), None)
    if own is not None and setting.block.level > 0:
        return Owner(own, 0.86)  # the list line has named its own thing
    wanted = _by_part(place)
    led = setting.intro_subjects([k for k in kinds if k in wanted]) if wanted else ()
    topic = _topic(setting, kinds) if setting.block.level > 0 and not setting.intro_subjects(kinds) else ()
    for mentions, certainty in (
        (setting.parent_mentions[:1], 0.88),
        (led or setting.intro_subjects(kinds), 0.85),
        (topic, 0.82),
        (tuple(running), 0.8),
        *((heading, _HEADING) for heading in setting.heading_mentions[:2]),
        (setting.title_mentions, 0.65),
    ):
        fitting = [m for m in mentions if m.kind in kinds]
        names = {m.name for m in fitting}
        if (
            not names
            and certainty == _HEADING
            and not is_of_link
            and any(m.kind in ("network", "cpu") for m in mentions)
        ):
            return None  # the section is about another thing
        if not names:
            continue
        if wanted:
            narrowed = [m for m in fitting if m.kind in wanted]
            if not narrowed and _TRAY.search(place.before[-60:]) is not None:
                continue
            fitting = narrowed or fitting
        if len(names) > 1 and mentions is not running and mentions != tuple(running):
            first = [m for m in fitting if m.name == fitting[0].name]
            return Owner(first[0], 0.55) if certainty in (_HEADING, 0.65) and _dominates(setting, fitting) else None
        return Owner(fitting[0], certainty)
    return None


def _dominates(setting: Setting, fitting: Sequence[Mention]) -> bool:
    """Whether the first of several names heads the others, as a system its parts."""
    return fitting[0].kind == "system" or len({m.vendor_id for m in fitting}) == 1


def _topic(setting: Setting, kinds: Collection[str]) -> tuple[Mention, ...]:
    """The one thing that the innermost heading with any name is about."""
    for heading in setting.heading_mentions[:2]:
        fitting = [m for m in heading if m.kind in kinds]
        if fitting:
            return tuple(fitting) if len({m.name for m in fitting}) == 1 else ()
    return ()


def _by_part(place: Place) -> Collection[str]:
    is_listed = place.setting.block.level > 0 and not has_verb(place.words)
    words = f"{place.before[-60:]} {place.after[:60]}"
    words = f"{place.setting.intro[-60:]} {words}" if is_listed else words
    if _WHOLE.search(words) is not None:
        return HOLDERS
    return CHIPS if _PART.search(words) is not None else ()
