"""Hedges around a number: 'up to', 'over', 'about', '+', 'or more'. Pure; looks at a bounded stretch of text."""

from __future__ import annotations

import re

_MAX = (
    r"up to|as (?:much|many|high|large) as|as high as|less than|fewer than|lower than|under|below|at most|no more than|"
    r"not (?:more than|exceeding)|(?:a )?maximum (?:of)?|max(?:imum|\.)?:?|limited to|capped at|peaking at|"
    r"peaks at|just under|<|≤|<="
)
_MIN = (
    r"over|more than|greater than|at least|above|exceeding|exceeds|exceed|in excess of|upwards of|north of|beyond|"
    r"(?:a )?minimum (?:of)?|no (?:less|fewer) than|not less than|just over|well over|surpass(?:es|ed|ing)?|>|≥|>="
)
_ABOUT = (
    r"~|≈|∼|about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|close to|an estimated|"
    r"in the (?:range|order|region) of|ca\.|c\."
)
_HEDGE = re.compile(
    rf"(?:(?P<max>{_MAX})|(?P<min>{_MIN})|(?P<about>{_ABOUT})|an?|the|a total of|total of)"
    rf"[\s(]*(?:(?P<about2>{_ABOUT})\s*|a (?:total|peak|staggering|whopping|massive) (?:of )?|an? |to )?$",
    re.IGNORECASE,
)
BOUND_AFTER = re.compile(
    r"\s?(?:(?P<min>\+|or (?:more|higher|greater)\b|and (?:up|above|more)\b|\(?min(?:imum)?\b\)?)"
    r"|(?P<max>\(max\.?\)|\(?max(?:imum)?\b\)?|or (?:less|fewer|lower)\b|peak\b(?=[\s,.;]|$)))",
    re.IGNORECASE,
)


def hedge_before(before: str, at: int) -> tuple[str, bool, int]:
    """Bound, approximation and where the hedge begins, read backwards from a number."""
    found = _HEDGE.search(before)
    if found is None or (found.start() > 0 and before[found.start() - 1].isalnum() and found[0][0].isalnum()):
        return "", False, at
    about = found["about"] or found["about2"]
    bound = "max" if found["max"] else "min" if found["min"] else ""
    return bound, about is not None, at - (len(before) - found.start())
