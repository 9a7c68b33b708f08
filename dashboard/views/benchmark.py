"""One benchmark: what it measures, and the newest best result of each generation."""

from __future__ import annotations

import datetime as dt
import html

import streamlit as st

from dashboard.components import as_of, chosen_key, words_of
from dashboard.components.board import show_board
from dashboard.components.page import head_of, ledger_or_stop, nothing_of_that_name
from dashboard.components.sheet import Cell, card, corrections_card, links_html, rows_card, table_html
from dashboard.queries import Ledger, Row
from dashboard.queries.corrections import put_right
from warehouse.answers import formats
from warehouse.answers.corrections import BENCHMARK

WORDS = words_of(__file__)

NOTE = "Results per accelerator are derived here and not verified by MLCommons. Sizes differ: the count is beside each."


def show() -> None:
    """Draw the page."""
    ledger = ledger_or_stop()
    rows = ledger.rows("parties.benchmark", id=chosen_key("id"))
    if not rows:
        nothing_of_that_name(ledger, "benchmark", chosen_key("id"))
        return
    row = rows[0]
    suites = " and ".join(str(each["suite"]).capitalize() for each in rows)
    about = "; ".join(text for text in (row["area"], row["dataset"], row["note"]) if text)
    rounds = f"rounds {row['first_round']} to {row['last_round'] or 'now'}"
    says = f"MLPerf {suites}, {rounds}: {about}."
    title = f"{row['title']}, {suites.lower()}" if row["has_namesake"] else row["title"]
    head_of(ledger, title, says, needs=WORDS.needs)
    day = as_of(ledger)
    pieces = "".join(_inference(ledger, str(row["id"]), day)) + _training(ledger, row, day)
    pieces += corrections_card(put_right(ledger, BENCHMARK, [str(row["id"])]))
    if pieces:
        show_board([f'<div class="column four">{pieces}</div>'], key="benchmark")
    else:
        st.info(f"No closed-division result of it had been published by {formats.day(day)}.")


def _inference(ledger: Ledger, name: str, day: dt.date) -> list[str]:
    found = ledger.rows("parties.inference", id=name, day=day)
    missing = ledger.rows("parties.absent", id=name, day=day) if found else []
    made = []
    for scenario in dict.fromkeys(each["scenario"] for each in found):
        rows = [
            [
                Cell(each["generation_name"], str(each["system"])),
                Cell(
                    formats.quantity(each["value"], each["unit"]) if each["value"] is not None
                    else formats.quantity(each["best_result"], each["unit"]),
                    "" if each["value"] is not None else "of the whole: a latency does not divide", is_strong=True,
                ),
                Cell(f"{each['accelerators']:,}" if each["accelerators"] else ""),
                Cell("", f"{each['round']}, {each['submitter']}, {each['availability']}", "audited"),
            ]
            for each in found if each["scenario"] == scenario
        ]  # fmt: skip
        heads = ["Generation", "Per accelerator", "Accelerators", "Evidence"]
        address = formats.page_address("benchmarks", **{"benchmarks.scenario": scenario})
        names = [f"{each['vendor_name']} {each['name']}" for each in missing if each["scenario"] == scenario]
        none = (
            f"Nobody submitted a result of {', '.join(names)}, which others of the newest round have." if names else ""
        )
        foot = f"<span>{html.escape(none)}</span>{links_html([('All results', address)])}"
        made.append(
            card(f"{scenario}: newest best of each generation", NOTE, table_html(heads, rows, kind="cards"), foot=foot)
        )
    return made


def _training(ledger: Ledger, row: Row, day: dt.date) -> str:
    rows = [
        [
            Cell(each["generation_name"], str(each["system"])), Cell(formats.minutes(each["value"]), is_strong=True),
            Cell(f"{each['accelerators']:,}" if each["accelerators"] else ""),
            Cell("", f"{each['round']}, {each['submitter']}, {formats.day(each['stated_on'])}", "audited"),
        ]
        for each in ledger.rows("parties.training", id=str(row["id"]), day=day)
    ]  # fmt: skip
    heads = ["Generation", "Shortest time to train", "Accelerators", "Evidence"]
    links = [("All results", formats.page_address("training", **{"training.benchmark": str(row["title"])}))]
    says = "Closed division, any number of accelerators."
    return rows_card("Training: the shortest of each generation", says, heads, rows, links=links)
