"""Which of the words beside a value are its own, where other values stand near. Pure.

'FP16: 989 TFLOPS, FP8: 1979' and '989 TFLOPS in FP16, 1979 in FP8': what stands between two values is parted at its
last comma, semicolon, bar or 'and' that does not link what is listed ('FP8, FP6 and INT8').
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pipelines.extract.link.scene import Place

LISTED = re.compile(r"\s?(?:/|,| and |&)\s?")  # what stands between the words of a list
# the start of a numeral that is no part of a word, a format ('FP 8', '8-bit'), a generation or a ratio ('2:4')
_NUMERAL = re.compile(
    r"(?<![A-Za-z\d_.:])(?<![FNfn][PTpt][ -])(?<![BTbt][Ff][ -])(?<!eneration )(?<![Gg]en )"
    r"\d(?![\d.]*:\d)(?!\d?[ -]bit\b)"
)
# numbers that share what stands beside them: '96/144 GB', '288 vs 192 GB'
_MATE, _LINK = r"\d[\d.,]*\s?(?:[KMGTP]i?[Bb]?)?", r"\s?(?:/|vs\.?|or|to|[–-])\s?"
_RISE = r"\d[\d.,]*\s?[A-Za-z/]{1,8}\sto\s"  # 'FP64 falls from 37 TFLOPS to 1.2 TFLOPS'
_MATES_AFTER = re.compile(rf"^(?:{_LINK}{_MATE}(?!\w))+")
_MATES_BEFORE = re.compile(rf"(?<!\w)(?:{_MATE}{_LINK}|{_RISE})+$")
_SIGNS = " *_`"
_ASIDE = re.compile(r"\s?\([^()]*?(?<![\w.])\d[^()]*\)")
_CUT = re.compile(
    r"[,;|•、，；]|\.\s|\s(?:and|while|whereas|but|versus|vs\.?|or)\s|[ (](?=[^\s(]+\s?[:=：]\s?\W?$)", re.IGNORECASE
)


def own_words(place: Place, alike: re.Pattern[str]) -> Iterator[str]:
    """The words of a value itself, of its clause behind it and before it, then what stands beyond if nobody else's.

    `alike` finds the words that may be listed. Of '16 GB (32 GB on large nodes) of HBM2' the last words are read too.
    """
    yield place.zones["own"]
    after, before = _MATES_AFTER.sub("", place.zones["after"]), _MATES_BEFORE.sub("", place.zones["before"])
    is_led = before.rstrip().endswith(("...", "…"))  # 'Peak FP64 ..... 122 TFLOPS': what follows is the next line's
    before = before.rstrip(" .…") if is_led else before
    behind, rest = _behind(after, alike)
    *_, previous = None, *_NUMERAL.finditer(before)
    ahead = before if previous is None else before[previous.end() :]
    own_ahead = ahead[min([*[end for _, end in _cuts(ahead, alike)][:1], *_labels(ahead, alike)], default=0) :]
    if is_led:
        yield own_ahead
        return
    yield behind
    yield own_ahead
    yield rest
    yield "" if previous is not None else before
    yield _behind(_ASIDE.sub("", after), alike)[0]


def _behind(after: str, alike: re.Pattern[str]) -> tuple[str, str]:
    """The clause behind a value, and what follows it where no other value does."""
    following = _NUMERAL.search(after)
    if following is not None:
        between = after[: following.start()]
        cuts = [*[start for start, _ in _cuts(between, alike)][:1], *_labels(between, alike)]
        return between[: min(cuts, default=None)], ""
    *_, first = None, *(start for start, _ in _cuts(after, alike))
    return after[:first], after


def _labels(words: str, alike: re.Pattern[str]) -> list[int]:
    """Where what leads to a colon at the end begins, if anywhere: 'FP8 Tensor Core:' is of the next value."""
    if not words.rstrip(_SIGNS).endswith((":", "：")):
        return []
    found, begin = list(alike.finditer(words)), -1
    while -begin < len(found) and LISTED.fullmatch(words, found[begin - 1].end(), found[begin].start()) is not None:
        begin -= 1  # 'FP16/FP8/FP4:'
    return [found[begin].start()] if found else []


def _cuts(words: str, alike: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where what stands between two values may be parted, the last first."""
    listed = [
        (one.start(), two.end())
        for one, two in pairwise(alike.finditer(words))
        if LISTED.fullmatch(words, one.end(), two.start()) is not None
    ]
    for cut in reversed(list(_CUT.finditer(words))):
        if not any(start < cut.start() < end for start, end in listed):
            yield cut.span()
