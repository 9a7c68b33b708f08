"""Numbers whose unit stands with a neighbour: '40 or 80 GB', '989 teraflops dense and 1,979 sparse'. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipelines.extract import cues
from pipelines.extract.quantities import Quantity
from pipelines.extract.subjects import HARDWARE, Mention

_SHARED = frozenset({"bytes", "byte_rate", "bit_rate", "power", "flops"})
_FARTHEST = 64  # characters between a number and the unit it shares
_FIRST_OF_TWO = re.compile(r"\s(?:or|and)\s|,\s")
_LINK = re.compile(
    r"\($|(?:,|;|\b(?:and|or|to|versus|vs\.?|against|than|compared (?:to|with)))\s"
    r"(?:(?:just|only|about|up to|a)\s){0,2}$"
)
_PRECISION = cues.PRECISION.pattern.replace("?P<one>", "?:")
_OF_RATE = re.compile(
    rf"\s(?:with|without|using)\s(?:structured\s|2:4\s)?sparsity\b|\s\(?(?:with\s)?(?:sparse|dense|sparsity)\b"
    rf"|\s(?:in|at|of|for|with)\s(?:dense\s|sparse\s|the\s)?{_PRECISION}(?!\w)|\s{_PRECISION}(?!\w)",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(r"\s(?:for|in|on|with|from)\s(?:the\s|an?\s|its\s)?(?:[A-Z]\w+['’]s\s)?$")
_YEARS = (1990, 2050)


def with_shared_units(text: str, quantities: Sequence[Quantity], mentions: Sequence[Mention]) -> list[Quantity]:
    """The same quantities, with the unit of a neighbour where a bare number shares it.

    Shares it the first of two joined numbers ('40 or 80 GB') and a later one that says by its own words what it is of
    ('and 1,979 with sparsity', '700 W for the SXM and 350 for the PCIe').
    """
    found = list(quantities)
    for at, one in enumerate(found):
        if one.dimension or one.is_word or one.is_range or _YEARS[0] <= one.low <= _YEARS[1]:
            continue
        after = found[at + 1] if at + 1 < len(found) else None
        if (
            after is not None
            and after.dimension in _SHARED
            and _FIRST_OF_TWO.fullmatch(text[one.at.end : after.at.start])
        ):
            found[at] = replace(one, dimension=after.dimension, unit=after.unit)
            continue
        before = found[at - 1] if at else None
        if before is not None and before.dimension in _SHARED and _is_later(text, before, one, mentions):
            found[at] = replace(one, dimension=before.dimension, unit=before.unit)
    return found


def _is_later(text: str, before: Quantity, one: Quantity, mentions: Sequence[Mention]) -> bool:
    between = text[before.at.end : one.at.start]
    if len(between) > _FARTHEST or ". " in between or _LINK.search(between) is None:
        return False
    if before.dimension == "flops" and _OF_RATE.match(text, one.at.end) is not None:
        return True
    follows = next((m for m in mentions if m.start >= one.at.end), None)
    is_of_another = follows is not None and _OF_ANOTHER.fullmatch(text[one.at.end : follows.start]) is not None
    return is_of_another and follows is not None and follows.kind in HARDWARE
