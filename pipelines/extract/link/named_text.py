"""A text with the names in it: the figures of its stretches, with what the names say of them. Pure."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from pipelines.extract.link.figures import Figure, figures_in
from pipelines.extract.names.mention import THINGS, Mention
from pipelines.extract.values.languages import as_in_english, without_notes
from pipelines.extract.values.value import Kind, Reading
from pipelines.registry import load_registry
from pipelines.registry.phrases import phrases

_READ_ON = 40  # characters behind a figure that may say what it counts or is per
# of the lexicon, by the kind of a name
_THING_OF = {"accelerator": "accelerator", "generation": "accelerator", "system": "system", "cpu": "cpu"}
_THING_OF_NETWORK = {"nic": "nic", "dpu": "nic", "switch": "switch"}  # by the registry's kinds
_COUNTABLE = frozenset({"accelerator", "generation", "product", "system", "cpu"})
_SPACES = (" ", "\u00a0")
_NEAR = 4  # characters between a number and the name that it counts
_BETWEEN_PARTS, _BEFORE_PARTS = " \u00a0*`_", frozenset(("", *"\n\t-•,;:(|+"))
_TIMES = ("×", "x")
_UNITLESS = frozenset({"bare", "count", "letter", "year", "ratio"})


class NamedText:
    """A text, its names in order, and the day of which its times speak."""

    def __init__(self, text: str, names: Sequence[Mention], published: dt.date | None) -> None:
        self.text, self.names, self._published = text, names, published
        self.numerals = as_in_english(without_notes(text))  # the same, place by place, to read numbers from
        self._starts = [name.start for name in names]

    def names_in(self, start: int, end: int) -> Sequence[Mention]:
        """The names that begin inside a span."""
        return self.names[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def figures(self, start: int, end: int, starts: Iterable[int] = (0,)) -> list[Figure]:
        """The figures of a stretch of the text, as `figures_in` says, with what the names in it say of them."""
        found = figures_in(self.numerals, start, end, self._published, starts)
        return [self._beside_names(figure) for each in found for figure in self._apart(each)]

    def _apart(self, figure: Figure) -> Iterator[Figure]:
        """A range whose lower end is a name's is none: 'Maia 100 – 105B transistors' are 105 billion."""
        at = bisect_right(self._starts, figure.digits.start) - 1 if figure.end else -1
        name = self.names[at] if at >= 0 else None
        if name is None or not figure.digits.start < name.end < figure.digits.end:
            yield figure
        elif figure.end == "high":
            stop = figure.at.end + _READ_ON
            again = figures_in(self.numerals, name.end, stop, self._published)
            yield from (each for each in again[:1] if each.digits.end == figure.digits.end)

    def _beside_names(self, figure: Figure) -> Figure:
        """A count of what a name says counts its kind; what stands in a name is of one: '4 A100-80GB per node'."""
        if figure.value.thing == "product":
            return self._of_kind(figure)
        if figure.value.per and self._holder(figure) is not None:
            return figure._replace(value=figure.value._replace(per=()))
        is_number = figure.number.is_integer() and not figure.end
        before = self._multiplied(figure) if is_number and figure.dimension in ("bare", "ratio") else None
        if before is not None:
            return self._counting(figure, before)
        if is_number and figure.dimension == "bare":
            names = self.names_in(figure.at.end, figure.at.end + _NEAR)
            is_behind = names and self.text[figure.at.end : names[0].start] in _SPACES
            return self._counting(figure, names[0]) if is_behind and names[0].kind in _COUNTABLE else figure
        return self._as_count(figure) if figure.dimension == "ratio" else figure

    def _multiplied(self, figure: Figure) -> Mention | None:
        """The name before a number that counts it: 'H100 SXM ×4', 'EPYC 9554 x 2'."""
        at = bisect_left(self._starts, figure.at.start) - 1
        name = self.names[at] if at >= 0 else None
        is_times = name is not None and self.text[name.end : figure.at.start].strip(_BETWEEN_PARTS) in _TIMES
        return name if name is not None and is_times and name.kind in _COUNTABLE else None

    def _as_count(self, figure: Figure) -> Figure:
        """'5x Jetson Orin NX' at the head of an item of a list are five of them, no speedup."""
        text, at = self.text, figure.at
        names = self.names_in(at.end, at.end + _NEAR)
        is_behind = names and not text[at.end : names[0].start].strip(_BETWEEN_PARTS)
        is_part = text[max(0, at.start - _NEAR) : at.start].rstrip(_BETWEEN_PARTS)[-1:] in _BEFORE_PARTS
        if not (is_behind and is_part and names[0].kind in THINGS) or phrases("of_gain").start(text, names[0].end + 1):
            return figure
        return self._counting(figure, names[0])

    def _counting(self, figure: Figure, name: Mention) -> Figure:
        """A number as the count of a name beside it: '384 Ascend 910C', 'H100 SXM ×4'."""
        shift, number = figure.value.start - figure.at.start, figure.number
        value = figure.value._replace(
            kind=Kind.COUNT, readings=(Reading("count", "count", number, number),), counted=name.name,
            counted_at=(name.start + shift, name.end + shift), thing=_thing_of(name) or "product",
        )  # fmt: skip
        return figure._replace(value=value, dimension="count")

    def _of_kind(self, figure: Figure) -> Figure:
        """'127 DGX H100' are systems, '2 EPYC 9654' processors."""
        begin, end = (at - figure.value.start + figure.at.start for at in figure.value.counted_at)
        names = self.names_in(begin, end)
        thing = _thing_of(names[-1]) if names else ""
        return figure._replace(value=figure.value._replace(thing=thing)) if thing else figure

    def counted_together(self, figures: Iterable[Figure]) -> dict[str, float]:
        """The names of which some figures count several, with how many: 'on eight H100'."""
        counts = [figure for figure in figures if figure.value.counted and figure.number > 1]
        return {
            name.name: figure.number
            for figure in counts
            for begin, end in [(at - figure.value.start + figure.at.start for at in figure.value.counted_at)]
            for name in self.names_in(begin, end)
        }

    def is_of_name(self, figure: Figure) -> bool:
        """Whether a number without a unit is part of a name: the 8358 of 'Xeon Gold 8358'."""
        return figure.dimension in _UNITLESS and self._holder(figure) is not None

    def _holder(self, figure: Figure) -> Mention | None:
        """The name that a figure stands in."""
        at = bisect_left(self._starts, figure.digits.start) - 1
        return self.names[at] if at >= 0 and self.names[at].end >= figure.digits.end else None


def _thing_of(name: Mention) -> str:
    """What one of a name is, by the lexicon; '' where its kind does not say."""
    network = load_registry().network(name.subject_id)
    return _THING_OF.get(name.kind, "") if network is None else _THING_OF_NETWORK.get(network.kind, "")
