"""State that lives in the address: filters, the as-of date, the chosen row. A copied link shows the same view.

Every key is one query parameter. What is at its default is left out of the address.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

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


def as_of(ledger: Ledger, *, where: DeltaGenerator | None = None, first: dt.date = FIRST_DAY) -> dt.date:
    """The day whose knowledge is shown: only what had been stated on or before it. The version's own day by default.

    One control for all pages: its day stays in the address from page to page.
    """
    newest = ledger.built_at.date()
    chosen = (where or st).date_input(
        "As known on",
        value=newest,
        min_value=first,
        max_value=newest,
        key=AS_OF,
        bind="query-params",
        format="YYYY-MM-DD",
        width=180,
        help="Only what had been stated on or before this day is shown. Earlier days replay what was known then.",
    )
    return chosen if isinstance(chosen, dt.date) else newest


def chosen_key(parameter: str) -> str:
    """The key of the row or claim that the address names; '' for none."""
    return str(st.query_params.get(parameter, ""))


def pick_key(parameter: str, value: str) -> None:
    """Put the key of a chosen row into the address."""
    if chosen_key(parameter) != value:
        st.query_params[parameter] = value
