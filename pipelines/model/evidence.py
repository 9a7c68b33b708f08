"""The evidence tags, strongest first: all that is particular to a tag stands here. The words are the design's."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

# Open shapes and strokes as paths, for a chart fills its marks: a hole runs the other way round than its rim.
_OPEN_SQUARE = "M-0.9,-0.9H0.9V0.9H-0.9ZM-0.5,-0.5V0.5H0.5V-0.5Z"
_OPEN_CIRCLE = "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0ZM-0.6,0A0.6,0.6,0,1,0,0.6,0A0.6,0.6,0,1,0,-0.6,0Z"
_OPEN_DIAMOND = "M0,-1.2L1.2,0L0,1.2L-1.2,0ZM0,-0.62L-0.62,0L0,0.62L0.62,0Z"
_CROSSED = "M-1,-0.64L-0.64,-1L0,-0.36L0.64,-1L1,-0.64L0.36,0L1,0.64L0.64,1L0,0.36L-0.64,1L-1,0.64L-0.36,0Z"
_DOTS = (
    "M-1.3,0A0.35,0.35,0,1,1,-0.6,0A0.35,0.35,0,1,1,-1.3,0ZM-0.35,0A0.35,0.35,0,1,1,0.35,0A0.35,0.35,0,1,1,-0.35,0Z"
    "M0.6,0A0.35,0.35,0,1,1,1.3,0A0.35,0.35,0,1,1,0.6,0Z"
)


class Evidence(StrEnum):
    """How firmly a figure is held, by who stands behind it. Declared strongest first; a new tag is one entry here.

    Each has a mark of shape and letter, never colour alone: filled shapes are said by those who measured, run, sell or
    were audited, open ones are seen, relayed or modelled, strokes are computed or nobody answers for them. `shape` is
    the same on a chart, as Vega names or draws it.
    """

    mark: str
    meaning: str
    shape: str

    def __new__(cls, tag: str, mark: str = "", meaning: str = "", shape: str = "") -> Self:
        made = str.__new__(cls, tag)
        made._value_ = tag
        made.mark, made.meaning, made.shape = mark, meaning, shape
        return made

    AUDITED = "audited", "■ A", "reviewed under published rules", "square"
    MEASURED = "measured", "▼ M", "measured by a party without stake, method public", "triangle-down"
    OPERATOR = "operator", "◆ O", "said by the one who runs it", "diamond"
    VENDOR = "vendor", "▲ V", "said by the maker or seller", "triangle-up"
    OBSERVED = "observed", "□ S", "seen by a named author", _OPEN_SQUARE
    REPORTED = "reported", "○ R", "relayed by press or analysts", _OPEN_CIRCLE
    ESTIMATED = "estimated", "◇ E", "a named analyst's model or judgement", _OPEN_DIAMOND
    DERIVED = "derived", "+ D", "computed here from other figures", "cross"
    ILLUSTRATIVE = "illustrative", "… I", "an example, no market figure", _DOTS
    UNVERIFIED = "unverified", "× U", "no named author, or no method", _CROSSED

    @property
    def rank(self) -> int:
        """1 for the strongest tag; larger is weaker."""
        return list(Evidence).index(self) + 1
