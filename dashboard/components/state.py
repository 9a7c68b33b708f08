"""State that lives in the address: filters, the as-of date, the chosen row. A copied link shows the same view.

Every key is one query parameter. What is at its default is left out of the address.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.components.page import AS_OF

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from dashboard.queries import Ledger

FIRST_DAY = dt.date(2018, 1, 1)
FEW = 4


def choose_one(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    names: Mapping[str, str] | None = None,
    where: DeltaGenerator | None = None,
    help: str | None = None,
) -> str:
    """One of the options, the first unless the address says another: buttons for few, a list for many.

    `names` are shown instead of the options, and stand in the address. Raises ValueError without options.
    """
    if not options:
        raise ValueError(f"nothing to choose for {label}")
    place, shown = where or st, names or {}

    def name(option: str) -> str:
        return shown.get(option, option)

    if len(options) <= FEW and sum(len(name(option)) for option in options) < 40:
        chosen = place.segmented_control(
            label, options, default=options[0], required=True, format_func=name, key=key, bind="query-params", help=help
        )
    else:
        chosen = place.selectbox(label, options, format_func=name, key=key, bind="query-params", help=help)
    return str(chosen if chosen is not None else options[0])


def choose_many(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    names: Mapping[str, str] | None = None,
    where: DeltaGenerator | None = None,
    help: str | None = None,
) -> tuple[str, ...]:
    """Some of the options; nothing chosen means all, so that an address without the key says the same everywhere."""
    shown = names or {}
    chosen = (where or st).multiselect(
        label,
        options,
        key=key,
        bind="query-params",
        placeholder="All",
        format_func=lambda option: shown.get(option, option),
        help=help,
    )
    return tuple(chosen)


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter on a column: its label and key, and, where not every value of the column in order, what it offers."""

    column: str
    label: str
    key: str = ""
    options: Sequence[str] | None = None
    names: Mapping[str, str] | None = None


def filtered(frame: pd.DataFrame, *filters: Filter, places: Sequence[DeltaGenerator] | None = None) -> pd.DataFrame:
    """Draw the filters side by side and return the rows that fit all of them; nothing chosen means all."""
    keep = pd.Series(True, index=frame.index)
    for each, where in zip(filters, places or st.columns(len(filters)), strict=True):
        options = sorted(set(frame[each.column].dropna())) if each.options is None else each.options
        chosen = choose_many(each.label, options, key=each.key or each.column, names=each.names, where=where)
        if chosen:
            keep &= frame[each.column].isin(chosen)
    return frame[keep].reset_index(drop=True)


def holding(frame: pd.DataFrame, words: str, columns: Sequence[str]) -> pd.DataFrame:
    """The rows that hold every word somewhere in these columns, in any case of letters."""
    text, keep = pd.Series("", index=frame.index), pd.Series(True, index=frame.index)
    for column in columns:
        text += " " + frame[column].fillna("").str.lower()
    for word in words.lower().split():
        keep &= text.str.contains(word, regex=False)
    return frame[keep].reset_index(drop=True)


def names_of(frame: pd.DataFrame, key: str, name: str) -> dict[str, str]:
    """Keys with their names, in the order of the names; rows without a key are left out."""
    known = frame.dropna(subset=[key, name]).drop_duplicates(key).sort_values(name)
    return dict(zip(known[key].astype(str), known[name].astype(str), strict=True))


def as_of(ledger: Ledger, *, where: DeltaGenerator | None = None, first: dt.date = FIRST_DAY) -> dt.date:
    """The day whose knowledge is shown: only what had been stated on or before it. The version's own day by default.

    One day for all pages: it stays in the address and goes along through the menu. Streamlit's own binding would drop
    it with the page that drew it, so the address is read and written here.
    """
    newest = ledger.built_at.date()
    shown = _day_in(str(st.query_params.get(AS_OF, "")), first, newest)
    key = f"as_of_{shown:%Y%m%d}"  # another day in the address is another widget: it never shows a day of before
    (where or st).date_input(
        "As known on",
        value=shown,
        min_value=first,
        max_value=newest,
        key=key,
        on_change=_take_day,
        args=(key, newest),
        format="YYYY-MM-DD",
        width=180,
        help="Only what had been stated on or before this day is shown. Earlier days replay what was known then.",
    )
    return shown


def _day_in(text: str, first: dt.date, newest: dt.date) -> dt.date:
    """The day an address names, kept within what can be shown; the newest for anything that is no day."""
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        return newest
    return min(max(day, first), newest)


def _take_day(key: str, newest: dt.date) -> None:
    chosen = st.session_state.get(key)
    if isinstance(chosen, dt.date) and chosen != newest:
        st.query_params[AS_OF] = chosen.isoformat()
    else:
        st.query_params.pop(AS_OF, None)


def chosen_key(parameter: str) -> str:
    """The key of the row or claim that the address names; '' for none."""
    return str(st.query_params.get(parameter, ""))


def pick_key(parameter: str, value: str) -> None:
    """Put the key of a chosen row into the address."""
    if chosen_key(parameter) != value:
        st.query_params[parameter] = value
