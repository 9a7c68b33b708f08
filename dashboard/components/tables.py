"""Tables of rows: every cell is text or a figure in its unit, never markup; links lead to web addresses only."""

from __future__ import annotations

import datetime as dt
import html
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from dashboard.columns import split_label
from pipelines.frozen import frozen
from warehouse.answers import evidence, formats

# Columns of ids that lead to a page: its address, its parameter, the words of the link.
LEADS = {"claim_id": ("evidence", "claim", "claim"), "subject_id": ("thing", "id", "open")}
ROW_HEIGHT, HEAD_HEIGHT, MOST_HEIGHT = 35, 38, 420
CELL_EDGE, LETTER, MOST_WIDTH, LEAST_MOST, SEEN_WIDTH = 18, 6.5, 300, 120, 1236  # of columns of words, in pixels
MOST_TEXTS = 0.9  # the share of a column's texts that its width is for
FIRST_ROWS = (MOST_HEIGHT - HEAD_HEIGHT) // ROW_HEIGHT + 1
TOLD_FIRST, CARDS_OPEN, CARDS_SHOWN = 4, 6, 30
PROOF = ("evidence", "stated_on", "claimant", "printed_by", "claim_id", "url")


@frozen
class Rows:
    """Rows ready to be shown as a table: see `rows_table`. A page that many open keeps them with `queries.once`."""

    frame: pd.DataFrame
    cells: pa.Table | pd.DataFrame
    config: dict[str, ColumnConfig]
    cards: str

    @classmethod
    def of(cls, frame: pd.DataFrame, columns: Mapping[str, str], *, chosen_by: tuple[str, str] | None = None) -> Rows:
        """The named columns of a frame, 'Label [unit]' each.

        Where a row can be chosen, `chosen_by` is the address's parameter and the column of its value: on a phone a
        row's card leads there.
        """
        names = in_order([name for name in columns if name in frame.columns])
        cells = cells_of(frame[names])
        widths = _widths(cells, columns)
        config = {
            name: _config(name, columns[name], frame[name], width=widths[name], is_first=name == names[0])
            for name in names
        }
        shown = {name: columns[name] for name in names}
        leads = chosen_by and [formats.page_address("", **{chosen_by[0]: str(key)}) for key in frame[chosen_by[1]]]
        return cls(frame, _as_arrow(cells), config, cards_html(cells, shown, leads or ()))


def rows_table(
    rows: pd.DataFrame | Rows, columns: Mapping[str, str], *, key: str, alt: str, is_selectable: bool = False
) -> int | None:
    """Draw the named columns ('Label [unit]' each) and return the chosen row's position, if rows can be chosen.

    Tags are shown as letter and shape, dates as days. A column whose name ends in `url` becomes links to web
    addresses, and `claim_id` a link to the claim's page; addresses that are not http or https are left out. Rows
    that can be chosen are `Rows` that say by what.
    """
    ready = rows if isinstance(rows, Rows) else Rows.of(rows, columns)
    height = _height(len(ready.frame))
    with st.container(key=f"{key}_wide_rows"), st.container(key=f"{key}_grid_space_{height}_{height}"):
        event = st.dataframe(
            ready.cells,
            hide_index=True,
            height=height,
            column_config=ready.config,
            key=key,
            on_select="rerun" if is_selectable else "ignore",
            selection_mode="single-row",
            placeholder="",
            alt=alt,
        )
    with st.container(key=f"{key}_phone_rows"):
        st.html(ready.cards)
    chosen: list[int] = event["selection"]["rows"] if is_selectable else []  # type: ignore[index]
    return int(chosen[0]) if chosen and chosen[0] < len(ready.frame) else None


def _height(n_rows: int) -> int:
    return min(MOST_HEIGHT, HEAD_HEIGHT + ROW_HEIGHT * max(n_rows, 1))


