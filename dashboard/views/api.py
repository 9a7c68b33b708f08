"""API: the addresses that programs read: files of a version, feeds, search, and words for machines."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from dashboard.components import open_page
from dashboard.navigation import Page
from warehouse.answers.questions import Parameter, parameters_in_words, questions

PAGE = Page("Data", 3, "API", "api", "Addresses for programs: questions, files, feeds, search.")

# A question that shows how each kind of parameter is given; names may be ids or any name a thing bears or bore.
SHOWN = {"words": "gb300 nvl72", "day": "2026-03-01", "thing": "GB300 NVL72", "metric": "power"}
# What each address gives; all are read-only and need no key.
ADDRESSES = (
    ("files/latest.json", "Which version is the newest, and where its files lie. They never change once published."),
    (
        "files/latest/rackledger.duckdb",
        "All tables of the newest version in one DuckDB file; Parquet and CSV beside it.",
    ),
    ("feeds/today.json", "What is new in thirty days, as JSON Feed; feeds/today.atom as Atom."),
    ("feeds/nvidia-gb200-nvl72/power.json", "One figure: an entry when the value or the evidence changes."),
    ("search.json?q=gb300+power", "What the search box offers: name, kind, tag and the page's address."),
    ("llms.txt", "Pages, files and rules in a form that language models read."),
)

SAYS = (
    "An answer is JSON: `version`, the parameters as they were understood, `is_known`, `rows`, and `next`, the "
    "cursor of the rows that follow. `limit` says how many, at most 1,000. Every row has `evidence`, `claimant`, "
    "`printed_by`, `stated_on` (or `stated_not_after` where the page gives no day), `caveats`, `url`, `claim_id` "
    "and `page`. Send the ETag back as If-None-Match: 304 says that nothing changed. What is wrong with a "
    "question is said as a problem (RFC 9457): which parameter, what was expected, which name may have been "
    "meant. `api/v1/openapi.json` describes it all."
)


def show() -> None:
    """Draw the page."""
    open_page(
        "API", "Everything here can be read by programs, without a key. Every figure has its source, day and tag."
    )
    root = (st.context.url or "").split("?", maxsplit=1)[0].rsplit("/", 1)[0]
    for question in questions().values():
        st.markdown(f"**{question.title}.** {question.says} {parameters_in_words(question)}")
        st.code(f"{root}/api/v1/{question.name}{_example(question.parameters)}", language=None, wrap_lines=True)
    st.markdown(SAYS)
    for address, says in ADDRESSES:
        st.markdown(says)
        st.code(f"{root}/{address}", language=None, wrap_lines=True)


def _example(parameters: Mapping[str, Parameter]) -> str:
    """A query string that asks for something which is known."""
    given = [(name, SHOWN[each.kind]) for name, each in parameters.items() if each.is_required or name == "as_of"]
    return f"?{urlencode(given)}" if given else ""
