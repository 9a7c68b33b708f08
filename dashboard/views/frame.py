"""What every page shares: opening the ledger, saying what to do when that fails, and the line on the version shown."""

from __future__ import annotations

import streamlit as st
from pydantic import ValidationError

from dashboard.formats import day
from dashboard.queries import Ledger, open_ledger
from pipelines.settings import Settings
from warehouse.read import WarehouseMissing, WarehouseUnreadable


def ledger_or_stop() -> Ledger:
    """The published version; without one the page says what to run and ends."""
    try:
        return open_ledger(Settings().warehouse)
    except WarehouseMissing as error:
        st.title("There is no warehouse yet")
        st.text(str(error))
        st.code("make run", language="sh")
    except WarehouseUnreadable as error:
        st.title("The warehouse cannot be read")
        st.text(str(error))
        st.code("make run", language="sh")
    except ValidationError as error:
        st.title("A setting is wrong")
        st.text(str(error))
    return st.stop()


def version_line(ledger: Ledger) -> None:
    """Which version is shown, and since when."""
    st.caption(f"Version {ledger.version}, built {day(ledger.built_at)}.")
