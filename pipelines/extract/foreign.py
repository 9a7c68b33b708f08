"""Whether a sentence goes on about the thing at hand, or is about others: a kind, a phone, an unknown name. Pure."""

from __future__ import annotations

import re

from pipelines.extract.place import Place

# 'Built on X, it uses …', '…, and the chip draws …'
_TAKEN_UP = re.compile(
    r"[,;–—-]\s(?:and\s|but\s)?(?:it|they|(?:the|this) (?:new )?(?:chip|processor|supercomputer|cluster|"
    r"GPU|accelerator|part|card|system|rack|"
    r"platform|device|machine|package))\s"
)
# 'As accelerators have grown …': a kind of thing, not the one at hand.
_KIND_OF_THING = re.compile(
    r"(?:^|[,.;]\s|\b(?:[Aa]s|[Mm]odern|[Tt]oday['’]s|[Ss]uch)\s)(?:AI |these days )?"
    r"(?:AI accelerators|accelerators|GPUs|chips|processors|racks|servers)\b"
    r"|^\W*(?:An?|Any|Most|Many|The)\s(?:[\w-]+\s)?(?:traditional|typical|conventional|standard|modern|average|ordinary|air-cooled)"
    r"\s(?:[\w-]+\s){0,2}?(?:racks?|servers?|nodes?|data ?cent(?:er|re)s?|clusters?|systems?|GPUs?|chips?|"
    r"accelerators?)\b"
    r"|\b[a-z-]+\s(?:racks|servers|clusters|systems)\sof\s(?:up to\s|over\s|about\s)?$"
    r"|\b(?:global|industry|worldwide)\s(?:average|mean|median)\b"
    r"|\b(?:[Ee]arlier|[Pp]revious|[Pp]rior|[Oo]lder|[Tt]raditional|[Cc]onventional|[Tt]ypical|[Ss]tandard)\s(?:[\w-]+\s){0,2}"
    r"(?:generations|systems|designs|servers|racks|GPUs|clusters|architectures|machines)\b"
)
_PRONOUN = re.compile(
    r"^[\s\"“(*•-]*(?:it|its|they|their|this|these|that|both|each|the|every|all|combined|together|in total|per)\b",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"\b(?:cars?|vehicles?|phones?|smartphones?|iPhones?|laptops?|tablets?|batter(?:y|ies)|homes?|"
    r"households?|houses|cities|books?|movies?|"
    r"stocks?|shares(?!\s(?:an?|the|its|one|up|\d|memory|power)\b)|Tesla (?:Model|car)|Model [3SXY]|"
    r"motors?|trucks?|buses|bus lines?|games?|"
    r"consoles?|camera|TV|human|brain|"
    r"PlayStation|Xbox|MacBook|Raspberry)\b"
)
# '120 kW, equivalent to 80 homes'
_LIKENED = re.compile(
    r"\b(?:equivalent to|equivalently|enough (?:for|to power)|comparable to|as much as)\s[^.;,]{0,48}", re.IGNORECASE
)
_OPENING_WORDS = (
    "memory compute performance power peak bandwidth total interconnect networking network cooling storage "
    "process capacity tdp specs scale the it its this these that each with at in on for by up over and but "
    "also first second one two three four while when as both all every new next per however finally "
    "additionally moreover meanwhile here there we they i built based launched released announced designed "
    "unlike according powered thanks compared paired combined made manufactured fabricated using like together "
    "inside within across under between current today overall thus so then their our fully full liquid air gpu "
    "cpu inference training nvlink hbm maximum minimum approximately about around nearly roughly almost some "
    "revenue sales capital capex spending net operating "
    "most many several you your users instead combining featuring offering delivering "
)
_OPENERS = frozenset(_OPENING_WORDS.split())
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|could|may|gave|gives?|ran|runs?|delivers?|"
    r"offers?|provides?|uses?|features?|"
    r"supports?|needs?|requires?|draws?|drew|consumes?|reach(?:es|ed)|shows?|achieve[sd]?|sits?|"
    r"covers?|carr(?:y|ies)|holds?|"
    r"packs?|burns?|serves?|hosts?|ships?|cost[s]?|weighs?|contains?|includes?|takes?|took|saw|"
    r"did|does|makes?|made|rose|fell|"
    r"trained|built|bought|said|says)\b"
)
# 'On the company's call, CFO Colette Kress said total revenue rose': of the company spoken of
_SPOKEN_FOR = re.compile(
    r"\b(?:the|this) company(?:['’]s)?\b|\b(?:CEO|CFO|COO|CTO|executives?|president)\b[^.;]{0,40}\b(?:said|"
    r"says|noted|added|confirmed)\b",
)
_CAPITAL = re.compile(r"(?<![\w-])[A-Z][a-z]+(?:[A-Z]\w*)?")


def has_verb(words: str) -> bool:
    """Whether words have one of the field's verbs: a sentence, no list of figures."""
    return _VERB.search(words) is not None


def goes_on(place: Place) -> bool:
    """Whether a sentence speaks of what was spoken of before: 'It draws …', '…, and the chip …', 'the CFO said'."""
    is_pronoun = _PRONOUN.match(place.words) is not None or _TAKEN_UP.search(place.before) is not None
    return is_pronoun or _SPOKEN_FOR.search(place.before) is not None


def is_of_others(place: Place) -> bool:
    """Whether a sentence is about a kind of thing, something outside the field, or a name that is not known."""
    if place.setting.block.level == 0 and _KIND_OF_THING.search(place.before) is not None:
        return True
    return _FOREIGN.search(_LIKENED.sub("", place.words)) is not None or _names_another(place)


def _names_another(place: Place) -> bool:
    """Whether a full sentence has a proper name that is no known one as its subject."""
    words = place.words.lstrip(' *•-"“(')
    if place.setting.label or not has_verb(place.words) or _SPOKEN_FOR.search(place.before) is not None:
        return False
    if _PRONOUN.match(words) is not None or _TAKEN_UP.search(place.before) is not None:
        return False
    known = [(m.start, m.end) for m in place.mentions] + [(q.at.start, q.at.end) for q in place.others]
    offset = place.sentence.end - len(words) if place.words.endswith(words) else place.sentence.start
    for match in _CAPITAL.finditer(re.split(r"\s[—–]\s", words[:48])[0]):
        at = offset + match.start()
        if match[0].casefold() in _OPENERS or any(start <= at < end for start, end in known):
            continue
        return match.start() > 0 or not _is_common(match[0])
    return False


def _is_common(word: str) -> bool:
    """A capital at a sentence's start may be a plain word; endings of verbs, adverbs and plurals say so."""
    return re.search(r"(?:ing|ed|ly|s|tion|ity|ment|ance)$", word) is not None
