"""Claims of names that followed one another: renamed, formerly known as, superseded by. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pipelines.extract.names.subjects import Mention
from pipelines.model.claim import ExtractedClaim, Method, Modality, Span

_RENAMED = re.compile(
    r"\b(?:(?:was |been |is )?(?:renamed|rebranded)(?: (?:to|as))?|now (?:called|known as|named))\s(?:the\s)?$",
    re.IGNORECASE,
)
_RENAMES = re.compile(r"\b(?:renam|rebrand)(?:ed|es|ing)\s(?:the\s|its\s)?$", re.IGNORECASE)
_INTO = re.compile(r"\s(?:to|as|into)\s(?:the\s)?")
_FORMERLY = re.compile(
    r"[\s,(]{1,2}(?:formerly|previously|originally) (?:known as|called|named)\s(?:the\s)?$", re.IGNORECASE
)
_SUCCEEDED = re.compile(r"\b(?:succeeded|superseded|replaced|followed) by\s(?:the\s)?$", re.IGNORECASE)


def naming_claims(text: str, at: Span, mentions: Sequence[Mention], publisher: str) -> Iterator[ExtractedClaim]:
    """The claims of one sentence that a name followed another: 'B, formerly known as A', 'A is superseded by B'."""
    for one, two in pairwise(mentions):
        between = text[one.end : two.start]
        if len(between) > 60 or one.name == two.name or one.kind == "organisation" or two.kind == "organisation":
            continue
        if _RENAMES.search(text, max(at.start, one.start - 24), one.start) and _INTO.fullmatch(between):
            yield _named(text, publisher, "renamed_to", one, two, Span(one.start, two.end))
        for metric, pattern, old, new in (
            ("renamed_to", _RENAMED, one, two),
            ("renamed_to", _FORMERLY, two, one),
            ("superseded_by", _SUCCEEDED, one, two),
        ):
            if pattern.search(between) is not None:
                yield _named(text, publisher, metric, old, new, Span(one.start, two.end))
                break


def _named(text: str, publisher: str, metric: str, old: Mention, new: Mention, context: Span) -> ExtractedClaim:
    return ExtractedClaim(
        subject=old.name, subject_id=old.subject_id, subject_kind=old.kind, metric=metric, value=None, unit="text",
        value_at=Span(new.start, new.end), context=context, printed=text[new.start : new.end],
        modality=Modality.ANNOUNCED, claimant=publisher, method=Method.READER, confidence=0.7, value_text=new.name,
    )  # fmt: skip
