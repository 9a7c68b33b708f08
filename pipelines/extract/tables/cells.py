"""The values of a table's cells: heads, labels and bands around each, and whose column or row it stands in. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pipelines.extract.link.cards import head_cover
from pipelines.extract.link.figures import Figure, figures_in, unit_in
from pipelines.extract.link.meaning import METRICS, values_of
from pipelines.extract.link.qualify import says_sparse
from pipelines.extract.link.scene import Around, Candidate, Place, Scene, take_over
from pipelines.extract.link.wording import numerals_in
from pipelines.extract.names.subjects import Mention
from pipelines.extract.tables.view import TableView
from pipelines.extract.values import MOST
from pipelines.model.claim import Span
from pipelines.model.document import Block, Cell

_ODD = ("", "other")
# a rate by something that is no thing and no time: 'FLOPS/clock', 'TFLOPS per W'
_ODD_RATE = re.compile(
    r"(?:/|\bper )\s?(?:clock|cycle|clk|watt|w|core|cu|sm|mm2|mm²|dollar|\$)(?![A-Za-z])", re.IGNORECASE
)


def table_places(scene: Scene, around: Around, block: Block, index: int) -> Iterator[Place]:
    assert block.table is not None
    table = scene.document.tables[block.table]
    view = TableView(scene.document, table, scene.names_in)
    caption = Span(*table.caption) if table.caption is not None else None
    ground = _ground(scene, around, view, caption, around.intro)
    seen: set[Cell] = set()
    for row in range(table.row_count):
        for column in range(table.column_count):
            cell = view.grid[row][column]
            if cell is None or cell in seen or cell.end <= cell.start:
                continue
            seen.add(cell)
            for figure in _cell_figures(scene, view, cell, row, column, caption):
                values = values_of(figure, in_table=True)
                if values is not None:
                    place = _cell_place(scene, view, ground, cell, row, column, figure)
                    place.values, place.table, place.block = values, block.table, index
                    yield place


def _cell_figures(
    scene: Scene, view: TableView, cell: Cell, row: int, column: int, caption: Span | None
) -> Iterator[Figure]:
    figures = figures_in(scene.text, cell.start, cell.end, scene.origin.published_on)[:MOST]
    lent = _lent(scene, view, row, column, caption) if figures else None
    for figure in figures:
        if scene.is_of_name(figure):
            continue
        is_open = figure.dimension in ("bare", "letter") or (figure.dimension == "count" and not figure.value.thing)
        if lent is not None and is_open and not (lent[1] == "money" and figure.dimension == "letter"):
            yield figure._replace(lent=lent[0], dimension=lent[1], lender=lent[2])
        elif figure.dimension == "letter":
            yield _with_letter(view, figure, row, column)
        else:
            yield figure


def _with_letter(view: TableView, figure: Figure, row: int, column: int) -> Figure:
    """'989T' beside 'FP16': a magnitude's letter is of the unit whose metric the heads name best, if one is."""
    words = {
        "column": [view.text(cell) for cell in view.head_cells(row, column)],
        "row": [view.text(cell) for cell in view.label_cells(row, column)[:1]],
    }
    best, rival, chosen = 0.0, 0.0, figure
    for reading in figure.value.readings:
        metrics = METRICS.get(reading.dimension, ())
        for where, texts in words.items():
            cover = max((head_cover(metric, text) for metric in metrics for text in texts), default=0.0)
            if cover > best and reading.dimension != chosen.dimension:
                best, rival = cover, best
                value = figure.value._replace(readings=(reading,))
                chosen = figure._replace(value=value, dimension=reading.dimension, lender=where)
            elif reading.dimension != chosen.dimension:
                rival = max(rival, cover)
            else:
                best = max(best, cover)
    return chosen if best > rival and chosen.dimension != "data_rate" else figure  # a rate's letter is bits or bytes


def _lent(scene: Scene, view: TableView, row: int, column: int, caption: Span | None) -> tuple[str, str, str] | None:
    for where, cells in (
        ("column", view.head_cells(row, column)), ("row", view.label_cells(row, column)[:1]),
    ):  # fmt: skip
        for words in map(view.text, cells):
            found = _unit_of(words)
            if found is not None and (found == _ODD or where == "column" or not words[:1].isdigit()):
                return (*found, where)
    band = view.band(row)
    for words in (view.text(band) if band else "", scene.text[caption.start : caption.end] if caption else ""):
        found = unit_in(words) if words else None
        if found is not None:
            return (*found, "caption")
    return None


@lru_cache(maxsize=16384)
def _unit_of(words: str) -> tuple[str, str] | None:
    """The unit that a head or label lends, with its dimension; `_ODD` where it is one that nothing is read in."""
    return _ODD if _ODD_RATE.search(words) is not None else unit_in(words)


def _ground(
    scene: Scene, around: Around, view: TableView, caption: Span | None, intro: Span | None
) -> tuple[dict[str, str], dict[str, Candidate]]:
    """The words above a table and the candidates that stand outside of it, the same for all of its cells."""
    corner = view.grid[0][0] if view.heads else None
    zones = {
        "corner": view.text(corner), "sparse": "\n".join(filter(says_sparse, view.labels())),
        "intro": f"{_words(scene.text, caption)} {_words(scene.text, intro)[-160:]}",
        "heading": " ".join(words for _, words, _ in around.headings[-2:]), "title": scene.title,
    }  # fmt: skip
    found: dict[str, Candidate] = {}
    for span, mark in ((caption, "caption"), (intro, "intro")):
        if span is not None:
            scene.mark_all(found, scene.names_in(span.start, span.end), mark)
    scene.above(found, around)
    return zones, found


