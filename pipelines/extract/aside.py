"""Mentions that a sentence only compares with, builds on or describes by: none is whom it speaks of. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.extract.subjects import Mention


def compared(text: str, mentions: Sequence[Mention], start: int) -> set[int]:
    """The starts of the mentions that are only compared with or called: 'than H100', 'unlike NVIDIA's', 'known as'."""
    return {
        mention.start
        for mention in mentions
        if _COMPARED.search(text, max(start, mention.start - 48), mention.start)
        or _CALLED.search(text, max(start, mention.start - 20), mention.start)
    }


_COMPARED = re.compile(
    r"\b(?:than|vs\.?|versus|compared (?:to|with)|relative to|unlike|successor (?:to|of)|"
    r"similar to|instead of|rather than|like|"
    r"against|distinct from|alternatives? to|rivals?(?: to)?|challengers? to|on par with|"
    r"equivalent to|different from|replac(?:es|ing)|variant of|upgrade (?:to|over|from)|"
    r"improvement over|"
    r"increase (?:from|over)|beyond|outperform(?:s|ing)?|"
    r"competitor to|compete (?:with|against)|replacement for|times that of|x|over|challenge|"
    r"lags? behind|of the latest|follow(?:s|ing|ed)?|"
    r"just as|identical to|same as|predecessor)"
    r"\s(?:the\s|an?\s|its\s|their\s|standard\s|first\s|previous\s|current\s)?(?:(?!for\b)[\w-]+[’']?s?\s){0,3}?$",
    re.IGNORECASE,
)
_ROW = re.compile(r"\s?(?:,|and|or|,\s(?:and|or)|/)\s")
_CALLED = re.compile(r"\b(?:known as|called|named|present as)\s(?:an?\s|the\s)?$", re.IGNORECASE)
# What a machine is built on, or what a word only describes it by, is not the machine.
_PLATFORM = re.compile(
    r"\b(?:(?:built|based|runs?|running|building) (?:on|around)|powered by|atop|using|via|"
    r"uses)\s(?:the\s|an?\s|its\s|[A-Z]\w+['’]s\s)?$",
    re.IGNORECASE,
)
RELATIVE = re.compile(r",?\s(?:\w+\s)?(?:which|that)\s(?:is|are|was|were|will|has|have|can)\b")
_BOARD_LINE = re.compile(r"NVIDIA (?:MGX|HGX|DGX|OVX|EGX|Instinct)")
_DESCRIBES = re.compile(
    r"^(?:[- ](?:generation|based|class|series|architecture|platform|technology|era)\b|['’]s\b)", re.IGNORECASE
)


def is_board_line(mention: Mention) -> bool:
    """'HGX' or 'MGX' alone names a line of boards, no machine."""
    return _BOARD_LINE.fullmatch(mention.name) is not None


def aside_of(text: str, mentions: Sequence[Mention], start: int) -> set[int]:
    """The starts of mentions that a sentence compares with, builds on or describes by: none is whom it speaks of.

    A family's bare name ('TPU') after a member of it ('Ironwood') is one too.
    """
    aside = compared(text, mentions, start)
    seen: dict[str, bool] = {}
    for mention in mentions:
        has_member = seen.get(mention.vendor_id, False)
        is_family = mention.kind == "accelerator" and not re.search(r"\d", mention.name)
        if mention.kind == "generation" or is_family:
            is_described = _DESCRIBES.match(text, mention.end) is not None and mention.kind == "generation"
            if (has_member and is_family) or is_described:
                aside.add(mention.start)
        is_content = mention.kind == "generation" and any(
            m.kind == "system" and m.end < mention.start for m in mentions
        )
        if is_content and re.search(r"\bwith\s(?:the\s)?$", text[max(start, mention.start - 10) : mention.start]):
            aside.add(mention.start)
        if (
            _BOARD_LINE.fullmatch(mention.name) is not None
            or _PLATFORM.search(text, max(start, mention.start - 40), mention.start) is not None
        ):
            aside.add(mention.start)
        if mention.vendor_id and mention.kind in ("accelerator", "system", "product") and not is_family:
            seen[mention.vendor_id] = mention.start not in aside
        joined = mention.start not in aside and _is_joined(text, mentions, mention, aside)
        if joined:
            aside.add(mention.start)
    return aside


def _is_joined(text: str, mentions: Sequence[Mention], mention: Mention, aside: set[int]) -> bool:
    """Whether a mention goes on a row that begins with one set aside: 'more than AWS, Google or Microsoft'."""
    before = next((m for m in reversed(mentions) if m.end <= mention.start), None)
    if before is None or before.start not in aside or before.kind != mention.kind:
        return False
    return mention.kind == "organisation" and _ROW.fullmatch(text, before.end, mention.start) is not None
