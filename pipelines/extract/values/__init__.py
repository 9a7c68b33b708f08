"""Every typed value of a text, with its place: quantities, counts, money, ratios, periods, bare numbers. Pure.

    find_values(text, *, published=None, starts=None) -> tuple[Value, ...]

works on a sentence, a block, a whole document or one table cell; the values come in order and do not overlap. A `Value`
says what its own words say and no more: `kind`, `digits`, `readings` (the units it may be in, likeliest first, each
with `low` and `high` in that unit), `bound`, `is_approximate`, `counted` and `thing` (what it counts, by the lexicon),
`per`, `times` ('8 x 80 GB'), `place` in a list ('96/144 GB'), `period`. Of which metric it is, is not decided here:

    value.in_metric(metric, unit="") -> (low, high) in the metric's canonical unit, or None

`unit` is that of a table's head for a number without its own.

The map: `languages` (numerals of other languages) → `numbers` (numerals and words) → `around` (magnitude and unit
behind them through `pipelines.units`, hedges, currencies, links, 'per') and `counted` (nouns, through the lexicon) →
`find` puts them together; `periods` reads time; `value` is the type.
"""

from pipelines.extract.values.find import MOST, find_values
from pipelines.extract.values.periods import Period
from pipelines.extract.values.value import Kind, Reading, Value

__all__ = ["MOST", "Kind", "Period", "Reading", "Value", "find_values"]
