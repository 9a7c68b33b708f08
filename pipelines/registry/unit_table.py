"""The table of unit spellings: `units.yaml` read, checked and spread out to one look-up from spelling to unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from pipelines.frozen import frozen
from pipelines.registry.entries import Entry
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
    """All spellings: `exact` by case, `folded` in lower case; `prefix_words` for 'peta flops'."""

    file: UnitsFile
    exact: Mapping[str, Unit]
    folded: Mapping[str, Unit]
    magnitudes: Mapping[str, str]

    @property
    def prefix_words(self) -> Mapping[str, str]:
        """Prefixes written out, and their letters."""
        return _PREFIX_WORDS


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


@lru_cache(maxsize=1)
def load_unit_table() -> UnitTable:
    """The table that ships with the code, read once."""
    return read_unit_table()
