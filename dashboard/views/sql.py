"""SQL: any question to the published tables, within limits, shareable by its address."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.components import bundle, words_of
from dashboard.components.download import download_button
from dashboard.components.page import link_to
from dashboard.components.tables import plain_table
from dashboard.queries import Ledger
from dashboard.queries.examples import EXAMPLES
from dashboard.sandboxed import LIMITS, shared_sandbox
from warehouse.answers import formats
from warehouse.read import WarehouseUnreadable
from warehouse.sandbox import Answer, Busy, Mistake, Refused, Stopped

WORDS = words_of(__file__)

SHOWN = 1_000
KEY = "sql"


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open(limits=LIMITS)
    left, right = st.columns([3, 1], gap="medium")
    with right:
        _examples()
    with left:
        sql = _editor()
        if sql.strip():
            _answer(ledger, sql)
        else:
            st.info("Write a statement, or choose an example.")


def _editor() -> str:
    with st.form("editor", border=False):
        text = st.text_area(
            "Statement", key=KEY, bind="query-params", height=220, max_chars=LIMITS.characters,
            value=EXAMPLES[0].sql, help="Ctrl+Enter or Cmd+Enter runs it.",
        )  # fmt: skip
        st.form_submit_button("Run", icon=":material/play_arrow:")
    return text or ""


def _examples() -> None:
    """Each example puts its statement into the editor."""
    st.header("Examples", anchor=False)
    for example in EXAMPLES:
        st.button(
            example.title, key=f"example_{example.id}", on_click=_take, args=(example.sql,), type="tertiary",
            icon=":material/arrow_back:", wrap=True,
        )  # fmt: skip
    link_to("data", "Tables and columns", icon=":material/menu_book:")


def _take(sql: str) -> None:
    st.session_state[KEY] = sql


def _answer(ledger: Ledger, sql: str) -> None:
    try:
        with st.spinner("Running …"):
            answer = _ask(ledger.version, sql)
    except Refused as error:
        st.warning(formats.escape_markdown(str(error)), icon=":material/block:")
    except Mistake as error:
        st.warning("DuckDB cannot run this:", icon=":material/error:")
        st.code(str(error), language=None, wrap_lines=True)
    except (Stopped, Busy) as error:
        st.warning(formats.escape_markdown(str(error)), icon=":material/timer_off:")
    except WarehouseUnreadable as error:
        st.warning(formats.escape_markdown(str(error)))
    else:
        _show(answer)


def _ask(version: str, sql: str) -> Answer:
    """The same statement of the same session and version is not run twice, whatever else on the page is clicked."""
    kept = st.session_state.get("_sql_answer")
    if kept is not None and kept[0] == (version, sql):
        answer: Answer = kept[1]
        return answer
    answer = shared_sandbox().ask(sql, _visitor())
    st.session_state["_sql_answer"] = ((version, sql), answer)
    return answer


def _visitor() -> str | None:
    """The session: it takes its turn behind sessions that asked less of late."""
    context = get_script_run_ctx()
    return context.session_id if context else None


def _show(answer: Answer) -> None:
    n_rows = answer.table.num_rows
    cut = f", cut at the limit of {LIMITS.rows:,} rows or {formats.size(LIMITS.result_bytes)}" if answer.is_cut else ""
    st.caption(f"{n_rows:,} rows in {answer.seconds:.2f} s{cut}. Version {answer.version}.")
    if not answer.table.num_columns or not n_rows:
        st.info("The statement gives no rows.")
        return
    frame: pd.DataFrame = answer.table.to_pandas()
    if list(frame.columns) == ["explain_key", "explain_value"]:
        st.code("\n".join(str(text) for text in frame["explain_value"]), language=None, height=500)
        return
    frame.columns = pd.Index(_distinct([str(name) for name in frame.columns]))
    plain_table(frame.head(SHOWN), key="sql_rows", alt="Rows of the statement")
    if n_rows > SHOWN:
        st.caption(f"The first {SHOWN:,} rows; the download holds all {n_rows:,}.")
    download_button(
        "Download these rows (CSV)", lambda: bundle.csv_bytes(frame), "rackledger.csv", "text/csv",
        icon=":material/download:",
    )  # fmt: skip


def _distinct(names: list[str]) -> list[str]:
    """Column names that differ: a second `a` becomes `a_2`."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return found
