"""Charts are the same with Altair's classes made once as with classes made anew for every dictionary."""

from __future__ import annotations

import altair as alt
import pandas as pd
import pytest
from altair.utils import schemapi

from dashboard.charts import altair_classes

FRAME = pd.DataFrame({"x": [1, 2], "kind": ["a", "b"]})


def chart() -> alt.Chart:
    drawn: alt.Chart = (
        alt.Chart(FRAME)
        .mark_point()
        .encode(
            x=alt.X("x:Q", axis=alt.Axis(title=None)),
            color=alt.when(alt.datum.kind == "a").then(alt.value("#123456")).otherwise(alt.value("grey")),
            opacity=alt.value(0.5),
            tooltip=["x", "kind:N"],
        )
    )
    return drawn


def test_a_chart_is_the_same_with_the_kept_table(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = chart().to_dict()
    assert issubclass(schemapi._FromDict, altair_classes._Made)
    assert schemapi._FromDict is not altair_classes._Made
    monkeypatch.setattr(schemapi, "_FromDict", altair_classes._Made)
    assert chart().to_dict() == kept
    assert kept["encoding"]["opacity"] == {"value": 0.5}


def test_the_table_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    chart()

    def never(*_given: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(altair_classes._Made, "hash_schema", never)
    assert schemapi._FromDict(alt.VegaLiteSchema._default_wrapper_classes()).class_dict
