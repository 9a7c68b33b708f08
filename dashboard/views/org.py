"""One organisation: its layers, what it has, what it makes and promised, what is said of it."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard.components import as_of, chosen_key, milestones, words_of
from dashboard.components.board import show_board
from dashboard.components.page import head_of, ledger_or_stop, nothing_of_that_name
from dashboard.components.sheet import Cell, card, corrections_card, links_html, rows_card
from dashboard.queries import Ledger, Row
from dashboard.queries.corrections import put_right
from warehouse.answers import claim_words, formats
from warehouse.answers.corrections import ORGANISATION

WORDS = words_of(__file__)

MOST_LINKED = 30


def show() -> None:
    """Draw the page."""
    ledger = ledger_or_stop()
    row = ledger.row("parties.organisation", id=chosen_key("id"))
    if row is None:
        nothing_of_that_name(ledger, "organisation", chosen_key("id"))
        return
    head_of(ledger, row["name"], _says(ledger, row), needs=WORDS.needs)
    day = as_of(ledger)
    name = str(row["id"])
    left, right = (
        _has(ledger, name, day) + _about(ledger, name, day) + corrections_card(put_right(ledger, ORGANISATION, [name])),
        _promised(ledger, name, day) + _makes(ledger, name),
    )
    if left or right:
        column = '<div class="column {}">{}</div>'
        show_board([column.format("four", left), column.format("", right)], key="org")
    else:
        st.info(f"Nothing had been stated about it by {formats.day(day)}, as far as this ledger has read.")


def _says(ledger: Ledger, row: Row) -> str:
    held = [_layer(each) for each in ledger.rows("parties.layers", id=row["id"])]
    parent = f"Part of {row['parent']}. " if row["parent"] else ""
    return f"{parent}{'Market layer: ' + ', '.join(held) + '.' if held else 'Its market layer is not stated.'}"


def _layer(each: Row) -> str:
    ends = [f"from {formats.day(each['valid_from'])}" if each["valid_from"] else ""]
    ends += [f"until {formats.day(each['valid_to'])}" if each["valid_to"] else ""]
    return " ".join([str(each["layer"]).replace("_", " "), *(end for end in ends if end)])


def _has(ledger: Ledger, name: str, day: dt.date) -> str:
    rows = [
        [
            Cell(each["generation_name"], str(each["system"] or "")),
            Cell(each["kind"], f"{each['accelerators']:,} accelerators" if each["accelerators"] else ""),
            Cell(f"{'' if each['on_low'] else 'known by '}{formats.day(each['day'])}"),
            Cell("", str(each["claimant"]), each["evidence"], str(each["url"])),
        ]
        for each in ledger.rows("parties.has", id=name, day=day)
    ]
    heads, links = ["Generation", "What", "When", "Evidence"], [("Who has it", "who-has-it")]
    return rows_card("What it has", "By the day of the event.", heads, rows, links=links)


def _about(ledger: Ledger, name: str, day: dt.date) -> str:
    rows = [
        [
            Cell(each["metric_title"]),
            Cell(claim_words.value_words(each), "", "", formats.page_address("evidence", claim=each["claim_id"])),
            Cell("", f"{each['claimant']}, {claim_words.when_words(each)}", each["evidence"]),
        ]
        for each in ledger.rows("parties.about", id=name, day=day)
    ]
    return rows_card("What is said of it", "", ["Figure", "Said", "Evidence"], rows)


def _promised(ledger: Ledger, name: str, day: dt.date) -> str:
    rows = []
    for each in ledger.rows("parties.promised", id=name, day=day):
        words, told = milestones.outcome(each)
        href = formats.page_address("thing", id=str(each["subject_id"])) if each["subject_id"] else ""
        evidence, url = each[f"{told}_evidence"] or "", str(each[f"{told}_url"] or "")
        verdict = Cell(words, milestones.told_by(each, told), evidence, url)
        rows.append([Cell(each["subject"], milestones.stage(each), "", href), verdict])
    return rows_card("What it promised", "", ["Promise", "Verdict"], rows, links=[("Roadmap", "roadmap")])


def _makes(ledger: Ledger, name: str) -> str:
    said = {str(row["id"]): int(row["n"]) for row in ledger.rows("parties.counted")}
    made = [row for row in ledger.rows("parties.makes", id=name) if said.get(str(row["id"]))]
    made.sort(key=lambda row: (-said[str(row["id"])], str(row["name"])))
    body = _things(made, "") + _things(ledger.rows("parties.runs", id=name), "Sites: ")
    says = "Things with at least one statement, most spoken of first."
    return card("What it makes and runs", says, body) if body else ""


def _things(found: list[Row], head: str) -> str:
    links = [(each["name"], formats.page_address("thing", id=each["id"])) for each in found[:MOST_LINKED]]
    return f"<p>{head}{links_html(links)}</p>" if links else ""
