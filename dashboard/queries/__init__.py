"""The published version as the dashboard asks it: read-only, cached by version, typed frames out.

A page opens one `Ledger` and asks it everything, so a page is drawn from one version even while another is published.
The SQL lives beside this, a module a subject; nowhere else in the dashboard.
"""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from warehouse.read import Warehouse

AT_ONCE = 2  # more queries side by side finish no sooner on a small machine, and together want too much memory
_room = threading.BoundedSemaphore(AT_ONCE)
_AS_OF = re.compile(r"marts\.(\w+)_as_of\(\?\)")


def whole_marts(sql: str, parameters: tuple[Any, ...], newest: dt.date) -> tuple[str, tuple[Any, ...]]:
    """The query with each mart itself where its as-of form is asked for the newest day or a later one.

    The two are equal there (a test holds it), and the as-of form computes the mart anew.
    """
    kept, text, end = list(parameters), "", 0
    for found in _AS_OF.finditer(sql):
        text += sql[end : found.start()]
        place, end = text.count("?"), found.end()
        if place < len(kept) and isinstance(kept[place], dt.date) and kept[place] >= newest:
            del kept[place]
            text += f"marts.{found[1]}"
        else:
            text += found[0]
    return text + sql[end:], tuple(kept)


class Ledger:
    """One published version, asked through cursors of its own; safe over sessions."""

    def __init__(self, path: Path) -> None:
        self._warehouse = Warehouse(path)
        self.version = self._warehouse.publication.version
        self.built_at = self._warehouse.publication.built_at

    def frame(self, sql: str, parameters: tuple[Any, ...] = ()) -> pd.DataFrame:
        """A query's rows; equal questions to one version are answered from memory, shared by all sessions.

        What is returned may be changed freely: pandas copies on writing.
        """
        asked = whole_marts(sql, parameters, self.built_at.date())
        return _frame(self.version, *asked, _ledger=self).copy(deep=False)

    def ask(self, sql: str, parameters: tuple[Any, ...]) -> pd.DataFrame:
        """Run the query."""
        with _room, closing(self._warehouse.cursor()) as cursor:
            return cursor.execute(sql, list(parameters)).df()

    def records(self, sql: str, parameters: tuple[Any, ...] | Mapping[str, Any] = ()) -> list[dict[str, Any]]:
        """A query's rows with plain Python values: lists stay lists, dates are dates; kept like frames.

        With named parameters nothing is kept. Each caller has rows of his own; what is in a list of a row is shared.
        """
        if isinstance(parameters, Mapping):
            return self.ask_records(sql, parameters)
        asked = whole_marts(sql, parameters, self.built_at.date())
        return [dict(row) for row in _records(self.version, *asked, _ledger=self)]

    def ask_records(self, sql: str, parameters: tuple[Any, ...] | Mapping[str, Any]) -> list[dict[str, Any]]:
        """Run the query."""
        with _room, closing(self._warehouse.cursor()) as cursor:
            result = cursor.execute(sql, dict(parameters) if isinstance(parameters, Mapping) else list(parameters))
            names = [column[0] for column in result.description or []]
            return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    def within(self, seconds: float, sql: str, named: Mapping[str, Any]) -> list[dict[str, Any]]:
        """A query's rows with named parameters. Not kept. Raises TookTooLong after its time."""
        return self._warehouse.within(seconds, sql, named)


@st.cache_resource(max_entries=500, show_spinner=False)
def _frame(version: str, sql: str, parameters: tuple[Any, ...], _ledger: Ledger) -> pd.DataFrame:
    return _ledger.ask(sql, parameters)


@st.cache_resource(max_entries=2_000, show_spinner=False)
def _records(version: str, sql: str, parameters: tuple[Any, ...], _ledger: Ledger) -> list[dict[str, Any]]:
    return _ledger.ask_records(sql, parameters)


@st.cache_resource(max_entries=2, show_spinner=False)
def _open(path: str, inode: int, modified_ns: int) -> Ledger:
    return Ledger(Path(path))


def open_ledger(path: Path) -> Ledger:
    """The version that is published now. Raises WarehouseMissing or WarehouseUnreadable."""
    if not path.exists():
        return Ledger(path)  # raises, and says what to run
    stat = path.stat()
    return _open(str(path), stat.st_ino, stat.st_mtime_ns)


def first_row(frame: pd.DataFrame) -> dict[str, Any]:
    """The first row of a frame that has one."""
    return {str(name): value for name, value in frame.iloc[0].items()}


def one_of(values: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two parameters of `(len(?::VARCHAR[]) = 0 OR x IN (SELECT unnest(?::VARCHAR[])))`: no value means all."""
    return tuple(values), tuple(values)


def tables(ledger: Ledger) -> set[str]:
    """The tables of this version as schema.table."""
    return set(ledger.frame('SELECT "table" FROM meta.tables')["table"])
