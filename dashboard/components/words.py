"""The words of a page as data: `views/<page>.yaml` has its place, head, tables and cards, all that no row changes.

A card's texts are templates: `{question}` is its own question, every other name is given where the card is made.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict

from dashboard.columns import columns
from dashboard.components.figure import EMPTY, LICENCE, ChartMeta
from dashboard.components.page import open_page
from dashboard.queries import Ledger
from pipelines.frozen import frozen

Texts = tuple[str, ...]


@frozen
class Page:
    """What a view says of its page: room and place among its tabs, title, one sentence for link previews.

    A page at place 0 stands in no menu: links lead to it.
    """

    section: str
    place: int
    title: str
    says: str


def _labelled(listed: Sequence[str | dict[str, str]]) -> dict[str, str]:
    """Columns in order with their labels: a name has the label that all pages give it, `name: label` one of its own."""
    own = {name: label for each in listed if isinstance(each, dict) for name, label in each.items()}
    return columns(" ".join(each if isinstance(each, str) else next(iter(each)) for each in listed), **own)


class CardWords(BaseModel):
    """What a card says whatever its rows are, see `ChartMeta`; its title is the question where no row answers it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = ""
    subtitle: str
    how_to_read: str
    columns: str
    lesson: str = ""
    footnotes: Texts = ()
    caveats: Texts = ()
    empty: str = EMPTY
    licence: str = LICENCE


class Words(BaseModel):
    """A page's words; `tables` are columns with their labels, `names` what values are called where they are shown,
    `parts` what the view itself makes of its entries."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: Page
    heading: str = ""
    says: str = ""
    needs: Texts = ()
    tables: dict[str, Annotated[dict[str, str], BeforeValidator(_labelled)]] = {}
    names: dict[str, dict[str, str]] = {}
    parts: dict[str, dict[str, dict[str, Any]]] = {}
    cards: dict[str, CardWords] = {}

    def open(self, **given: object) -> Ledger:
        """Draw the page's head and return the published version: see `open_page`."""
        return open_page(self.heading, self.says.format(**given), needs=self.needs)

    def card(
        self, name: str, finding: str = "", /, *, as_of: dt.date | None = None, footnotes: Texts = (), **given: Any
    ) -> ChartMeta:
        """The words of a card whose rows say `finding`. Raises KeyError for a name that a text has and nobody gave."""
        words = self.cards[name]
        question = words.question.format(**given)

        def said(text: str) -> str:
            return text.format(question=question, **given)

        return ChartMeta(
            id=name, title=finding or question, subtitle=said(words.subtitle), how_to_read=said(words.how_to_read),
            columns=self.tables[words.columns], lesson=words.lesson, as_of=as_of,
            footnotes=(*map(said, words.footnotes), *footnotes), caveats=tuple(map(said, words.caveats)),
            empty=said(words.empty), licence=words.licence,
        )  # fmt: skip


def words_of(view: str) -> Words:
    """The words beside a view's file. Raises ValidationError for what is no word of a page."""
    text = Path(view).with_suffix(".yaml").read_text(encoding="utf-8")
    return Words.model_validate(yaml.load(text, yaml.CSafeLoader))
