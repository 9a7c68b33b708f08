"""How a sentence stands to what it says: denied, supposed, asked, promised, measured; and whose word it is. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial

from pipelines.extract.names.mention import Mention
from pipelines.model.claim import Modality
from pipelines.registry.phrases import phrases

_caseless = partial(re.compile, flags=re.IGNORECASE)
_CHANGED_AFTER = _caseless(
    r"\s(?:more|less|lower|higher|fewer|greater|extra|additional|increase|reduction|improvement|"
    r"refers? to|equals?|means)\b|\s?=\s?[\d~]|[^.,;]{0,32}\bwould\b|"
    r"\s(?:for|of|in|on|from|with) (?:the |its )?(?:first|previous|prior|earlier|last|older)[- ]gen(?:eration)?\b"
)
_CHANGED_BEFORE = _caseless(
    r"(?:\b(?:lower|reduc|cut|sav|increas|decreas|rais|drop|shrink|grow)\w*\b[^.;,]{0,40}\bby\s(?:about\s|up to\s|~)?|"
    r"\((?:up|down|increased|raised|risen|reduced) from\s(?:about\s|~)?)$"
)
_FROM = _caseless(r"(?<!up )\bfrom\s(?:about\s|~)?$")
_BARE_FIGURE = re.compile(r"\s*[*•-]?\s*\d[\d.,]*\s?[A-Za-z/]{1,6}(?:\s\([\w ]{1,12}\))?\?$")  # '3.35 TB/s (max)?'
_TO = _caseless(r"^\s(?:[A-Za-z]\w*\s){0,2}to\s(?:about\s|~)?[\d$]")
_OF_AMOUNT = _caseless(
    r"\s?(?:times|x|%)?\s?(?:(?:more|less|larger|higher|greater|bigger|lower|as much|of|the|its|additional|extra)\s)"
    r"{0,3}(?:(?:total|peak|aggregate|on-chip|on-board|HBM\d?e?|GPU|memory|network|scale-up|NVLink)[\s-]){0,2}(?:memory|"
    r"bandwidth|capacity|HBM\d?e?|VRAM|SRAM|cores|transistors|power|area|links?|chips|GPUs|nodes|storage)\b"
    r"(?!\s(?:efficien|perform|per\b))"
)
_GENERIC = _caseless(
    r"\b(?:an?(?!\s+single\b)|any|some|typical|traditional|modern|conventional|standard)\s+(?:[\w-]+\s){0,3}$"
)
_POSSIBLE = _caseless(r"\b(?:can|could|may|might)\s(?:\w+ly\s)?(?:be|reach|give|run|deliver)\s(?:[a-z]+\s){0,3}$")
_NEXT_CLAUSE = re.compile(r"; |,? (?:and|but|while) (?:it |they )?(?:now )?(?:expects?|plans?|will|aims?|is set) ")
# the first of these that a sentence's words say; each has its list of phrases
_FIRMNESS = (Modality.WITHDRAWN, Modality.SAMPLING, Modality.EXPECTED, Modality.SHIPPING, Modality.MEASURED)
_DENIES, _REACH = 28, 48  # characters between what denies and a figure, and to where it may begin
# near a day: that something was told of or ended then, and that it came
_TELLS = frozenset({
    "announced", "unveiled", "disclosed", "detailed", "revealed", "previewed", "teased", "presented", "shown",
    "demonstrated", "described", "rumoured", "rumored", "leaked", "reported", "banned", "restricted", "cancelled",
    "canceled", "discontinued", "retired", "scrapped", "shut", "decommissioned", "closed", "removed",
})  # fmt: skip
_COMES = (
    "ship", "avail", "launch", "releas", "arriv", "deliver", "deploy", "install", "onl", "operat", "sale", "sold",
    "due", "expect", "coming", "comes", "ramp", "produc", "sampl", "start", "begin", "began", "for", "until", "from",
    "after",
)  # fmt: skip
_CAME = ("ship", "deliver", "arriv", "sold", "sampl")
_VERB_NEAR = 6  # words
_SPANS = frozenset({"year", "month", "week"})
_TOOK = frozenset({"built", "went", "grew", "rose", "came", "stood", "brought", "got", "became", "made", "took", "ran"})
_AHEAD = frozenset({"will", "expected", "planned", "scheduled", "slated", "needed"})
_SAYS = (
    r"(?:says?|said|claims?|claimed|states?|stated|notes?|noted|reports?|reported|estimates?|"
    r"estimated|announced|confirmed|told|predicts?|expects?|advertises?|advertised|quotes?)"
)
_ACCORDING = _caseless(r"\b(?:according to|as per|per)\s(?:the\s)?(?:[\w’'-]+\s){0,3}?$")
_SAID_AFTER = _caseless(
    rf"(?:['’]s\s[\w\s-]{{0,30}}?)?[\s,]{{1,2}}(?:also\s|has\s|have\s)?{_SAYS}\b(?!\s(?:as|by|for)\b)"
)


def is_dropped(sentence: str, before: str) -> bool:
    """Whether a figure that stands after `before` in a sentence is denied, supposed, asked or cited to refute."""
    if sentence.rstrip("\"'”’)* ").endswith("?") and _BARE_FIGURE.match(sentence) is None:
        return True
    clause = before[max(map(before.rfind, ",.;:")) + 1 :][-_REACH:]
    is_denied = any(len(clause) - end <= _DENIES for end in phrases("denied").ends(clause))
    return is_denied or phrases("supposed").are_in(before[-160:]) or phrases("refuted").are_in(sentence)


def is_changed(before: str, after: str) -> bool:
    """Whether a figure is what something changed by or was before, defines a unit or supposes a case.

    '200 W more', 'to lower the draw by 20 kW', the first of 'from 62 to 125', 'one petaflop refers to', '100 MW would'.
    """
    if _CHANGED_BEFORE.search(before) is not None or _CHANGED_AFTER.match(after) is not None:
        return True
    return _FROM.search(before) is not None and _TO.match(after) is not None


def is_of_amount(after: str) -> bool:
    """Whether a ratio says how much of something there is: '50% more memory', 'twice the bandwidth' are no speed."""
    return _OF_AMOUNT.match(after) is not None


def is_of_own_modes(heads: str) -> bool:
    """'Matrix/vector speedup': whether a gain is of one way of working of a thing over another of its own."""
    return phrases("own_modes").are_in(heads)


def is_step(before: str, heads: str) -> bool:
    """Whether a figure bears a sign or stands under a head that says it is what something changed by ('+300 W')."""
    is_signed = before.endswith(("+", "−")) and (len(before) == 1 or before[-2].isspace() or before[-2] in "(|")
    return is_signed or phrases("step").are_in(heads)


def is_of_telling(before: str) -> bool:
    """'disclosed in June': whether the verb nearest before a day tells of something, and not that it came."""
    for word in reversed(before.casefold().split()[-_VERB_NEAR:]):
        if word.rstrip(",;:.)").startswith(_COMES):
            return False
        if word.strip(",;:.()") in _TELLS:
            return True
    return False


def is_of_coming(before: str) -> bool:
    """'announced in June, shipped in October': whether the verb nearest before a day says that it came then."""
    for word in reversed(before.casefold().split()[-_VERB_NEAR:]):
        if word.strip(",;:.()") in _TELLS:
            return False
        if word.startswith(_CAME):
            return True
    return False


def is_lasting(said: str, before: str) -> bool:
    """'was built in five months': whether what could lie so far ahead says how long something took."""
    words = said.casefold().split()
    if words[0] != "in" or words[-1].removesuffix("s") not in _SPANS:
        return False
    near = before.casefold().split()[-_VERB_NEAR:]
    return _AHEAD.isdisjoint(near) and any(word in _TOOK or word.endswith("ed") for word in near)


def is_example(text: str) -> bool:
    """Whether words say that a figure is an example."""
    return phrases("example").are_in(text)


def is_generic(before: str) -> bool:
    """'a typical 500 W part': a figure of a kind of thing, not of one; 'a single rack' is one."""
    return _GENERIC.search(before) is not None


def is_possible(before: str) -> bool:
    """'energy per operation can be 10x better': what may be, not what something is."""
    return _POSSIBLE.search(before) is not None


def clause_of(sentence: str, at: int) -> str:
    """The part of a sentence in which position `at` lies, cut at semicolons and where a plan follows a fact."""
    cuts = [cut.start() for cut in _NEXT_CLAUSE.finditer(sentence)]
    start = max((cut for cut in cuts if cut < at), default=0)
    end = min((cut for cut in cuts if cut >= at), default=len(sentence))
    return sentence[start:end]


@lru_cache(maxsize=256)  # a long row or list is asked the same by each of its values
def modality_of(sentence: str, *, is_cluster: bool = False) -> Modality:
    """How firm the sentence is, by its words; an announcement when they say nothing else."""
    for modality in _FIRMNESS:
        if phrases(modality).are_in(sentence):
            return modality
    return Modality.DEPLOYED if is_cluster or phrases("deployed").are_in(sentence) else Modality.ANNOUNCED


def speaker_of(text: str, start: int, end: int, mentions: Sequence[Mention]) -> str:
    """The organisation whose word a sentence is, when the sentence says so; else ''. 'According to' goes first."""
    named = [mention for mention in mentions if mention.kind == "organisation"]
    cited = (each.name for each in named if _ACCORDING.search(text, max(start, each.start - 40), each.start))
    says = (each.name for each in named if _SAID_AFTER.match(text, each.end, min(end, each.end + 60)))
    return next(cited, "") or next(says, "")
