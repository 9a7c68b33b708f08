"""API: the addresses that programs read: files of a version, feeds, search, and words for machines."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from dashboard.components import words_of
from warehouse.answers.questions import Parameter, parameters_in_words, questions

WORDS = words_of(__file__)

# A question that shows how each kind of parameter is given; names may be ids or any name a thing bears or bore.
SHOWN = {"words": "gb300 nvl72", "day": "2026-03-01", "thing": "GB300 NVL72", "metric": "power"}


def show() -> None:
    """Draw the page."""
    WORDS.open()
    root = (st.context.url or "").split("?", maxsplit=1)[0].rsplit("/", 1)[0]
    for question in questions().values():
        st.markdown(f"**{question.title}.** {question.says} {parameters_in_words(question)}")
        st.code(f"{root}/api/v1/{question.name}{_example(question.parameters)}", language=None, wrap_lines=True)
    st.markdown(WORDS.names["texts"]["answer"])
    for address, says in WORDS.names["addresses"].items():
        st.markdown(says)
        st.code(f"{root}/{address}", language=None, wrap_lines=True)


def _example(parameters: Mapping[str, Parameter]) -> str:
    """A query string that asks for something which is known."""
    given = [(name, SHOWN[each.kind]) for name, each in parameters.items() if each.is_required or name == "as_of"]
    return f"?{urlencode(given)}" if given else ""
