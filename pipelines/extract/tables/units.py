"""The units that a table lends its figures: by its heads, labels and bands, and by the words around it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pipelines.extract.link.cards import head_cover
from pipelines.extract.link.figures import Figure
from pipelines.extract.link.meaning import METRICS
from pipelines.extract.link.scene import is_time
from pipelines.extract.link.units_said import scale_said, unit_in, unit_of_all, unit_of_key, units_listed, units_told
from pipelines.extract.tables.view import Spot, TableView
from pipelines.extract.values.around import MEASURES
from pipelines.registry.phrases import phrases

_LONG = 3  # letters of a head that the page explains further above
_COUNTS = 0.9  # of a head that the card of a count covers
_LEFT_OUT = frozenset({"money_rate", "time", "token_rate"})
_COUNTING = frozenset({"n", "#", "no.", "qty", "quantity", "count", "number"})
_ODD = ("", "other")  # what is lent where nothing is read in the unit
_UNKNOWN_RATE = re.compile(r"[a-z](?:/| per )(?:s|sec|second)(?![a-z])")  # 'images/s'
_ODD_RATE = re.compile(rf"(?:(?<!\bB)/|\bper )\s?(?:{'|'.join(sorted(MEASURES))}|\$)(?![A-Za-z])", re.IGNORECASE)


class Words(NamedTuple):
    """What is said around a table: its caption and the sentences before it.

    Of the page above it the unit of its sums, and the paragraphs that may say units.
    """

    caption: str
    intro: str
    sums: str
    explained: Sequence[str]


class LentUnits:
    """The units of one table's heads, labels and bands, and of the words around it."""

    def __init__(self, view: TableView, zones: Mapping[str, str], words: Words) -> None:
        self._view, self._zones = view, zones
        self._said = unit_in(words.caption) or unit_of_all(words.intro[-160:]) or self._said_above(words)
        heads = view.grid[view.heads - 1] if view.heads else []
        labels = [view.text(head).casefold() for head in heads]
        self._told_above: dict[str, str] = {}
        for paragraph in words.explained:
            if any(len(label) >= _LONG and label in paragraph.casefold() for label in labels):
                self._told_above |= units_told(paragraph)
        for above in (words.caption, words.intro):
            self._told_above |= units_listed(above) | units_told(above)
        covers = [head_cover("accelerator_count", view.text(head)) for head in heads]
        self.counting = [at for at, cover in enumerate(covers) if cover >= _COUNTS]

    def lent(self, spot: Spot) -> tuple[str, str, str] | None:
        """The unit that a cell's figures have from elsewhere, its dimension, and where it stands."""
        own = unit_in(f"({self._view.unit(spot.row)})")
        if own is not None:
            return (*own, "row")
        for where, texts in self._axes(spot):
            for words in texts:
                found = _unit_of_axis(words)
                begins_with_figure = words[:1].isdigit() and not is_time(words.partition(" ")[0])  # '2024 sales, $M'
                if found is not None and (found == _ODD or where == "column" or not begins_with_figure):
                    return (*found, where)
        corner = unit_in(self._zones["corner"])
        if corner is not None and corner[1] == "time":  # 'Year' heads the first column, and says nothing of the others
            corner = None
        is_counting = spot.column in self.counting or any(
            self._view.text(head).casefold() in _COUNTING for head in spot.heads
        )
        said = None if is_counting else self._said
        found = unit_in(self._view.text(spot.band)) or corner or self._told(spot) or said
        return (*found, "caption") if found is not None and found[1] in METRICS else None

    def with_letter(self, spot: Spot, figure: Figure) -> Figure:
        """'989T' beside 'FP16': a magnitude's letter is of the unit whose metric the heads name best, if one is."""
        best, rival, chosen, of = 0.0, 0.0, figure, ""
        for reading in figure.value.readings:
            metrics = METRICS.get(reading.dimension, ())
            for where, texts in self._axes(spot):
                covers = ((head_cover(metric, text), metric) for metric in metrics for text in texts)
                cover, metric = max(covers, default=(0.0, ""))
                if cover > best and reading.dimension != chosen.dimension:
                    best, rival, of = cover, best, metric
                    if metric == "memory_bandwidth":
                        reading = reading._replace(unit=reading.unit.replace("b/", "B/"))  # memories are in bytes
                    value = figure.value._replace(readings=(reading,))
                    chosen = figure._replace(value=value, dimension=reading.dimension, lender=where)
                elif reading.dimension != chosen.dimension:
                    rival = max(rival, cover)
                else:
                    best = max(best, cover)
        is_open = chosen.dimension == "data_rate" and of != "memory_bandwidth"  # a rate's letter: bits or bytes
        return chosen if best > rival and not is_open else figure

    def _told(self, spot: Spot) -> tuple[str, str] | None:
        """Of the units that the words above tell, the one of what the cell's heads and label name best."""
        best, chosen = 0.0, None
        for dimension, unit in self._told_above.items():
            for _, texts in self._axes(spot):
                metrics = METRICS.get(dimension, ())
                cover = max((head_cover(metric, text) for metric in metrics for text in texts), default=0.0)
                if cover > best:
                    best, chosen = cover, (unit, dimension)
        return chosen

    def _axes(self, spot: Spot) -> Iterator[tuple[str, list[str]]]:
        """The words of the heads and of the first label, which may say what a cell holds."""
        yield "column", [self._view.text(cell) for cell in spot.heads]
        yield "row", [self._view.text(cell) for cell in spot.labels[:1]]

    def _said_above(self, words: Words) -> tuple[str, str] | None:
        """A unit that the sentence or the heading above names and tables leave out: 'Dollars per GPU and hour'.

        Of headings also the scale of sums and counts: 'Capex, US$ bn', 'Shipments (thousand units)'; 'per GPU and hour'
        where the page says that its prices are in USD.
        """
        above, heading = unit_in(words.intro), unit_in(self._zones["heading"])
        is_of_prices = above is not None and above[1] == "money" and phrases("prices").are_in(words.intro)
        if above is not None and (above[1] in (*_LEFT_OUT, "count") or is_of_prices):
            return above
        if heading is not None and heading[1] == "time" and words.sums:
            return f"{words.sums}/{heading[0]}", "money_rate"
        is_said = heading is not None and (heading[1] in (*_LEFT_OUT, "count") or heading[0].endswith(" USD"))
        return heading if is_said else scale_said(words.intro)


def _unit_of_axis(words: str) -> tuple[str, str] | None:
    """The unit that a head or a label names; an odd one where it is a rate of which nothing is read ('images/s')."""
    if _ODD_RATE.search(words) is not None:
        return _ODD
    found = unit_of_key(words) if "_" in words else unit_in(words)
    return _ODD if found is None and _UNKNOWN_RATE.search(words) is not None else found
