"""The evidence tags, strongest first: all that is particular to a tag stands here. The words are the design's."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

# Open shapes as paths with a hole, for a chart fills its marks.
_OPEN_TRIANGLE = "M0,-1L1,0.8L-1,0.8ZM0,-0.3L-0.45,0.45L0.45,0.45Z"
_OPEN_CIRCLE = "M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0ZM-0.55,0A0.55,0.55,0,1,0,0.55,0A0.55,0.55,0,1,0,-0.55,0Z"
_OPEN_SQUARE = "M-1,-1H1V1H-1ZM-0.55,-0.55V0.55H0.55V-0.55Z"


class Evidence(StrEnum):
    """How firmly a figure is held, by who stands behind it. Declared strongest first; a new tag is one entry here.

    Each has a mark of shape and letter, never colour alone: filled shapes are reviewed, measured or operated, open ones
    are said. `shape` is the same on a chart, as Vega names or draws it.
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
    MEASURED = "measured", "● M", "measured by a party without stake, method public", "circle"
    OPERATOR = "operator", "▲ O", "said by the one who runs it", "triangle-up"
    VENDOR = "vendor", "△ V", "said by the maker or seller", _OPEN_TRIANGLE
    OBSERVED = "observed", "○ S", "seen by a named author", _OPEN_CIRCLE
    REPORTED = "reported", "□ R", "relayed by press or analysts", _OPEN_SQUARE
    ESTIMATED = "estimated", "◇ E", "a named analyst's model or judgement", "diamond"
    DERIVED = "derived", "ƒ D", "computed here from other figures", "cross"
    ILLUSTRATIVE = "illustrative", "… I", "an example, no market figure", "triangle-down"
    UNVERIFIED = "unverified", "? U", "no named author, or no method", "wedge"

    @property
    def rank(self) -> int:
        """1 for the strongest tag; larger is weaker."""
        return list(Evidence).index(self) + 1
