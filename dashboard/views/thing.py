"""One thing: its sheet, promises and outcomes, results, prices, who has it, parts, rivals, and what is not known."""

from __future__ import annotations

import datetime as dt
from typing import Any

import streamlit as st

from dashboard.components import as_of, chosen_key, milestones, words_of
from dashboard.components.board import show_board
from dashboard.components.page import head_of, ledger_or_stop, nothing_of_that_name, watch_this
from dashboard.components.plot import Bar, bars
from dashboard.components.sheet import Cell, card, corrections_card, links_html, paragraph, rows_card
from dashboard.findings import bare_name
from dashboard.headlines.words import counted, sentence
from dashboard.queries import Ledger
from dashboard.queries import things as queries
from dashboard.queries.corrections import put_right
from warehouse.answers import claim_words, formats
from warehouse.answers.corrections import THING

WORDS = words_of(__file__)

WHOLE = {"network", "site", "processor"}  # kinds that no open lines, adopters and rivals are told of
RIVALS_SAID, ADOPTERS, MOST_COMPARED, WAITING = 3, 12, 6, 8
Row = dict[str, Any]


def show() -> None:
    """Draw the page."""
    ledger = ledger_or_stop()
    row = ledger.row("things.identity", id=chosen_key("id"))
    if row is None:
        nothing_of_that_name(ledger, "thing", chosen_key("id"))
        return
    head_of(ledger, row["name"], _says(ledger, row), needs=WORDS.needs)
    day = as_of(ledger)
    ids = queries.variants(ledger, row["main_id"])
    cells = queries.sheet_of(ledger, ids, day)
    left = [
        _sheet(ledger, row, cells, day), _results(ledger, row, ids, day),
        corrections_card(put_right(ledger, THING, ids)),
    ]  # fmt: skip
    right = [
        _roadmap(ledger, row, ids, day), _prices(ledger, row, day), _adopters(ledger, row, day), _parts(ledger, row),
        _rivals(ledger, row, day), _unknown(ledger, row, cells, day), _waiting(ledger, ids, day),
    ]  # fmt: skip
    if not cells:
        st.info(f"No figure of it had been stated by {formats.day(day)}, as far as this ledger has read.")
    columns = [f'<div class="column four">{"".join(left)}</div>', f'<div class="column">{"".join(right)}</div>']
    show_board(columns, key="thing")
    if cells:
        what = f"{cells[0]['metric_title']} of {row['name']}"
        watch_this(row["main_id"], cells[0]["metric"], what, key="watch")


def _says(ledger: Ledger, row: Row) -> str:
    maker = f" of {row['vendor_name']}" if row["vendor_name"] else ""
    text = f"{str(row['kind']).capitalize()}{maker}"
    if row["accelerators"]:
        text += f" with {row['accelerators']:,} accelerators"
    if row["generation_name"]:
        text += f", {row['generation_name']} generation"
    borne = ledger.rows("things.names", id=row["main_id"])
    former = [
        f"{each['name']} until {formats.day(each['valid_to'])}, says {after['said_by']}"
        for each, after in zip(borne, [*borne[1:], *borne[-1:]], strict=True) if each["valid_to"] is not None
    ]  # fmt: skip
    called = f" Called {'; '.join(former)}." if former else ""
    note = str(row["note"] or "").rstrip(".")
    return f"{text}.{called}" + (f" {note[0].upper()}{note[1:]}." if note else "")


def _who(cell: Row) -> str:
    return f"{cell['claimant']}, {claim_words.when_words(cell)}"


def standing(cell: Row) -> Cell:
    """What stands for a figure, leading to its claim or, where rivals leave no pick, to their conflict."""
    words = claim_words.standing_words(cell)
    is_disputed = words.startswith("disputed")
    conflict = cell["conflict_id"] if is_disputed else None
    href = (
        formats.page_address("conflicts", conflict=str(conflict)) if conflict
        else formats.page_address("evidence", claim=str(cell["claim_id"]))
    )  # fmt: skip
    return Cell(words, "", "", href, is_disputed, is_strong=True)


