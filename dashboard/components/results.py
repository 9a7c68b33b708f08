"""What the pages of both MLPerf suites show alike: the filters of results, and their table with evidence below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import rounds
from dashboard.charts.theme import label_of
from dashboard.components.card import CardParts
from dashboard.components.prepared import Draw
from dashboard.components.state import choose_many, chosen_key, pick_key
from dashboard.components.tables import Rows, rows_table
from dashboard.components.words import Words
from dashboard.queries import Ledger
from dashboard.queries.results import Narrowed, OfInference, OfTraining
from warehouse.answers import evidence, formats


def narrow(ledger: Ledger, offered: pd.DataFrame, held: Sequence[str]) -> Narrowed:
    """The filters on the results that are offered; generations in the order of vendor and age, then what has none."""
    known = ledger.frame_of("results.generation_names")
    names = dict(zip(known["generation"], map(label_of, known["vendor_name"], known["name"]), strict=True))
    present = set(offered["generation"])
    generations = [name for name in names if name in present] + sorted(present - set(names))
    submitters = sorted(set(offered["submitter"]), key=str.lower)
    columns = st.columns(5)
    return Narrowed(
        choose_many("Rounds", held, key="round", where=columns[0]),
        choose_many("Division", sorted(set(offered["division"])), key="division", where=columns[1]),
        choose_many("Availability", sorted(set(offered["availability"])), key="availability", where=columns[2]),
        choose_many("Submitter", submitters, key="submitter", where=columns[3]),
        choose_many("Generation", generations, key="generation", names=names, where=columns[4]),
    )


def in_series(
    ledger: Ledger, frame: pd.DataFrame, column: str, unit: str, *, is_less_better: bool, at_end: bool = False
) -> pd.DataFrame:
    """Results with a series a generation: see `rounds.in_series`."""
    generations = ledger.frame_of("results.generation_names")
    return rounds.in_series(frame, generations, column, unit=unit, is_less_better=is_less_better, at_end=at_end)


def rounds_card(
    ledger: Ledger, words: Words, name: str, choices: OfInference | OfTraining, finding: str, draw: Draw,
    rows: pd.DataFrame, **given: Any,
) -> CardParts:  # fmt: skip
    """A card of results as known on the day that is chosen, with the footnote that MLCommons asks for."""
    known, held = formats.day(ledger.built_at), ", ".join(sorted(set(rows["round"])))
    note = evidence.mlperf_footnote_of_many(choices.suite, held, choices.subject(), known)
    as_of = choices.day if choices.day < ledger.built_at.date() else None
    meta = words.card(name, finding, as_of=as_of, footnotes=(note,) if held else (), choices=choices, **given)
    return CardParts(draw, rows, meta)


def say_what_is_not_held(ledger: Ledger, *suites: str) -> None:
    """Under the page's head: which rounds are missing, so that no record claims more than the rounds held."""
    found = ledger.frame_of("results.rounds_not_held", suites=suites)
    said = []
    meant = {"not held": "Not held here", "without its archive": "Held from the organisers' tables only"}
    for state, words in meant.items():
        named = [f"{row.suite} {row.round}" for row in found[found["state"] == state].itertuples()]
        said += [f"{words}: {', '.join(named)}."] if named else []
    if said:
        st.caption(" ".join([*said, "A record is one among the rounds held."]))


def results_table(
    ledger: Ledger,
    statement: str,
    rows: Rows,
    columns: Mapping[str, str],
    show: Callable[[dict[str, Any]], None],
    *,
    says: str,
    alt: str,
) -> None:
    """The results as a table; below it the evidence of the one chosen here or in the address: a row of `statement`."""
    st.header("Results", anchor="results")
    st.caption(f"{len(rows.frame):,} results, {says} Choose a row to see its evidence.")
    chosen = rows_table(rows, columns, key="rows", alt=alt, is_selectable=True)
    if chosen is not None:
        pick_key("result", str(rows.frame.iloc[chosen]["result_key"]))
    key = chosen_key("result")
    if not key:
        return
    found = ledger.first(statement, key=key)
    if found is None:
        st.info("The link names a result that this version does not hold.")
    else:
        show(found)
