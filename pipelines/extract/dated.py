"""Claims that are dates: announced, available, in production, deployed. Pure.

A date claim needs a verb (or noun) of its kind and a period in one clause, and a named subject before or between them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.extract.foreign import has_verb
from pipelines.extract.naming import naming_claims
from pipelines.extract.setting import Setting
from pipelines.extract.stance import modality_of, speaker_of
from pipelines.extract.subjects import HARDWARE, Mention
from pipelines.extract.topic import is_numbered
from pipelines.extract.values.periods import Period
from pipelines.model.claim import ExtractedClaim, Method, Modality, Origin, Span

_VERBS = (
    ("production_from",
     r"(?:(?:mass|volume|full|series|risk)[ -])?production(?! (?:racks?|units?|systems?|silicon|"
     r"samples?|of|line|capacity|partner|AI|GPUs?|LLMs?|models?|inference|training|deployments?|grade|ready|"
     r"workload|use|environment|share))(?: (?:scale|ramp))?"),
    ("announced_on",
     r"(?:was |were |been |today |officially |first |formally )?(?:announced?|unveil(?:ed|s)?|"
     r"introduced?|reveal(?:ed|s)|launch(?:ed)|debuted)"),
    ("available_from",
     r"(?:general(?:ly)? availab(?:le|ility)|availab(?:le|ility)|(?:expected|set|slated|scheduled|"
     r"due|planned|plans|going|likely)(?: to)? "
     r"(?:launch|ship|arrive|debut|open|release|be (?:released|launched|available|ready))|"
     r"(?:set|slated|scheduled|due|planned|expected)(?: for)?(?: (?:release|launch|availability|delivery))?|"
     r"first (?:[\w-]+ ){0,4}(?:delivered|shipped)|ship(?:s|ped|ping|ments?)?(?: (?:in volume|began|"
     r"begin|start(?:s|ed)?|will begin))?|"
     r"will (?:ship|launch|arrive|be released|debut)|arriv(?:es?|ing)|"
     r"(?:roadmap|line-?up) (?:starts|begins) with|next comes|com(?:es|ing)|launch(?:es|ing)|"
     r"releas(?:es|ed|ing)|targeting|hits? the market|ready)"),
    ("deployed_on",
     r"(?:(?<!widely )deployed|(?:to|will|begin|start) deploy(?:ing)?|deploy(?:s|ing)(?= (?:in|by|from|"
     r"[12]H|Q\d))|deployment|installed|being installed|installation|com(?:es?|ing) online|"
     r"came online|(?:go(?:es)?|going) (?:online|live)|went (?:online|live)|"
     r"(?:build|phase|gigawatt|buildout|deployment|rollout|construction) (?:begins?|starts?)|"
     r"becom(?:e|ing) operational|"
     r"powered on|entered service|brought online|operational)"),
)  # fmt: skip
_CUES = tuple((metric, re.compile(rf"\b{words}\b", re.IGNORECASE)) for metric, words in _VERBS)
_KINDS = {
    "production_from": HARDWARE | {"network", "cpu"},
    "announced_on": HARDWARE | {"network"},
    "available_from": HARDWARE | {"network", "cpu"},
    "deployed_on": HARDWARE | {"organisation"},
}
_ABANDONED = re.compile(
    r"\b(?:shut ?down|decommission\w*|retir\w+|not|never|delay(?:ed)? (?:from|past)|instead of|"
    r"previously|if|expected by|deadline|had (?:pencill?ed|expected|planned|forecast|predicted))\b|\?",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\b(?:production|deployment|installation|deployed|installed)\s$", re.IGNORECASE)
_THE_PLATFORM = re.compile(
    r"(?:announced|unveiled|introduced|revealed|launched)\sthe\s(?:\w+\s)?(?:platform|system|chip|"
    r"rack|GPU|project|cluster|supercomputer|data cent(?:er|re))\b"
)
_ABOUT_IT = re.compile(
    r"^[\s\"“]*(?:(?:Volume|First|Customer|Full|Mass) )?(?:Shipments?|Deliveries|Production|Availability|"
    r"Sampling)\b|^[\s\"“]*(?:Reached|Entered|Announced|Released|Launched|Introduced|Unveiled|Expected|Due|Available)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:it|they|(?:the|this) (?:chip|platform|system|rack|GPU|accelerator|part|series|architecture|processor|"
    r"supercomputer|cluster|machine|product|card)|(?:the|its) (?:first|initial|second|next|final) (?:phase|stage))\b",
    re.IGNORECASE,
)
_ROADMAP = re.compile(r"\b(?:roadmap|generations?|timeline|cadence)\b|->|→", re.IGNORECASE)
_IN_PARENTHESES = re.compile(r"\((?:in |due |coming |expected )?$")
_HAVE_YEAR = frozenset(
    ("in", "by", "until", "for", "from", "during", "of", "on", "since", "through", "before", "around", "as of")
)
# 'announced at CES 2026': the year of the event is the year of the announcement
_AT_EVENT = re.compile(r"\bat (?:the )?(?:[A-Z][\w:’'&-]*\s){1,4}$")
_FRONT_EVENT = re.compile(r"\W*(?:At|During) (?:the |its )?(?:[A-Z][\w:’'&-]*\s){1,4}")
# what is launched is no machine: 'the cloud service launched in August'
_OF_SOFTWARE = re.compile(
    r"\b(?:services?|software|models?|programs?|initiatives?|APIs?|frameworks?|librar(?:y|ies)|"
    r"toolkits?)\s(?:was |were |is )?$",
    re.IGNORECASE,
)
_BEFORE_YEAR = re.compile(
    r"\b(?:due|expected|early|late|available|coming|launched|released|announced|introduced|unveiled)\s$",
    re.IGNORECASE,
)
_AT_PLACE = re.compile(r"\b(?:at|in|near)\s(?:the\s)?$")
_DEAL = re.compile(r"\b(?:deal|agreement|partnership|investment|acquisition|collaboration)\b")
_ANNOUNCES = re.compile(r"\b(?:announc|unveil|reveal|preview)(?:es|s|ed|ing)\b")
_IT_LATER = re.compile(r"\W*(?:Announced|Unveiled|Introduced|Revealed|Launched)\s[^,.;]*(?:, \d{4})?, (?:it|the)\b")
# 'Shipping from January, the system pairs eight B300 with …'
_THEN_IT = re.compile(
    r",\s(?:it|they|the (?:new )?(?:system|chip|GPU|platform|rack|part|card|accelerator|machine|processor))\b"
)
_LEADS = re.compile(r"\**\s?[:–—-]\**\s(?:the\s)?")
_AND_THE = re.compile(r"(?:,|,? and)\s(?:the\s)?")
_IN_THE = re.compile(r"\s(?:(?:in|by|for)\s)?(?:the\s)?")
_IS_ANNOUNCED = re.compile(
    r"(?:was|were|been)\b|launched\b|debuted\b|"
    r"(?:introduced|announced|unveiled|revealed) (?:by [\w ]{2,24} )?(?:in|on|at)\b"
)
_IT_AFTER = re.compile(r"\w+ (?:it|them)\b")
_PHASE = re.compile(r"\b(?:phase|deployments?|rollout|build-?out|construction)\b", re.IGNORECASE)
_BEGINS = re.compile(r"\b(?:begin|start|commence)s?\b")
_REACH, _LONGEST_FRONT = 24, 72  # characters from a date to the verb behind it


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence with what dates in it may be about."""

    text: str
    at: Span
    setting: Setting
    mentions: Sequence[Mention]
    periods: Sequence[Period]  # offsets relative to the sentence
    running: Sequence[Mention]
    origin: Origin
    aside: frozenset[int]


