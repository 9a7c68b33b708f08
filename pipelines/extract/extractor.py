"""The grammar extractor: a document in, its claims out; prose and lists here, tables by their own module. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipelines.extract.aside import aside_of, compared
from pipelines.extract.build import distinct, settled
from pipelines.extract.dated import Clause, dated_claims
from pipelines.extract.figures import Sentence
from pipelines.extract.prose import claims_of
from pipelines.extract.sentences import is_card, sentences
from pipelines.extract.setting import Setting, Settings
from pipelines.extract.subjects import HARDWARE, Mention
from pipelines.extract.tables import table_claims
from pipelines.extract.topic import is_numbered, subject_of_sentence
from pipelines.extract.values.periods import Period, find_periods
from pipelines.model.claim import ExtractedClaim, Origin, Span
from pipelines.model.document import BlockKind, Document
from pipelines.registry.mentions import NameFinder

_TOPIC_WITHIN = 70  # characters into a sentence
_LONGEST_QUESTION = 90
_RUNNING = 5  # how many of a section's latest subjects are kept in mind


_ASIDE = re.compile(r"\s*(?:For|By|In|As a) (?:comparison|contrast|reference|context|perspective)\b")
# 'the company unveiled the second-generation X'
_INTRODUCED = re.compile(
    r"\b(?:unveil|introduc|announc|launch|releas|debut)(?:ed|s|ing)\s(?:the|its|an?)\s(?:[\w-]+\s){0,4}\(?$",
    re.IGNORECASE,
)
_IT = re.compile(r"[,;–—-]\s\s*(?:it|they)\s", re.IGNORECASE)
_IT_FIRST = re.compile(r"\s*(?:It|They)\s")
_FORMER = re.compile(r"\b(?:previous|prior|last[- ]gen(?:eration)?)\s(?:[A-Z]\w+\s)?$")


class GrammarExtractor:
    """Reads claims by grammar and tables of words; the same document gives the same claims."""

    name = "grammar"
    version = "1"

    def __init__(self, finder: NameFinder | None = None) -> None:
        self._finder = finder or NameFinder.load()

    def extract(self, document: Document, origin: Origin) -> list[ExtractedClaim]:
        """The distinct claims of a document in order of the text; doubtful ones carry `doubt`."""
        return distinct(self._read(document, origin))

    def _read(self, document: Document, origin: Origin) -> Iterator[ExtractedClaim]:
        settings = Settings(document, self._finder)
        running: list[Mention] = []
        section: tuple[str, ...] = ()
        for setting in settings:
            if setting.headings != section:
                section, running = setting.headings, []
            # what a list line speaks of is forgotten at its end
            own = list(running) if setting.block.kind is BlockKind.LIST_ITEM else running
            yield from self._block(document, origin, settings, setting, own)
        for block in document.blocks:
            if block.table is not None:
                found = table_claims(document, document.tables[block.table], origin, self._finder, block)
                yield from settled(found)

    def _block(
        self, document: Document, origin: Origin, settings: Settings, setting: Setting, running: list[Mention]
    ) -> Iterator[ExtractedClaim]:
        text, block = document.text, setting.block
        is_whole = is_card(text, block.start, block.end)
        question = ""
        for at in [Span(block.start, block.end)] if is_whole else sentences(text, block.start, block.end):
            answered = replace(setting, label=question) if question and not setting.label else setting
            question = _question(text, at)
            mentions = settings.within(at.start, at.end)
            periods = find_periods(text[at.start : at.end], origin.published_on)
            aside = frozenset(aside_of(text, mentions, at.start)) if mentions else frozenset()
            sentence = Sentence(
                text, at, answered, mentions, _taken(periods, at), tuple(running), origin, aside, tuple(periods)
            )
            yield from claims_of(sentence)
            if periods or len(mentions) > 1:
                yield from dated_claims(Clause(text, at, setting, mentions, periods, tuple(running), origin, aside))
            if mentions and _ASIDE.match(text, at.start, at.end) is None:
                _remember(running, text, at, mentions, aside)


def _question(text: str, at: Span) -> str:
    """The words of a question, which say what the figure of its answer is of; '' where a sentence is none."""
    words = text[at.start : at.end].strip(" *_\n")
    return words[-_LONGEST_QUESTION:] if words.endswith("?") else ""


def _taken(periods: Sequence[Period], at: Span) -> list[Span]:
    return [Span(at.start + p.start, at.start + p.end) for p in periods if not p.is_bare_year]


def _is_late(text: str, at: Span, first: Mention) -> bool:
    """Whether a sentence names a machine only after 'it' or far into it: it goes on about the one before."""
    if _INTRODUCED.search(text, at.start, first.start) is not None:
        return False
    if _IT_FIRST.match(text, at.start) is not None:
        return True
    return first.start - at.start > _TOPIC_WITHIN or _IT.search(text, at.start, first.start) is not None


def _is_family_of(mention: Mention, running: Sequence[Mention]) -> bool:
    """'TPUs' while a TPU v7 is spoken of: no new subject."""
    is_family = mention.kind == "accelerator" and not any(letter.isdecimal() for letter in mention.name)
    return is_family and any(m.vendor_id == mention.vendor_id and m.kind == "accelerator" for m in running)


def _remember(running: list[Mention], text: str, at: Span, mentions: Sequence[Mention], aside: frozenset[int]) -> None:
    """The sentence's first machine and first organisation become what the next sentences may speak of."""
    for kinds in (frozenset({"network", "cpu"}), frozenset({"organisation"}), HARDWARE):
        first = subject_of_sentence(text, at, mentions, kinds, aside)
        is_former = first is not None and _FORMER.search(text, at.start, first.start) is not None
        if first is None or is_former or (running and _is_late(text, at, first)):
            continue
        if not _is_family_of(first, running):
            running[:] = [first, *(m for m in running if m.name != first.name)][:_RUNNING]
    known = {m.name for m in running}
    has_beside = any(m.kind == "accelerator" and m.start in aside for m in mentions)
    named_beside = compared(text, mentions, at.start) if has_beside else aside
    others = (
        m
        for m in mentions
        if m.kind in ("system", "accelerator")
        and m.start not in (aside if m.kind == "system" else named_beside)
        and m.name not in known
        and not is_numbered(text, m, at.start)
        and not _FORMER.search(text, at.start, m.start)
    )
    running.extend(tuple(others)[: _RUNNING + 1 - len(running)])  # for 'that rack', 'each chip'
