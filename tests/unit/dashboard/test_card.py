"""A card is made once a version and choice; few rows are a plain table."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace
from typing import Any

import altair as alt
import pandas as pd
import pytest

from dashboard import queries
from dashboard.components import card
from dashboard.components.card import CardParts
from dashboard.components.figure import ChartMeta
from dashboard.components.provenance import UnsourcedFigure
from dashboard.components.tables import short_table_html

DAY = dt.date(2026, 11, 21)
made: list[Any] = []


def draw(frame: pd.DataFrame) -> alt.Chart:
    chart: alt.Chart = alt.Chart(frame).mark_point().encode(y="power_kw:Q")
    return chart


def figure(ledger: Any, day: dt.date, makers: tuple[str, ...] = ()) -> CardParts:
    made.append((ledger.version, day, makers))
    rows = pd.DataFrame({
        "claim_id": ["c"], "power_kw": [120.0], "evidence": ["vendor"], "source_id": ["s"],
        "stated_on": [pd.Timestamp("2026-01-01")], "url": ["https://a.example/"],
    })  # fmt: skip
    meta = ChartMeta(id="a_card", title=f"{ledger.version} {day} {makers}", subtitle="S.", how_to_read="So.")
    return CardParts(draw, rows.drop(columns=["evidence"]) if makers == ("unsourced",) else rows, meta)


def kept(version: str, *given: Any) -> str:
    """The title of the card that is shown."""
    ledger: Any = SimpleNamespace(version=version, rows=lambda _name: [])
    with card.collected_cards() as shown:
        card.kept_card(ledger, figure, *given)
    return str(shown[0][1].title)


def test_a_card_is_made_anew_for_another_version_day_or_choice_and_for_nothing_else() -> None:
    queries._made.clear()
    made.clear()
    asked: list[tuple[Any, ...]] = [
        ("v1", DAY),
        ("v1", DAY),
        ("v2", DAY),
        ("v1", DAY, ("amd",)),
        ("v1", dt.date(2026, 1, 1)),
        ("v1", DAY),
    ]
    titles = [kept(*each) for each in asked]
    assert len(made) == 4
    assert titles[0] == titles[1] == titles[5] == "v1 2026-11-21 ()"
    assert titles[3] == "v1 2026-11-21 ('amd',)"


def test_a_card_without_evidence_is_refused_however_it_is_kept() -> None:
    with pytest.raises(UnsourcedFigure):
        kept("v1", DAY, ("unsourced",))


def test_few_rows_are_a_table_whose_cells_are_text_with_units_and_whose_gaps_are_empty() -> None:
    cells = pd.DataFrame(
        {
            "name": ["<b>A</b>"],
            "lag": [1234.0],
            "share": [-7.0594],
            "on": [pd.NaT],
            "url": ["https://a.example/?a=1&b=2"],
        }
    )
    text = short_table_html(
        cells, {"name": "Name", "lag": "Lag [days]", "share": "Share [%]", "on": "Day", "url": "Where"}, 'The "lags"'
    )
    assert '<th scope="row">&lt;b&gt;A&lt;/b&gt;</th>' in text
    assert '<td data-label="Lag (days)">1,234</td><td data-label="Share (%)">-7.059</td><td></td>' in text
    assert '<td data-label="Where"><a href="https://a.example/?a=1&amp;b=2">open</a></td>' in text
    assert 'aria-label="The &quot;lags&quot;"' in text