def _as_arrow(cells: pd.DataFrame) -> pa.Table | pd.DataFrame:
    """The cells as Streamlit sends them without converting anew; as they are where a column holds unlike values."""
    try:
        return pa.Table.from_pandas(cells, preserve_index=False)
    except pa.ArrowException:
        return cells


def in_order(names: list[str]) -> list[str]:
    """What the row is about and what it says, then evidence, day, who and where, then the rest.

    So that these are seen without scrolling, however many columns there are.
    """
    proof = [name for name in PROOF if name in names]
    told = [name for name in names if name not in proof]
    return [*told[:TOLD_FIRST], *proof, *told[TOLD_FIRST:]]


def cards_html(cells: pd.DataFrame, columns: Mapping[str, str], leads: Sequence[str] = ()) -> str:
    """The first rows as cards for a phone, most of them folded; the first column is the head, the others names and
    values; all escaped. A head leads to its row's address, where there are `leads`."""
    first, *others = list(columns)
    cards = []
    for place, row in enumerate(cells.head(CARDS_SHOWN).to_dict("records")):
        pairs = "".join(_pair(name, columns[name], row[name]) for name in others if _is_told(row[name]))
        head = html.escape(str(row[first]))
        if leads:
            head = _led(head, leads[place])
        cards.append(f'<div class="rows-card"><b>{head}</b><dl>{pairs}</dl></div>')
    more = len(cells) - CARDS_SHOWN
    where = "come with a narrower choice above" if leads else "are in the download"
    rest = f"<p>{more:,} more rows {where}.</p>" if more > 0 else ""
    folded = "".join(cards[CARDS_OPEN:])
    if folded:
        folded = f"<details><summary>{len(cards) - CARDS_OPEN} more rows</summary>{folded}{rest}</details>"
    return "".join(cards[:CARDS_OPEN]) + folded


def _led(words: str, address: str) -> str:
    """Escaped words as a link."""
    return f'<a href="{html.escape(address, quote=True)}">{words}</a>'


def _pair(name: str, text: str, value: object) -> str:
    return f"<dt>{html.escape(split_label(text)[0])}</dt><dd>{_shown(name, text, value)}</dd>"


def _shown(name: str, text: str, value: object) -> str:
    """A cell's value as HTML: links by their words, figures in their unit, everything else as escaped text."""
    word = _link_word(name)
    if word:
        return f'<a href="{html.escape(str(value), quote=True)}">{word}</a>'
    words = html.escape(cell_words(text, value))
    return f"<time>{words}</time>" if isinstance(value, dt.date) and words else words


def _link_word(name: str) -> str:
    """What a link of a column says; '' for a column without links."""
    if name in LEADS:
        return LEADS[name][2]
    if not name.endswith("url"):
        return ""
    return "download" if name == "download_url" else "open"


def cell_words(label: str, value: object) -> str:
    """A cell's value in words: figures in the unit of 'Label [unit]', days as ISO, nothing for what is missing."""
    if not _is_told(value):
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | float | np.number):
        return formats.quantity(float(value), split_label(label)[1])
    if isinstance(value, pd.Timestamp | dt.date):
        return formats.day(value)
    return str(value)


def short_table(frame: pd.DataFrame, columns: Mapping[str, str], alt: str) -> str:
    """A table of few rows as plain HTML, there at once; its rows become cards on a phone."""
    names = in_order([name for name in columns if name in frame.columns])
    return short_table_html(cells_of(frame[names]), {name: columns[name] for name in names}, alt)


def show_short_table(table: str) -> None:
    """Draw a table of `short_table`."""
    st.html(table)


def choice_table(frame: pd.DataFrame, columns: Mapping[str, str], alt: str, *, by: tuple[str, str], chosen: str) -> str:
    """Rows to choose from as plain HTML, there at once: a row's name leads to it, and on a phone its card.

    `by` is the address's parameter and the column of its value, `chosen` the value of the row that is open.
    """
    names = in_order([name for name in columns if name in frame.columns])
    cells, shown = cells_of(frame[names]), {name: columns[name] for name in names}
    keys = [str(key) for key in frame[by[1]]]
    leads = [formats.page_address("", **{by[0]: key}) for key in keys]
    place = keys.index(chosen) if chosen in keys else None
    return _by_width(short_table_html(cells, shown, alt, leads, place), cards_html(cells, shown, leads))


