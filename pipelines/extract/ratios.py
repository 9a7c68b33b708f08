"""Ratios: speed and efficiency against a baseline; the rest (size, price, bandwidth) make no claim. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.extract import cues
from pipelines.extract.place import Place
from pipelines.extract.subjects import Mention

_BASELINE = re.compile(
    r"\b(?:than|over|vs\.?|versus|compared (?:to|with)|relative to|from|of|against)\s(?:the\s|"
    r"an?\s|its\s|their\s)?(?:[\w-]+\s){0,4}?$",
    re.IGNORECASE,
)
_WORKLOADS = (
    ("training", r"train(?:ing|s)?|pre-?training"),
    ("inference", r"inference|serving|decode|prefill|token generation"),
    ("attention", r"attention\S*"),
    ("reasoning", r"reasoning"),
    ("peak compute", r"FLOPS|flops|compute|peak|petaflops"),
)  # fmt: skip
_PERCENT_UP = re.compile(
    r"^\s(?:more|higher|greater|better|faster|increase|improvement|boost|gain|uplift|speed-?up|"
    r"quicker|performance (?:gain|increase|uplift))\b",
    re.IGNORECASE,
)
_BIT = re.compile(r"^\s?[x×*]?\s?\d|^-")


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio that is a claim: metric, value as 'new over old', baseline and workload as far as said."""

    metric: str
    factor: float
    offset: float
    baseline: str
    workload: str

    def of(self, value: float) -> float:
        """The ratio for a printed value: 80 of '80% better' is 1.8."""
        return float(f"{value * self.factor + self.offset:.12g}")


def ratio_of(place: Place) -> Ratio | None:
    """What a printed '25x' or '80% better' claims; None when it is a ratio of something else."""
    quantity = place.quantity
    after, before = place.after, place.near_before
    if quantity.dimension == "percent":
        if _PERCENT_UP.match(after) is None:
            return None
        factor, offset = 0.01, 1.0
    else:
        if _BIT.match(after) is not None:
            return None
        factor, offset = 1.0, 0.0
    phrase = _phrase(place)
    window = f"{before[-60:]} {phrase}" if not re.search(r"\d", before[-12:]) else phrase
    metric = _metric(place, phrase, window)
    if metric == "":
        return None
    return Ratio(metric, factor, offset, baseline_of(place), _workload(window, place))


def _phrase(place: Place) -> str:
    """The words after the ratio that say what grew, to the baseline or the next stop."""
    after = place.after[:90]
    cut = re.search(r"[,;.()\n]|\b(?:than|over|vs\.?|versus|compared|when|as|while|and \d|with)\b", after[1:] + ".")
    return after[: (cut.start() + 1) if cut is not None else len(after)].rstrip("(")


def _metric(place: Place, phrase: str, window: str) -> str:
    label = place.setting.label
    near = phrase if phrase.strip() else f"{place.near_before[-50:]}"
    if cues.EFFICIENCY.search(near) is not None or cues.EFFICIENCY.search(label) is not None:
        return "efficiency_gain" if not re.search(r"\b(?:higher TCO|more power|higher cost)\b", near) else ""
    if cues.NOT_SPEED.search(near) is not None or (label and cues.NOT_SPEED.search(label) is not None):
        return ""
    if cues.EFFICIENCY.search(window) is not None:
        return "efficiency_gain"
    if cues.SPEED.search(phrase) is not None:
        return "speedup"
    is_before = (
        cues.SPEED.search(place.near_before[-40:]) is not None
        and cues.NOT_SPEED.search(place.near_before[-40:]) is None
    )
    return "speedup" if is_before and cues.COMPARATIVE.match(place.after + " ") is not None else ""


def baseline_of(place: Place) -> str:
    """The named thing that a ratio is measured against, or ''."""
    end = place.quantity.at.end
    for mention in place.mentions:
        if mention.start >= end and mention.start - end < 90:
            between = place.text[end : mention.start]
            if _BASELINE.search(between) is not None or not between.strip():
                return mention.name
    return ""


def _workload(window: str, place: Place) -> str:
    for name, words in _WORKLOADS:
        if re.search(rf"\b(?:{words})\b", window, re.IGNORECASE):
            return name
    label = place.setting.label
    return next((name for name, words in _WORKLOADS if label and re.search(words, label, re.IGNORECASE)), "")


def compared(text: str, mentions: Sequence[Mention], start: int) -> set[int]:
    """The starts of the mentions that are only compared with: 'than H100', 'vs the GB200', 'unlike NVIDIA's'."""
    return {
        mention.start for mention in mentions if _COMPARED.search(text, max(start, mention.start - 48), mention.start)
    }


_COMPARED = re.compile(
    r"\b(?:than|vs\.?|versus|compared (?:to|with)|relative to|unlike|successor (?:to|of)|"
    r"similar to|instead of|rather than|like|"
    r"against|replac(?:es|ing)|variant of|upgrade (?:to|over|from)|improvement over|"
    r"increase (?:from|over)|beyond|outperform(?:s|ing)?|"
    r"competitor to|compete (?:with|against)|replacement for|times that of|x|over|challenge|"
    r"lags? behind|of the latest|follow(?:s|ing|ed)?|"
    r"just as|identical to|same as|predecessor|known as|called|named|present as)"
    r"\s(?:the\s|an?\s|its\s|their\s|standard\s|first\s|previous\s|current\s)?(?:(?!for\b)[\w-]+[’']?s?\s){0,3}?$",
    re.IGNORECASE,
)
# What a machine is built on, or what a word only describes it by, is not the machine.
_PLATFORM = re.compile(
    r"\b(?:(?:built|based|runs?|running|building) (?:on|around)|powered by|atop|using|via|"
    r"uses)\s(?:the\s|an?\s|its\s|[A-Z]\w+['’]s\s)?$",
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    r"^(?:[- ](?:generation|based|class|series|architecture|platform|technology|era)\b|['’]s\b)", re.IGNORECASE
)


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
            if has_member or is_described:
                aside.add(mention.start)
        if _PLATFORM.search(text, max(start, mention.start - 40), mention.start) is not None:
            aside.add(mention.start)
        if mention.vendor_id and mention.kind in ("accelerator", "system", "product") and not is_family:
            seen[mention.vendor_id] = mention.start not in aside
    return aside
