"""Lessons as plain pages: every figure and chart of the lesson's file in its place, no text of others that acts."""

from __future__ import annotations

import datetime as dt
import html
import re
from typing import Any, cast

import pytest

from dashboard import site_lessons
from dashboard.lesson_book import INLINE, Kind, lessons
from dashboard.lesson_figures import MISSING, LessonFigure, Side
from dashboard.site_lessons import Figures
from pipelines.publish.site_links import led
from warehouse.answers.plain_html import SitePage

ROOMS = {"racks": "room/racks.html"}
HOSTILE = "</p><script>alert(1)</script> [x](javascript:alert(1))"


def figure(number: int, claimant: str = "A maker") -> LessonFigure:
    side = Side(claimant, "", "vendor", dt.date(2026, 3, 1), f"evidence?claim=c{number}", f"c{number}")
    return LessonFigure(f"Figure {number}", f"{number} kW {claimant}", (side,))


def page_of(name: str, figures: Figures, monkeypatch: pytest.MonkeyPatch) -> SitePage:
    monkeypatch.setattr(site_lessons, "_conflict", lambda *given: "<p>rivals</p>")
    pictures = {chart: f"<figure>{chart}</figure>" for lesson in lessons().values() for chart in lesson.charts}
    return site_lessons._page(cast("Any", None), lessons()[name], figures, pictures)


@pytest.mark.parametrize("name", list(lessons()))
def test_every_figure_and_chart_stands_in_its_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    placed = list(lessons()[name].directives())
    figures = {each: figure(number) for number, each in enumerate(placed) if each.kind in INLINE}
    page = page_of(name, figures, monkeypatch)
    assert "{{" not in page.prose
    assert MISSING not in page.prose
    for made in figures.values():
        assert f'<a href="{made.sides[0].href}">▲ V vendor, 2026-03-01</a>' in page.prose
    charts = [each.words[0] for each in placed if each.kind is Kind.CHART]
    assert re.findall(r"<figure>(\w+)</figure>", page.prose) == charts
    links = re.findall(r'href="([^"]*)"', led(page.prose, site_lessons.places() | ROOMS, "../", ""))
    assert [link for link in links if not link.startswith(("../", "http"))] == []
    assert page.prose.count("<details>") == 5
    for question in lessons()[name].front.questions:
        assert html.escape(question.because) in page.prose


def test_links_lead_to_the_rows_of_claims_and_to_other_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    placed = list(lessons()["density"].directives())
    page = page_of("density", {placed[0]: figure(0)}, monkeypatch)
    places = site_lessons.places() | {"evidence?claim=c0": "thing/x.html#c0"}
    text = led(page.prose, places, "../", "")
    assert '<a href="../thing/x.html#c0">' in text
    assert '<a href="../lesson/nvl72.html">' in text
    assert MISSING in text


def test_text_of_others_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    placed = list(lessons()["density"].directives())
    page = page_of("density", {placed[0]: figure(0, HOSTILE)}, monkeypatch)
    assert "<script" not in page.prose
    assert "javascript:alert(1)</a>" not in page.prose
    assert 'href="javascript' not in page.prose
