"""Rows as tables on a screen and as cards on a phone."""

from __future__ import annotations

from itertools import takewhile

import pandas as pd
from bs4 import BeautifulSoup

from dashboard.components.tables import (
    CARDS_OPEN,
    CARDS_SHOWN,
    FIRST_ROWS,
    SEEN_WIDTH,
    Rows,
    cards_html,
    choice_table,
    first_rows,
)


def rows(count: int) -> pd.DataFrame:
    return pd.DataFrame({"provider": [f"<b>{n}</b>" for n in range(count)], "gpu_hour_price_usd": 2.5})


def test_few_cards_stand_open_and_the_rest_is_folded() -> None:
    columns = {"provider": "Provider", "gpu_hour_price_usd": "Per accelerator [USD/h]"}
    few, many = cards_html(rows(CARDS_OPEN), columns), cards_html(rows(CARDS_SHOWN + 5), columns)
    assert (few.count('class="rows-card"'), "<details>" in few) == (CARDS_OPEN, False)
    open_, folded = many.split("<details>")
    assert (open_.count('class="rows-card"'), folded.count('class="rows-card"')) == (6, 24)
    assert "<summary>24 more rows</summary>" in folded
    assert "5 more rows are in the download" in folded
    assert "<b>0</b>" not in few
    assert "&lt;b&gt;0&lt;/b&gt;" in few
    assert "$2.50/h" in few


def test_where_a_row_can_be_chosen_its_card_leads_to_the_choice() -> None:
    frame = rows(CARDS_SHOWN + 1).assign(key=[f"a&b={n}" for n in range(CARDS_SHOWN + 1)])
    cards = Rows.of(frame, {"provider": "Provider"}, chosen_by=("offer", "key")).cards
    assert cards.count('<b><a href="?offer=a%26b%3D') == CARDS_SHOWN
    assert "1 more rows come with a narrower choice above" in cards
    assert "<a href" not in Rows.of(frame, {"provider": "Provider"}).cards


LINK = 44  # pixels of a column of links that say "open"


def widths(frame: pd.DataFrame, columns: dict[str, str]) -> dict[str, int]:
    given = {name: one["width"] for name, one in Rows.of(frame, columns).config.items()}
    return {name: width for name, width in given.items() if isinstance(width, int)}


def test_a_column_is_as_wide_as_its_texts_not_as_those_of_the_first_rows() -> None:
    frame = pd.DataFrame(
        {"subject": ["A"] * 30 + ["a name of thirty-two characters."] * 70, "value_words": ["1 GB"] * 100}
    )
    found = widths(frame, {"subject": "Subject", "value_words": "Value"})
    assert found["subject"] > 32 * 6
    assert found["value_words"] < 60


def test_the_widest_give_way_until_what_proves_a_row_is_seen() -> None:
    text = "words that go on for much longer than any table on a screen can be wide"
    told = ["subject", "metric_title", "value_words", "qualifiers"]
    proof = {"evidence": "vendor", "stated_on": "2026-01-01", "claimant": text, "url": f"https://a.example/{text}"}
    frame = pd.DataFrame([dict.fromkeys(told, text) | proof | {"period_words": text}])
    columns = {name: name for name in frame.columns}
    found = widths(frame, columns)
    seen = [*takewhile(lambda name: name != "period_words", found)]
    assert seen[-1] == "claimant"
    assert 0.95 * SEEN_WIDTH < sum(found[name] for name in seen) + LINK <= SEEN_WIDTH
    assert found["evidence"] < found["subject"] == found["claimant"]


def test_the_chosen_row_is_marked_and_each_name_leads_to_its_row() -> None:
    frame = rows(3).assign(key=["a", "b&c", "d"])
    page = BeautifulSoup(
        choice_table(frame, {"provider": "Provider"}, "Offers", by=("offer", "key"), chosen="b&c"), "lxml"
    )
    (marked,) = page.select("tr[aria-current]")
    assert marked.th is not None
    assert marked.th.get_text() == "<b>1</b>"
    assert [link["href"] for link in page.select("table a")] == ["?offer=a", "?offer=b%26c", "?offer=d"]
    assert len(page.select(".rows-card a")) == 3


def test_the_first_rows_of_a_long_table_stand_in_its_height() -> None:
    columns = {"provider": "Provider"}
    page = BeautifulSoup(first_rows(Rows.of(rows(100), columns), columns, "Offers"), "lxml")
    assert len(page.select("tbody tr")) == FIRST_ROWS
    assert [one["style"] for one in page.select(".first-rows")] == ["height:420px"]
    few = BeautifulSoup(first_rows(Rows.of(rows(2), columns), columns, "Offers"), "lxml")
    assert [one["style"] for one in few.select(".first-rows")] == ["height:108px"]
