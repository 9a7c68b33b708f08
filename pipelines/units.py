"""The one speller of units: a printed unit → Pint unit, in a label, a table head or behind a number in prose.

Spellings stand in `registry/units.yaml`, spread out here to one look-up from spelling to unit. An unknown unit is an
error (`read_unit`, `in_unit`, `to_canonical`) or None (`unit_at`), never a new string; a unit of another dimension is
an error too. What a figure is *per* (GPU, rack, user, megawatt) is a qualifier: it falls off here, and `unit_at` gives
it beside the unit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pint
from pydantic import Field

from pipelines.frozen import frozen
from pipelines.registry.entries import Entry
from pipelines.registry.metric_entries import MetricEntry, load_lexicon
from pipelines.registry.read_yaml import HERE, RegistryError, read_model

_PREFIX_WORDS: Mapping[str, str] = {
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z",
    "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi",
}  # fmt: skip
_LETTER_WORDS: Mapping[str, str] = {letter: word for word, letter in _PREFIX_WORDS.items()} | {"K": "kilo"}


class UnitRow(Entry):
    """One unit of `units.yaml`: what it is for Pint and how it is spelled."""

    symbol: str
    definition: str = Field(alias="is")
    dimension: str = ""
    letters: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    prefixes: str = ""
    binary: bool = False
    prefixed: bool = False
    loose: tuple[str, ...] = ()
    in_prose: bool = True
    per: str = ""


class UnitsFile(Entry):
    """The whole of `units.yaml`."""

    definitions: tuple[str, ...]
    dimensions: Mapping[str, str]
    magnitudes: Mapping[str, tuple[str, ...]]
    units: tuple[UnitRow, ...]
    bare_letters: Mapping[str, tuple[str, ...]]


@frozen
class Unit:
    """A unit under one spelling: `symbol` is how it is written here, `definition` how Pint reads it.

    `dimension` is set where Pint cannot tell it (ratio, percent, count); `per` is what the spelling itself says that a
    figure is per ('TGS': tokens a second and accelerator).
    """

    symbol: str
    definition: str
    dimension: str = ""
    per: str = ""
    in_prose: bool = True


@frozen
class UnitTable:
    """All spellings: `exact` by case, `folded` in lower case."""

    file: UnitsFile
    exact: Mapping[str, Unit]
    folded: Mapping[str, Unit]
    magnitudes: Mapping[str, str]


def _spellings(row: UnitRow) -> Iterator[tuple[str, bool, Unit]]:
    """Each spelling of a row, whether its case counts, and its unit."""
    letters = [*row.prefixes, *(("Ki", "Mi", "Gi", "Ti", "Pi") if row.binary else ())]
    exact = {} if row.prefixed else {spelling: _unit(row, "") for spelling in row.letters}
    exact |= {f"{prefix}{spelling}": _unit(row, prefix) for spelling in row.letters for prefix in letters}
    yield from ((spelling, True, unit) for spelling, unit in exact.items())
    for word in row.words:
        yield word, False, _unit(row, "")
        yield from ((f"{name}{word}", False, _unit(row, prefix)) for name, prefix in _PREFIX_WORDS.items())
    in_any_case = {spelling.casefold(): unit for spelling, unit in exact.items()}
    for spelling in row.loose:  # 'gb' is what 'GB' is
        yield spelling.casefold(), False, in_any_case.get(spelling.casefold()) or _unit(row, "")


def _unit(row: UnitRow, prefix: str) -> Unit:
    letter = "k" if prefix == "K" else prefix
    scale = _LETTER_WORDS.get(prefix, "")
    return Unit(f"{letter}{row.symbol}", f"{scale}{row.definition}", row.dimension, row.per, row.in_prose)


def read_unit_table(folder: Path = HERE) -> UnitTable:
    """Read `units.yaml` of a folder; raises `RegistryError` for a mistake or a spelling of two units."""
    file = read_model(folder / "units.yaml", UnitsFile)
    exact: dict[str, Unit] = {}
    folded: dict[str, Unit] = {}
    for row in file.units:
        for spelling, is_exact, unit in _spellings(row):
            table = exact if is_exact else folded
            if table.setdefault(spelling, unit).definition != unit.definition:
                raise RegistryError(f"units.yaml: {row.symbol}: {spelling!r} is also {table[spelling].symbol!r}")
    words = {word: name for name, spellings in file.magnitudes.items() for word in spellings}
    return UnitTable(file, exact, folded, words)


TABLE = read_unit_table()


class UnknownUnit(ValueError):
    """A printed unit that no rule knows, or one of another dimension than the metric's."""