def dated_claims(clause: Clause) -> Iterator[ExtractedClaim]:
    """The date and naming claims of one sentence."""
    yield from naming_claims(clause.text, clause.at, clause.mentions, clause.origin.publisher)
    words = clause.text[clause.at.start : clause.at.end]
    if words.rstrip().endswith("?"):
        return
    used: set[tuple[str, str]] = set()
    last: tuple[str, Period] | None = None
    for period in clause.periods:
        if _ABANDONED.search(words[max(0, period.start - 90) : period.start]) is not None and "likely" not in words:
            continue
        found = _metric(words, period, clause) or _joined(words, period, clause, last)
        if found is None:
            continue
        metric, verb_at = found
        last = (metric, period)
        subject = _subject(clause, metric, period, verb_at)
        if subject is None or (metric, subject.name) in used or _is_vague(clause, subject):
            continue
        if metric in ("announced_on", "deployed_on") and not _may_be(metric, period, clause.origin.published_on):
            continue
        used.add((metric, subject.name))
        yield _claim(clause, metric, subject, period)


def _metric(words: str, period: Period, clause: Clause) -> tuple[str, int] | None:
    """The kind of date and where its verb stands: the nearest cue in the same clause."""
    front = words[: period.start]
    is_of_event = _AT_EVENT.search(front) is not None or _FRONT_EVENT.fullmatch(front) is not None
    if _leads_line(period, clause) and not any(cue.search(words) for _, cue in _CUES):
        return "available_from", -1
    if period.is_bare_year and period.preposition not in _HAVE_YEAR and not is_of_event:
        is_road = _ROADMAP.search(words) is not None or _ROADMAP.search(clause.setting.label) is not None
        if _IN_PARENTHESES.search(front) is not None and (is_road or _is_planned(words, period, clause)):
            return "available_from", -1
        if _BEFORE_YEAR.search(front) is None:
            return None
    if _is_listed_date(period, clause):
        return "available_from", -1
    found = min(_cues_near(words, period, clause, is_of_event=is_of_event), default=None)
    if found is None:
        return None
    _, metric, verb_at = found
    is_phase = metric == "available_from" and _PHASE.search(words[:verb_at]) is not None
    is_phase = is_phase and _BEGINS.search(words[verb_at : period.start]) is not None
    return ("deployed_on" if is_phase else metric), verb_at


