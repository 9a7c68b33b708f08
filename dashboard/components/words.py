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


class CardsWords(BaseModel):
    """The words of some cards.

    `tables` are columns with their labels, `names` what values are called where they are shown, `parts` what the module
    itself makes of its entries.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tables: dict[str, Annotated[dict[str, str], BeforeValidator(_labelled)]] = {}
    names: dict[str, dict[str, str]] = {}
    parts: dict[str, dict[str, dict[str, Any]]] = {}
    cards: dict[str, CardWords] = {}

    def card(
        self, name: str, finding: str = "", /, *, id: str = "", as_of: dt.date | None = None, footnotes: Texts = (),
        **given: Any,
    ) -> ChartMeta:  # fmt: skip
        """The words of a card whose rows say `finding`. Raises KeyError for a name that a text has and nobody gave.

        `id` is that of the chart where several charts have these words.
        """
        words = self.cards[name]
        question = words.question.format(**given)

        def said(text: str) -> str:
            return text.format(question=question, **given)

        texts = {name: said(getattr(words, name)) for name in ("subtitle", "how_to_read", "empty")}
        notes, caveats = (*map(said, words.footnotes), *footnotes), tuple(map(said, words.caveats))
        labels = {column: said(label) for column, label in self.tables[words.columns].items()}
        return ChartMeta(
            id=id or name, title=finding or question, **texts, columns=labels, lesson=words.lesson, as_of=as_of,
            footnotes=notes, caveats=caveats, licence=words.licence,
        )  # fmt: skip


class Words(CardsWords):
    """A page's words: its place, head and the tables that it cannot do without, its cards."""

    page: Page
    heading: str = ""
    says: str = ""
    needs: Texts = ()

    def open(self, **given: object) -> Ledger:
        """Draw the page's head and return the published version: see `open_page`."""
        return open_page(self.heading, self.says.format(**given), needs=self.needs)


def words_of(view: str) -> Words:
    """The words beside a view's file. Raises ValidationError for what is no word of a page."""
    return Words.model_validate(_beside(view))


def cards_words_of(module: str) -> CardsWords:
    """The words beside the file of a module that draws cards on several pages. Raises ValidationError."""
    return CardsWords.model_validate(_beside(module))


def _beside(module: str) -> Any:
    return yaml.load(Path(module).with_suffix(".yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
