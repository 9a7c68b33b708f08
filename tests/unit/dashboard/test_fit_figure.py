"""Where a row of the fit figure comes from: tag, day, claim and address of the memory that a machine holds."""

from __future__ import annotations

import pandas as pd

from dashboard.components.fit_figure import _source
from warehouse.calculators.base.model import InputOrigin, OriginKind


def origin(stated_on: str) -> InputOrigin:
    return InputOrigin(OriginKind.LEDGER, "A maker", "https://maker.example/page", stated_on, "vendor", "abc")


def test_a_row_has_the_day_of_its_memory_and_a_product_is_derived() -> None:
    assert _source(origin("2025-03-18"), is_derived=True) == {
        "evidence": "derived", "stated_on": pd.Timestamp(2025, 3, 18), "claim_id": "abc", "url": "https://maker.example/page",
    }  # fmt: skip


def test_a_memory_of_an_undated_page_has_no_day() -> None:
    source = _source(origin("undated"), is_derived=False)
    assert source["evidence"] == "vendor"
    assert pd.isna(source["stated_on"])
