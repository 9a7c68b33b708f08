"""Side by side: up to six things of any makers. Empty cells say so, and differences in counting are said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from dashboard.components import as_of, words_of
from dashboard.components.board import show_board
from dashboard.components.plot import colour
from dashboard.components.sheet import Cell, card, links_html, table_html
from dashboard.headlines import words
from dashboard.queries import Ledger
from dashboard.queries import things as queries
from dashboard.side_by_side import PER_ACCELERATOR, lines_of, per_accelerator
from dashboard.views.thing import standing
from warehouse.answers import claim_words, formats

WORDS = words_of(__file__)
MOST_COMPARED = 6
HOW = (
    "Find a thing in the box above and choose “compare” beside it, or press Shift and Enter; then add the next, up to "
    "six. From a thing's page, “compare” adds to that thing."
)


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    asked = list(dict.fromkeys(st.query_params.get_all("thing")))
    things = [row for row in (ledger.row("things.identity", id=name) for name in asked) if row is not None]
    if len(things) < len(asked):
        unknown = [name for name in asked if all(row["id"] != name for row in things)]
        st.info(f"Not in this version's registry: {formats.escape_markdown(', '.join(unknown))}.")
    if not things:
        st.info(HOW)
        return
    day = as_of(ledger)
    if len(things) > MOST_COMPARED:
        st.caption(f"The first {MOST_COMPARED} are compared.")
    _compare(ledger, [_fuller(ledger, row, asked, day) for row in things[:MOST_COMPARED]], day)


def _fuller(ledger: Ledger, row: Mapping[str, Any], asked: Sequence[str], day: dt.date) -> Mapping[str, Any]:
    """The thing, or its variant that much more is stated of; that it was taken is said."""
    found = ledger.row("things.fuller_of", id=str(row["main_id"]), day=day)
    other = (
        ledger.row("things.identity", id=str(found["id"])) if found is not None and found["id"] not in asked else None
    )
    if found is None or other is None:
        return row
    name, page = formats.escape_markdown(str(row["name"])), formats.page_address("thing", id=str(row["main_id"]))
    st.caption(
        f"Under the name {name} {words.counted(int(found['own_cells']), 'line')} of the sheet "
        f"{'is' if found['own_cells'] == 1 else 'are'} stated, of its variant "
        f"{formats.escape_markdown(str(found['name']))} {words.number(int(found['cells']))}: the variant is shown. "
        f"[What is said of {name} itself](<{page}>)"
    )
    return other


def _compare(ledger: Ledger, things: Sequence[Mapping[str, Any]], day: dt.date) -> None:
    names = [str(row["main_id"]) for row in things]
    sheets = lines_of(
        ledger.rows("things.compared", ids=names, day=day),
        {name: queries.sheet_of(ledger, queries.variants(ledger, name), day) for name in names},
        {str(row["main_id"]): str(row["kind"]) for row in things},
    )
    titles = list(dict.fromkeys(title for lines in sheets.values() for title in lines))
    heads = ["", *(f"{row['name']} ({row['vendor_name'] or 'maker not stated'})" for row in things)]
    body = [[Cell("One of these is"), *(_one_of(row) for row in things)]]
    body += [[Cell(title), *(_cell(sheets[name].get(title)) for name in names)] for title in titles]
    count = {str(row["main_id"]): row["accelerators"] or 1 for row in things}
    ratios = [_per_line(title, unit, sheets, names, count, things) for title, unit in PER_ACCELERATOR.items()]
    empty = sum(not cell.words for row in body[1:] for cell in row[1:])
    foot = (
        f"<span>{empty} of {len(titles) * len(names)} cells have no value and say so. An undated statement never "
        "replaces a dated one; counts are of packages unless a cell says dies.</span>"
        + links_html([("How it is decided", "method")])
    )
    per = "Per accelerator, so that a rack and a pod can be compared; computed here from the lines above."
    pieces = [
        f'<div class="chips">{_chips(things)}</div>',
        card("As they stand", "", _table(heads, body), size="wide", foot=foot),
        card("Per accelerator", per, _table(heads, ratios), size="wide"),
    ]
    show_board(pieces, key="compare")
    st.caption(HOW)


def _table(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    table = table_html(heads, rows, kind="beside cards")
    return f'<div class="scroll" style="--n:{len(heads) - 1}" tabindex="0">{table}</div>'


def _chips(things: Sequence[Mapping[str, Any]]) -> str:
    """Each thing with a link to its page and one that takes it out."""
    made = []
    for row in things:
        rest = [each["main_id"] for each in things if each is not row]
        out = "compare" + ("?" + "&".join(f"thing={name}" for name in rest) if rest else "")
        page = formats.page_address("thing", id=str(row["main_id"]))
        made.append(f"<span>{links_html([(str(row['name']), page), ('remove', out)])}</span>")
    return "".join(made)


def _one_of(row: Mapping[str, Any]) -> Cell:
    size = f"{row['accelerators']:,} × {row['accelerator_name']}" if row["accelerators"] else ""
    return Cell(str(row["kind"]), size, "", formats.page_address("thing", id=str(row["main_id"])), is_strong=True)


def _cell(line: Mapping[str, Any] | None) -> Cell:
    if line is None or line["claim_id"] is None:
        return Cell()
    found = standing(dict(line))
    limit = "a limit, " if line.get("state") == "limit" else ""
    counted = f"; {line['counted']}" if line.get("counted") else ""
    says = f"{limit}{line['claimant']}, {claim_words.when_words(line)}{counted}"
    return Cell(found.words, says, line["evidence"], found.href, found.is_disputed, is_strong=True)


def _per_line(
    title: str, unit: str, sheets: Mapping[str, Mapping[str, Mapping[str, Any]]], names: Sequence[str],
    count: Mapping[str, int], things: Sequence[Mapping[str, Any]],
) -> list[Cell]:  # fmt: skip
    values = {name: per_accelerator(sheets[name], title, count[name]) for name in names}
    most = max((value.value for value in values.values() if value.value is not None), default=1.0)
    cells = [Cell(title)]
    for row, name in zip(things, names, strict=True):
        found = values[name]
        if found.value is None:
            cells.append(Cell(found.why) if found.why else Cell())
            continue
        shade = colour(str(row["vendor"]))
        words = formats.quantity(found.value, unit)
        cells.append(Cell(words, found.formula, "derived", is_strong=True, share=found.value / most, colour=shade))
    return cells
