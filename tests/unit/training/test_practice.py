"""Made-up pages with marked values: what they say, that nothing is measured on them, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder
from pipelines.training.labels import LabelError
from pipelines.training.practice import page_of, practice_cases

PAGES = Path(__file__).parents[3] / "bench" / "practice"
METRICS = {entry.id for entry in load_registry().entries.metrics}
HEAD = "---\npublisher: Orvane\npublished: 2026-01-02\n---\n"
PAGE = (
    HEAD + "The B200 has ⟦192 GB⟧{NVIDIA B200 | B200 ; memory_capacity ; 192 ; per=gpu, memory_type=HBM3e}, the H200 "
    "⟦141 GB⟧{NVIDIA H200 ; memory_capacity ; 141}; about ⟦192 GB⟧{? B300 ; memory_capacity ; 192} were hoped for.\n"
)


def test_marks_become_labels_and_leave_the_text() -> None:
    page = page_of("a.md", PAGE, METRICS)
    assert page.document.text.strip() == "The B200 has 192 GB, the H200 141 GB; about 192 GB were hoped for."
    first, second = page.labels
    assert (first.subjects, first.metrics, first.values) == (("NVIDIA B200", "B200"), ("memory_capacity",), (192.0,))
    assert (first.per, dict(first.qualifiers)["memory_type"]) == ("gpu", "HBM3e")
    assert second.values == (141.0,)
    assert [label.subjects for label in page.borderline] == [("B300",)]
    assert first.quote.endswith("192 GB, th")  # with its surroundings: "192 GB" alone stands twice
    assert second.quote == "141 GB"
    assert (page.origin.publisher, str(page.origin.published_on)) == ("Orvane", "2026-01-02")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("no head", "want a head"),
        (HEAD + "⟦1 kW⟧ alone", "without an answer"),
        (HEAD + "⟦1 kW⟧{B200 ; power}", "want 'subject"),
        (HEAD + "⟦1 kW⟧{B200 ; warmth ; 1}", "unknown metric 'warmth'"),
        (HEAD + "⟦1 kW⟧{B200 ; power ; one}", "one"),
    ],
)
def test_a_page_that_cannot_be_used_is_named(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "bad.md").write_text(text, encoding="utf-8")
    with pytest.raises(LabelError, match=f"bad.md: .*{reason}"):
        practice_cases(tmp_path, NameFinder.load())


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="no practice pages"):
        practice_cases(tmp_path, NameFinder.load())


def test_nothing_is_measured_on_the_committed_pages(tmp_path: Path) -> None:
    for page in sorted(PAGES.glob("*.*"))[::30]:
        (tmp_path / page.name).write_bytes(page.read_bytes())
    cases = practice_cases(tmp_path, NameFinder.load())
    assert len(cases) >= 10
    assert not any(case.is_measured for case in cases)


def test_every_committed_page_can_be_used() -> None:
    pages = [path for path in PAGES.glob("*.*") if path.name != "README.md"]
    labels = [len(page_of(path.name, path.read_text(encoding="utf-8"), METRICS).labels) for path in pages]
    assert sum(labels) > 8_000
    assert labels.count(0) > len(pages) / 12  # pages full of figures that are no claims
