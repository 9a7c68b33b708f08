"""The values of a table's cells: heads, labels and bands around each, and whose column or row it stands in. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

from pipelines.extract.link.figures import Figure
from pipelines.extract.link.lent import with_lent_units
from pipelines.extract.link.meaning import values_of
from pipelines.extract.link.qualify import says_sparse
from pipelines.extract.link.scene import Around, Candidate, Place, Scene, is_time, take_over, without_signs
from pipelines.extract.names.mention import THINGS, Mention
from pipelines.extract.sentences import numerals_in
from pipelines.extract.tables.units import LentUnits, Words
from pipelines.extract.tables.view import Spot, TableView
from pipelines.extract.values import MOST
from pipelines.model.claim import Span
from pipelines.model.document import Block, Cell, Table
from pipelines.registry.phrases import phrases

_NEARLY_ALL = 0.8  # of a label
_KEY = 9  # characters of a head over keys
_COINED = ("product", "unknown")
_TELLING = (":", "：", "=")
_NONE = frozenset({"", "-", "–", "—", "none", "no", "n/a", "0"})  # what stands where a row has none
_MEMORY, _PRICE = frozenset({"memory_capacity"}), frozenset({"gpu_hour_price"})


def table_places(scene: Scene, around: Around, block: Block, index: int) -> Iterator[Place]:
    """The values of a table's cells in order."""
    assert block.table is not None
    reader = _TableReader(scene, around, scene.document.tables[block.table])
    spots = list(reader.view.spots())
    own = ((spot, figure, "") for spot in spots for figure in reader.figures(spot))
    for spot, figure, name in chain(own, reader.dated(spots)):
        values = values_of(figure, in_table=True)
        denied = reader.denied(spot)
        if values and not denied.isdisjoint(values):
            values = {metric: value for metric, value in values.items() if metric not in denied} or None
        if values is not None:
            place = reader.place(spot, figure)
            place.values, place.table, place.block = values, block.table, index
            place.candidates = [each for each in place.candidates if name in ("", each.name)]
            yield place