def first_rows(rows: Rows, columns: Mapping[str, str], alt: str) -> str:
    """The first rows of a long table as plain HTML, as high as the table: what is seen until it is drawn."""
    table = short_table(rows.frame.head(FIRST_ROWS), columns, alt)
    return _by_width(f'<div class="first-rows" style="height:{_height(len(rows.frame))}px">{table}</div>', rows.cards)


def _by_width(table: str, cards: str) -> str:
    return f'<div class="only-wide">{table}</div><div class="only-narrow">{cards}</div>'


def short_table_html(
    cells: pd.DataFrame,
    columns: Mapping[str, str],
    alt: str,
    leads: Sequence[str] = (),
    chosen: int | None = None,
) -> str:
    """The first column names the row, the head each unit; a cell without a value is empty, and left out of a card.

    A row's name leads to its address, where there are `leads`; the chosen row is marked.
    """
    heads = {name: _title(text) for name, text in columns.items()}
    head = "".join(f'<th scope="col">{html.escape(title)}</th>' for title in heads.values())
    rows = []
    for place, row in enumerate(cells.to_dict("records")):
        first, *others = [
            (html.escape(heads[str(name)], quote=True), _shown(str(name), split_label(columns[str(name)])[0], value))
            if _is_told(value)
            else ("", "")
            for name, value in row.items()
        ]
        told = "".join(f'<td data-label="{label}">{value}</td>' if label else "<td></td>" for label, value in others)
        name = _led(first[1], leads[place]) if leads else first[1]
        mark = ' aria-current="true"' if place == chosen else ""
        rows.append(f'<tr{mark}><th scope="row">{name}</th>{told}</tr>')
    return (
        f'<div class="rows-box" role="region" tabindex="0" aria-label="{html.escape(alt, quote=True)}">'
        f'<table class="sheet cards rows"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _title(text: str) -> str:
    label, unit = split_label(text)
    return f"{label} ({unit})" if unit else label


def _is_told(value: object) -> bool:
    return value is not None and value is not pd.NaT and value is not pd.NA and value == value and value != ""


def plain_table(frame: pd.DataFrame, *, key: str, alt: str) -> None:
    """Any rows, every cell as it is: nothing becomes a link, and lists and records are their text."""
    shown = frame.copy(deep=False)
    for name in shown.columns:
        if _holds_lists(shown[name]) or shown[name].dtype == object:
            shown[name] = [None if value is None else str(value) for value in shown[name]]
    columns = {
        name: st.column_config.TextColumn(str(name)) for name in shown.columns if not _is_figure(shown[name])
    }  # fmt: skip
    st.dataframe(shown, hide_index=True, key=key, alt=alt, column_config=columns, placeholder="NULL")


def detail_table(frame: pd.DataFrame, labels: Mapping[str, str], *, key: str, alt: str) -> None:
    """The details of one thing under its evidence: text as it is, `link` as a link to the web, truths as boxes."""
    shown = frame[list(labels)].copy(deep=False)
    columns: dict[str, ColumnConfig] = {}
    for name, label in labels.items():
        if name == "link":
            shown[name] = [formats.safe_url(value) or None for value in frame[name]]
            columns[name] = st.column_config.LinkColumn(label, display_text="open")
        elif pd.api.types.is_bool_dtype(frame[name]):
            columns[name] = st.column_config.CheckboxColumn(label)
        else:
            columns[name] = st.column_config.TextColumn(label)
    full = HEAD_HEIGHT + ROW_HEIGHT * max(len(frame), 1)
    height = min(MOST_HEIGHT, full) if "link" in labels else full
    st.dataframe(shown, hide_index=True, height=height, key=key, alt=alt, column_config=columns)


def pairs_table(facts: Mapping[str, object], *, key: str, alt: str) -> None:
    """Names and values of one thing, a row each."""
    frame = pd.DataFrame({"name": list(facts), "value": [str(value) for value in facts.values()]})
    detail_table(frame, {"name": "", "value": ""}, key=key, alt=alt)


def _is_figure(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column))


