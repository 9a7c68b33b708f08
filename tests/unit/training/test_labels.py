"""Label files: checked line by line; and which readings a label agrees with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.training.labels import Label, LabelError, Labelled, folds_of, read_labels, same_subject, same_value

TEXTS = {"page.md": "The NVIDIA H100 draws 700 W.\nIt has | 80 GB | of memory."}
GOOD = {
    "doc": "page.md",
    "subject": "NVIDIA H100",
    "metric": "power",
    "value": 700,
    "unit": "W",
    "quote": "draws 700 W",
}


def file_of(tmp_path: Path, *rows: object) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_label_is_read_in_the_metrics_unit(tmp_path: Path) -> None:
    (label,) = read_labels(file_of(tmp_path, GOOD | {"metric_alt": ["site_power"], "subject_alt": ["H100"]}), TEXTS)
    assert (label.metrics, label.subjects, label.values) == (
        ("power", "site_power"),
        ("NVIDIA H100", "H100"),
        (0.7,),
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"quote": "draws 900 W"}, "line 2: the quote is not in page.md: 'draws 900 W'"),
        ({"metric": "horsepower"}, "line 2: unknown metric 'horsepower'"),
        ({"unit": "furlong"}, "line 2: unit 'furlong' is not known"),
        ({"doc": "other.md"}, "line 2: no document 'other.md'"),
    ],
)
def test_a_fault_is_refused_with_line_and_reason(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    with pytest.raises(LabelError, match=reason):
        read_labels(file_of(tmp_path, GOOD, GOOD | change), TEXTS)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("NVIDIA H100", "H100", True),
        ("H100", "H200", False),
        ("Rubin", "Rubin Ultra", False),
        ("Frontier", "OLCF Frontier compute node", True),
        ("Google TPU v5p", "Google TPU v5e", False),
        ("Ironwood TPU", "Google TPU v7", True),
        ("H100 SXM 80GB", "NVIDIA H100 SXM5", True),
        ("H100 SXM", "H100 PCIe", False),
        ("OLCF", "OLCF Frontier", False),
    ],
)
def test_subjects(one: str, two: str, same: bool) -> None:
    assert same_subject(one, two) is same


def test_values_and_periods() -> None:
    power = Label("d", ("A",), ("power",), (0.7,), "")
    assert same_value(power, "power", 0.704)
    assert not same_value(power, "power", 0.71)
    assert not same_value(power, "price", 0.7)
    ships = Label("d", ("A",), ("available_from",), ("2026-H2",), "")
    assert same_value(ships, "available_from", "2026-Q4")
    assert same_value(ships, "available_from", "2026")
    assert not same_value(ships, "available_from", "2026-03")


def test_documents_of_one_repository_share_a_fold() -> None:
    documents = [Labelled(f"{n}", f"repository {n % 3}", None, None) for n in range(9)]  # type: ignore[arg-type]
    folds = folds_of(documents, 3)
    assert sorted(set(folds)) == [0, 1, 2]
    assert all(folds[n] == folds[n % 3] for n in range(9))