def _cues_near(
    words: str, period: Period, clause: Clause, *, is_of_event: bool
) -> Iterator[tuple[tuple[int, int], str, int]]:
    """The cues that reach the date: distance (then rank of its kind), metric, and where the cue stands."""
    start = max(0, period.start - 130)
    for rank, (metric, pattern) in enumerate(_CUES):
        if metric != "announced_on" and (is_of_event or _is_short(period)):
            continue
        is_fronted = metric == "announced_on" and (is_of_event or words[: period.start].strip() in ("", "On", "In"))
        reach = _LONGEST_FRONT if is_fronted else _REACH
        for match in pattern.finditer(words, start, min(len(words), period.end + reach + 16)):
            before = match.end() <= period.start
            between = words[match.end() : period.start] if before else words[period.end : match.start()]
            lead = words[max(0, match.start() - 24) : match.start()]
            is_far = not before and len(between) > reach
            is_cut = re.search(r"[;.]\s", between) is not None or _has_period(clause, match.end(), period.start)
            if metric == "available_from" and _is_shipped_count(match[0], lead, between):
                continue
            if is_far or is_cut or _OF_SOFTWARE.search(lead) is not None:
                continue
            distance = len(between) + (0 if before else 30)
            if metric == "available_from" and _OTHER.search(lead) is not None:
                distance += 60  # 'production scheduled for' is of production
            yield (distance, rank), metric, match.start()


def _is_vague(clause: Clause, subject: Mention) -> bool:
    """'its eighth-generation TPUs': a family and not the member that is meant."""
    is_family = subject.kind == "accelerator" and not any(letter.isdecimal() for letter in subject.name)
    before = clause.text[max(clause.at.start, subject.start - 16) : subject.start]
    return is_family and subject in clause.mentions and re.search(r"-gen(?:eration)?\s$", before) is not None


