"""Ratios: speed and efficiency against a baseline; the rest (size, price, bandwidth) make no claim. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.extract import cues
from pipelines.extract.place import Place

_BASELINE = re.compile(
    r"\b(?:than|as|over|vs\.?|versus|compared (?:to|with)|relative to|from|of|against)\s(?:the\s|"
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
_GAIN = re.compile(rf"(?:{cues.SPEED.pattern})|\b(?:improvements?|gains?)\b", re.IGNORECASE)
_FORMATS = re.compile(
    rf"\b(?:than|over|vs\.?|versus|compared (?:to|"
    rf"with))\s(?:(?-i:[a-z-]+\s)){{0,3}}{cues.PRECISION.pattern.replace('?P<one>', '?:')}",
    re.IGNORECASE,
)
_OF_FORMAT = re.compile(
    rf"\s(?:times\s)?{cues.PRECISION.pattern.replace('?P<one>', '?:')}\s(?:levels?|rates?|speeds?)\b", re.IGNORECASE
)
_COMPUTE = re.compile(r"\bcompute (?:capacity|density|power)\b", re.IGNORECASE)
_SET_AGAINST = re.compile(r"\s(?:vs\.?|versus|over|that of|compared (?:to|with))\b")
_WORSE = re.compile(
    r"^\s(?:times\s)?(?:slower|worse|less\s(?:[\w-]*efficient|performant|powerful|capable))\b", re.IGNORECASE
)
_OF_BUSINESS = re.compile(r"\b(?:operational|business|capital|sales|cost) efficien|\bROI\b", re.IGNORECASE)
_TAKES_MORE = re.compile(r"\b[Ii]t takes\b[^.;]*\btimes (?:more|as many)\b")
_FRONTED = re.compile(r"\W*(?:Compared (?:to|with)|Relative to|Versus|Against|Over)\s(?:the\s|its\s)?")
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
        if _BIT.match(after) is not None or _WORSE.match(after) is not None:
            return None
        factor, offset = 1.0, 0.0
    phrase = _phrase(place)
    phrase = phrase if phrase.strip() else _elided(place) or phrase
    if _FORMATS.search(place.after[:90]) is not None or _OF_FORMAT.match(place.after) is not None:
        return None  # one chip's FP8 against its own BF16
    if _is_card(place) or _counts_machines(place) or _TAKES_MORE.search(place.before) is not None:
        return None
    window = f"{before[-60:]} {phrase}" if not re.search(r"\d", before[-12:]) else phrase
    metric = _metric(place, phrase, window)
    if metric == "":
        return None
    return Ratio(metric, factor, offset, baseline_of(place), _workload(window, place))


def _is_card(place: Place) -> bool:
    """A card of short lines names its baseline only where it says 'vs' or 'than'."""
    return (
        "\n" in place.words
        and re.search(r"\b(?:vs\.?|versus|than|over|compared)\b", place.words, re.IGNORECASE) is None
    )


def _counts_machines(place: Place) -> bool:
    """'4096x HGX H100': so many machines, unless the words speak of speed."""
    end = place.quantity.at.end
    follows = next((m for m in place.mentions if m.start >= end), None)
    if follows is None or place.text[end : follows.start].strip():
        return False
    return place.quantity.low >= 64 or cues.SPEED.search(place.near_after[:80] + place.near_before[-30:]) is None


def _phrase(place: Place) -> str:
    """The words after the ratio that say what grew, to the baseline or the next stop."""
    after = place.after[:90]
    if after.startswith(" as "):
        after = after[3:]  # 'twice as fast as'
    cut = re.search(
        r"[,;.()\n]|\b(?:than|over|vs\.?|versus|compared|when|as|while|at the|on a per|depending|despite|"
        r"and (?:an? )?\d[\w.]*|and \w+ times|"
        r"and (?!\w+ (?:performance|compute|throughput|inference|training))|with)\b",
        after[1:] + ".",
    )
    return after[: (cut.start() + 1) if cut is not None else len(after)].rstrip("(")


def _elided(place: Place) -> str:
    """'4 times the performance of A, and nearly 2 times versus B': the words after the ratio before hold for both."""
    before = next((q for q in reversed(place.others) if q.at.end < place.quantity.at.start), None)
    is_so = before is not None and before.dimension == "ratio" and _SET_AGAINST.match(place.after) is not None
    return place.text[before.at.end : place.quantity.at.start] if is_so and before is not None else ""


def _metric(place: Place, phrase: str, window: str) -> str:
    label = place.setting.label
    phrase = _COMPUTE.sub("compute", phrase)
    near = phrase if phrase.strip() else f"{place.near_before[-50:]}"
    if _OF_BUSINESS.search(near) is not None:
        return ""
    if cues.EFFICIENCY.search(near) is not None or cues.EFFICIENCY.search(label) is not None:
        return "efficiency_gain" if not re.search(r"\b(?:higher TCO|more power|higher cost)\b", near) else ""
    if cues.NOT_SPEED.search(near) is not None or (label and cues.NOT_SPEED.search(label) is not None):
        return ""
    if cues.EFFICIENCY.search(window) is not None:
        return "efficiency_gain"
    if cues.SPEED.search(phrase) is not None:
        return "speedup"
    last = next((q for q in reversed(place.others) if q.at.end < place.quantity.at.start and q.dimension), None)
    if place.before.endswith("(") and last is not None and last.dimension == "flops":
        return "speedup"  # '50 PFLOPS (5x Blackwell)'
    is_before = (
        _GAIN.search(place.near_before[-40:]) is not None and cues.NOT_SPEED.search(place.near_before[-40:]) is None
    )
    return "speedup" if is_before and cues.COMPARATIVE.match(place.after + " ") is not None else ""


def baseline_of(place: Place) -> str:
    """The named thing that a ratio is measured against, or ''."""
    end = place.quantity.at.end
    for at, mention in enumerate(place.mentions):
        follows = place.mentions[at + 1] if at + 1 < len(place.mentions) else None
        if mention.kind == "organisation" and follows is not None and follows.start - mention.end <= 4:
            continue  # 'than Nvidia's H100'
        if mention.start >= end and mention.start - end < 90:
            between = place.text[end : mention.start]
            if _BASELINE.search(_drop_maker(between)) is not None or not between.strip():
                return mention.name
    front = _FRONTED.match(place.before)
    named = next((m for m in place.mentions if front and m.start - place.sentence.start == front.end()), None)
    return named.name if named is not None else ""


def _drop_maker(words: str) -> str:
    """The words before a name without its maker's genitive."""
    return re.sub(r"\b[A-Z]\w+['’]s?\s$", "", words)


def _workload(window: str, place: Place) -> str:
    for name, words in _WORKLOADS:
        if re.search(rf"\b(?:{words})\b", window, re.IGNORECASE):
            return name
    label = place.setting.label
    return next((name for name, words in _WORKLOADS if label and re.search(words, label, re.IGNORECASE)), "")
