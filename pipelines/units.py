"""Units: one Pint registry and the one way from a printed unit to a metric's canonical unit.

Pure. An unknown unit is an error, never a new string; a unit of another dimension is one too. What a figure is *per*
(GPU, rack, user, megawatt) is a qualifier and falls off here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

import pint

from pipelines.registry.metric_entries import MetricEntry

_DEFINITIONS = """
kilo- = 1e3 = k-
mega- = 1e6 = M-
giga- = 1e9 = G-
tera- = 1e12 = T-
peta- = 1e15 = P-
exa- = 1e18 = E-
zetta- = 1e21 = Z-
nano- = 1e-9 = n-
kibi- = 1024 = Ki-
mebi- = 1048576 = Mi-
gibi- = 1073741824 = Gi-
tebi- = 1099511627776 = Ti-
pebi- = 1125899906842624 = Pi-
second = [time] = s
minute = 60 * second = min
hour = 60 * minute = h
day = 24 * hour
week = 7 * day
year = 365.25 * day
month = year / 12
meter = [length] = m
mile = 1609.344 * meter
foot = 0.3048 * meter
inch = 0.0254 * meter
gram = [mass] = g
tonne = 1000000 * gram = t
pound = 453.59237 * gram = lb
short_ton = 2000 * pound
long_ton = 2240 * pound
watt = [power] = W
kelvin = [temperature] = K
litre = 0.001 * meter ** 3 = L
flop = [computation] = FLOP
bit = [information] = b
byte = 8 * bit = B
token = [text] = tokens
USD = [currency]
count = []
ratio = []
percent = 0.01 * count
thousand = 1e3 * count
million = 1e6 * count
billion = 1e9 * count
trillion = 1e12 * count
"""


class UnknownUnit(ValueError):
    """A printed unit that no rule knows, or one of another dimension than the metric's."""


def _registry() -> pint.UnitRegistry[float]:
    registry: pint.UnitRegistry[float] = pint.UnitRegistry(None)
    for line in _DEFINITIONS.strip().splitlines():
        registry.define(line)
    return registry


ureg = _registry()