def _registry() -> pint.UnitRegistry[float]:
    registry: pint.UnitRegistry[float] = pint.UnitRegistry(None)
    for line in TABLE.file.definitions:
        registry.define(line)
    return registry


ureg = _registry()
_DIMENSIONS: Mapping[object, str] = {
    ureg.Unit(unit).dimensionality: name for name, unit in TABLE.file.dimensions.items()
}
_LETTER_MAGNITUDES = {"K": "thousand", "k": "thousand", "M": "million", "B": "billion", "T": "trillion"}
# the factor of each word that multiplies a number
MAGNITUDES: Mapping[str, float] = {
    word: float(ureg.Quantity(1.0, name).to("count").magnitude)
    for word, name in {**TABLE.magnitudes, **_LETTER_MAGNITUDES}.items()
}
_PER_TIME: Mapping[str, str] = {
    **dict.fromkeys(("s", "sec", "second", "秒"), "second"),
    **dict.fromkeys(("h", "hr", "hour", "小时"), "hour"),
    **dict.fromkeys(("min", "minute", "分钟"), "minute"),
    **dict.fromkeys(("day", "天"), "day"),
    **dict.fromkeys(("week",), "week"),
    **dict.fromkeys(("month", "mo"), "month"),
    **dict.fromkeys(("year", "yr"), "year"),
}
_SHORT = {"second": "s", "hour": "h", "minute": "min"}
_DIVIDED = re.compile(r"\s*(?:/|\bper\b|\ban?\b)\s*", re.IGNORECASE)
# 'hour', 'GPU-hour', 'chip hour'
_TIME = re.compile(rf"(?:[a-z]+ )?(?P<time>{'|'.join(_PER_TIME)})", re.IGNORECASE)
_PER_POWER = frozenset({"MW", "megawatt"})  # token rates are stated so; the megawatt is a qualifier
_BINARY = re.compile(r"[KMGTP]i(?=B)|(?:kibi|mebi|gibi|tebi|pebi)(?=bytes?)", re.IGNORECASE)
_DECIMAL_OF = {"ki": "k", "mi": "M", "gi": "G", "ti": "T", "pi": "P"} | {
    "kibi": "kilo", "mebi": "mega", "gibi": "giga", "tebi": "tera", "pebi": "peta"
}  # fmt: skip
_SIZES = frozenset({"memory_capacity", "memory_bandwidth", "scale_up_bandwidth"})


def in_small_letters(words: str) -> str:
    """Words in small letters, as patterns that ignore case take them: to these the Turkish İ and ı are an i."""
    return words.casefold().replace("i\u0307", "i").replace("\u0131", "i")


def to_canonical(value: float, printed_unit: str, metric: MetricEntry) -> float:
    """A value with its unit as printed, in the metric's canonical unit.

    GiB and TiB of a memory or its bandwidth keep the printed numeral (144 GiB is 144 GB here): makers and documents use
    the two words for one size, and a part must not have two sizes for it; `in_unit` gives the exact conversion. Raises
    `UnknownUnit` for a unit that is not known, is of another dimension, or where the metric is a date or a text.
    """
    if not metric.is_number:
        raise UnknownUnit(f"{metric.id} is a {metric.kind}, it has no unit")
    is_size = metric.id in _SIZES
    unit = _BINARY.sub(_decimal, printed_unit) if is_size else printed_unit
    return in_unit(value, unit, metric.unit)


