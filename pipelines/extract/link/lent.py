"""Numbers without a unit in running text, and who lends them one: the key before them, or a value beside them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.extract.link.figures import Figure
from pipelines.extract.link.units_said import unit_of_key

# what may lend its unit to another number, and how near and how alike they are
_LENDABLE = frozenset({"compute", "data", "data_rate", "power", "money", "money_rate", "token_rate", "mass", "time"})
_NEAR, _ALIKE, _FEW = 160, 50, 6
_LEAST_COUNT = 20  # of things that only another number's noun names
_SCALE_WORDS = {1: "", 1_000: "thousand ", 1_000_000: "million ", 1_000_000_000: "billion "}
_KEY = re.compile(r"(?P<key>[^\n,;:={}\"'`|]{1,40})[\"'`*]{0,3}\s?(?:[:：=]|=>)\s{0,24}[\"'`*~≈\[]{0,3}$")
_KEY_LOOK = 72  # characters before a number that are looked at for its key


def with_lent_units(text: str, figures: Sequence[Figure], earlier: Sequence[Figure] = ()) -> list[Figure]:
    """The figures of a block, each open number in the unit of its key or of the nearest value of its size.

    'hbm_gb: 80', 'Memory (GB): 80', 'A draws 700 W and B 1,000', '65,536 GPUs, with A100 to 32,768'. Whether a number
    that stands before a word is of that unit the linker weighs. `earlier` are those of the item of the list above.
    """
    whole, first = (*earlier[-1:], *figures), len(earlier[-1:])
    return [_lent(text, whole, at) if _is_open(whole[at]) else whole[at] for at in range(first, len(whole))]


def _lent(text: str, figures: Sequence[Figure], at: int) -> Figure:
    """An open number as its key or a value beside it says it; what a key without a unit names is as in a table."""
    figure = figures[at]
    key = _KEY.search(text, max(0, figure.at.start - _KEY_LOOK), figure.at.start)
    unit = unit_of_key(key["key"]) if key is not None else None
    if unit is not None and (unit[1] != "time" or figure.dimension != "year"):
        return figure.as_number()._replace(lent=unit[0], dimension=unit[1], lender="key")
    if figure.dimension == "year":
        return figure
    lent = _in_unit_of(_lender(figures, at, frozenset() if _is_of_them(figure) else _LENDABLE), figure)
    return figure._replace(lender="key") if lent is figure and key is not None else lent


def _is_open(figure: Figure) -> bool:
    """Whether a number has no unit of its own and counts nothing that is named with it."""
    if _is_of_them(figure):
        return True
    is_bare = figure.dimension in ("bare", "year") or (figure.dimension == "count" and not figure.value.thing)
    is_plain = not (figure.value.is_word or figure.value.readings or figure.value.places or figure.value.times)
    return is_bare and is_plain


def _is_of_them(figure: Figure) -> bool:
    """'419 of them' are so many things, whatever was counted before."""
    return figure.value.thing == "product" and figure.value.counted.startswith("of ")


def _lender(figures: Sequence[Figure], at: int, lendable: frozenset[str]) -> Figure | None:
    """The nearest figure with a unit or a noun, of those before it first, which is not many times larger or smaller."""
    own = figures[at]
    for other in (*reversed(figures[max(0, at - _FEW) : at]), *figures[at + 1 : at + 1 + _FEW]):
        far = max(own.at.start - other.at.end, other.at.start - own.at.end)
        is_count = other.value.thing != "" and own.number >= _LEAST_COUNT
        is_lender = is_count or (other.value.readings and other.dimension in lendable)
        if far <= _NEAR and is_lender and own.number < _ALIKE * other.number and other.number < _ALIKE * own.number:
            return other
    return None


def _in_unit_of(lender: Figure | None, figure: Figure) -> Figure:
    if lender is None:
        return figure
    if lender.value.thing:
        value = figure.value._replace(thing=lender.value.thing)
        return figure._replace(value=value, dimension="count", lender="sentence")
    reading = lender.value.readings[0]
    scale = _SCALE_WORDS.get(round(reading.low / lender.value.low) if lender.value.low else 1)
    if scale is None:
        return figure
    value = figure.value._replace(per=lender.value.per)
    return figure._replace(value=value, lent=f"{scale}{reading.unit}", dimension=reading.dimension, lender="sentence")