_PREFIXES: Mapping[str, str] = {
    **dict.fromkeys("kK", "kilo"),
    **dict(zip("MGTPEZ", ("mega", "giga", "tera", "peta", "exa", "zetta"), strict=True)),
    **{f"{letter}i": word for letter, word in zip("KMGTP", ("kibi", "mebi", "gibi", "tebi", "pebi"), strict=True)},
}
_PREFIX_WORDS = ("kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "kibi", "mebi", "gibi", "tebi", "pebi")
# bases whose case tells them apart, after a prefix letter; FLOP and OP are alike for a metric of arithmetic
_LETTER_BASES: Mapping[str, str] = {"B": "byte", "b": "bit", "W": "watt", "F": "flop/second"}
_WORD_BASES: Mapping[str, str] = {
    **dict.fromkeys(("flops", "flop", "op", "ops", "flop/s", "flops/s", "op/s", "ops/s"), "flop/second"),
    **dict.fromkeys(("byte", "bytes"), "byte"),
    **dict.fromkeys(("bit", "bits"), "bit"),
    **dict.fromkeys(("watt", "watts"), "watt"),
    **dict.fromkeys(("meter", "meters", "metre", "metres"), "meter"),
    **dict.fromkeys(("gram", "grams"), "gram"),
    **dict.fromkeys(("token", "tokens", "tok", "toks"), "token"),
}
_WHOLE: Mapping[str, str] = {
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "minute"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "second"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "hour"),
    **dict.fromkeys(("d", "day", "days"), "day"),
    **dict.fromkeys(("week", "weeks"), "week"),
    **dict.fromkeys(("month", "months"), "month"),
    **dict.fromkeys(("year", "years"), "year"),
    **dict.fromkeys(("km", "kilometer", "kilometers", "kilometre", "kilometres"), "kilometer"),
    **dict.fromkeys(("m",), "meter"),
    **dict.fromkeys(("mi", "mile", "miles"), "mile"),
    **dict.fromkeys(("ft", "foot", "feet"), "foot"),
    **dict.fromkeys(("in", "inch", "inches"), "inch"),
    **dict.fromkeys(("nm", "nanometer", "nanometers", "nanometre", "nanometres"), "nanometer"),
    # a bare ton is read as metric; the qualifier `ton` says that the text left it open
    **dict.fromkeys(("t", "ton", "tons", "tonne", "tonnes", "metric ton", "metric tons"), "tonne"),
    **dict.fromkeys(("short ton", "short tons", "us ton", "us tons"), "short_ton"),
    **dict.fromkeys(("long ton", "long tons"), "long_ton"),
    **dict.fromkeys(("lb", "lbs", "pound", "pounds"), "pound"),
    **dict.fromkeys(("kg", "kgs", "kilogram", "kilograms"), "kilogram"),
    **dict.fromkeys(("usd", "$", "us$", "dollar", "dollars", "us dollars"), "USD"),
    **dict.fromkeys(("%", "percent", "per cent", "pct"), "percent"),
    **dict.fromkeys(("x", "×", "times", "fold", "ratio"), "ratio"),
    **dict.fromkeys(("", "count", "gpus", "gpu", "chips", "chip", "accelerators", "accelerator"), "count"),
    **dict.fromkeys(("tps",), "token/second"),
}  # fmt: skip
_COUNT_NOUNS = frozenset(
    {
        *("cable", "card", "chiplet", "component", "core", "cpu", "device", "die", "failure", "interruption", "link"),
        *("module", "node", "package", "part", "port", "processor", "rack", "server", "superchip", "switch", "system"),
        *("tpu", "transistor", "tray", "unit", "xpu"),
    }
)  # singular
_MAGNITUDES: Mapping[str, str] = {
    **dict.fromkeys(("thousand", "thousands", "k"), "thousand"),
    **dict.fromkeys(("million", "millions", "mn", "mio"), "million"),
    **dict.fromkeys(("billion", "billions", "bn"), "billion"),
    **dict.fromkeys(("trillion", "trillions", "tn"), "trillion"),
}
_LETTER_MAGNITUDES: Mapping[str, str] = {
    "K": "thousand",
    "k": "thousand",
    "M": "million",
    "B": "billion",
    "T": "trillion",
}
_PER_TIME: Mapping[str, str] = {
    **dict.fromkeys(("s", "sec", "second"), "second"),
    **dict.fromkeys(("h", "hr", "hour"), "hour"),
    **dict.fromkeys(("min", "minute"), "minute"),
}
_DIVIDED = re.compile(r"\s*(?:/|\bper\b|\ban?\b)\s*", re.IGNORECASE)
# 'hour', 'GPU-hour', 'chip hour'
_TIME = re.compile(rf"(?:[a-z]+ )?(?P<time>{'|'.join(_PER_TIME)})", re.IGNORECASE)
_PER_POWER = frozenset({"MW", "megawatt"})  # token rates are stated so; the megawatt is a qualifier
_SPEED = re.compile(r"^(?P<head>(?:[KMGTP]i?|k)[Bb](?:it|yte)?)ps$")
_PREFIXED = re.compile(r"^(?P<prefix>[KMGTP]i|[kKMGTPEZ])(?P<base>\S*)$")
_WORDED = re.compile(rf"^(?P<prefix>{'|'.join(_PREFIX_WORDS)})[\s-]?(?P<base>\S+)$", re.IGNORECASE)
_BINARY = re.compile(r"[KMGTP]i(?=B)|(?:kibi|mebi|gibi|tebi|pebi)(?=bytes?)", re.IGNORECASE)
_DECIMAL_OF = {"ki": "k", "mi": "M", "gi": "G", "ti": "T", "pi": "P"} | {
    "kibi": "kilo", "mebi": "mega", "gibi": "giga", "tebi": "tera", "pebi": "peta"
}  # fmt: skip
_BANDWIDTHS = frozenset({"memory_bandwidth", "scale_up_bandwidth"})


def to_canonical(value: float, printed_unit: str, metric: MetricEntry) -> float:
    """A value with its unit as printed, in the metric's canonical unit.

    GiB and TiB of a memory or its bandwidth keep the printed numeral (144 GiB is 144 GB here): makers and documents use
    the two words for one size, and a part must not have two sizes for it; `in_unit` gives the exact conversion. Raises
    `UnknownUnit` for a unit that is not known, is of another dimension, or where the metric is a date or a text.
    """
    if not metric.is_number:
        raise UnknownUnit(f"{metric.id} is a {metric.kind}, it has no unit")
    is_size = metric.id == "memory_capacity" or metric.id in _BANDWIDTHS
    unit = _BINARY.sub(lambda match: _DECIMAL_OF[match.group().casefold()], printed_unit) if is_size else printed_unit
    return in_unit(value, unit, metric.unit)


