"""What a source's captures are read as."""

from __future__ import annotations

from enum import StrEnum


class Reading(StrEnum):
    """A document gives text and claims, a table typed rows, a round the results of a repository archive."""

    DOCUMENT = "document"
    TABLE = "table"
    ROUND = "round"
