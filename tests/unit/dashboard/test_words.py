"""The words of pages: own labels beside those of all, templates filled, nothing that is no word of a page."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from dashboard import views
from dashboard.components.words import Words, cards_words_of, words_of

FOLDER = Path(str(views.__file__)).parents[1]
FILES = sorted([*FOLDER.glob("views/*.yaml"), *FOLDER.glob("components/*.yaml")])
PAGE = {"section": "Racks", "place": 1, "title": "Racks", "says": "Racks."}
CARD = {
    "question": "How much does {name} take?", "subtitle": "{question} In {unit}.", "how_to_read": "By height.",
    "columns": "rows", "caveats": ["Of {name} only."],
}  # fmt: skip


def made(**more: Any) -> Words:
    tables = {"rows": ["subject", {"claimant": "By"}]}
    return Words.model_validate({"page": PAGE, "tables": tables, "cards": {"power": CARD}} | more)


def test_a_card_says_what_its_rows_say_or_asks_its_question() -> None:
    day = dt.date(2026, 3, 1)
    asked = made().card("power", "", as_of=day, footnotes=("A note.",), name="a rack", unit="kW")
    assert (asked.title, asked.subtitle) == ("How much does a rack take?", "How much does a rack take? In kW.")
    assert (asked.caveats, asked.footnotes, asked.as_of) == (("Of a rack only.",), ("A note.",), day)
    assert made().card("power", "It takes 9 {kW}.", name="a rack", unit="kW").title == "It takes 9 {kW}."


def test_a_text_whose_name_nobody_gives_is_an_error() -> None:
    with pytest.raises(KeyError, match="unit"):
        made().card("power", name="a rack")


def test_a_column_has_the_label_of_all_pages_or_the_tables_own() -> None:
    assert made().tables == {"rows": {"subject": "Subject", "claimant": "By"}}


def test_what_is_no_word_of_a_page_is_refused() -> None:
    with pytest.raises(ValidationError, match="head"):
        made(head="Racks")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_card_of_a_page_has_a_table_of_it(path: Path) -> None:
    words = words_of(str(path)) if path.parent.name == "views" else cards_words_of(str(path))
    assert {card.columns for card in words.cards.values()} <= set(words.tables)
