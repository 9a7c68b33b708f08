"""State that lives in the address: filters, the as-of date, the chosen row. A copied link shows the same view.

Every key is one query parameter, named after its page (`racks.question`). What is at its default is left out.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from dashboard.addresses import state_name
from dashboard.components.page import AS_OF, SPOT
from pipelines.frozen import frozen
from warehouse.answers import formats

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from dashboard.queries import Ledger

FIRST_DAY = dt.date(2018, 1, 1)
FEW = 4
_PAGE, _HAS_DAY, _REFUSED, _LOOKED_AT = "_page", "_has_day", "_refused", "_looked_at"


def begin_page(path: str) -> None:
    """Name the page that is drawn: its state carries its name in the address, so that no page takes another's."""
    if st.session_state.get(_PAGE) != path:
        st.session_state[_LOOKED_AT] = False
    st.session_state[_PAGE] = path
    st.session_state[_HAS_DAY] = False
    st.session_state[_REFUSED] = []


def is_first_look() -> bool:
    """Whether the reader has just come to the page, and only what is seen first is drawn."""
    return not st.session_state.get(_LOOKED_AT)


def now_looked_at() -> None:
    """From now on the page is drawn whole, until the reader leaves it."""
    st.session_state[_LOOKED_AT] = True


def is_refused(key: str, value: str) -> bool:
    """Whether the page that was drawn did not take a value of its address: no option, or a day it cannot show."""
    if key == AS_OF and not st.session_state[_HAS_DAY]:
        return True
    return (key, value) in st.session_state[_REFUSED]


def _refuse(key: str, value: str) -> None:
    st.session_state.setdefault(_REFUSED, []).append((key, value))


def say_unapplied_day() -> None:
    """Say that the address asks for an earlier day which this page cannot show; nothing where it shows it."""
    asked = str(st.query_params.get(AS_OF, ""))
    spot = st.session_state.get(SPOT)
    if asked and spot is not None and not st.session_state.get(_HAS_DAY):
        spot.info(
            f"“As known on {formats.escape_markdown(asked)}” does not apply here: this page shows the newest record."
        )


def _own(key: str) -> str:
    return state_name(str(st.session_state.get(_PAGE, "")), key)


def _known(label: str, key: str, options: Sequence[str], shown: Mapping[str, str]) -> None:
    """Say which values of the address are none of the options, and lead to the nearest that is."""
    names = [shown.get(option, option) for option in options]
    for value in st.query_params.get_all(key):
        if value in names:
            continue
        _refuse(key, value)
        near = shown.get(value) or nearest(value, names)
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"unknown_{key}_{value}"):
            st.markdown(f"{formats.escape_markdown(label)}: “{formats.escape_markdown(value)}” is not offered here.")
            if near:
                others = [name for name in st.query_params if name != key]
                kept = [(name, each) for name in others for each in st.query_params.get_all(name)]
                st.markdown(f"[Show {formats.escape_markdown(near)}](<?{urlencode([*kept, (key, near)])}>)")


def nearest(value: str, names: Sequence[str]) -> str:
    """The name that is most like a value; '' where there is none."""
    lowered = {name.lower(): name for name in names}
    found = get_close_matches(value.lower(), list(lowered), n=1, cutoff=0)
    return lowered[found[0]] if found else ""


def search_words(label: str, *, key: str, placeholder: str, where: DeltaGenerator | None = None) -> str:
    """Words to search this page by."""
    return (where or st).text_input(label, key=_own(key), bind="query-params", placeholder=placeholder) or ""


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
    place, shown, key = where or st, names or {}, _own(key)
    _known(label, key, options, shown)

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
    shown, key = names or {}, _own(key)
    _known(label, key, options, shown)
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


@frozen
class Filter:
    """A filter on a column: its label and key, and, where not every value of the column in order, what it offers."""

    column: str
    label: str
    key: str = ""
    options: Sequence[str] | None = None
    names: Mapping[str, str] | None = None


Choices = tuple[tuple[str, tuple[str, ...]], ...]  # columns with the values chosen of them


def choose_in(frame: pd.DataFrame, *filters: Filter, places: Sequence[DeltaGenerator] | None = None) -> Choices:
    """Draw the filters side by side and return what is chosen of each column; nothing chosen means all."""
    found = []
    for each, where in zip(filters, places or st.columns(len(filters)), strict=True):
        options = sorted(set(frame[each.column].dropna())) if each.options is None else each.options
        chosen = choose_many(each.label, options, key=each.key or each.column, names=each.names, where=where)
        found.append((each.column, chosen))
    return tuple(found)


def fitting(frame: pd.DataFrame, choices: Choices) -> pd.DataFrame:
    """The rows that fit all choices."""
    keep = pd.Series(True, index=frame.index)
    for column, chosen in choices:
        if chosen:
            keep &= frame[column].isin(chosen)
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
    st.session_state[_HAS_DAY] = True
    newest = ledger.built_at.date()
    asked = str(st.query_params.get(AS_OF, ""))
    shown = _day_in(asked, first, newest)
    if asked not in ("", shown.isoformat()):
        _refuse(AS_OF, asked)
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


def now_word(ledger: Ledger, day: dt.date) -> str:
    """What a chart calls the day up to which its record is known: 'today', or the date of an earlier one."""
    return "today" if day >= ledger.built_at.date() else formats.day(day)
