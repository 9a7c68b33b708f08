"""Data: the whole version as files, and what every table and column means."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path

import pandas as pd
import streamlit as st

from dashboard.components import choose_one, later, rows_table, words_of
from dashboard.components.page import link_to
from dashboard.components.state import search_words
from dashboard.components.tables import short_table, show_short_table
from dashboard.queries import Ledger
from dashboard.queries import catalog as queries
from pipelines.frozen import frozen
from pipelines.settings import current_settings
from warehouse.answers import formats

WORDS = words_of(__file__)


ALL = "all tables"
WHOLE = {
    "rackledger.duckdb": "all tables in one DuckDB file, with comments on every column",
    "datapackage.json": "Frictionless data package: every table with its columns, units and terms",
    "SHA256SUMS": "digest of every file",
}
FORMATS = {".parquet": "Parquet", ".csv": "CSV"}


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    _downloads(ledger)
    later(partial(_dictionary, ledger))


def _downloads(ledger: Ledger) -> None:
    st.header("Downloads", anchor="downloads")
    files = files_of(current_settings().published / ledger.version)
    if not files:
        st.info("The files of this version are not published here yet. Write them with `rackledger publish`.")
        return
    st.text(
        f"Version {ledger.version}. These addresses never change; files/latest/ in place of files/{ledger.version}/ "
        "gives the newest version, and files/latest.json says which that is."
    )
    whole = [file for file in files if file.table == ""]
    show_short_table(short_table(_listed(ledger, whole), WORDS.tables["files"], "The version as a whole"))
    tables = [file for file in files if file.table]
    label = f"Single tables: {len(tables)} files"
    with st.expander(label, icon=":material/table:", key="files_open", on_change="rerun") as part:
        if part.open:
            rows_table(
                _listed(ledger, tables), WORDS.tables["files"], key="files", alt="Single tables as Parquet and CSV"
            )
    st.code(queries.ATTACH.format(base=_base(), version=ledger.version), language=None, wrap_lines=True)
    st.caption("CSV holds lists as JSON; text that a spreadsheet would run as a formula has a quote before it.")


def _listed(ledger: Ledger, files: list[PublishedFile]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "name": [file.name for file in files],
            "what": [file.what for file in files],
            "size": [formats.size(file.byte_count) for file in files],
            "download_url": [f"{_base()}files/{ledger.version}/{file.name}" for file in files],
        }
    )


def _base() -> str:
    """The address of the dashboard's root, with a slash at its end."""
    address = st.context.url or ""
    return f"{address.split('?')[0].split('#')[0].rstrip('/').rsplit('/', 1)[0]}/" if address else ""


def _dictionary(ledger: Ledger) -> None:
    st.header("Dictionary", anchor="dictionary")
    tables = ledger.frame_of("catalog.described_tables")
    columns = st.columns([1, 2])
    table = choose_one("Table", [ALL, *tables["table"]], key="table", where=columns[0])
    words = search_words("Search", key="q", placeholder="words of a meaning", where=columns[1])
    chosen = "" if table == ALL else table
    shown = tables[tables["table"] == table] if chosen else tables
    if chosen:
        row = shown.iloc[0]
        st.subheader(formats.escape_markdown(str(row["title"])), anchor=False)
        st.text(f"{row['says']} One row is {row['grain']}.")
        if row["cannot_tell"]:
            st.text(f"What it cannot tell: {row['cannot_tell']}")
        link_to("sql", "Ask this table in SQL", icon=":material/database:", sql=queries.ALL_OF.format(table=chosen))
    elif not words:
        st.caption(f"{len(shown):,} tables. Choose one, or search all columns.")
        rows_table(shown, WORDS.tables["tables"], key="dictionary_tables", alt="Tables")
        return
    found = queries.described_columns(ledger, words, chosen)
    if found.empty:
        st.info("No column has all of these words. Use fewer.")
        return
    st.caption(f"{len(found):,} columns")
    rows_table(found, WORDS.tables["rows"], key="dictionary_columns", alt="Columns with their meaning")


@frozen
class PublishedFile:
    """A file: its name, what it is, the table it holds ('' for a file about all), its size in bytes."""

    name: str
    what: str
    table: str
    byte_count: int


def files_of(folder: Path) -> list[PublishedFile]:
    """The files of a version, those about all tables first; none where the version is not published."""
    return _files_of(folder, folder.stat().st_mtime_ns) if folder.is_dir() else []


@lru_cache(maxsize=4)
def _files_of(folder: Path, _changed_ns: int) -> list[PublishedFile]:
    found = [_describe(path) for path in sorted(folder.iterdir()) if path.is_file()]
    order = list(WHOLE)
    return sorted(found, key=lambda f: (f.table != "", order.index(f.name) if f.name in order else len(order), f.name))


def _describe(path: Path) -> PublishedFile:
    size = path.stat().st_size
    if path.suffix in FORMATS and path.name not in WHOLE:
        return PublishedFile(path.name, f"{path.stem} as {FORMATS[path.suffix]}", path.stem, size)
    return PublishedFile(path.name, WHOLE.get(path.name, "about all tables"), "", size)
