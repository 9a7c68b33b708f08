"""Rows as cards for a phone."""

from __future__ import annotations

import pandas as pd

from dashboard.components.tables import CARDS_OPEN, CARDS_SHOWN, Rows, cards_html


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