def _sheet(ledger: Ledger, row: Row, cells: list[Row], day: dt.date) -> str:
    losers = {str(name) for cell in cells for name in (cell["losers"] or [])}
    said = {str(claim["claim_id"]): claim for claim in ledger.rows("things.said", claims=sorted(losers), day=day)}
    rows = []
    for cell in cells:
        others = [said[str(name)] for name in (cell["losers"] or []) if str(name) in said]
        told = [f"{claim_words.value_words(other)} ({_who(other)})" for other in others[:RIVALS_SAID]]
        more = f" and {len(others) - RIVALS_SAID} more" if len(others) > RIVALS_SAID else ""
        agree = int(cell["claimants"])
        also = "; ".join(told) + more if told else "one claimant" if agree == 1 else f"{agree} claimants agree"
        conflict = formats.page_address("conflicts", conflict=str(cell["conflict_id"])) if cell["conflict_id"] else ""
        words = claim_words.variant_words(cell, row["main_id"]), claim_words.counting_words(cell["qualifiers"])
        counted = ", ".join(filter(None, words))
        rows.append([
            Cell(cell["metric_title"] or cell["metric"], counted), standing(cell),
            Cell("", _who(cell), cell["evidence"]), Cell(also, "", "", conflict),
        ])  # fmt: skip
    is_known = {str(cell["metric_title"]) for cell in cells}
    for title in _open_lines(ledger, row, cells, day):
        if title not in is_known:
            rows.append([Cell(title), Cell(), Cell(), Cell()])
    heads = ["Figure", "Standing value", "Evidence, who, when", "Also said"]
    says = "What stands by the written rule, and who says otherwise."
    return rows_card("Sheet", says, heads, rows, kind="cards figures")


def _open_lines(ledger: Ledger, row: Row, cells: list[Row], day: dt.date) -> list[str]:
    if row["kind"] in WHOLE:
        return []
    return queries.unstated(ledger, row["main_id"], row["kind"], {str(cell["metric"]) for cell in cells}, day)


def _roadmap(ledger: Ledger, row: Row, ids: list[str], day: dt.date) -> str:
    rows = [_milestone(each) for each in ledger.rows("things.milestones_of", ids=ids, day=day)]
    title, links = "What was promised, what came", [("Roadmap", "roadmap")]
    return rows_card(title, "", ["Stage", "Verdict"], rows, links=links)


def _milestone(each: Row) -> list[Cell]:
    first, now = milestones.when(each, "first"), milestones.when(each, "latest")
    promised = f"promised {milestones.for_when(first)}" if first else "no promise known"
    promised += f", then {now}" if now and now != first else ""
    words, told = milestones.outcome(each)
    return [Cell(milestones.stage(each)), _verdict(each, told, words, promised)]


def _verdict(each: Row, told: str, words: str, promised: str) -> Cell:
    """What came of a milestone, with what was promised and, where it is on record, who told it and when."""
    says = "; ".join(filter(None, (promised, milestones.told_by(each, told))))
    return Cell(words, says, each[f"{told}_evidence"] or "", str(each[f"{told}_url"] or ""))


def _results(ledger: Ledger, row: Row, ids: list[str], day: dt.date) -> str:
    chips = queries.variants(ledger, row["accelerator"]) if row["accelerator"] else ids
    count = int(row["accelerators"]) if row["accelerators"] else None
    rows = [
        [
            Cell(f"{each['title']}, {each['scenario']}", "", "",
                 formats.page_address("benchmark", id=each["benchmark_id"])),
            Cell(formats.quantity(each["value"], each["unit"]), is_strong=True), Cell(f"{each['accelerators']:,}"),
            Cell("", f"{each['round']}, {each['submitter']}, {each['availability']}", "audited"),
        ]
        for each in ledger.rows("things.results_of", ids=chips, day=day, count=count)
    ]  # fmt: skip
    whose = f"of its {row['accelerator_name']}" if row["accelerator"] else "of it"
    says = f"MLPerf Inference, closed division: the best result per accelerator {whose}, newest round of each. Derived."
    heads = ["Benchmark", "Per accelerator", "Accelerators", "Evidence"]
    return rows_card("Audited results", says, heads, rows, links=[("Benchmarks", "benchmarks")])


def _prices(ledger: Ledger, row: Row, day: dt.date) -> str:
    if row["kind"] != "accelerator":
        return ""
    rows = [
        [
            Cell("neoclouds" if each["layer"] == "neocloud" else "all sellers", each["publisher_name"]),
            Cell(
                f"from ${each['low']:,.2f} ({each['low_provider']})", f"median {each['median']:,.2f}, up to "
                f"{each['high']:,.2f}, {each['n_providers']} providers, {formats.day(each['period_start'])}",
                each["evidence"], str(each["url"]), is_strong=True,
            ),
        ]
        for each in ledger.rows("things.hours_of", model=row["main_id"], day=day)
    ]  # fmt: skip
    links = [("Its prices over time", formats.page_address("prices", **{"prices.accelerator": row["name"]}))]
    return rows_card("Price of an hour", "", ["Sellers", "An hour on demand"], rows, links=links)