def _decimal(prefix: re.Match[str]) -> str:
    return _DECIMAL_OF[in_small_letters(prefix.group())]


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
    found = _known(text) or _known(printed)  # 'm²' is spelled so
    if found is None:
        raise UnknownUnit(f"unit {printed!r} is not known")
    return ureg.Unit(found)


@lru_cache(maxsize=4096)
def dimension_of(printed: str) -> str:
    """The name of a printed unit's dimension in `units.yaml`, Pint's own words where it has none there.

    'count', 'ratio' and 'percent' are told apart by the word. Raises `UnknownUnit`.
    """
    unit = _lookup(printed)
    if unit is not None and unit.dimension:
        return unit.dimension
    known = read_unit(printed)
    return "count" if known.dimensionless else _DIMENSIONS.get(known.dimensionality, str(known.dimensionality))


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
    found = [_TIME.fullmatch(word) for word in divisors]
    times = [_PER_TIME[in_small_letters(time["time"])] for time in found if time is not None]
    others = [word for word, time in zip(divisors, found, strict=True) if time is None and word not in _PER_POWER]
    if base is None or len(times) > 1 or any(_is_measure(word) for word in others):
        return None
    return f"({base}) / {times[0]}" if times and "second" not in base else base


def _is_measure(word: str) -> bool:
    """Whether a divisor changes the dimension ('W' in GFLOPS/W) instead of naming what is counted ('GPU')."""
    unit = _one(word)
    return unit is not None and unit != "count"


def _magnitude(word: str, rest: str) -> str | None:
    named = TABLE.magnitudes.get(word.casefold())
    if named is None and word.casefold() == "k" and rest:
        named = "thousand"
    return named or (_LETTER_MAGNITUDES.get(word) if rest.casefold() in ("usd", "$", "us$") else None)


def _one(text: str) -> str | None:
    """A unit without a divisor, as Pint spells it."""
    folded = text.casefold()
    if folded in TABLE.magnitudes:
        return TABLE.magnitudes[folded]
    if text in ("$K", "$M", "$B", "$T", "K$", "M$", "B$"):
        return f"{_LETTER_MAGNITUDES[text.strip('$')]} * USD"
    unit = _lookup(text)
    if unit is not None:
        return unit.definition
    return "count" if not text or load_lexicon().thing(text) is not None else None


def _lookup(text: str) -> Unit | None:
    """The unit under one spelling, or under one with 'ps' for 'per second' ('Gbps')."""
    unit = TABLE.exact.get(text) or TABLE.folded.get(text.casefold())
    if unit is None and text[-2:] in ("ps", "PS") and len(text) > 2:
        head = TABLE.exact.get(text[:-2]) or (TABLE.exact.get("b") if text == "bps" else None)
        if head is None:
            head = TABLE.folded.get(text[:-2].casefold()) if not text[:-2].islower() else _bits(text[:-2])
        if head is not None and head.symbol[-1] in "bB":
            return _over(head, "second")
    return unit


def _bits(text: str) -> Unit | None:
    """'gb' of 'gbps', in small letters, is of bits."""
    return TABLE.exact.get(text[0].upper() + text[1:]) if text[1:] == "b" else TABLE.folded.get(text)


@lru_cache(maxsize=512)
def _over(unit: Unit, time: str) -> Unit:
    """A unit divided by a time; a rate that is one already stays."""
    if "second" in unit.definition:
        return unit
    return Unit(f"{unit.symbol}/{_SHORT.get(time, time)}", f"({unit.definition}) / {time}", "", unit.per)


class SpelledUnit(NamedTuple):
    """A unit that stands in a text: its symbol and dimension, where it ends, and what its own letters say it is per."""

    symbol: str
    dimension: str
    end: int
    per: tuple[str, ...] = ()


