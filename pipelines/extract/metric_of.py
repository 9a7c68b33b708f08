"""Which metric a quantity with a physical unit is a figure of, from its unit and the words around it. Pure."""

from __future__ import annotations

import re

from pipelines.extract import cues
from pipelines.extract.place import Place, nearest

_BANDWIDTH = re.compile(r"^(?:peak |total |aggregate )?bandwidth$", re.IGNORECASE)
_DEVICE_MEMORY = re.compile(
    r"\b(?:GPU|device|accelerator|graphics|on-?(?:chip|package|board)|unified|pooled|fast|rapid-access|coherent|video|"
    r"CPU) (?:and \w+ )?memory\b|\b(?:V|GPU )RAM\b|^(?:GPU )?memory(?: capacity| size)?$",
    re.IGNORECASE,
)
_HOST = re.compile(
    r"\b(?:nodes?|servers?|host|system memory available|login|jobs?|login|partition|cluster)\b", re.IGNORECASE
)
_PER_WATT = re.compile(r"^\s*(?:of \w+ )?(?:per|/|a)\s?(?:W|watt|joule|dollar|mm)", re.IGNORECASE)
_NOT_RATE = re.compile(
    r"\b(?:training (?:budget|run)|total compute of|of arithmetic|threshold|export|limit)\b", re.IGNORECASE
)
_SLOWEST_SWITCH = 12.8  # Tb/s
_SLOWEST_NETWORK = 25  # Gb/s
_DRAWN = re.compile(r"\b(?:draws?|drew|consum\w+|(?:active|contracted|total|IT) power)\b", re.IGNORECASE)
_POWER_LABEL = re.compile(r"(?:Total |Peak |Average |System )?Power(?: draw| consumption)?$", re.IGNORECASE)
# '2.4x the H100's 80 GB', 'against 80 GB for the H100': the second figure shares the first one's words
_AGAINST = re.compile(
    r"\b[\w ]{0,24}['’]s\s$|\b(?:compared (?:to|with)|vs\.?|versus|against|over|than|from)\s(?:(?:just|only)\s)?$",
    re.IGNORECASE,
)
# 'carries 141 GB.' and 'the 80 GB H100' need no word for memory
_HAS = re.compile(r"\s(?:has|have|had|offers?|carries|packs?|comes with|came with|with|gets|features?|sports)\s$")
_MODEL_WORD = re.compile(
    r"[\s-]*(?:variants?|versions?|models?|cards?|parts?|editions?)?(?:\s(?:and|at|with|plus))?\s?"
)
_ENOUGH = re.compile(r"\b(?:enough|equivalent\w*|comparable|as much as|serves?|powers)\b.*")  # '… to power 80 homes'
_EVERY = re.compile(
    r"\b(?:failures?|interruptions?|failed|wrong|crash(?:es|ed)?|faults?)\b[^.;]{0,24}\bevery\s(?:about\s)?$",
    re.IGNORECASE,
)
_ONE_EVERY = re.compile(
    r"\b(?:failures?|interruptions?|crash(?:es)?|faults?)\b[^.;]{0,80}\bone\severy\s(?:about\s)?$", re.IGNORECASE
)
_CLOSE = 24  # characters from a chip's name to its watts
_MOST_OF_A_PORT = 100  # W
_DATA = re.compile(r"^\s?(?:of )?(?:data|model weights|weights|parameters)\b", re.IGNORECASE)


def metric_of(place: Place) -> str:
    """The metric of a quantity that has a unit of measure, '' when it is none or not clear."""
    reader = _READERS.get(place.quantity.dimension)
    return reader(place) if reader is not None else ""


_SEPARATORS = (", ", " and ", " at ", " with ", " / ", "/")
_SPECIFIED = frozenset({"bytes", "byte_rate", "power", "flops"})


def _in_spec_list(place: Place) -> bool:
    """'94GB, 3.9TB/s, 350 W': a row of figures behind a chip's name needs no words for what each is."""
    chips = [m for m in place.mentions if m.kind in ("accelerator", "product") and m.end <= place.quantity.at.start]
    others = [q for q in place.others if q.dimension in _SPECIFIED and q.dimension != place.quantity.dimension]
    return bool(chips) and any(
        place.text[min(q.at.end, place.quantity.at.end) : max(q.at.start, place.quantity.at.start)] in _SEPARATORS
        for q in others
    )


