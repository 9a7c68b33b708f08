"""The published version as the dashboard asks it: read-only, cached by version, typed frames out.

A page opens one `Ledger` and asks it everything, so a page is drawn from one version even while another is published.
The SQL lives beside this, a file of named statements a subject; nowhere else in the dashboard. A module beside the
file holds what takes more than to ask.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pandas as pd
import streamlit as st

from warehouse.present import Parameters
from warehouse.read import Warehouse
from warehouse.statements import statements

AT_ONCE = 2  # more queries side by side finish no sooner on a small machine, and together want too much memory
_room = threading.BoundedSemaphore(AT_ONCE)
Made = TypeVar("Made")
Row = dict[str, Any]


class Ledger:
    """One published version, asked through cursors of its own; safe over sessions."""

    def __init__(self, path: Path) -> None:
        self._warehouse = Warehouse(path)
        self.version = self._warehouse.publication.version
        self.built_at = self._warehouse.publication.built_at

    def frame_of(self, name: str, parts: Mapping[str, str] | None = None, /, **given: Any) -> pd.DataFrame:
        """The rows of a statement: 'sites.timeline' is `-- name: timeline` of `sites.sql`, `given` are its `$names`.

        `parts` are put in for `{{name}}` where the file has no such part.
        """
        sql = _statement(name)
        for part, text in (parts or {}).items():
            sql = sql.replace(f"{{{{{part}}}}}", text)
        return self.frame(sql, given)

    def first(self, name: str, /, **given: Any) -> Row | None:
        """The first row of a table; None where it has none."""
        frame = self.frame_of(name, **given)
        return None if frame.empty else first_row(frame)

    def rows(self, name: str, /, **given: Any) -> list[Row]:
        """The rows of a named statement with plain Python values."""
        return self.records(_statement(name), given)

    def row(self, name: str, /, **given: Any) -> Row | None:
        """The first of the rows; None where there is none."""
        return next(iter(self.rows(name, **given)), None)

    def frame(self, sql: str, parameters: Parameters = ()) -> pd.DataFrame:
        """A query's rows; equal questions to one version are answered from memory, shared by all sessions.

        What is returned may be changed freely: pandas copies on writing.
        """
        asked = self._warehouse.of_the_present(sql, parameters)
        return _frame(self.version, *asked, _ledger=self).copy(deep=False)

    def records(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """A query's rows with plain Python values: lists stay lists, dates are dates; kept like frames.

        Each caller has rows of his own; what is in a list of a row is shared.
        """
        asked = self._warehouse.of_the_present(sql, parameters)
        return [dict(row) for row in _records(self.version, *asked, _ledger=self)]

    @contextmanager
    def answer(self, sql: str, parameters: Parameters) -> Iterator[duckdb.DuckDBPyConnection]:
        """The query's answer, on a cursor of its own."""
        with _room, closing(self._warehouse.cursor()) as cursor:
            yield cursor.execute(sql, parameters)

    def within(self, seconds: float, sql: str, named: Mapping[str, Any]) -> list[dict[str, Any]]:
        """A query's rows with named parameters. Not kept. Raises TookTooLong after its time."""
        return self._warehouse.within(seconds, sql, named)


def _statement(name: str) -> str:
    file, _, statement = name.partition(".")
    return _statements(file)[statement]


@cache
def _statements(file: str) -> Mapping[str, str]:
    return statements(Path(__file__).with_name(f"{file}.sql"))


def once(ledger: Ledger, make: Callable[..., Made], *given: object) -> Made:
    """What a function of a module makes of the ledger and plain values (texts, days, tuples and records of them).

    It is made once a version and set of values, for all visitors: a page that is asked again computes nothing. What
    is returned belongs to all of them and is not changed.
    """
    return kept(ledger, f"{make.__module__}.{make.__qualname__}", given, lambda: make(ledger, *given))


def kept(ledger: Ledger, name: str, given: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """What `make` makes, kept under a name and the values that it is made of."""
    made: Made = _made(ledger.version, name, given, make)
    return made


@st.cache_resource(max_entries=500, show_spinner=False)
def _made(version: str, name: str, given: tuple[object, ...], _make: Callable[[], Any]) -> Any:
    return _make()


@st.cache_resource(max_entries=500, show_spinner=False)
def _frame(version: str, sql: str, parameters: Parameters, _ledger: Ledger) -> pd.DataFrame:
    with _ledger.answer(sql, parameters) as answer:
        return answer.df()


@st.cache_resource(max_entries=2_000, show_spinner=False)
def _records(version: str, sql: str, parameters: Parameters, _ledger: Ledger) -> list[dict[str, Any]]:
    with _ledger.answer(sql, parameters) as answer:
        names = [column[0] for column in answer.description or []]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


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


def tables(ledger: Ledger) -> set[str]:
    """The tables of this version as schema.table."""
    return set(ledger.frame('SELECT "table" FROM meta.tables')["table"])
