"""What an amount of money is: a price, an hour's price, spending on infrastructure, revenue; or none of these. Pure."""

from __future__ import annotations

import re
from itertools import pairwise

from pipelines.extract import cues
from pipelines.extract.place import Place
from pipelines.extract.subjects import Mention

_HOUR = re.compile(
    r"^(?:/|\s?(?:per|an?)\s)(?:GPU|chip|accelerator|TPU)?[- /]?(?:hour|hr|h)\b|^/(?:GPU|chip)/(?:hr|hour|h)\b",
    re.IGNORECASE,
)
_NO_SALES = re.compile(r"\b(?:cash|burn\w*|loss(?:es)?|profit|income|charges?|write-?downs?|EBITDA)\b", re.IGNORECASE)
# what a part of the machine costs is not its price
_PART_COST = re.compile(
    r"\b(?:cooling|components?|cabling|cables?|optics?|transceivers?|network(?:ing)?|memory|HBM|power|storage|trays?|"
    r"cold plates?|installation|maintenance|electricity|energy|operating|software|shipping|packaging|"
    r"testing|wafers?|die)\s"
    r"(?:components?\s)?(?:costs?|prices?|bill)\b",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    r"\b(?:HBM\w*|memory|cooling|network(?:ing)?|cables?|packaging|substrate|optics|board|power)\s(?:of|in|for|on)\s(?:an?|the|each)\s",
    re.IGNORECASE,
)
_PAIRED = re.compile(r"(?:\sper [\w-]+)?\s(?:vs\.?|versus|compared (?:to|with))\s.{0,12}")
_BOUGHT = re.compile(r"\b(?:purchase|buy|hardware|retail|list price)\b", re.IGNORECASE)
_UNIT = re.compile(
    r"^\s?(?:per|a|each|/)\s?(?:GPU|chip|card|accelerator|unit|system|rack|server|node|board|"
    r"superchip)\b|^\s(?:each|apiece)\b",
    re.IGNORECASE,
)


_OFFERED_FOR = re.compile(
    r"\b(?:offers?|sells?|available|comes|ships|buys?|starts?)\b[^;]*\sfor\s(?:about\s|just\s|only\s)?(?:US)?\$?$"
)
_SHARED = 40  # characters from one amount to the next with another name between them
_OF_MANY = re.compile(
    r"\b(?:combined|collective(?:ly)?|hyperscalers?|the (?:big )?(?:four|five)|big tech|industry|together)\b",
    re.IGNORECASE,
)


def is_hourly(place: Place) -> bool:
    """Whether an amount is per hour."""
    return _HOUR.match(_tail(place)) is not None


def _tail(place: Place) -> str:
    """The words after an amount's number and magnitude."""
    after = place.text[place.quantity.digits.end : place.quantity.at.end] + place.after[:60]
    return re.sub(r"^[\s\d.,-]*(?:thousand|million|billion|trillion|[kKMBT])?(?=[\s/])", "", after)


def _before(place: Place) -> str:
    """The words between the amount before and this one."""
    start = place.sentence.start
    for other in place.others:
        between = place.text[other.at.end : place.quantity.at.start]
        if (
            other.dimension == "money"
            and other.at.end <= place.quantity.at.start
            and _PAIRED.fullmatch(between) is None
        ):
            start = other.at.end
    return place.text[start : place.quantity.at.start]


def _is_in_row(place: Place) -> bool:
    """'A ≈ $30,000, B ≈ $40,000 per GPU': the words behind the last hold for each."""
    row = [q for q in place.others if q.dimension == "money" and q.digits.start >= place.quantity.digits.start]
    gaps = [two.digits.start - one.digits.end for one, two in pairwise(row)]
    last = place.text[row[-1].digits.end : row[-1].digits.end + 24] if row else ""
    return len(row) > 1 and max(gaps) <= _SHARED and _UNIT.match(last) is not None


def _is_of_part(near: str) -> bool:
    return _PART_COST.search(near) is not None or _PART_OF.search(near) is not None


def metric_of_money(place: Place, owner: Mention | None) -> str:
    """The metric of an amount in US dollars, '' when it is none."""
    tail = _tail(place)
    before = _before(place)
    if owner is not None and owner.kind == "organisation" and len(before) < _SHARED and owner in place.mentions:
        before = place.before  # 'X set its capex at $200 billion, Y at $180 billion'
    near = f"{before[-110:]} {place.near_after[:90]}"
    if _HOUR.match(tail) is not None:
        return "gpu_hour_price" if place.quantity.low < 1000 else ""
    if owner is not None and owner.kind in ("accelerator", "system", "product"):
        is_bought = _BOUGHT.search(place.setting.label) is not None and _UNIT.match(tail) is not None
        if (cues.NOT_MONEY.search(near) is not None and not is_bought) or _is_of_part(near):
            return ""
        is_price = (
            _OFFERED_FOR.search(place.before) is not None
            or _UNIT.match(tail) is not None
            or _is_in_row(place)
            or cues.PRICE.search(near) is not None
        )
        return "price" if is_price and place.quantity.low >= 20 else ""
    if owner is None or place.quantity.low < 1e6:
        return ""
    beside = f"{place.near_before[-40:]}{place.near_after[:24]}"
    is_sales = cues.REVENUE.search(near) is not None and _NO_SALES.search(beside) is None
    if is_sales and re.search(r"\b(?:market|industry|projected|could|generate|goal|target|aims?)\b", near) is None:
        return "revenue" if re.search(r"\b(?:backlog|adjusted|valu|market cap|stake|raise)", near) is None else ""
    if _OF_MANY.search(near) is not None:
        return ""
    if cues.CAPEX.search(near) is not None and cues.NOT_MONEY.search(near.replace("invest", "")) is None:
        return "capex"
    return ""
