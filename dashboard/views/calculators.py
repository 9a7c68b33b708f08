"""Calculators: an answer in numbers from the ledger's figures, with where each of them is from."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.components import chosen_key, words_of
from dashboard.components.beside import mlperf_beside
from dashboard.components.calculator import ask_inputs, show_answer
from dashboard.components.fit_figure import fit_figure
from dashboard.components.page import link_to, open_page
from dashboard.queries import Ledger
from dashboard.queries.defaults import known_figures
from warehouse.answers import formats
from warehouse.calculators import CALCULATORS
from warehouse.calculators.base.model import Calculator

WORDS = words_of(__file__)


def show() -> None:
    """Draw the page."""
    calculator = CALCULATORS.get(chosen_key("calc"))
    if calculator is None:
        _index()
        return
    ledger = open_page(calculator.title, calculator.question, needs=WORDS.needs)
    link_to("calculators", "All calculators", icon=":material/arrow_back:")
    _one(ledger, calculator)


def _index() -> None:
    WORDS.open()
    columns = st.columns(2)
    for place, calculator in enumerate(CALCULATORS.values()):
        with columns[place % 2], st.container(border=True, key=f"calc_{calculator.id}"):
            st.header(formats.escape_markdown(calculator.title), anchor=calculator.id)
            st.markdown(formats.escape_markdown(calculator.question))
            link_to("calculators", f"Open {calculator.title.lower()}", icon=":material/calculate:", calc=calculator.id)


def _one(ledger: Ledger, calculator: Calculator[Any, Any]) -> None:
    known = known_figures(ledger)
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.header("Inputs", anchor="inputs")
        answer = ask_inputs(calculator, known)
    with right:
        st.header("Answer", anchor="answer")
        if answer is not None:
            show_answer(ledger, answer)
    if calculator.id == "fit" and answer is not None:
        fit_figure(ledger, answer.inputs)
    if calculator.id == "serving" and answer is not None:
        mlperf_beside(ledger)
