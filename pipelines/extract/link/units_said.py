"""The units that words name for numbers elsewhere: heads, captions, keys, and what is said above a table. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.extract.values.around import MEASURES
from pipelines.registry.phrases import phrases
from pipelines.units import unit_at

_STARTS = re.compile(r"(?<![^ (\[/,\u00a0（:：，])(?=[^ (\[/,\u00a0（:：，])")
_CLOSERS = " )],/）.;，:"
# dimensions that a head's word is rarely meant as
_NO_HEAD = frozenset({"ratio", "count", "time_rate", ""})
_NUMERAL_LAST = re.compile(r"(?<![^\s(/,])[\d.,]+\s*$")  # '48 ' of '48 GB', not 'FP8 '
_NUMERAL = 24  # characters of a numeral that are looked at
_MONEY_SCALE = re.compile(
    r"(?:\$|\bUSD|dollars?)\W{0,2}(?:in )?(?P<behind>[mbk]n?|millions?|billions?|thousands?)\b"
    r"|\b(?P<before>millions?|billions?|thousands?)\b(?=(?: of)?(?: U\.?S\.?)? ?(?:\$|USD|dollars))"
    r"|(?<![\w$])(?P<sign>[mbk])n? ?(?=(?:US)?\$|USD\b)"
    r"|(?:^|\()in (?P<alone>millions|billions|thousands)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"(?:^|\b(?:all|figures|values|numbers|prices|amounts|revenue|capex|spending|expenditures?|cost)\b[^.;]{0,40}?)[\s(,]*"
    r"(?:(?:(?:are |is |given )?in )(?P<unit>[^.;,:)]{1,40})|(?:are|is) (?P<told>[^.;,:)\d]{1,40})(?![^.;,:)]))",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:^|[;,.(])\s*(?P<words>[^;,.()]{2,40})(?=[;,.)]|$)")
_IN_UNIT = re.compile(
    r"\bin (?P<unit>(?:[a-z]+ (?=[a-z]))?[^\s.;,:)]{1,24}(?: (?:thousand|million|billion|[mb]n)s?\b)?)"
)
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_SMALL_BITS = ("gbps", "tbps")
_MEMORY_RATE = re.compile(r"(?:mem|hbm|vram|dram).*(?:bandwidth|bw)", re.IGNORECASE)
_NOTE_SIGNS = str.maketrans(dict.fromkeys("¹³⁴⁵⁶⁷⁸⁹†‡", " "))  # '²' may be a square
_OF_PERIODS = ("ended", "ending")  # 'Three months ended June 30' is a time
_USD = ("USD", "money")
_SCALES = {"m": "million", "b": "billion", "k": "thousand", "t": "thousand"}


@lru_cache(maxsize=16384)
def unit_in(words: str) -> tuple[str, str] | None:
    """The unit that a head or a caption names ('Memory (GB)', 'TDP, W'), with its dimension; None where none does.

    One in brackets or behind a comma stands before others: 'Peak flops (TFLOP/s)'. Money may be in 'million USD'.
    'Week 49' is a time and 'Three months ended' too.
    """
    words = words.translate(_NOTE_SIGNS)
    counts = _counts_in(words)
    if counts is not None:
        return counts
    money = money_in(words)
    if money is not None and money != _USD:
        return money
    first: tuple[str, str] | None = None
    for start in _STARTS.finditer(words):
        begin = start.start()
        if _NUMERAL_LAST.search(words, max(0, begin - _NUMERAL), begin) is not None:
            continue  # '48 GB' in a head is the size of a thing, not the unit of what stands below
        found = unit_at(words, begin)
        if found is None or found.dimension in _NO_HEAD or found.dimension == "money":
            continue
        behind = words[found.end :].lstrip()
        if behind.startswith(_OF_PERIODS) or (found.dimension == "time" and behind[:1].isdecimal()):
            continue
        if _is_mark(words, begin, found.end, of_time=found.dimension == "time" and money is None):
            continue
        is_whole = found.end >= len(words) or words[found.end] in _CLOSERS
        if is_whole and (begin > 0 or found.end > 1 or found.symbol == "%"):
            if money is not None and found.dimension == "time":
                is_hourly = phrases("an_hour").are_in(words)  # 'Price per hour (USD)', of a day or month or not
                return f"USD/{'h' if is_hourly else found.symbol}", "money_rate"
            if words[begin - 1 : begin] in ("(", "[") or words[max(0, begin - 2) : begin] == ", ":
                return found.symbol, found.dimension
            first = first or (found.symbol, found.dimension)
    is_rate = money is not None and first is None and phrases("an_hour").are_in(words)
    return ("USD/h", "money_rate") if is_rate else first or money


def _is_mark(words: str, begin: int, end: int, *, of_time: bool) -> bool:
    """Whether letters are no unit: '(d) Isambard', 'integrator A', 'N/A', the time of an unknown rate ('images/s')."""
    before, behind = words[:begin], words[end:]
    if before in ("(", "["):
        return behind[1:].strip() != ""
    is_letter = end - begin == 1 and words[begin].isupper() and words[begin] != "W"
    is_behind_word = before[-1:] in (" ", "/") and before[-2:-1].isalpha()
    return (is_letter and is_behind_word) or (of_time and before[-1:] == "/")


def unit_of_all(words: str) -> tuple[str, str] | None:
    """The unit that the words above a table give its cells: 'In billions of US dollars', 'all figures are GB/s'."""
    for said in _OF_ALL.finditer(words):
        unit = unit_in(f"in {said['unit'] or said['told']}")
        if said["told"] and (unit is None or unit[1] == "time" or unit_in(" ".join(said["told"].split()[:4])) is None):
            continue  # 'all figures are from the makers of HBM with GB/s'
        if unit is not None:
            return unit
    return None


def units_told(words: str) -> dict[str, str]:
    """The units, by dimension, in which the words above a table give it: 'Rmax in petaflops, power in kilowatts'."""
    found = (unit_in(f"in {said['unit']}") for said in _IN_UNIT.finditer(words))
    return {unit[1]: unit[0] for unit in found if unit is not None}


def units_listed(words: str) -> dict[str, str]:
    """The units, by dimension, that short parts of the words name: 'compute is dense PFLOP/s; memory GB'."""
    found = (unit_in(said["words"].strip()) for said in _LISTED.finditer(words))
    return {unit[1]: unit[0] for unit in found if unit is not None and unit[1] not in ("time", "money")}


def _counts_in(words: str) -> tuple[str, str] | None:
    """Thousands or millions in which things are counted: 'Shipments (thousand units)', 'Units by vendor, 000s'.

    Transistors too, which are billions where nothing is said: '晶体管（亿）'.
    """
    if phrases("transistors").are_in(words):
        sizes = (("million", "million"), ("hundred_million", "亿"))
        return next(((unit, "count") for size, unit in sizes if phrases(size).are_in(words)), None)
    if not phrases("things_shipped").are_in(words) or phrases("dollars").are_in(words):
        return None
    for size in ("thousand", "million"):
        before = (words[:end].split()[-2:] for end in phrases(size).ends(words))
        if any(not said[0][:1].isdecimal() for said in before):  # '3 million units' are no scale
            return f"{size} count", "count"
    return None


def scale_said(words: str) -> tuple[str, str] | None:
    """The scale of sums that words above a whole table give: '(in thousands, except per share)', 'Capex, US$ bn'.

    Of written-out dollars only what stands behind 'in': 'by fiscal year, in billions of US dollars'.
    """
    for said in _MONEY_SCALE.finditer(words):
        if said["before"] is None or words[: said.start()].endswith("in "):
            return money_in(words[said.start() :])
    return None


def money_in(words: str) -> tuple[str, str] | None:
    """The unit of amounts that words name: USD, or millions of them; None where they name none."""
    scale = _MONEY_SCALE.search(words)
    if scale is not None:
        size = scale["behind"] or scale["before"] or scale["sign"] or scale["alone"]
        return f"{_SCALES[size[0].lower()]} USD", "money"
    return _USD if phrases("dollars").are_in(words) else None


@lru_cache(maxsize=4096)
def unit_of_key(key: str) -> tuple[str, str] | None:
    """The unit in a key's words ('Memory (GB)') or at its end ('hbm_gb', 'link_gb_s', 'tdpWatts'), with its dimension.

    'memory_bandwidth_gbps' is in bytes, as memories are measured; other small letters say bits, as units do.
    """
    found = unit_in(key.strip())
    if found is not None or not key.strip():
        return found
    words = key.split()[-1].replace("-", "_")
    words = _HUMP.sub("_", words) if words[0].islower() else words  # 'memoryGB', but a SuperPoD is one word
    _, is_rate, what = words.casefold().rpartition("_per_")
    rate = unit_in(words.replace("_", " ")) if is_rate and what not in MEASURES else None
    *first, last = words.replace("_per_", "/").split("_")
    if rate is not None or (not first and "/" not in last):
        return rate  # 'usd_per_gpu_hour', 'tokens_per_s_per_gpu'
    is_of_memory = last in _SMALL_BITS and _MEMORY_RATE.match(words) is not None
    spelled_out = f"{last[:-1]}/s" if last.casefold().endswith("bs") else last
    for tail in (f"{last[0].upper()}B/s",) if is_of_memory else ("/".join([*first[-1:], last]), spelled_out):
        for spelled in (tail, tail.lower(), tail.upper()):
            unit = unit_at(spelled, 0)
            if unit is not None and unit.end == len(spelled):
                return unit.symbol, unit.dimension
    return None