_WORD = re.compile(
    r"[ \u00a0\u202f\u2009]?[-‑]?(?P<word>[A-Za-zµμ°$][A-Za-z²]*(?:\d(?=\b)|\(A\))?|[%％¢×]|"
    r"[\u3040-\u9fff\uac00-\ud7af]{1,6})"
)
_NEXT = re.compile(r"[ \u00a0-](?P<word>[A-Za-z]{1,10})(?![A-Za-z0-9])")
_OVER_TIME = re.compile(
    r"(?:\s?/\s?|\s(?:per|an?)\s|-per-|⋅|·)(?:GPU|chip|accelerator|TPU|card|instance|node)?[- ]?(?P<time>"
    + "|".join(sorted((re.escape(word) for word in _PER_TIME), key=len, reverse=True))
    + r")(?![A-Za-z])",
    re.IGNORECASE,
)
# 'trillion floating-point operations per second': the unit in words
_OPERATIONS = re.compile(
    r"[ \u00a0-]?(?:(?P<prefix>giga|tera|peta|exa|zetta)[ -]?)?(?:(?:floating[ -]point|integer|math(?:ematical)?)\s)?"
    r"(?:operations|calculations|computations)\s?(?:/\s?|(?:per|an?|each|every)\s)(?:s|sec|second)(?![A-Za-z])",
    re.IGNORECASE,
)
_LONGEST_WORD, _A_SECOND = 16, "/s"


def unit_at(text: str, at: int) -> SpelledUnit | None:
    """The unit that stands at a position, after at most a space and a hyphen; None where none stands."""
    found = _WORD.match(text, at)
    if found is None or found.end("word") - found.start("word") > _LONGEST_WORD:
        return None
    unit, end = _in_prose(text, found)
    if unit is None:
        said = _OPERATIONS.match(text, at)
        letter = _PREFIX_WORDS[said["prefix"].casefold()] if said is not None and said["prefix"] else ""
        return SpelledUnit(f"{letter}FLOP/s", "compute", said.end()) if said is not None else None
    over = _OVER_TIME.match(text, end)
    if over is not None and unit.symbol == "t" and _PER_TIME[in_small_letters(over["time"])] == "second":
        return SpelledUnit("tokens/s", "token_rate", over.end())  # nothing here is weighed by the second
    if over is not None and (unit.dimension == "" or unit.symbol == "tokens"):
        unit, end = _over(unit, _PER_TIME[in_small_letters(over["time"])]), over.end()
    return SpelledUnit(unit.symbol, _dimension(unit), end, (unit.per,) if unit.per else ())


def _in_prose(text: str, found: re.Match[str]) -> tuple[Unit | None, int]:
    """The unit of a word, or of it and the next ('peta flops', 'metric tons')."""
    word, end = found["word"], found.end()
    if word[0] >= "\u3040":  # words of such scripts run on into the next
        sizes = range(len(word), 0, -1)
        size = next((n for n in sizes if word[:n] in TABLE.folded), 0)
        return (TABLE.folded[word[:size]], found.start("word") + size) if size else (None, end)
    following = _NEXT.match(text, end) if word[0].isalpha() else None
    if following is not None:
        folded, second = word.casefold(), following["word"].casefold()
        joined = folded + second if folded in _PREFIX_WORDS else f"{folded} {second}"
        unit = TABLE.folded.get(joined)
        if unit is not None:
            return unit, following.end()
    is_cut = end < len(text) and text[end].isalnum() and not (word in "xX×" and text[end].isdigit())
    is_letter = word in TABLE.file.bare_letters and not text.startswith(_A_SECOND, end)  # 'B/s' are bytes
    if (is_cut and text[end] < "\u2e80") or is_letter:
        return None, end
    unit = _lookup(word)
    return (unit if unit is not None and unit.in_prose else None), end


@lru_cache(maxsize=2048)
def _dimension(unit: Unit) -> str:
    if unit.dimension:
        return unit.dimension
    known = ureg.Unit(unit.definition)
    return "count" if known.dimensionless else _DIMENSIONS.get(known.dimensionality, str(known.dimensionality))
