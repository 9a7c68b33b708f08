"""Facts for the linker: a publisher counts once, and a document does not hear its own repository."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document
from pipelines.training.cases import Case
from pipelines.training.labels import Label, Labelled
from pipelines.training.sayings import Sayings, facts_of, reader_name, typed_facts

FACTS = Path(__file__).parents[3] / "warehouse" / "facts"


def case(group: str, *labels: Label) -> Case:
    when = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    document = parse_document(b"# T\n", media_type=None, charset=None, url="page.md", captured_at=when)
    return Case(Labelled("page.md", group, document, Origin("page.md"), list(labels)), [], [])


def label(subject: str, metric: str, value: float | str) -> Label:
    return Label("page.md", (subject,), (metric,), (value,), "")


def test_a_publisher_counts_once_for_a_value() -> None:
    found = facts_of(
        [
            ("NVIDIA H100 SXM", "power", 0.7, "one"),
            ("NVIDIA H100", "power", 0.7, "two"),
            ("NVIDIA H100", "power", 0.7, "two"),
            ("NVIDIA H100", "power", 0.35, "one"),
            ("NVIDIA", "power", 5.0, "one"),
        ]
    )
    assert found == {"power": {"h100": [[0.35, 1.0], [0.7, 2.0]]}}


def test_a_document_does_not_hear_its_own_repository() -> None:
    cases = [
        case("one", label("NVIDIA H100", "power", 0.7), label("NVIDIA H100", "available_from", "2022-Q3")),
        case("two", label("NVIDIA B200", "power", 1.0)),
    ]
    sayings = Sayings(cases, [("NVIDIA L40", "power", 0.3, "typed")])
    assert sayings.without("one") == {"power": {"b200": [[1.0, 1.0]], "l40": [[0.3, 1.0]]}}
    assert sayings.without()["available_from"] == {"h100": [[2022.0, 1.0]]}


def test_a_made_up_page_says_no_fact() -> None:
    made_up = case("practice: a.md", label("NVIDIA H100", "power", 0.9))
    made_up.is_practice = True
    assert Sayings([made_up, case("one", label("NVIDIA H100", "power", 0.7))], []).without() == {
        "power": {"h100": [[0.7, 1.0]]}
    }


def test_names_are_those_that_the_reader_gives() -> None:
    assert reader_name("Ironwood") == reader_name("Google TPU v7")
    assert reader_name("Zebra Q7") == "Zebra Q7"


def test_typed_figures_stand_in_the_units_of_metrics() -> None:
    found = typed_facts(FACTS)
    assert ("NVIDIA GB200 NVL72", "accelerator_count", 72.0, "registry") in found
    assert all(value > 0 for _, _, value, _ in found)
    power = {value for name, metric, value, _ in found if (name, metric) == ("NVIDIA H200 SXM", "power")}
    assert min(power) == pytest.approx(0.7)