class _TableReader:
    """A table with what is the same for all of its cells: the words above it, and who stands outside of it."""

    def __init__(self, scene: Scene, around: Around, table: Table) -> None:
        self.scene = scene
        above_it = chain(scene.title_names, *(names for _, _, names in around.headings[-2:]))
        is_of_machine = any(name.kind in ("system", "site") for name in above_it)
        self.view = view = TableView(scene.document, table, scene.names_in, is_of_machine=is_of_machine)
        caption, text = Span(*(table.caption or (0, 0))), scene.text
        above = around.before_table()
        self.caption, intro = text[caption.start : caption.end], text[above.start : above.end]
        self.zones = {
            "corner": view.text(view.grid[0][0] if view.heads else None),
            "sparse": "\n".join(filter(says_sparse, view.labels())), "intro": f"{self.caption} {intro[-160:]}",
            "heading": " ".join(words for _, words, _ in around.headings[-2:]), "title": scene.title,
        }  # fmt: skip
        said = Words(self.caption, intro, around.sums, around.explained)
        self.units = LentUnits(view, self.zones, said)
        self._many, self._tells = cache(self._counted_together), cache(self._names_anything)
        self._named, self._above = cache(self._names_of), cache(self._above_cells)
        self._of_row, self._of_column = cache(self._told_of_row), cache(self._told_of_column)
        self._words_over = cache(lambda heads: " ".join(map(view.text, heads)))
        self._of_hosts, self._without = _memories_of_hosts(view), _rows_without_devices(view)
        self.of_nothing = _names_of_nothing(view)
        self.outside: dict[str, Candidate] = {}
        scene.mark_all(self.outside, scene.names_in(caption.start, caption.end), "caption")
        scene.mark_all(self.outside, scene.names_in(above.start, above.end), "intro")
        scene.above(self.outside, around)

    def denied(self, spot: Spot) -> frozenset[str]:
        """The metrics of accelerators that a cell's figures are not of: they are a host's."""
        of_hosts = _MEMORY if spot.column in self._of_hosts else frozenset[str]()
        return of_hosts | _PRICE if spot.row in self._without else of_hosts

    def _names_anything(self, cell: Cell) -> bool:
        """Whether a cell names something or may be a name itself."""
        return bool(self.scene.names_in(cell.start, cell.end)) or self.view.is_label(cell)

    def _counted_together(self, cell: Cell) -> dict[str, float]:
        """The names of a cell of which it counts several: '8x H200'."""
        return self.scene.counted_together(self.scene.figures(cell.start, cell.end)[:MOST])

    def figures(self, spot: Spot) -> Iterator[Figure]:
        """The figures of a cell, each with the unit that the table lends it."""
        if phrases("no_result").start(self.scene.text, spot.cell.start):
            return  # 'OOM @ 8k'
        figures = self.scene.figures(spot.cell.start, spot.cell.end)[:MOST]
        lent = self.units.lent(spot) if figures else None
        if lent is None and len(figures) > 1:
            figures = with_lent_units(self.scene.text, figures)
        for figure in figures:
            if self.scene.is_of_name(figure) or self._is_replaced(spot.cell, figure):
                continue
            if figure.dimension == "year" and self._is_number(spot, lent):
                figure = figure.as_number()  # 2039 below 'GB/s', or below 900 and 1555
            is_factor = figure.value.text.endswith(("x", "×"))  # the 2 of '2× 12' below 'GB'
            is_count = figure.dimension == "count" and not figure.value.thing and not is_factor
            is_open = figure.dimension in ("bare", "letter") or is_count
            if lent is not None and is_open and not (lent[1] == "money" and figure.dimension == "letter"):
                yield figure._replace(lent=lent[0], dimension=lent[1], lender=lent[2])
            elif lent is not None and figure.is_plain_sum and lent[1] == "money":  # '$761' below '$ millions'
                yield figure._replace(value=figure.value._replace(readings=()), lent=lent[0], lender=lent[2])
            else:
                yield self.units.with_letter(spot, figure) if figure.dimension == "letter" else figure

    def _is_replaced(self, cell: Cell, figure: Figure) -> bool:
        """Whether a bracket tells what stood there before: '91-93 (was 85)'."""
        *_, said = self.scene.text[cell.start : figure.at.start].rpartition("(")
        return "(" in self.scene.text[cell.start : figure.at.start] and phrases("replaced").start(said, 0)

    def dated(self, spots: Iterable[Spot]) -> Iterator[tuple[Spot, Figure, str]]:
        """A time that heads a column or a row, once with the name of each thing there: the form of roadmaps.

        Where a thing stands under several times the table says something else of them.
        """
        named = [(spot, self._time_over(spot), name.name) for spot in spots for name in self._things_in(spot.cell)]
        dated = [(spot, time, name) for spot, time, name in named if time is not None]
        times = {(name, self.view.text(time)) for _, time, name in dated}
        if len(times) > len({name for name, _ in times}):
            return
        for spot, time, name in dated:
            line = Spot(time, spot.row, spot.column, [], [spot.cell], spot.band)
            yield from ((line, figure, name) for figure in self.scene.figures(time.start, time.end))

    def _things_in(self, cell: Cell) -> list[Mention]:
        """The things of a cell that says nothing else first."""
        is_label = not self.view.is_numeric(cell)
        return [name for name in self.scene.names_in(cell.start, cell.end) if is_label and name.kind in THINGS]

    def _time_over(self, spot: Spot) -> Cell | None:
        """The head of a cell, or the first of a row of several things, that is nothing but a time."""
        above = next((head for head in spot.heads if is_time(self.view.text(head))), None)
        first = next((other for other in spot.labels[:1] if other.column < spot.column), None)
        if above is not None or first is None or not is_time(self.view.text(first)):
            return above
        return first if any(map(self._things_in, spot.labels)) else None

    def _is_number(self, spot: Spot, lent: tuple[str, str, str] | None) -> bool:
        """Whether what looks like a year is none: a head lends a unit, or its row and column hold other numbers."""
        if lent is not None and lent[2] != "caption":
            return lent[1] != "time"
        view = self.view
        is_of_years = view.column(spot.column).is_of_years or view.row(spot.row).is_of_years
        return not is_of_years and view.is_numeric(spot.cell)  # 'since 2023' is a time in any column

    def place(self, spot: Spot, figure: Figure) -> Place:
        """A figure in its surroundings."""
        view, cell, row, column = self.view, spot.cell, spot.row, spot.column
        text, first, (line, of_row) = self.scene.text, view.grid[row][0], self._of_row(row)
        zones = {
            "own": text[figure.at.start : figure.at.end],
            "before": text[max(cell.start, figure.at.start - 50) : figure.at.start],
            "after": text[figure.at.end : min(cell.end, figure.at.end + 50)],
            "column": self._words_over(tuple(spot.heads)), "band": view.text(spot.band),
            "row": view.text(first) if first is not cell and column > 0 else "", **self.zones,
        }  # fmt: skip
        marks = {
            **of_row, **self._of_column(column),
            "values": numerals_in(text[cell.start : cell.end]), "cell_length": cell.end - cell.start,
            "is_whole_cell": figure.at.end - figure.at.start >= cell.end - cell.start - 2,
        }  # fmt: skip
        context = Span(min(figure.at.start, line.start), max(figure.at.end, line.end))
        candidates = list(self._candidates(spot, figure).values())
        return Place(figure, context, zones, marks, candidates, row=row, column=column)

    def _told_of_row(self, row: int) -> tuple[Span, dict[str, float]]:
        """The characters of a row's own cells, and what its figures are told of it and of the table."""
        view = self.view
        across, own = view.row(row), [cell for cell in view.grid[row] if cell is not None and cell.row == row]
        starts, ends = [cell.start for cell in own], [cell.end for cell in own]
        return Span(min(starts, default=len(self.scene.text)), max(ends, default=0)), {
            "rows": view.table.row_count, "columns": view.table.column_count, "row_numeric": across.numeric,
            "row_named": across.named, "in_head": row < view.heads, "first_column_named": view.column(0).named,
            "head_named": view.row(0).named,
        }  # fmt: skip

    def _told_of_column(self, column: int) -> dict[str, float]:
        """What the figures of a column are told of it."""
        body = self.view.column(column)
        return {"column_numeric": body.numeric, "column_named": body.named, "is_first_column": column == 0}

    def _candidates(self, spot: Spot, figure: Figure) -> dict[str, Candidate]:
        """Who the figure may be of: named in its cell, its row, its heads, its band, or outside of the table."""
        scene, view, column = self.scene, self.view, spot.column
        found: dict[str, Candidate] = {}
        names = scene.names_in(spot.cell.start, spot.cell.end)
        for name in names:
            gap = figure.at.start - name.end if name.start < figure.at.start else name.start - figure.at.end
            scene.mark(
                found, name, in_cell=1.0, cell_gap=max(gap, 0), cell_before=name.start < figure.at.start,
                gap=max(gap, 0), inside=gap < 0,
            )  # fmt: skip
        before = [name for name in names if name.end <= figure.at.start][-1:]
        if before and self._is_of(before[0], figure):
            return {key: each for key, each in found.items() if each.name == before[0].name}
        for place, other in enumerate(spot.labels):
            if not self._tells(other):
                continue
            line = view.column(other.column)
            may_name = other.column <= 2 and other.column not in self.of_nothing
            may_name = may_name and not (place and _is_of_hosts(view.text(other)))
            self._mark_axis(
                found, other, "label_row" if may_name else "", row_name=1.0,
                row_distance=abs(column - other.column), row_left=other.column < column,
                axis_named=line.named, axis_numeric=line.numeric, axis_distinct=line.distinct,
                axis_column=other.column, axis_place=place, axis_words=line.names_products,
                axis_machines=line.names_machines,
            )  # fmt: skip
        take_over(found, self._above(tuple(spot.heads), spot.band, column > 0))
        return found

    def _above_cells(self, heads: Sequence[Cell], band: Cell | None, may_name: bool) -> Mapping[str, Candidate]:
        """Who is named over the cells of a column: in its heads, in the band, outside of the table."""
        scene, across = self.scene, self.view.row(0)
        found: dict[str, Candidate] = {}
        for depth, other in enumerate(heads):
            self._mark_axis(
                found, other, "label_head" if may_name else "", head_name=1.0, head_depth=depth,
                axis_named=across.named, axis_numeric=across.numeric, axis_distinct=across.distinct,
            )  # fmt: skip
        if band is not None:
            scene.mark_all(found, scene.names_in(band.start, band.end), "band")
            if self.view.is_label(band):
                scene.label(found, self.view.text(band), band_label=1.0)
        take_over(found, self.outside)
        return found

    def _is_of(self, name: Mention, figure: Figure) -> bool:
        """Whether a cell gives a figure to a name in front of it: 'NVL72: 20 TB', 'Xeon 8470, 52 cores (350 W)'."""
        gap = self.scene.text[name.end : figure.at.start].strip()
        return gap in _TELLING or (name.kind == "cpu" and figure.dimension == "power")

    def _mark_axis(self, found: dict[str, Candidate], other: Cell, label: str, **marks: float) -> None:
        """Mark the names of a label or head; itself, as `label`, where no name is nearly all that stands there."""
        names, has_name = self._named(other, bool(label), "row_name" in marks)
        for name, told in names:
            self.scene.mark(found, name, **told, **marks)
        if has_name is not None:
            self.scene.label(found, self.view.text(other), **marks, **{label: 1.0, "has_name": has_name})

    def _names_of(
        self, other: Cell, may_name: bool, is_row: bool
    ) -> tuple[Sequence[tuple[Mention, Mapping[str, float]]], bool | None]:
        """The names of a label or head, each with its marks; and where the words may be one, whether they hold one."""
        names, width = self.scene.names_in(other.start, other.end), max(len(without_signs(self.view.text(other))), 1)
        is_name = any(name.end - name.start >= _NEARLY_ALL * width or name.kind == "software" for name in names)
        is_label = may_name and self.view.is_label(other)
        found = []
        for order, name in enumerate(names):
            whole, many = (name.end - name.start) / width, self._many(other).get(name.name, 0.0)
            again = self.view.again(other.column)[name.name] if is_row else 0
            is_part = again > 1 and whole < _NEARLY_ALL and name.kind in _COINED and not name.subject_id
            if is_part and is_label:
                continue  # 'Pi CM5 with RTX 4090', 'Pi CM5 with RTX 3060': the rows are of what the labels say
            found.append((name, {"name_order": order, "whole": whole, "many": many}))
        return found, bool(names) if is_label and not is_name else None


