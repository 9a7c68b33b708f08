"""Several subjects under one verb ('X and Y reach 1,400 W'), and ports with their speed. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.extract.owner import Owner
from pipelines.extract.place import Place
from pipelines.extract.quantities import Quantity
from pipelines.extract.subjects import HARDWARE

_JOINED = re.compile(r"\s?(?:,|and|&|/|, and)\s(?:the\s|[A-Z]\w+['’]s\s|both\s)?")
_SINGULAR = re.compile(
    r"^\s(?:GPU |accelerator |chip )?(?:is|has|was|delivers|offers|provides|features|comes|consumes|"
    r"draws|uses)\b"
)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_TIMES = re.compile(r"\s?[x×]\s?$")


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports by count and speed, and whose they are."""

    speed: Quantity
    owner: Owner


def partners(place: Place, found: Owner) -> list[Owner]:
    """The subjects of a figure: the one found, or all that share its verb; with 'respectively' each has its own."""
    aside = place.aside - {found.mention.start}
    alike = HARDWARE - {"site"} if found.mention.kind in HARDWARE - {"site"} else {found.mention.kind}
    mentions = [m for m in place.mentions if m.kind in alike and m.start not in aside]
    if found.mention not in mentions:
        return [found]
    at = mentions.index(found.mention)
    row = [found.mention]
    while at > 0 and _JOINED.fullmatch(place.text, mentions[at - 1].end, row[0].start) is not None:
        at -= 1
        row.insert(0, mentions[at])
    if len(row) == 1 or found.mention.end > place.quantity.at.start:
        return [found]
    if _RESPECTIVELY.search(place.after) is not None:
        same = [q for q in place.others if q.dimension == place.quantity.dimension and q.at.start >= row[-1].end]
        index = same.index(place.quantity) if place.quantity in same else -1
        return [Owner(row[index], 0.9)] if len(same) == len(row) and index >= 0 else []
    if _SINGULAR.match(place.text, row[-1].end) is not None:
        return [found]
    return [Owner(mention, 0.85) for mention in row]


def ports_of(place: Place) -> Ports | None:
    """The reading of 'N x 800G <switch>': N ports of a speed; None when the words are others."""
    quantity, others = place.quantity, place.others
    if quantity.dimension != "ratio" or _TIMES.search(place.text[quantity.digits.end : quantity.at.end]) is None:
        return None
    at = others.index(quantity)
    speed = next((q for q in others[at + 1 :] if q.dimension in ("bare_rate", "bit_rate")), None)
    if speed is None or speed.digits.start - quantity.at.end > 1 + 12 * bool(quantity.place):
        return None
    mention = next((m for m in place.mentions if 0 <= m.start - speed.at.end < 3), None)
    is_network = mention is not None and mention.kind == "network"
    return Ports(speed, Owner(mention, 0.9)) if is_network and mention is not None else None
