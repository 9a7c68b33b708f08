"""Rows as cards for a phone."""

from __future__ import annotations

import pandas as pd

from dashboard.components.tables import CARDS_OPEN, CARDS_SHOWN, cards_html


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
