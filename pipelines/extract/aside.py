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
        if mention.start > start and _is_compared(text, max(start, mention.start - 80), mention.start)
    }


def _is_compared(text: str, start: int, at: int) -> bool:
    """Whether the words before a place say that what stands there is only compared with or called so."""
    if _COMPARED.search(text, max(start, at - 48), at) or _CALLED.search(text, max(start, at - 20), at):
        return True
    window = text[start:at]
    if "(" in window and _BRACKETED.search(window, max(0, len(window) - 60)) is not None:
        return True
    return any(digit in window for digit in "0123456789") and _SET_AGAINST.search(window) is not None


_COMPARED = re.compile(
    r"(?:\b|(?<=\d)(?=[x×]))(?:than|vs\.?|versus|compared (?:to|with)|relative to|unlike|successor (?:to|of)|"
    r"similar to|instead of|rather than|like|"
    r"against|distinct from|alternatives? to|rivals?(?: to)?|challengers? to|on par with|"
    r"equivalent to|different from|replac(?:es|ing)|variant of|upgrade (?:to|over|from)|"
    r"improvement over|"
    r"increase (?:from|over)|beyond|outperform(?:s|ing)?|"
    r"competitor to|compete (?:with|against)|replacement for|times that of|(?:times|[x×]) the (?:[\w-]+ ){1,4}of|"
    r"x|over|challenge|aimed at|aiming at|targets|targeting|trails|surpass(?:es|ed|ing)|"
    r"out(?:shine|class|pace|strip|match|gun|rank|do)e?s|eclipses|dwarfs|bests|edges out|overtakes|battle|rival|beat|"
    r"take on|siblings? of|cousins? of|"
    r"lags? behind|of the latest|follow(?:s|ing|ed)?|up from|down from|"
    r"(?:upgrad|improv|doubl|surpass|exceed|match)(?:es|ing)\s(?:\w+\s){0,3}?(?:of|on|by|over)|succeeds|supersedes|"
    r"as \w+(?: again)? as|match(?:es|ing)|just as|identical to|same\s(?:[\w-]+\s){0,4}as|predecessor)"
    r"\s(?:the\s|an?\s|its\s|their\s|standard\s|first\s|previous\s|current\s)?(?:(?!for\b)[\w,.-]*\w[’']?s?\s){0,3}?[\"“‘']?$",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\((?:compared (?:to|with)|vs\.?|versus|up from|down from|than|instead of|against)\s[^()\n]*$")
# 'compared to about 4.3 tokens per watt for the H100'
_SET_AGAINST = re.compile(
    r"\b(?:compared (?:to|with)|vs\.?|versus|against)\s[^,;.]*\d[^,;]{0,40}\s(?:for|in|on)\s(?:the\s|[A-Z]\w+['’]s\s)?$"
)
_ROW = re.compile(r"\s?(?:,|and|or|,\s(?:and|or)|/)\s")
_CALLED = re.compile(r"\b(?:known as|called|named|present as)\s(?:an?\s|the\s)?$", re.IGNORECASE)
# What a machine is built on, or what a word only describes it by, is not the machine.
_PLATFORM = re.compile(
    r"\b(?:(?:built|based|runs?|running|building) (?:on|around)|powered by|atop|using|via|"
    r"uses|at the (?:heart|core|cent(?:er|re)) of)\s(?:the\s|an?\s|its\s|"
    r"[A-Z]\w+['’]s\s)?(?:(?:all-)?new\s|latest\s|[\w-]+-generation\s)?$",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:(?:collaboration|partnership|cooperation|conjunction|together|working|worked|deal|agreement|"
    r"contract|GW|gigawatts?) with|"
    r"noting|cited|citing|quoting|results from|assessments? (?:by|from))\s(?:the\s)?$",
    re.IGNORECASE,
)
RELATIVE = re.compile(
    r",?\s(?:\w+\s)?(?:which|that)\s(?:is|are|was|were|will|has|have|can|processes|runs|delivers|offers|draws|stands|carries|reaches)\b"
)
_BOARD_LINE = re.compile(r"NVIDIA (?:MGX|HGX|DGX|OVX|EGX|Instinct)")
# 'the Blackwell Ultra rack-scale system', 'fifth-generation CDNA accelerator line' behind the thing itself
_KIND_WORDS = re.compile(
    r"\s(?:(?:rack|data|AI|scale|GPU|accelerator)[\w-]*\s){0,2}(?:systems?|racks?|platforms?|servers?|lines?|series|supercomputers?)\b",
    re.IGNORECASE,
)
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
            is_described = mention.kind == "generation" and (
                _DESCRIBES.match(text, mention.end) is not None
                or (has_member and _KIND_WORDS.match(text, mention.end) is not None)
            )
            if (has_member and is_family) or is_described:
                aside.add(mention.start)
        is_content = mention.kind == "generation" and any(
            m.kind == "system" and m.end < mention.start for m in mentions
        )
        if any(m.kind == "system" and text[m.end : mention.start] == " with " for m in mentions):
            aside.add(mention.start)  # 'DGX SuperPOD with GB200'
        if is_content and re.search(r"\bwith\s(?:the\s)?$", text[max(start, mention.start - 10) : mention.start]):
            aside.add(mention.start)
        if mention.kind == "organisation" and _TOGETHER.search(text, max(start, mention.start - 40), mention.start):
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