def cells_of(frame: pd.DataFrame) -> pd.DataFrame:
    """The cells as they are shown: tags as mark, shape and word, addresses that may be followed, ids as addresses."""
    shown = frame.copy(deep=False)
    for name in map(str, frame.columns):
        if name == "evidence" or name.endswith("_evidence"):
            marks = {tag: evidence.mark(str(tag)) if isinstance(tag, str) else "" for tag in frame[name].unique()}
            shown[name] = [marks[tag] for tag in frame[name]]
        elif name.endswith("url"):
            shown[name] = [formats.safe_url(value) or None for value in frame[name]]
        elif name in LEADS:
            page, parameter, _ = LEADS[name]
            shown[name] = [
                formats.page_address(page, **{parameter: value}) if isinstance(value, str) else None
                for value in frame[name]
            ]
        elif _holds_lists(frame[name]):
            shown[name] = [_joined(value) for value in frame[name]]
    return shown


def _joined(value: object) -> str:
    """A list's words in one text; a column may also hold gaps and single words."""
    if isinstance(value, Sequence | np.ndarray | set) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return str(value) if _is_told(value) else ""


def _holds_lists(column: pd.Series) -> bool:
    return column.dtype == object and any(hasattr(value, "__len__") and not isinstance(value, str) for value in column)


def _widths(cells: pd.DataFrame, columns: Mapping[str, str]) -> dict[str, int]:
    """Pixels for each column of words, in which nearly all of its texts fit; Streamlit looks at the first rows only.

    The widest give way until the columns up to the last that proves a row are seen at once on a wide screen.
    """
    asked = {name: _asked(_title(columns[name]), _link_word(name), cells[name]) for name in map(str, cells.columns)}
    names = list(asked)
    told = names[: 1 + max((place for place, name in enumerate(names) if name in PROOF), default=len(names) - 1)]
    most = next(
        (
            most
            for most in range(MOST_WIDTH, LEAST_MOST, -5)
            if sum(min(asked[name], most) for name in told) <= SEEN_WIDTH
        ),
        LEAST_MOST,
    )
    return {name: min(width, most) for name, width in asked.items()}


def _asked(title: str, link: str, values: pd.Series) -> int:
    lengths = [len(link)] if link else [len(cell_words(title, value)) for value in values.dropna()]
    longest = float(np.quantile(lengths, MOST_TEXTS)) if lengths else 0
    return int(CELL_EDGE + LETTER * max(longest, len(title)))


def _config(name: str, text: str, values: pd.Series, *, width: int, is_first: bool) -> ColumnConfig:
    unit, title = split_label(text)[1], _title(text)
    link = _link_word(name)
    if link:
        return st.column_config.LinkColumn(title, display_text=link)
    if pd.api.types.is_bool_dtype(values):
        return st.column_config.CheckboxColumn(title)
    if unit.startswith("USD/h"):
        return st.column_config.NumberColumn(title, format="$%.2f")
    if pd.api.types.is_integer_dtype(values):
        return st.column_config.NumberColumn(title, format="localized")
    if pd.api.types.is_numeric_dtype(values):
        is_small = bool(values.abs().max() < 1)  # below one the local form rounds to three places
        return st.column_config.NumberColumn(title, format="%.4g" if is_small else "localized")
    if pd.api.types.is_datetime64_any_dtype(values):
        return st.column_config.DateColumn(title, format="YYYY-MM-DD")
    return st.column_config.TextColumn(title, pinned=is_first, width=width)
