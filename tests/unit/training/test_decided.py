"""Decisions as labels: what is accepted is added once, what is rejected goes, and nothing is learnt unsaid."""

from __future__ import annotations

import datetime as dt

from pipelines.decisions import Decision
from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document
from pipelines.training.cases import apply_decisions
from pipelines.training.labels import Label, Labelled

TEXT = "The NVIDIA H100 draws 700 W. It came in March 2024."
NOON = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)


def labelled() -> Labelled:
    document = parse_document(TEXT.encode(), media_type="text/plain", charset=None, url="a.txt", captured_at=NOON)
    known = Label("a.txt", ("NVIDIA H100",), ("memory_capacity",), (80.0,), "80 GB")
    return Labelled("a.txt", "repo", document, Origin("a.txt"), [known])


def decided(decision: str, day: int = 0, **changes: object) -> Decision:
    given: dict[str, object] = {
        "subject": "NVIDIA H100", "metric": "power", "value": "0.7", "unit": "kW", "document_id": "d1",
        "locator_start": 22, "locator_end": 25,
    }  # fmt: skip
    return Decision("c1", decision, "A", NOON + dt.timedelta(days=day), **(given | changes))  # type: ignore[arg-type]


def test_an_accepted_reading_is_a_label_once() -> None:
    item = labelled()
    done = apply_decisions([item], [decided("accept"), decided("accept", 1)], {"d1": "a.txt"})
    assert done == {"added": 1, "taken out": 0, "of other documents": 0}
    assert [(label.metrics, label.values) for label in item.labels[1:]] == [(("power",), (0.7,))]
    assert "draws 700 W" in item.labels[1].quote
    assert apply_decisions([item], [decided("accept")], {"d1": "a.txt"})["added"] == 0


def test_a_rejected_reading_takes_its_label_out_and_a_date_is_its_period() -> None:
    item = labelled()
    wrong = decided("reject", metric="memory_capacity", value="80", unit="GB")
    assert apply_decisions([item], [wrong], {"d1": "a.txt"})["taken out"] == 1
    right = decided("correct", 1, metric="available_from", value="2024-03-01..2024-03-31", unit="date")
    apply_decisions([item], [right], {"d1": "a.txt"})
    assert [label.values for label in item.labels] == [("2024-03",)]


def test_a_decision_on_another_document_or_a_name_is_counted_and_not_used() -> None:
    item = labelled()
    others = [decided("accept", document_id="d2"), Decision("c2", "merge", "A", NOON, document_id="d1")]
    assert apply_decisions([item], others, {"d1": "a.txt"}) == {"added": 0, "taken out": 0, "of other documents": 1}
    assert len(item.labels) == 1
