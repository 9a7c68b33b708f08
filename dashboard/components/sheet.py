"""Tables in plain HTML whose rows become cards on a phone. A cell is words, or a value with tag, who and links. Pure.

Nothing stated is said in words on a pale hatch, never an empty cell, a zero or a dash.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

from dashboard.components.board import link, tag_html
from pipelines.frozen import frozen
from warehouse.answers.corrections import NOTHING as NOTHING_STANDS
from warehouse.answers.corrections import Correction

NOTHING = "nothing stated"


@frozen
class Cell:
    """What a cell shows: words, second words below, a tag, where it leads; `is_disputed` where rivals leave no pick.

    `share` draws a bar as long as it; a cell without words says that nothing is stated.
    """

    words: str = ""
    says: str = ""
    tag: str = ""
    href: str = ""
    is_disputed: bool = False
    is_strong: bool = False
    share: float | None = None
    colour: str = ""


def cell_html(cell: Cell, label: str = "") -> str:
    """A cell of a table; its label is shown where rows are cards."""
    named = f' data-label="{html.escape(label)}"' if label else ""
    if not cell.words and not cell.tag and not cell.says:
        return f'<td class="nothing"{named}>{NOTHING}</td>'
    words = html.escape(cell.words)
    if cell.is_disputed:
        words = f'<em class="late">disputed</em> {words.removeprefix("disputed, ")}'
    words = f"<b>{words}</b>" if cell.is_strong else words
    words = f'<a href="{link(cell.href)}">{words}</a>' if link(cell.href) and cell.href and words else words
    bar = "" if cell.share is None else f'<s style="width:{cell.share:.1%};background:{cell.colour}"></s>'
    says = f"<small>{tag_html(cell.tag)} {html.escape(cell.says)}</small>" if cell.tag or cell.says else ""
    return f"<td{named}>{words}{bar}{says}</td>"


def table_html(heads: Sequence[str], rows: Sequence[Sequence[Cell]], *, kind: str = "") -> str:
    """A table whose first column names its rows."""
    head = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in heads)
    body = "".join(_row(heads, row) for row in rows)
    return f'<table class="sheet {html.escape(kind)}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _row(heads: Sequence[str], row: Sequence[Cell]) -> str:
    first, *others = row
    words = html.escape(first.words)
    named = f'<a href="{link(first.href)}">{words}</a>' if first.href else words
    says = f"<small>{html.escape(first.says)}</small>" if first.says else ""
    cells = "".join(cell_html(cell, label) for cell, label in zip(others, heads[1:], strict=True))
    return f'<tr><th scope="row">{named}{says}</th>{cells}</tr>'


def card(title: str, says: str, body: str, *, size: str = "", foot: str = "") -> str:
    """A card of the board with a body that is HTML already."""
    below = f'<p class="foot">{foot}</p>' if foot else ""
    told = f'<p class="says">{html.escape(says)}</p>' if says else ""
    return f'<section class="card {html.escape(size)}"><h2>{html.escape(title)}</h2>{told}{body}{below}</section>'


def rows_card(
    title: str, says: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]], *, kind: str = "cards",
    links: Sequence[tuple[str, str]] = (),
) -> str:  # fmt: skip
    """A card with a table and links below it; '' without a row."""
    return card(title, says, table_html(heads, rows, kind=kind), foot=links_html(links)) if rows else ""


def corrections_card(found: Sequence[Correction]) -> str:
    """A card of what was put right: how it stood, how it stands, when and why; '' where nothing was."""
    rows = [
        [
            Cell(one.figure),
            Cell(one.after or NOTHING_STANDS, f"was {one.before}", "", one.url),
            Cell(one.day, one.why),
        ]
        for one in found
    ]
    says = "What this ledger showed otherwise before."
    return rows_card("Corrections", says, ["Figure", "Now, and before", "Corrected"], rows)


def paragraph(text: str) -> str:
    """A line of text in a card."""
    return f"<p>{html.escape(text)}</p>"


def links_html(given: Sequence[tuple[str, str]]) -> str:
    """Links after each other: words and where they lead."""
    return " · ".join(f'<a href="{link(href)}">{html.escape(words)}</a>' for words, href in given)