def _joined(words: str, period: Period, clause: Clause, last: tuple[str, Period] | None) -> tuple[str, int] | None:
    """The second date of 'will launch X in 2027 and Y in 2028': of the first one's kind; where its name stands."""
    if last is None:
        return None
    between = (clause.at.start + last[1].end, clause.at.start + period.start)
    named = next((m for m in clause.mentions if between[0] <= m.start and m.end <= between[1]), None)
    if named is None or _AND_THE.fullmatch(clause.text, between[0], named.start) is None:
        return None
    is_close = _IN_THE.fullmatch(clause.text, named.end, between[1]) is not None
    return (last[0], named.end - clause.at.start) if is_close else None


def _is_planned(words: str, period: Period, clause: Clause) -> bool:
    """'announcing the X (2026) and Y (2027)': a year to come, in brackets behind a name."""
    stated = clause.origin.published_on
    at = clause.at.start + period.start
    is_named = any(clause.text[m.end : at] == " (" for m in clause.mentions if m.end <= at)
    return is_named and _ANNOUNCES.search(words) is not None and (stated is None or period.first.year >= stated.year)


def _is_listed_date(period: Period, clause: Clause) -> bool:
    """'X in 2026, Y in 2027' in a list, without a verb."""
    if clause.setting.block.level == 0 or period.preposition != "in":
        return False
    words = clause.text[clause.at.start : clause.at.end]
    at = clause.at.start + period.start
    is_named = any(clause.text[m.end : at].strip() in ("", "in") for m in clause.mentions if m.end <= at)
    return is_named and not has_verb(words) and not any(cue.search(words) for _, cue in _CUES)


def _leads_line(period: Period, clause: Clause) -> bool:
    """'2H 2026: Vera Rubin NVL144' in a list that is a roadmap."""
    after = _LEADS.match(clause.text, clause.at.start + period.end)
    is_first = not clause.text[clause.at.start : clause.at.start + period.start].strip(" *•-")
    if after is None or not is_first or not any(m.start == after.end() for m in clause.mentions):
        return False
    above = (*clause.setting.headings[:1], clause.setting.intro)
    return any(_ROADMAP.search(words) is not None for words in above)


def _is_shipped_count(verb: str, lead: str, between: str) -> bool:
    """'shipped over 1 million H100s in 2025': how many, not since when."""
    if not verb.casefold().startswith("ship"):
        return False
    return re.search(r"\d[\d,.]*\s?(?:million|thousand|billion|[A-Z]\w*s\b|units|racks)", between) is not None or (
        re.search(r"\b(?:units|GPUs|chips|racks)\s$", lead) is not None
    )


def _has_period(clause: Clause, start: int, end: int) -> bool:
    """Whether another period stands between verb and date; the year in 'GTC 2024' is none."""
    return any(
        start <= p.start and p.end <= end and (not p.is_bare_year or p.preposition in _HAVE_YEAR)
        for p in clause.periods
    )


def _may_be(metric: str, period: Period, stated_on: dt.date | None) -> bool:
    """'through 2028' and 'as of January' are no day of an announcement or a deployment; nor is the future."""
    if period.preposition in ("through", "until", "till", "to", "as of", "since"):
        return False
    return metric != "announced_on" or stated_on is None or period.first <= stated_on or _is_near(period, stated_on)


def _is_near(period: Period, stated_on: dt.date) -> bool:
    return (period.first - stated_on).days <= 31


def _is_short(period: Period) -> bool:
    """'today', 'on Tuesday', 'last week': a day of news, not of a plan."""
    return period.is_relative and (period.last - period.first).days < 8