def _bytes(place: Place) -> str:
    if _DATA.match(place.near_after) is not None:
        return ""
    near = f"{place.near_before} {place.near_after}"
    found = nearest(cues.BYTES, place)
    if found is None and (_in_spec_list(place) or _is_capacity_of_chip(place)):
        return "memory_capacity"
    if found != "memory_capacity":
        return ""
    if cues.MEMORY_TYPE.search(near) is not None or cues.MEMORY_TYPE.search(place.setting.label) is not None:
        return found
    if place.setting.label.casefold() == "capacity" and any(
        cues.MEMORY_TYPE.search(h) for h in place.setting.headings[:1]
    ):
        return found
    if _DEVICE_MEMORY.search(near) is not None or _DEVICE_MEMORY.search(place.setting.label) is not None:
        return found
    is_set_against = _AGAINST.search(place.before[-40:]) is not None
    if is_set_against and (cues.MEMORY_TYPE.search(place.before) or _DEVICE_MEMORY.search(place.before)):
        return found
    if "capacity" in near.casefold() and cues.MEMORY_TYPE.search(place.before) is not None:
        return found
    is_about_chip = any(m.kind in ("accelerator", "product") for m in place.mentions)
    return found if is_about_chip and "memory" in near.casefold() and _HOST.search(place.words) is None else ""


def _is_capacity_of_chip(place: Place) -> bool:
    """'The H200 carries 141 GB', 'the 80 GB H100': bytes that stand alone beside an accelerator's name."""
    if place.quantity.unit not in ("GB", "GiB"):
        return False
    quantity, chips = place.quantity, [m for m in place.mentions if m.kind in ("accelerator", "product")]
    if any(m.start - quantity.at.end == 1 for m in chips):
        return True
    before = next((m for m in reversed(chips) if m.end <= quantity.at.start), None)
    gap = place.text[before.end : quantity.at.start] if before is not None else ""
    is_alone = _MODEL_WORD.fullmatch(place.near_after.rstrip(".")) is not None
    return is_alone and (_HAS.fullmatch(gap) is not None or gap in ("'s ", "’s "))


def _byte_rate(place: Place) -> str:
    found = nearest(cues.BYTE_RATE, place)
    is_plain = _BANDWIDTH.match(place.setting.label) is not None or _in_spec_list(place)
    if found is None and (is_plain or _is_bandwidth_of_chip(place)):
        return "memory_bandwidth"
    return found or ""


def _is_bandwidth_of_chip(place: Place) -> bool:
    """'The B200's bandwidth is 8 TB/s': of a chip and without a link's name it is the memory's."""
    is_said = re.search(r"\bbandwidth\b", place.words, re.IGNORECASE) is not None
    return is_said and place.quantity.unit == "TB/s" and any(m.kind == "accelerator" for m in place.mentions)


def _bit_rate(place: Place) -> str:
    if place.quantity.unit == "Gb/s" and place.quantity.high < _SLOWEST_NETWORK:
        return ""  # a management port
    found = nearest(cues.BIT_RATE, place)
    if found is None and place.quantity.unit == "Tb/s" and place.quantity.low >= _SLOWEST_SWITCH:
        return "scale_out_bandwidth"  # nothing but a switch moves as much
    return found or ""


def _bare_rate(place: Place) -> str:
    beside = f"{place.near_before[-28:]} {place.near_after[:40]}"
    if cues.BARE_RATE[0].words.search(beside) is not None:
        return ""
    return "scale_out_bandwidth" if cues.BARE_RATE[1].words.search(beside) is not None else ""


