"""Which values of a document a label is of: those of its quote, and of these what counts what the label counts."""

from __future__ import annotations

import datetime as dt

from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document
from pipelines.registry.mentions import NameFinder
from pipelines.training.cases import case_of
from pipelines.training.labels import Label, Labelled, quotes_at

NOON = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)


def right_of(text: str, label: Label) -> list[str]:
    """The numerals that a label is of, each with the words behind it."""
    document = parse_document(text.encode(), media_type="text/plain", charset=None, url="a.txt", captured_at=NOON)
    case = case_of(Labelled("a.txt", "repo", document, Origin("a.txt"), [label]), NameFinder.load())
    spans = [case.items[at].place.figure.digits for at, metric in case.right if metric == label.metrics[0]]
    return [document.text[span.start : span.end + 6] for span in sorted(spans)]


def test_a_value_that_counts_another_thing_is_none_of_the_labels() -> None:
    text = "Dawn has 4 nodes, each node with 4 NVIDIA H100 GPUs."
    label = Label("a.txt", ("Dawn",), ("accelerator_count",), (4.0,), "4 nodes, each node with 4 NVIDIA H100 GPUs")
    assert right_of(text, label) == ["4 NVIDI"]


def test_a_value_outside_of_the_quote_is_none_of_the_labels() -> None:
    text = "The H100 has 80 GB of HBM. The A100 has 80 GB of HBM, too."
    label = Label("a.txt", ("NVIDIA A100",), ("memory_capacity",), (80.0,), "The A100 has 80 GB of HBM")
    document = parse_document(text.encode(), media_type="text/plain", charset=None, url="a.txt", captured_at=NOON)
    case = case_of(Labelled("a.txt", "repo", document, Origin("a.txt"), [label]), NameFinder.load())
    (item,) = {at for at, metric in case.right if metric == "memory_capacity"}
    assert case.items[item].place.figure.digits.start > text.index("A100")
    assert len({at for at, metric in case.alike if metric == "memory_capacity"}) == 2  # the other is no wrong one


def test_of_the_metrics_that_pass_the_first_is_taught() -> None:
    text = "xAI runs a cluster of 200,000 GPUs. It has 80 GB."
    label = Label("a.txt", ("xAI",), ("cluster_size", "accelerator_count"), (200_000.0,), "cluster of 200,000 GPUs")
    document = parse_document(text.encode(), media_type="text/plain", charset=None, url="a.txt", captured_at=NOON)
    case = case_of(Labelled("a.txt", "repo", document, Origin("a.txt"), [label]), NameFinder.load())
    taught = [case.metric_of(at) for at, item in enumerate(case.items) if item.place.figure.number in (200_000, 80)]
    assert taught == ["cluster_size", ""]


def test_where_no_quote_is_found_the_words_decide() -> None:
    label = Label("a.txt", ("NVIDIA A100",), ("memory_capacity",), (80.0,), "A100: memory of 80 GB")
    assert right_of("The A100 has a memory of 80 GB.", label) == ["80 GB."]


def test_a_quote_is_found_by_its_letters_and_digits() -> None:
    text = "| El Capitan | 16.680 |\n| Aurora | 11.643 |"
    found, twice, none = quotes_at(text, ["<td>Aurora</td>\n<td>11.643</td>", "|", "Frontier"])
    assert [text[start:end] for start, end in found] == ["Aurora | 11.643"]
    assert (twice, none) == ([], [])