def _cell_place(
    scene: Scene, view: TableView, ground: tuple[dict[str, str], dict[str, Candidate]], cell: Cell, row: int,
    column: int, figure: Figure,
) -> Place:  # fmt: skip
    text = scene.text
    heads, labels = view.head_cells(row, column), view.label_cells(row, column)
    band = view.band(row)
    first = view.grid[row][0]
    zones = {
        "before": text[max(cell.start, figure.at.start - 50) : figure.at.start],
        "after": text[figure.at.end : min(cell.end, figure.at.end + 50)],
        "column": " ".join(view.text(c) for c in heads), "band": view.text(band),
        "row": view.text(first) if first is not cell and first is not None and column > 0 else "",
        **ground[0],
    }  # fmt: skip
    body, across = view.column(column), view.row(row)
    marks = {
        "in_table": 1.0, "row": float(row), "column": float(column), "rows": float(view.table.row_count),
        "columns": float(view.table.column_count), "column_numeric": body.numeric, "row_numeric": across.numeric,
        "column_named": body.named, "row_named": across.named, "in_head": float(row < view.heads),
        "values": float(numerals_in(text[cell.start : cell.end])),
        "is_whole_cell": float(figure.at.end - figure.at.start >= cell.end - cell.start - 2),
        "cell_length": float(cell.end - cell.start), "first_column_named": view.column(0).named,
        "head_named": view.row(0).named, "is_first_column": float(column == 0),
    }  # fmt: skip
    found: dict[str, Candidate] = {}
    _table_names(scene, found, view, cell, row, column, figure, heads, labels)
    if band is not None:
        scene.mark_all(found, scene.names_in(band.start, band.end), "band")
        if view.is_label(band):
            scene.label(found, view.text(band), band_label=1.0)
    take_over(found, ground[1])
    start = min((c.start for c in view.grid[row] if c is not None), default=cell.start)
    end = max((c.end for c in view.grid[row] if c is not None), default=cell.end)
    at = Span(min(start, cell.start), max(end, cell.end)) if start <= cell.start < end else Span(cell.start, cell.end)
    return Place(figure, at, zones, marks, list(found.values()), row=row, column=column)


def _table_names(
    scene: Scene, found: dict[str, Candidate], view: TableView, cell: Cell, row: int, column: int, figure: Figure,
    heads: Sequence[Cell], labels: Sequence[Cell],
) -> None:  # fmt: skip
    inside = scene.names_in(cell.start, cell.end)
    for order, name in enumerate(inside):
        gap = figure.at.start - name.end if name.start < figure.at.start else name.start - figure.at.end
        scene.mark(
            found, name, in_cell=1.0, cell_gap=float(max(gap, 0)), cell_before=float(name.start < figure.at.start),
            cell_order=float(order), gap=float(max(gap, 0)), inside=float(gap < 0),
        )  # fmt: skip
    for place, other in enumerate(labels):
        inside = scene.names_in(other.start, other.end)
        is_label = other.column <= 2 and view.is_label(other)
        if not inside and not is_label:
            continue
        line = view.column(other.column)
        marks = {
            "row_name": 1.0, "row_distance": float(abs(column - other.column)),
            "row_left": float(other.column < column), "axis_named": line.named, "axis_numeric": line.numeric,
            "axis_distinct": line.distinct, "axis_column": float(other.column), "axis_place": float(place),
            "axis_words": view.names_products(other.column),
        }  # fmt: skip
        covers = _mark_names(scene, found, inside, other.end - other.start, marks)
        if is_label and not covers:
            scene.label(found, view.text(other), label_row=1.0, has_name=float(bool(inside)), **marks)
    across = view.row(0)
    for depth, other in enumerate(heads):
        inside = scene.names_in(other.start, other.end)
        marks = {
            "head_name": 1.0, "head_depth": float(depth), "axis_named": across.named, "axis_numeric": across.numeric,
            "axis_distinct": across.distinct, "head_span": float(other.column_span > 1),
        }  # fmt: skip
        covers = _mark_names(scene, found, inside, other.end - other.start, marks)
        if column > 0 and view.is_label(other) and not covers:
            scene.label(found, view.text(other), label_head=1.0, has_name=float(bool(inside)), **marks)


def _mark_names(
    scene: Scene, found: dict[str, Candidate], inside: Sequence[Mention], width: int, marks: Mapping[str, float]
) -> bool:
    """Mark the names of a label cell of so many characters; whether one of them is nearly all that stands there."""
    for order, name in enumerate(inside):
        whole = (name.end - name.start) / max(width, 1)
        scene.mark(found, name, name_order=float(order), names_in_axis=float(len(inside)), whole=whole, **marks)
    return any(name.end - name.start >= 0.8 * width for name in inside)


def _words(text: str, at: Span | None) -> str:
    return text[at.start : at.end] if at is not None else ""
