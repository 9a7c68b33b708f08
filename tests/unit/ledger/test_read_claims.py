"""The committed facts of what was read: rows become mentions by the rules of today, what does not fit is named."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from pipelines.facts.read import checked, objection
from pipelines.ledger.read_claims import CLAIM_COLUMNS, DOCUMENT_COLUMNS, load_read, record_of
from pipelines.model.claim import ExtractedClaim, Method, Modality, Span

PAGE = {
    "document": "page.md", "sha256": "00", "url": "https://www.nvidia.com/en-us/data-center/b200/",
    "publisher": "NVIDIA", "page_kind": "maker", "published_on": "2026-03", "read_on": "2026-11-20",
}  # fmt: skip
READING = ExtractedClaim(
    "NVIDIA B200", "nvidia-b200", "accelerator", "power", 1.0, "kW", Span(10, 13), Span(0, 40), "1 kW",
    Modality.ANNOUNCED, "NVIDIA", Method.READER, 0.97, qualifiers=(("per", "gpu"),),
)  # fmt: skip
LABEL = {
    "doc": "page.md",
    "subject": "B200",
    "metric": "power",
    "value": 1000,
    "unit": "W",
    "qualifiers": {"per": "gpu"},
}


def write(folder: Path, pages: list[dict[str, str]], *changes: dict[str, str], claim: ExtractedClaim = READING) -> Path:
    for name, columns, rows in (
        ("documents.csv", DOCUMENT_COLUMNS, pages),
        ("claims.csv", CLAIM_COLUMNS, [_line(claim) | change for change in changes or ({},)]),
    ):
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(rows)
    return folder


def _line(claim: ExtractedClaim) -> dict[str, str]:
    from pipelines.ledger.read_claims import ReadDocument

    document = ReadDocument(**{**PAGE, "read_on": dt.date(2026, 11, 20)})  # type: ignore[arg-type]
    return record_of(claim, document, "d1", "1-abc")


def test_a_reading_of_a_makers_page_is_the_vendors_word(tmp_path: Path) -> None:
    facts = load_read(write(tmp_path, [PAGE]))
    assert facts.problems == ()
    (row,) = facts.rows
    assert (row.subject_id, row.value, row.unit, row.evidence, row.printed_by) == (
        "nvidia-b200", 1.0, "kW", "vendor", "NVIDIA",
    )  # fmt: skip
    assert (row.stated_on, row.stated_on_precision, row.stated_not_after) == (dt.date(2026, 3, 31), "month", None)
    assert (row.method, row.extractor, row.extractor_version, row.doubt) == ("reader", "reader", "1-abc", "")
    assert (row.locator_start, row.locator_end, row.document_id, row.first_seen) == (10, 13, "d1", None)
    assert row.qualifiers == '{"per": "accelerator"}'  # the ledger's word


def test_the_same_words_on_a_foreign_page_without_a_date(tmp_path: Path) -> None:
    foreign = PAGE | {"url": "https://example.org/notes/b200", "published_on": ""}
    (row,) = load_read(write(tmp_path, [foreign])).rows
    assert (row.evidence, row.stated_on, row.stated_not_after) == ("reported", None, dt.date(2026, 11, 20))
    generated = foreign | {"page_kind": "aggregator"}
    assert load_read(write(tmp_path, [generated])).rows[0].evidence == "unverified"
    nobody = load_read(write(tmp_path, [foreign | {"page_kind": "generated"}])).rows[0]
    assert (nobody.evidence, nobody.doubt) == ("unverified", "a generated page: nobody says it")
    lesson = foreign | {"page_kind": "example"}
    assert load_read(write(tmp_path, [lesson])).rows[0].evidence == "illustrative"


def test_what_waits_says_why(tmp_path: Path) -> None:
    benchmark = PAGE | {"page_kind": "benchmark"}
    reached = {"metric": "compute", "unit": "PFLOP/s"}
    named = [reached | {"qualifiers": f"benchmark={word}"} for word in ("HPL", "unstated")]
    rows = load_read(write(tmp_path, [benchmark], reached, *named)).rows
    assert [row.doubt.partition(",")[0] for row in rows] == ["measured in a benchmark", "", "measured in a benchmark"]
    assert [
        row.doubt for row in load_read(write(tmp_path, [benchmark | {"page_kind": "generated"}], named[0])).rows
    ] == ["a generated page: nobody says it"]
    rows = load_read(write(tmp_path, [PAGE], {"confidence": "0.810"}, {"doubt": "no label says so"})).rows
    assert [row.doubt for row in rows] == ["a candidate: confidence 0.81, wanted 0.95", "no label says so"]


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"document": "other.md"}, "document: 'other.md' is not in documents.csv"),
        ({"metric": "glow"}, "metric: 'glow' is no metric of metrics.yaml"),
        ({"unit": "W"}, "unit: power is kept in kW, found 'W'"),
        ({"value": "much"}, "value: expected a plain number without separators or unit, found 'much'"),
        ({"start": "here"}, "start: expected two places, found 'here' and '13'"),
    ],
)
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, change: dict[str, str], detail: str) -> None:
    facts = load_read(write(tmp_path, [PAGE], {}, change))
    assert len(facts.rows) == 1
    assert [(one.scope, one.place, one.detail) for one in facts.problems] == [("claims.csv", "line 3", detail)]


def test_a_page_without_a_path_is_no_page(tmp_path: Path) -> None:
    facts = load_read(write(tmp_path, [PAGE | {"url": "https://www.nvidia.com/"}]))
    assert facts.rows == ()
    assert "leads to the root of a site" in facts.problems[0].detail


def test_a_sure_reading_that_the_labels_do_not_say_waits() -> None:
    def said(**changes: object) -> str:
        return objection(READING, [LABEL | changes])

    assert objection(READING, []) == ""
    assert said() == ""
    assert said(value=1200) == "no label of the document has this value of this metric"
    assert said(subject="B300") == "a label of the document gives it to B300"
    assert said(subject="GB200", subject_alt=["Blackwell superchip"]) == "a label of the document gives it to GB200"
    assert said(qualifiers={"per": "rack"}) == "a label of the document says per rack"
    assert objection(READING, [LABEL | {"qualifiers": {"per": "rack"}}, LABEL]) == ""


def rate(value: float, start: int, sparsity: str = "unstated", **changes: Any) -> ExtractedClaim:
    qualifiers = (("precision", "bf16"), ("sparsity", sparsity))
    changes = {"metric": "compute", "unit": "PFLOP/s", "qualifiers": qualifiers, "printed": f"{value}P"} | changes
    return dataclasses.replace(READING, value=value, value_at=Span(start, start + 3), **changes)


def doubts(*claims: ExtractedClaim) -> list[str]:
    return [one.doubt for one in checked(claims, [])]


def test_the_second_of_a_pair_waits_where_sparsity_is_not_said() -> None:
    told = "twice the 2.2P of the same page: whether it counts sparsity is not said"
    assert doubts(rate(2.2, 10), rate(4.5, 14)) == ["", told]
    assert doubts(rate(2.2, 10), rate(4.5, 14, "sparse")) == ["", ""]
    assert doubts(rate(2.2, 10, confidence=0.7), rate(4.5, 14)) == ["", told]  # an unsure half warns too


def test_what_a_page_says_twice_otherwise_waits() -> None:
    told = "the page also says {}: what tells them apart was not read"
    assert doubts(rate(1.0, 10), rate(0.1, 90)) == [told.format("0.1P"), told.format("1.0P")]
    assert doubts(rate(1.0, 10), rate(0.1, 90, confidence=0.7)) == ["", told.format("1.0P")]  # the surer one stands
    assert doubts(rate(1.0, 10), rate(1.01, 90)) == ["", ""]
    assert doubts(rate(1.0, 10), rate(0.1, 90, subject="NVIDIA B300")) == ["", ""]
    size: dict[str, Any] = {"metric": "memory_capacity", "unit": "GB", "qualifiers": ()}
    assert doubts(rate(16.0, 10, **size), rate(32.0, 90, **size)) == ["", ""]


def test_a_count_in_a_machine_is_no_figure_of_what_is_counted() -> None:
    count: dict[str, Any] = {"metric": "accelerator_count", "unit": "count", "qualifiers": (("per", "node"),)}
    told = "a count in somebody's machine, no figure of the thing"
    assert doubts(rate(8.0, 10, **count)) == [told]
    assert doubts(rate(8.0, 10, **count, subject="Frontier", subject_kind="site")) == [""]
    assert doubts(rate(2.0, 10, **(count | {"qualifiers": (("per", "gpu"),)}))) == [""]


def test_an_unsure_reading_that_a_label_says_too_is_accepted(tmp_path: Path) -> None:
    unsure = dataclasses.replace(READING, confidence=0.8)
    (said,) = checked([unsure], [LABEL])
    (other,) = checked([unsure], [LABEL | {"value": 1200}])
    (alone,) = checked([unsure], [])
    assert [said.state, other.state, alone.state] == ["accepted", "candidate", "candidate"]
    (row,) = load_read(write(tmp_path, [PAGE], claim=said)).rows
    assert (row.doubt, row.confidence) == ("", 0.8)


def test_what_is_too_unsure_to_be_told_is_kept_only_where_a_label_says_it_too() -> None:
    unsure = dataclasses.replace(READING, confidence=0.5)
    assert [one.state for one in checked([unsure], [LABEL])] == ["accepted"]
    assert checked([unsure], [LABEL | {"value": 1200}]) == []
    assert checked([unsure], []) == []