def _is_of_hosts(words: str) -> bool:
    """Whether words list hosts, which behind a name say where it runs: 'fer[1-3].example.org', 'gpu[01-08,12]'."""
    before, _, inside = words.partition("[")
    numbers, closed, _ = inside.partition("]")
    return bool(closed) and before[:1].isalpha() and not set(numbers) - set("0123456789-, ")


def _memories_of_hosts(view: TableView) -> frozenset[int]:
    """The columns whose head says memory alone where another says the accelerators': theirs is no accelerator's."""
    heads = view.column_heads()
    of_memory = [at for at, words in enumerate(heads) if phrases("memory").are_in(words)]
    of_devices = [at for at in of_memory if phrases("of_devices").are_in(heads[at])]
    return frozenset(of_memory) - frozenset(of_devices) if of_devices else frozenset()


def _rows_without_devices(view: TableView) -> frozenset[int]:
    """The rows with a dash where others name their accelerators: what they cost is no accelerator's price."""
    heads = view.column_heads()
    columns = [at for at, words in enumerate(heads) if phrases("of_devices").are_in(words) and view.column(at).named]
    rows = range(view.heads, view.table.row_count) if columns else ()
    return frozenset(row for row in rows if all(view.text(view.grid[row][at]).casefold() in _NONE for at in columns))


def _names_of_nothing(view: TableView) -> frozenset[int]:
    """The columns whose words are no thing's name, by their heads and those beside them.

    Keys of the page where another column has the names; places and parties where another says which machine.
    """
    heads = view.column_heads()
    keys = frozenset(at for at, words in enumerate(heads) if phrases("over_keys").start(words, 0) and len(words) < _KEY)
    places = frozenset(at for at, words in enumerate(heads) if phrases("over_places").are_in(words))
    others = [(at, view.column(at)) for at in range(len(heads)) if at not in places]
    has_machines = any(line.names_machines or heads[at].casefold() == "name" for at, line in others)
    has_names = any(line.names_products for _, line in others)
    return (places if has_machines else frozenset()) | (keys if has_names else frozenset())