def in_unit(value: float, printed_unit: str, wanted: str) -> float:
    """A value with its unit as printed, in another unit; raises `UnknownUnit`."""
    factor = _factor(printed_unit, wanted)
    # 1.8 TB is 1800 GB, not 1800.0000000000002
    return float(f"{value * factor:.12g}")


@lru_cache(maxsize=4096)
def _factor(printed_unit: str, wanted: str) -> float:
    source, target = read_unit(printed_unit), read_unit(wanted)
    try:
        return float(ureg.Quantity(1.0, source).to(target).magnitude)
    except pint.DimensionalityError as error:
        raise UnknownUnit(f"{printed_unit!r} is no unit of {wanted!r}") from error


@lru_cache(maxsize=4096)
def read_unit(printed: str) -> pint.Unit:
    """The Pint unit that a printed unit means; raises `UnknownUnit`.

    Case counts where it tells bits from bytes and milli from mega; everywhere else it does not.
    """
    text = " ".join(unicodedata.normalize("NFKC", printed).replace("-", " ").replace("⋅", " ").split())
    found = _known(text)
    if found is None:
        raise UnknownUnit(f"unit {printed!r} is not known")
    return ureg.Unit(found)


def _known(text: str) -> str | None:
    whole = _one(text)
    if whole is not None:
        return whole
    for size in (1, 2):  # 'million USD', 'USD billion', 'k tokens/s'
        words = text.split(" ")
        for magnitude, rest in ((words[:size], words[size:]), (words[-size:], words[:-size])):
            scale = _magnitude(" ".join(magnitude), " ".join(rest))
            unit = _known(" ".join(rest)) if scale is not None and rest else None
            if unit is not None:
                return f"{scale} * ({unit})"
    head, *divisors = _DIVIDED.split(text)
    if not divisors:
        return None
    base = _one(head)
    times = [_PER_TIME[found["time"].casefold()] for word in divisors if (found := _TIME.fullmatch(word)) is not None]
    others = [word for word in divisors if _TIME.fullmatch(word) is None and word not in _PER_POWER]
    if base is None or len(times) > 1 or any(_is_measure(word) for word in others):
        return None
    return f"({base}) / {times[0]}" if times and "second" not in base else base


def _is_measure(word: str) -> bool:
    """Whether a divisor changes the dimension ('W' in GFLOPS/W) instead of naming what is counted ('GPU')."""
    unit = _one(word)
    return unit is not None and unit != "count"


def _magnitude(word: str, rest: str) -> str | None:
    named = _MAGNITUDES.get(word.casefold())
    if named is not None and not (word.casefold() == "k" and not rest):
        return named
    return _LETTER_MAGNITUDES.get(word) if rest.casefold() in ("usd", "$", "us$") else None


def _one(text: str) -> str | None:
    """A unit without a divisor, as Pint spells it."""
    folded = text.casefold()
    if folded in _MAGNITUDES:
        return _MAGNITUDES[folded]
    if text in ("$K", "$M", "$B", "$T", "K$", "M$", "B$"):
        return f"{_LETTER_MAGNITUDES[text.strip('$')]} * USD"
    if folded in _WHOLE:
        return _WHOLE[folded]
    if folded in _COUNT_NOUNS or folded.removesuffix("s") in _COUNT_NOUNS or folded.removesuffix("es") in _COUNT_NOUNS:
        return "count"
    if folded in _WORD_BASES:
        return _WORD_BASES[folded]
    if text in ("B", "b", "W"):
        return _LETTER_BASES[text]
    return _prefixed(text)


def _prefixed(text: str) -> str | None:
    speed = _SPEED.match(text)
    if speed is not None:
        head = _prefixed(speed["head"])
        return None if head is None else f"({head}) / second"
    worded = _WORDED.match(text)
    if worded is not None:
        base = _WORD_BASES.get(worded["base"].casefold()) or ("bit/second" if worded["base"] == "bps" else None)
        return None if base is None else f"{worded['prefix'].casefold()}{base}"
    match = _PREFIXED.match(text)
    if match is None:
        return None
    base = _LETTER_BASES.get(match["base"]) or _WORD_BASES.get(match["base"].casefold())
    return None if base is None else f"{_PREFIXES[match['prefix']]}{base}"
