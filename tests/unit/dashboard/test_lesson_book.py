"""Lessons as files: what is read, and what is refused with the file's name."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dashboard.components.card import HOW_TO_READ
from dashboard.components.words import words_of
from dashboard.lesson_book import (
    FOLDER,
    TRACKS,
    Directive,
    Example,
    Kind,
    LessonError,
    Prose,
    lessons,
    read_lesson,
)
from dashboard.navigation import charts, page_entries
from dashboard.queries.lessons import named_queries
from pipelines.registry import load_registry
from warehouse.calculators import CALCULATORS

QUESTIONS = "questions:\n" + "\n".join(
    f"  - {{ask: q{n}, options: [a, b], answer: 1, because: so}}" for n in range(1, 6)
)
FRONT = f"""title: A lesson
gist: One sentence.
track: Foundations
order: 1
minutes: 5
tags: [a]
audience: [b]
{QUESTIONS}
"""
VIEWS = FOLDER.parent / "views"
STANDALONE_NUMBER = re.compile(r"(?<![\w.-])\d[\d.,]*(?![\w-])")


def lesson_file(folder: Path, body: str, front: str = FRONT) -> Path:
    path = folder / "made-up.md"
    path.write_text(f"---\n{front}---\n{body}", encoding="utf-8")
    return path


def test_text_figures_and_charts_come_out_in_their_order(tmp_path: Path) -> None:
    body = """
## First Part: a start
Power is {{ figure: some-rack power per=rack precision="a b" }} and {{ query: some-query }}.
{{ chart: density_over_time }}

```example
1 + 1 = 2
```
After.
"""
    section = read_lesson(lesson_file(tmp_path, body)).sections[0]
    assert (section.title, section.anchor) == ("First Part: a start", "first-part-a-start")
    prose, chart, example, after = section.blocks
    assert isinstance(prose, Prose)
    assert prose.texts == ("Power is ", " and ", ".")
    assert prose.directives == (
        Directive(Kind.FIGURE, ("some-rack", "power"), (("per", "rack"), ("precision", "a b"))),
        Directive(Kind.QUERY, ("some-query",)),
    )
    assert chart == Directive(Kind.CHART, ("density_over_time",))
    assert example == Example("1 + 1 = 2")
    assert after == Prose(("After.",), ())


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("No heading.", "all text stands under"),
        ("## A\n{{ picture: x }}", "no directive 'picture'"),
        ("## A\nText {{ chart: x }} text", "on a line of its own"),
        ("## A\n{{ figure: only-one }}", "expected 2 words"),
        ("## A\n{{ fit: now }}", "expected 0 words"),
        ("## A\nText {{ figure: a b", "cannot be read"),
    ],
)
def test_a_body_that_cannot_be_used_is_refused(tmp_path: Path, body: str, says: str) -> None:
    with pytest.raises(LessonError, match=rf"made-up\.md.*{says}"):
        read_lesson(lesson_file(tmp_path, body))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("track: Foundations", "track: Elsewhere"), "track: expected one of"),
        (("minutes: 5", "minutes: 0"), "minutes"),
        (("gist: One sentence.", ""), "gist"),
        (("answer: 1", "answer: 3"), "names no option"),
        (("order: 1", "order: 1\ncolour: red"), "colour"),
        (("title: A lesson", "title: [A"), "front matter"),
    ],
)
def test_front_matter_that_cannot_be_used_is_refused(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    with pytest.raises(LessonError, match=says):
        read_lesson(lesson_file(tmp_path, "## A\nText.", FRONT.replace(*change)))


def test_a_file_without_front_matter_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bare.md"
    path.write_text("## A\nText.", encoding="utf-8")
    with pytest.raises(LessonError, match=r"bare\.md: expected front matter"):
        read_lesson(path)


def test_the_path_has_the_flagship_first_and_more_than_ten_lessons() -> None:
    book = lessons()
    assert len(book) == len(list(FOLDER.glob("*.md"))) >= 11
    assert next(iter(book)) == "nvl72"
    assert len({lesson.front.order for lesson in book.values()}) == len(book)
    assert {lesson.front.track for lesson in book.values()} == set(TRACKS)


def test_the_flagship_has_its_sections() -> None:
    titles = [section.title for section in lessons()["nvl72"].sections]
    assert titles == [
        "In plain English", "Why it matters", "A simple example", "How to read the market signal", "A common mistake",
        "What you can do with it", "Memory trick",
    ]  # fmt: skip
    assert 5 <= lessons()["nvl72"].front.minutes <= 8
    assert any(directive.kind is Kind.FIT for directive in lessons()["nvl72"].directives())


@pytest.mark.parametrize("name", lessons())
def test_what_a_lesson_names_exists(name: str) -> None:
    lesson, pages = lessons()[name], {entry.path for entry in page_entries()}
    front = lesson.front
    assert set(front.prerequisites) <= set(lessons())
    assert set(lesson.charts) <= set(charts())
    assert set(lesson.calculators) <= set(CALCULATORS)
    assert set(front.metrics) <= {metric.id for metric in load_registry().metrics()}
    known = {
        Kind.CHART: set(charts()),
        Kind.CALCULATOR: set(CALCULATORS),
        Kind.QUERY: set(named_queries()),
    }
    for directive in lesson.directives():
        assert directive.kind not in known or directive.words[0] in known[directive.kind]
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(lesson:([a-z0-9-]+)\)", text)) <= set(lessons())
    assert {link.split("?")[0] for link in re.findall(r"\]\(page:([^)]+)\)", text)} <= pages


@pytest.mark.parametrize("name", lessons())
def test_no_figure_is_typed(name: str) -> None:
    typed = [
        found.group()
        for section in lessons()[name].sections
        for block in section.blocks
        if isinstance(block, Prose)
        for text in block.texts
        for found in STANDALONE_NUMBER.finditer(text)
    ]
    assert typed == []


def test_every_chart_is_shown_in_a_lesson_or_leads_to_one_that_leads_back() -> None:
    shown = {chart for lesson in lessons().values() for chart in lesson.charts}
    leading = {chart for chart, entry in charts().items() if entry.lesson in lessons()}
    assert shown | leading == set(charts())


@pytest.mark.parametrize("name", lessons())
def test_every_lesson_has_the_section_that_charts_lead_to(name: str) -> None:
    anchors = [section.anchor for section in lessons()[name].sections]
    assert HOW_TO_READ in anchors
    assert {"in-plain-english", "why-it-matters", "a-common-mistake", "what-you-can-do-with-it", "memory-trick"} <= set(
        anchors
    )


def test_a_lesson_leads_to_calculators_that_lead_to_it_and_that_it_names() -> None:
    flagship = lessons()["nvl72"]
    assert flagship.calculators == ("fit", "gpu-hour", "rack")
    bare = replace(flagship, sections=())
    assert bare.calculators == ("fit", "gpu-hour", "rack")
    assert replace(bare, id="memory").calculators == ("gpu-hour", "rack")


def test_every_calculator_leads_to_a_lesson_that_leads_back() -> None:
    for calculator in CALCULATORS.values():
        assert calculator.id in lessons()[calculator.lesson].calculators


def test_every_query_is_used_and_every_chart_of_a_view_is_listed() -> None:
    used = {d.words[0] for lesson in lessons().values() for d in lesson.directives() if d.kind is Kind.QUERY}
    assert used == set(named_queries())
    cards = {name: card for path in VIEWS.glob("*.yaml") for name, card in words_of(str(path)).cards.items()}
    assert set(cards) == set(charts())
    assert {card.lesson for card in cards.values() if card.lesson} <= set(lessons())