def _power(place: Place) -> str:
    if place.quantity.unit in ("MW", "GW", "TW"):
        near = _ENOUGH.sub("", f"{place.near_before[-60:]} {place.near_after}")
        if cues.POWER[0].words.search(near) is not None:
            return ""
        is_drawn = _DRAWN.search(near) is not None or _POWER_LABEL.match(place.setting.label) is not None
        is_site = (
            is_drawn
            or place.quantity.unit == "GW"
            or cues.SITE.search(f"{place.before[-80:]} {near} {place.setting.label}") is not None
        )
        return "site_power" if is_site else ""
    if cues.POWER[1].words.search(f"{place.near_before[-60:]} {place.near_after[:30]}") is not None:
        is_small = place.quantity.unit == "W" and place.quantity.high <= _MOST_OF_A_PORT
        return "port_power" if is_small else ""
    found = nearest(cues.POWER, place)
    start = place.quantity.at.start
    is_said_of_chip = any(
        m.kind in ("accelerator", "generation", "product", "system") and 0 <= start - m.end < _CLOSE
        for m in place.mentions
    )
    if found is None and (
        place.setting.block.level > 0 or _in_spec_list(place) or place.near_before.endswith("(") or is_said_of_chip
    ):
        found = "power"
    if found == "" or found is None:
        return ""
    if found == "port_power":
        return found
    return "power"


def _flops(place: Place) -> str:
    if _PER_WATT.match(place.near_after) is not None or _NOT_RATE.search(place.near_after) is not None:
        return ""
    return "compute" if place.quantity.per.casefold() not in ("watt", "w", "dollar", "user") else ""


def _nm(place: Place) -> str:
    return "process_node" if "wavelength" not in place.near.casefold() else ""


def _length(place: Place) -> str:
    near = f"{place.before[-60:]} {place.near_after}".casefold()
    return "cable_length" if re.search(r"\b(?:cabl\w+|copper|fib(?:er|re)s?|wir(?:es?|ing))\b", near) else ""


def _mass(place: Place) -> str:
    near = f"{place.near_before} {place.near_after} {place.setting.label}".casefold()
    if re.search(r"\b(?:co2|carbon|steel|copper|emissions?|coal|concrete|water|oil|cargo|e-?waste)\b", near):
        return ""
    is_said = re.search(r"\b(?:weigh(?:s|ed|ing|t)?|mass|heavy|racks?|systems?)\b", near) is not None
    quantity = place.quantity
    is_told_by_name = (
        any(m.start - quantity.at.end == 1 for m in place.mentions)
        and "-" in place.text[quantity.digits.end : quantity.at.end]
    )  # 'the 2.5-ton Vera Rubin platform'
    return (
        "weight"
        if is_said or is_told_by_name or (place.setting.block.level > 0 and "ton" in place.quantity.unit)
        else ""
    )


def _percent(place: Place) -> str:
    if re.search(r"liquid[- ]cooled (?:at|to) $", place.before, re.IGNORECASE):
        return "liquid_cooled_share"
    return "liquid_cooled_share" if re.match(r"\s?(?:of .{0,30})?liquid[- ]cool", place.after, re.IGNORECASE) else ""


def _time(place: Place) -> str:
    near = f"{place.before[-120:]} {place.near_after} {place.setting.label}"
    if re.search(r"\b(?:MTTI|MTBF|mean time (?:to|between))\b", near, re.IGNORECASE):
        return "mtti"
    is_every = _EVERY.search(place.before[-60:]) or _ONE_EVERY.search(place.before)
    if is_every is not None and place.quantity.unit in ("h", "min", "day"):
        return "mtti"  # 'one failure every three hours'
    is_short = place.quantity.unit in ("min", "h", "s") or place.quantity.unit == "day"
    if is_short and re.search(
        r"\bin (?:just |only |under |about )?$",
        place.near_before[-14:] + place.text[place.quantity.at.start : place.quantity.digits.start],
    ):
        return "train_time" if cues.ACHIEVED_TIME.search(place.before[-140:]) is not None else ""
    return ""


def _token_rate(place: Place) -> str:
    return "token_rate"


_READERS = {
    "bytes": _bytes, "byte_rate": _byte_rate, "bit_rate": _bit_rate, "bare_rate": _bare_rate, "power": _power,
    "flops": _flops, "nm": _nm, "length": _length, "mass": _mass, "percent": _percent, "time": _time,
    "token_rate": _token_rate,
}  # fmt: skip