def _adopters(ledger: Ledger, row: Row, day: dt.date) -> str:
    if not row["generation"] or row["kind"] in WHOLE:
        return ""
    name = bare_name(row["name"], row["vendor_name"])
    found = ledger.rows("things.adopters_of", generation=row["generation"], name=name, day=day)
    rows = [
        [
            Cell(each["organisation"], str(each["layer"] or ""), "",
                 formats.page_address("org", id=each["organisation_id"])),
            Cell(str(each["kind"]), f"{'' if each['on_low'] else 'known by '}{formats.day(each['day'])}",
                 each["evidence"], str(each["url"])),
        ]
        for each in found[:ADOPTERS]
    ]  # fmt: skip
    named = sum(bool(each["is_named"]) for each in found)
    says = (
        f"{sentence(counted(named, 'is', 'are'))} said to have this very thing, and "
        f"{'stands' if named == 1 else 'stand'} first."
        if named
        else "Nobody is said to have this very thing."
    )
    title = f"{len(found)} organisations have the {row['generation_name']} generation"
    return rows_card(title, says, ["Who", "Since"], rows, links=[("Who has it", "who-has-it")])


def _parts(ledger: Ledger, row: Row) -> str:
    def to(name: Any) -> str:
        return formats.page_address("thing", id=str(name)) if name else ""

    rows = [
        [Cell(f"{each['count']:,} × {each['part']}", href=to(each["subject_id"])), Cell("inside")]
        for each in ledger.rows("things.parts", id=row["main_id"])
    ]
    rows += [
        [Cell(each["name"], href=to(each["subject_id"])), Cell(f"holds {each['count']:,} of it")]
        for each in ledger.rows("things.holders", id=row["main_id"])
    ]
    says = "From the registry; the as-of day does not apply."
    return rows_card("What it contains, what contains it", says, ["Thing", ""], rows)


def _rivals(ledger: Ledger, row: Row, day: dt.date) -> str:
    if row["kind"] in WHOLE:
        return ""
    found = queries.rivals_of(ledger, row, day)
    if not found:
        return ""
    told = [each for each in found if each["memory_gb"]]
    most = max((float(each["memory_gb"]) for each in told), default=1)
    given = [
        Bar(bare_name(each["name"], each["vendor_name"]), float(each["memory_gb"]) / most,
            formats.quantity(each["memory_gb"], "GB"), str(each["vendor"]))
        for each in sorted(told, key=lambda each: -float(each["memory_gb"]))
    ]  # fmt: skip
    words = "Memory: " + ", ".join(f"{bar.name} {bar.value}" for bar in given)
    ids = [row["main_id"], *(str(each["id"]) for each in found)][:MOST_COMPARED]
    address = "compare?" + "&".join(f"thing={name}" for name in ids)
    others = links_html([(each["name"], formats.page_address("thing", id=each["id"])) for each in found])
    foot = f"<span>{others}</span>{links_html([('Compare these', address)])}"
    return card("Rivals of the class", "Accelerator memory, where it is stated", bars(given, alt=words), foot=foot)


def _unknown(ledger: Ledger, row: Row, cells: list[Row], day: dt.date) -> str:
    lines = _open_lines(ledger, row, cells, day)
    disputed = [str(cell["metric_title"]) for cell in cells if claim_words.standing_words(cell).startswith("disputed")]
    if not lines and not disputed:
        return ""
    body = paragraph(f"Nobody stated: {', '.join(lines).lower()}.") if lines else ""
    body += paragraph(f"In dispute without a pick: {', '.join(dict.fromkeys(disputed)).lower()}.") if disputed else ""
    return card("What is not known", "", body)


def _waiting(ledger: Ledger, ids: list[str], day: dt.date) -> str:
    found = ledger.rows("queue.waiting", ids=ids, day=day)
    rows = [
        [Cell(each["metric_title"], each["qualifiers"]),
         Cell(claim_words.value_words(each), f"candidate, confidence {each['confidence']:.2f}"),
         Cell("", each["claimant"], each["evidence"], formats.safe_url(each["url"]))]
        for each in found[:WAITING]
    ]  # fmt: skip
    more = f" The surest {WAITING} of {len(found):,}." if len(found) > WAITING else ""
    says = f"Read, and no claim: not sure enough, or something speaks against it.{more}"
    return rows_card("Candidates", says, ["Figure", "Read", "Says"], rows, links=[("To be decided", "queue")])
