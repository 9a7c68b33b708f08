"""What a person puts right of a reading: in the metric's unit, of a known thing, under a claim id of its own."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from pipelines.corrections import corrected, merged, named
from pipelines.decisions import Decision
from pipelines.ledger.fields import FieldError

ROW: dict[str, Any] = {"qualifiers": '{"per": "rack"}', "period_start": None, "period_end": None, "claimant": "NVIDIA"}


def read(**changes: str) -> Decision:
    given = {
        "name": "Example X1", "subject": "Example X1", "subject_kind": "product", "metric": "power", "value": "0.12",
        "unit": "kW",
    }  # fmt: skip
    return Decision("a" * 20, "correct", "A", dt.datetime(2026, 11, 20, tzinfo=dt.UTC), **(given | changes))  # type: ignore[arg-type]


def test_a_value_in_another_unit_is_kept_in_the_metrics_own() -> None:
    right = corrected(ROW, read(), "", "", "120000", "W")
    assert (right.value, right.unit, right.metric) == ("120", "kW", "power")
    assert right.becomes not in ("", "a" * 20)


def test_a_subject_of_the_registry_is_told_by_any_of_its_names() -> None:
    right = corrected(ROW, read(), "GB200 NVL72", "", "", "")
    assert (right.subject_id, right.value) == ("nvidia-gb200-nvl72", "0.12")
    assert merged(read(), "nvidia-b200").subject_id == "nvidia-b200"
    assert named(read(), "", "accelerator").subject_kind == "accelerator"


def test_a_qualifier_is_put_right_and_the_others_stay() -> None:
    right = corrected(ROW, read(), "", "", "", "", "power_kind=maximum")
    assert right.qualifiers == "per=rack; power_kind=maximum"
    other = corrected(ROW, read(), "", "", "", "", "power_kind=typical")
    assert len({right.becomes, other.becomes, right.claim_id}) == 3
    assert corrected(ROW, read(), "GB200 NVL72", "", "", "").qualifiers == ""  # as they were read


def test_what_cannot_stand_is_refused_with_its_field() -> None:
    for given, field in (
        (("", "", "", "", "per: rack"), "qualifiers"),
        (("", "no_such", "", ""), "metric"), (("", "", "120", "parsec"), "unit"), (("", "weight", "", ""), "value"),
        (("", "", "about 3", ""), "value"), (("", "available_from", "soon", ""), "value"),
    ):  # fmt: skip
        with pytest.raises(FieldError) as refused:
            corrected(ROW, read(), *given)
        assert refused.value.field == field
    with pytest.raises(FieldError, match="is no id or name of the registry"):
        merged(read(), "no such thing")
    with pytest.raises(FieldError, match="is known already"):
        merged(read(subject_id="nvidia-b200"), "nvidia-b300")
    with pytest.raises(FieldError, match="is known already"):
        named(read(), "NVIDIA B200", "")


def test_a_date_is_a_period() -> None:
    right = corrected(
        ROW, read(metric="available_from", unit="date", value="2026-01-01..2026-12-31"), "", "", "2026-H2", ""
    )
    assert right.value == "2026-07-01..2026-12-31"
