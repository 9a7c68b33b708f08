"""A reading as the row that the lake keeps, and as the line that the command prints."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from pipelines.claims.arithmetic import Check
from pipelines.claims.row import Carrier, fitting, mention_row
from pipelines.claims.speakers import Speakers
from pipelines.extract.output import record_of, value_of
from pipelines.model.claim import Extractor, Modality, Span
from pipelines.model.claim_row import MentionRow
from pipelines.model.evidence import Evidence
from tests.claim_kit import claim

DAY = dt.date(2026, 3, 2)
PAGE = Carrier(
    document_id="d" * 32, source_id="nvidia_rack_guide", url="https://docs.nvidia.com/rack", publisher="NVIDIA",
    evidence=Evidence.VENDOR, stated_on=DAY, stated_on_precision="day", stated_not_after=None, read_on=DAY,
    printed_by="NVIDIA", first_seen=dt.datetime(2026, 3, 3, tzinfo=dt.UTC),
)  # fmt: skip


class Reader:
    name, version = "reader", "7"


def row(*checks: Check, **other: Any) -> MentionRow:
    extractor: Extractor = Reader()  # type: ignore[assignment]  # its name and version are all that is asked of it
    return mention_row(claim(**other), PAGE, extractor, Speakers.load(), checks)


def test_a_row_joins_claim_document_and_reader() -> None:
    made = row()
    assert (made.subject, made.metric, made.value, made.unit) == ("NVIDIA GB200 NVL72", "power", 120.0, "kW")
    assert (made.document_id, made.url, made.stated_on) == (PAGE.document_id, PAGE.url, DAY)
    assert (made.extractor, made.extractor_version) == ("reader", "7")
    assert (made.locator, made.locator_start, made.locator_end) == ("characters 12-15", 12, 15)
    assert (made.evidence, made.claimant_id, made.doubt) == (Evidence.VENDOR, "nvidia", "")


def test_without_a_claimant_the_publisher_speaks() -> None:
    assert row(claimant="").claimant == "NVIDIA"
    assert row(claimant="TrendForce").claimant == "TrendForce"


def test_a_date_is_the_value_and_a_period_of_a_number_is_when_it_holds() -> None:
    half = {"period_start": dt.date(2026, 7, 1), "period_end": dt.date(2026, 12, 31)}
    date = row(value=None, metric="available_on", unit="", **half)
    assert (date.value_start, date.value_end) == (half["period_start"], half["period_end"])
    assert (date.period_start, date.period_end) == (None, None)
    number = row(**half)
    assert (number.value_start, number.value_end) == (None, None)
    assert (number.period_start, number.period_end) == (half["period_start"], half["period_end"])


def test_qualifiers_are_spelled_as_in_the_ledger() -> None:
    said = row(qualifiers=(("approx", "true"), ("direction", "scale-up"), ("memory_type", "hbm3e"), ("per", "gpu")))
    assert said.qualifiers == (
        '{"approx": "yes", "direction": "scale up", "memory_type": "HBM3e", "per": "accelerator"}'
    )


def test_a_claim_is_the_same_however_it_was_printed_and_another_by_what_it_says() -> None:
    ref = row().claim_id
    assert row(printed="120.0 kW", value_at=Span(1, 2), confidence=0.6, subject="nvidia  gb200-NVL72").claim_id == ref
    others = [row(value=121.0), row(claimant="Dell"), row(metric="rack_power"), row(qualifiers=(("per", "rack"),))]
    assert ref not in {other.claim_id for other in others}
    assert len({other.claim_id for other in others}) == len(others)


def test_a_sum_of_the_document_is_told_of_the_value_that_it_covers() -> None:
    inside = Check(10, 16, "72 * 1.2", 86.4, 120.0, "inconsistent")
    outside = Check(40, 50, "1 * 1", 1.0, 1.0, "consistent")
    assert (row(outside, inside).arithmetic, row(outside, inside).formula) == ("inconsistent", "72 * 1.2")
    assert row(outside).arithmetic == ""


@pytest.mark.parametrize(
    ("other", "doubt"),
    [
        ({"confidence": 0.9}, "a candidate: confidence 0.90, wanted 0.95"),
        ({"confidence": 0.9, "is_confirmed": True}, ""),
        ({"confidence": 0.9, "doubt": "an example"}, "an example"),
    ],
)
def test_an_unsure_reading_says_why_it_waits(other: dict[str, Any], doubt: str) -> None:
    assert row(**other).doubt == doubt


def test_what_a_part_on_sale_has_is_expected_no_more() -> None:
    h100: dict[str, Any] = {
        "subject": "NVIDIA H100", "subject_id": "nvidia-h100", "subject_kind": "accelerator", "metric": "process_node",
        "value": 4.0, "unit": "nm", "modality": Modality.EXPECTED,
    }  # fmt: skip
    assert row(**h100).modality is Modality.ANNOUNCED
    assert row(**h100 | {"subject_id": ""}).modality is Modality.EXPECTED


def test_a_line_of_output_has_value_quote_and_no_precision_that_nobody_said() -> None:
    text = "The rack of\n120 kW is  cooled by liquid."
    line = record_of(claim(qualifiers=(("per", "unstated"), ("precision", "unstated"))), "page.md", text)
    assert (line["doc"], line["value"], line["locator"]) == ("page.md", 120.0, [12, 15])
    assert line["qualifiers"] == {"per": "unstated"}
    assert line["quote"] == "The rack of 120 kW is cooled"
    assert line["state"] == "confident"


def test_what_is_claimed_is_a_number_a_text_or_a_period() -> None:
    half = {"period_start": dt.date(2026, 7, 1), "period_end": dt.date(2026, 12, 31)}
    assert value_of(claim(value=0.0)) == 0.0
    assert value_of(claim(value=None, value_text="H200")) == "H200"
    assert value_of(claim(value=None, **half)) == "2026-H2"
    assert value_of(claim(value=None, period_start=dt.date(2026, 7, 1))) is None


@pytest.mark.parametrize(
    ("said", "metric", "names_benchmark", "is_on_sale", "kept"),
    [
        (Modality.EXPECTED, "announced_on", False, False, Modality.ANNOUNCED),
        (Modality.SHIPPING, "announced_on", False, False, Modality.ANNOUNCED),
        (Modality.MEASURED, "part_count", False, False, Modality.ANNOUNCED),
        (Modality.MEASURED, "compute", False, False, Modality.ANNOUNCED),
        (Modality.MEASURED, "compute", True, False, Modality.MEASURED),
        (Modality.MEASURED, "token_rate", False, False, Modality.MEASURED),
        (Modality.EXPECTED, "memory_capacity", False, True, Modality.ANNOUNCED),
        (Modality.EXPECTED, "memory_capacity", False, False, Modality.EXPECTED),
        (Modality.EXPECTED, "available_from", False, True, Modality.EXPECTED),
    ],
)
def test_a_figure_is_no_firmer_and_no_weaker_than_its_metric_can_be(
    said: Modality, metric: str, names_benchmark: bool, is_on_sale: bool, kept: Modality
) -> None:
    assert fitting(said, metric, names_benchmark=names_benchmark, is_on_sale=is_on_sale) is kept
