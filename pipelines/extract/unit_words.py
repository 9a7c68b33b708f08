"""The words and letters that units are written with, and the words that numbers count. Tables and look-ups only.

A unit is given as `pipelines.units` reads it, with its dimension; what a figure is per falls off here and is read by
`quantities`. Case counts where it tells bits from bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class UnitWord:
    """A unit as `pipelines.units` spells it, and its dimension."""

    unit: str
    dimension: str


_LETTERS = {"k": "k", "K": "k", "M": "M", "G": "G", "T": "T", "P": "P", "E": "E", "Z": "Z"}
_WORDS = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z"}
_BINARY = {"kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi"}
_SECOND = ("/s", "/sec", "/second", " per second", "ps", "/S", " / s")
_FLOP_LETTERS = ("FLOPS", "FLOP/s", "FLOPs", "FLOP", "FLOPS/s", "Flop/s", "Flops", "flops", "flop/s", "Flops/s", "F")
_OP_LETTERS = ("OPS", "OP/s", "OPs", "ops", "Ops", "OP")


def _exact() -> Mapping[str, UnitWord]:
    """Spellings whose case counts."""
    table: dict[str, UnitWord] = {}
    for letter, prefix in _LETTERS.items():
        for i in ("", "i"):
            table[f"{letter}{i}B"] = UnitWord(f"{prefix}{i}B", "bytes")
            for per in _SECOND:
                table[f"{letter}{i}B{per}"] = UnitWord(f"{prefix}{i}B/s", "byte_rate")
                table[f"{letter}{i}b{per}"] = UnitWord(f"{prefix}{i}b/s", "bit_rate")
        for bit, per in product(("bit", "bits", "Bit", "Bits"), _SECOND):
            table[f"{letter}{bit}{per}"] = UnitWord(f"{prefix}b/s", "bit_rate")
        for byte, per in product(("Byte", "Bytes", "byte", "bytes"), _SECOND):
            table[f"{letter}{byte}{per}"] = UnitWord(f"{prefix}B/s", "byte_rate")
        for flop in _FLOP_LETTERS:
            table[f"{letter}{flop}"] = UnitWord(f"{prefix}FLOP/s", "flops")
        for flop in _OP_LETTERS:
            table[f"{letter}{flop}"] = UnitWord(f"{prefix}OP/s", "flops")
        for flop in ("f/s", "F/s", "Fs"):
            if letter not in "kKM":
                table[f"{letter}{flop}"] = UnitWord(f"{prefix}FLOP/s", "flops")
    for watt in ("kW", "KW", "MW", "GW", "TW", "W"):
        table[watt] = UnitWord(watt.replace("K", "k"), "power")
    table |= {f"{watt}e": UnitWord(watt, "power") for watt in ("MW", "GW")}
    table |= {"GbE": UnitWord("Gb/s", "bit_rate"), "TbE": UnitWord("Tb/s", "bit_rate")}
    table |= {"Gig": UnitWord("Gb/s", "bit_rate"), "Gbe": UnitWord("Gb/s", "bit_rate")}
    # bare 'F' reads as a thousand FLOP/s nowhere; only tera and up
    for nonsense in ("kF", "KF", "MF", "kOP", "KOP", "kOPs", "GOP", "TOP", "EOP", "POP", "MOP"):
        table.pop(nonsense, None)
    # letters that the network trade uses alone: '800G', '1.6T'
    table |= {"G": UnitWord("Gb/s", "bare_rate"), "T": UnitWord("Tb/s", "bare_rate")}
    table |= {"m": UnitWord("m", "length"), "t": UnitWord("t", "mass"), "s": UnitWord("s", "time")}
    return table | {"h": UnitWord("h", "time"), "V": UnitWord("V", "voltage"), "A": UnitWord("A", "current")}


def _folded() -> Mapping[str, UnitWord]:
    """Spellings in lower case, for text in any case."""
    table: dict[str, UnitWord] = {}
    for word, prefix in (_WORDS | _BINARY).items():
        for byte in ("byte", "bytes"):
            table[word + byte] = UnitWord(f"{prefix}B", "bytes")
            for per in ("/s", "/sec", "/second", " per second", " a second"):
                table[f"{word}{byte}{per}"] = UnitWord(f"{prefix}B/s", "byte_rate")
        for bit, per in product(("bit", "bits"), ("/s", "/sec", "/second", " per second", " a second")):
            table[f"{word}{bit}{per}"] = UnitWord(f"{prefix}b/s", "bit_rate")
        for flop in ("flops", "flop", "flop/s", "flops/s", "flops per second"):
            table[word + flop] = UnitWord(f"{prefix}FLOP/s", "flops")
        for op in ("ops", "op/s", "ops/s", "ops per second"):
            table[word + op] = UnitWord(f"{prefix}OP/s", "flops")
        for watt in ("watt", "watts"):
            table[word + watt] = UnitWord(f"{prefix}W", "power")
        table[f"{word}hertz"] = UnitWord("Hz", "frequency")
    return {**table, **_folded_rates(), **_folded_measures()}


def _folded_rates() -> Mapping[str, UnitWord]:
    table: dict[str, UnitWord] = {}
    for at, letter in (("t", "T"), ("p", "P"), ("e", "E"), ("g", "G"), ("z", "Z")):
        table |= dict.fromkeys((f"{at}flops", f"{at}flop/s", f"{at}flop"), UnitWord(f"{letter}FLOP/s", "flops"))
        table |= dict.fromkeys((f"{at}ops",), UnitWord(f"{letter}OP/s", "flops"))
    table |= dict.fromkeys(("watt", "watts"), UnitWord("W", "power"))
    table |= {"gb": UnitWord("GB", "bytes"), "tb": UnitWord("TB", "bytes"), "mb": UnitWord("MB", "bytes")}
    for token in ("tokens", "token", "tok", "toks"):
        for per in ("/s", "/sec", "/second", " per second", " a second", " / second"):
            table[token + per] = UnitWord("tokens/s", "token_rate")
    table |= dict.fromkeys(("tps",), UnitWord("tokens/s", "token_rate"))
    return table


def _folded_measures() -> Mapping[str, UnitWord]:
    table: dict[str, UnitWord] = {}
    table |= dict.fromkeys(("nm", "nanometer", "nanometers", "nanometre", "nanometres"), UnitWord("nm", "nm"))
    table |= dict.fromkeys(("mile", "miles"), UnitWord("mile", "length"))
    table |= dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres"), UnitWord("km", "length"))
    table |= dict.fromkeys(("meter", "meters", "metre", "metres"), UnitWord("m", "length"))
    table |= dict.fromkeys(("foot", "feet", "ft"), UnitWord("ft", "length"))
    table |= dict.fromkeys(("mm", "cm", "inch", "inches", "mm2", "mm²"), UnitWord("mm", "size"))
    table |= dict.fromkeys(("ton", "tons"), UnitWord("ton", "mass"))
    table |= dict.fromkeys(("tonne", "tonnes"), UnitWord("tonne", "mass"))
    table |= dict.fromkeys(("kg", "kgs", "kilogram", "kilograms"), UnitWord("kg", "mass"))
    table |= dict.fromkeys(("lb", "lbs", "pound", "pounds"), UnitWord("lb", "mass"))
    table |= dict.fromkeys(("minute", "minutes", "min", "mins"), UnitWord("min", "time"))
    table |= dict.fromkeys(("hour", "hours", "hr", "hrs"), UnitWord("h", "time"))
    table |= dict.fromkeys(("second", "seconds", "sec"), UnitWord("s", "time"))
    for word in ("day", "week", "month", "year"):
        table |= dict.fromkeys((word, f"{word}s"), UnitWord(word, "time"))
    table |= dict.fromkeys(("ms", "millisecond", "milliseconds", "ns", "us", "µs"), UnitWord("ms", "short_time"))
    table |= dict.fromkeys(("mhz", "ghz", "hz"), UnitWord("Hz", "frequency"))
    table |= dict.fromkeys(("kwh", "mwh", "gwh", "twh", "wh"), UnitWord("Wh", "energy"))
    table |= dict.fromkeys(("°c", "°f", "celsius"), UnitWord("°C", "temperature"))
    table |= dict.fromkeys(("%", "percent", "pct"), UnitWord("%", "percent"))
    table |= dict.fromkeys(("x", "×", "times", "fold"), UnitWord("ratio", "ratio"))
    table |= dict.fromkeys(("dollars", "dollar", "usd"), UnitWord("USD", "money"))
    return table | dict.fromkeys(("euros", "euro", "eur", "yuan", "yen", "gbp"), UnitWord("other", "other_money"))


_EXACT, _FOLDED = _exact(), _folded()
_TONS = re.compile(r"[ \u00a0-]?(metric|short|long|US)[ \u00a0]tons?(?:nes?)?\b", re.IGNORECASE)
_SPAN = re.compile(
    r"[ \u00a0\u202f]?[-‑]?(?P<first>%|[×µ°]?[A-Za-z]{1,14}²?|×)(?P<second> ?/ ?[A-Za-z]{1,7}| (?:per|a) second\b)?"
)


def unit_at(text: str, at: int) -> tuple[UnitWord, int] | None:
    """The unit at a position, after at most a space or a hyphen, and where it ends; None where none stands."""
    tons = _TONS.match(text, at)
    if tons is not None:
        return UnitWord(f"{tons[1].casefold()} ton".replace("us ", "short "), "mass"), tons.end()
    found = _SPAN.match(text, at)
    if found is None:
        return None
    first, second = found["first"], found["second"]
    if second is not None:
        whole = first + (second.replace(" ", "") if "/" in second else second)
        unit = _EXACT.get(whole) or _FOLDED.get(whole.casefold())
        if unit is not None:
            return unit, found.end()
    end = found.end("first")
    if end < len(text) and (text[end].isalnum() and first != "%"):
        return None
    unit = _EXACT.get(first)
    if unit is None and not (len(first) <= 2 and first.isupper() and first not in ("X", "GB", "TB", "MB", "NM", "KG")):
        unit = _FOLDED.get(first.casefold())
    return (unit, end) if unit is not None else None


# What numbers count, in the singular, and the word that stands for it.
NOUNS: Mapping[str, str] = {
    **dict.fromkeys(
        ("gpu", "accelerator", "tpu", "xpu", "npu", "asic", "gcd", "rdu", "lpu", "ipu", "hpu"), "accelerator"
    ),
    **dict.fromkeys(("chip", "device", "package", "module", "superchip", "apu"), "chip"),
    **dict.fromkeys(("die", "chiplet"), "die"),
    **dict.fromkeys(("cpu", "processor"), "cpu"),
    **dict.fromkeys(("socket",), "socket"),
    **dict.fromkeys(("core", "thread"), "core"),
    **dict.fromkeys(("port",), "port"),
    **dict.fromkeys(("rack", "cabinet"), "rack"),
    **dict.fromkeys(("node", "server", "machine", "system"), "node"),
    **dict.fromkeys(("tray", "switch", "nic", "dpu", "fan", "blade", "shelf", "chassis", "hca", "supernic"), "part"),
    **dict.fromkeys(("part", "component"), "component"),
    **dict.fromkeys(("cable", "fiber", "fibre"), "cable"),
    **dict.fromkeys(("transistor",), "transistor"),
    **dict.fromkeys(("failure", "interruption", "fault"), "failure"),
    **dict.fromkeys(("stack",), "stack"),
    **dict.fromkeys(("unit",), "unit"),
    **dict.fromkeys(("parameter", "token", "user", "customer", "people", "employee", "share", "attendee"), "other"),
}
_PLURALS = {"switches": "switch", "shelves": "shelf", "chassis": "chassis", "people": "people", "dice": "die"}


def noun_of(word: str) -> str:
    """What a counted word is, one of the values of NOUNS; '' for any other word."""
    folded = word.casefold()
    singular = _PLURALS.get(folded, folded)
    return NOUNS.get(singular) or (NOUNS.get(singular[:-1], "") if singular.endswith("s") else "")