def _subject(clause: Clause, metric: str, period: Period, verb_at: int) -> Mention | None:
    kinds, offset = _KINDS[metric], clause.at.start
    inside = [m for m in clause.mentions if m.kind in kinds and m.start not in clause.aside]
    limit = offset + (verb_at if verb_at >= 0 else period.start)
    hardware = [m for m in inside if m.kind != "organisation"] or inside
    if metric != "announced_on":
        hardware = [m for m in hardware if not is_numbered(clause.text, m, offset)]
    if metric == "deployed_on":
        hardware = [
            m for m in hardware if m.kind != "organisation" or not _AT_PLACE.search(clause.text[offset : m.start])
        ]
        inside = hardware
    before = [m for m in hardware if m.end <= limit + 1]
    if metric == "announced_on":
        return _announced(clause, hardware, before, limit)
    if before:
        return before[-1]
    if _THEN_IT.match(clause.text, offset + period.end) is not None:
        hardware = inside = []
    between = [m for m in hardware if m.end <= offset + period.start]
    if between:
        return between[0]
    after = [m for m in hardware if 0 <= m.start - (offset + period.end) < 70]
    if after:
        return after[0]
    words = clause.text[clause.at.start : clause.at.end]
    is_about_maker = any(m.kind == "organisation" for m in clause.mentions) and clause.setting.block.level == 0
    is_about_maker = is_about_maker and _ABOUT_IT.match(words) is None
    is_vague = clause.setting.block.level == 0 and not (_REFERS.search(words) or _ABOUT_IT.match(words))
    if inside or is_vague or (is_about_maker and re.search(r"\b(?:it|its|they|which)\b", words, re.IGNORECASE) is None):
        return None
    for mentions in (
        clause.setting.parent_mentions[:1],
        clause.running,
        *clause.setting.heading_mentions[:2],
        clause.setting.title_mentions,
    ):
        fitting = [m for m in mentions if m.kind in kinds and m.kind != "organisation"]
        if metric == "deployed_on":
            fitting = [m for m in fitting if m.kind in ("site", "system")]
        if fitting:
            return fitting[0] if len({m.name for m in fitting}) == 1 or mentions is clause.running else None
    return None


def _announced(clause: Clause, hardware: Sequence[Mention], before: Sequence[Mention], verb_at: int) -> Mention | None:
    """'X was announced' is of X; 'they announced (…) X' of what follows within a few words."""
    text = clause.text
    is_passive = re.search(
        r"\b(?:was|were|been|is|are|being)\s(?:\w+ly\s|first\s|also\s)?$", text[verb_at - 24 : verb_at]
    )
    starts_passive = _IS_ANNOUNCED.match(text, verb_at)
    if before and (is_passive is not None or starts_passive is not None):
        return before[-1]
    if is_passive is not None and _REFERS.match(text, clause.at.start, verb_at) is not None:
        running = [m for m in clause.running if m.kind in HARDWARE]
        return running[0] if running else None
    after = [m for m in hardware if verb_at < m.start < verb_at + 90]
    if _IT_AFTER.match(text, verb_at) is not None or _IT_LATER.match(text, clause.at.start, clause.at.end) is not None:
        known = (clause.running, *clause.setting.heading_mentions[:2], clause.setting.title_mentions)
        return next((m for mentions in known for m in mentions if m.kind in HARDWARE), None)
    if after and _DEAL.search(text, verb_at, after[0].start) is not None:
        return None
    if not after and _THE_PLATFORM.search(text, verb_at, min(clause.at.end, verb_at + 60)) is not None:
        after = list(before[:1]) or [m for m in clause.running if m.kind in HARDWARE]
    return after[0] if after else None


def _claim(clause: Clause, metric: str, subject: Mention, period: Period) -> ExtractedClaim:
    offset = clause.at.start
    words = clause.text[clause.at.start : clause.at.end]
    speaker = speaker_of(clause.text, clause.at.start, clause.at.end, list(clause.mentions))
    spot = Span(offset + period.start, offset + period.end)
    begin, end = (
        (min(spot.start, subject.start), max(spot.end, subject.end))
        if subject in clause.mentions
        else (spot.start, spot.end)
    )
    return ExtractedClaim(
        subject=subject.name,
        subject_id=subject.subject_id,
        subject_kind=subject.kind,
        metric=metric,
        value=None,
        unit="date",
        value_at=spot,
        context=Span(begin, end),
        printed=clause.text[spot.start : spot.end],
        modality=_modality(words, period, clause.origin.published_on),
        claimant=speaker or clause.origin.publisher,
        method=Method.GRAMMAR,
        confidence=0.75,
        period_start=period.first,
        period_end=period.last,
        is_attributed=bool(speaker),
    )


def _modality(words: str, period: Period, stated_on: dt.date | None) -> Modality:
    if stated_on is not None and period.first > stated_on:
        return Modality.EXPECTED
    return modality_of(words)
