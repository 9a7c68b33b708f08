"""The evidence tags, strongest first, with their order and one-letter mark. The words are the design's."""

from __future__ import annotations

from enum import StrEnum


class Evidence(StrEnum):
    """How firmly a figure is held, by who stands behind it. Declared strongest first."""

    AUDITED = "audited"
    MEASURED = "measured"
    OPERATOR = "operator"
    VENDOR = "vendor"
    OBSERVED = "observed"
    REPORTED = "reported"
    ESTIMATED = "estimated"
    DERIVED = "derived"
    ILLUSTRATIVE = "illustrative"
    UNVERIFIED = "unverified"

    @property
    def rank(self) -> int:
        """1 for the strongest tag; larger is weaker."""
        return list(Evidence).index(self) + 1
