"""Whom a sentence speaks of, for the sentences after it. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pipelines.extract.subjects import Mention
from pipelines.model.claim import Span

FRONTED = re.compile(
    r"^[\s\"“(*]*(?:with|at|featuring|delivering|offering|boasting|providing|packing|built|using|"
    r"thanks to|powered by|for|up to|over|rated)\b",
    re.IGNORECASE,
)
# 'the machine that was built for X' is no sentence on X
_FOR = re.compile(
    r"\b(?:built|made|designed|developed|supercomputer|cluster|data cent(?:er|re)|campus|"
    r"site) (?:\w+ )?for\s(?:the\s)?$"
)
# '100,000 H100s', 'thousands of GB200': what is counted is not whom a sentence speaks of
_NUMBERED = re.compile(
    r"(?:(?<!\d)(?!(?:19|20)\d\d\s)\d(?:[\d,.]*\d)?[kKM]?\+?|two|four|eight|dozens|hundreds|thousands|"
    r"millions?)\s?[x×]?\s(?:of\s)?(?:[A-Z]\w+\s)?$"
)


def is_numbered(text: str, mention: Mention, start: int) -> bool:
    """Whether a mention is what a number before it counts."""
    return _NUMBERED.search(text, max(start, mention.start - 24), mention.start) is not None


def subject_of_sentence(
    text: str, at: Span, mentions: Sequence[Mention], kinds: Collection[str], aside: Collection[int]
) -> Mention | None:
    """Whom a sentence speaks of: its first fitting mention that is no comparison, family or platform.

    After a fronted phrase ('Built around X, Y has …') the first one behind the comma; a maker's genitive ('AMD's
    MI350') is no subject while its product follows.
    """
    fitting = [m for m in mentions if m.kind in kinds and m.start not in aside]
    if set(kinds) <= {"organisation"}:
        fitting = [m for m in fitting if not _is_genitive(text, m, mentions)] or fitting
        fitting = [m for m in fitting if _FOR.search(text, max(at.start, m.start - 24), m.start) is None]
    fitting = [m for m in fitting if not is_numbered(text, m, at.start)]
    specific = [m for m in fitting if m.kind != "generation"] or fitting
    words = text[at.start : at.end]
    comma = text.find(",", at.start, at.end)
    if comma != -1 and FRONTED.match(words) is not None:
        behind = [m for m in specific if m.start > comma]
        specific = behind or specific
    return specific[0] if specific else None


def _is_genitive(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    follows = next((m for m in mentions if m.start >= mention.end), None)
    gap = text[mention.end : follows.start] if follows is not None else ""
    return (
        follows is not None and follows.kind != "organisation" and len(gap) < 16 and gap.startswith(("’s", "'s", " "))
    )
