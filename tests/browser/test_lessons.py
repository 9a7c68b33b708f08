"""Lessons and calculators on the published file: figures resolve, links lead both ways, a phone suffices."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.lesson_book import Kind, Lesson, lessons
from dashboard.lesson_figures import MISSING, resolve
from tests.browser.test_all_pages import findings
from warehouse.answers import Ask
from warehouse.answers.formats import quantity
from warehouse.calculators import CALCULATORS, fit
from warehouse.read import Warehouse

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
FLAGSHIP = "learn?lesson=nvl72"


def asker(warehouse: Warehouse) -> Ask:
    """Asks as the pages do: for the newest day the tables themselves."""

    def ask(sql: str, values: tuple[Any, ...]) -> Sequence[Mapping[str, Any]]:
        text, given = warehouse.of_the_present(sql, values)
        return warehouse.rows(text, list(given))

    return ask


def inline(lesson: Lesson) -> list[object]:
    return [directive for directive in lesson.directives() if directive.kind in (Kind.FIGURE, Kind.QUERY)]


@pytest.mark.parametrize("name", lessons())
def test_every_figure_of_a_lesson_is_dated_sourced_and_fresh(published: Path, name: str) -> None:
    lesson = lessons()[name]
    with Warehouse(published) as warehouse:
        day = warehouse.publication.built_at.date()
        figures = resolve(asker(warehouse), day, lesson.directives())
    assert [directive for directive in inline(lesson) if directive not in figures] == []
    assert len(figures) >= 3
    for directive, figure in figures.items():
        assert figure.sides, directive
        for side in figure.sides:
            assert side.href, directive
            assert side.tag
            assert side.stated_on is None or side.stated_on <= day
            age = (day - side.stated_on).days if side.stated_on else 0
            assert age <= lesson.front.fresh_days, f"{directive} is past its freshness"


def test_a_figure_that_nobody_states_is_said_to_be_missing(published: Path) -> None:
    lesson = lessons()["nvl72"]
    with Warehouse(published) as warehouse:
        early = dt.date(2019, 1, 1)
        figures = resolve(asker(warehouse), early, lesson.directives())
    assert [directive for directive in figures if directive.kind is Kind.FIGURE] == []


def opened(page: Page, url: str, heading: str) -> None:
    page.goto(url)
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


@pytest.mark.parametrize("name", lessons())
def test_every_lesson_opens_without_an_error_or_a_missing_figure(page: Page, site: str, name: str) -> None:
    opened(page, f"{site}/learn?lesson={name}", "Check yourself")
    expect(page.get_by_role("heading", name="Onward", exact=True)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text(MISSING, exact=True)).to_have_count(0)
    charts = sum(directive.kind is Kind.CHART for directive in lessons()[name].directives())
    expect(page.get_by_role("link", name="The whole chart")).to_have_count(charts)
    assert findings(page) == []


def test_a_reader_finishes_the_flagship_on_a_phone(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport=PHONE)  # type: ignore[arg-type]
    try:
        opened(page, f"{site}/{FLAGSHIP}", "What holds the model?")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        for place, question in enumerate(lessons()["nvl72"].front.questions, start=1):
            page.get_by_role("radiogroup", name=re.compile(rf"^{place}\.")).get_by_text(
                question.options[question.answer - 1], exact=True
            ).click()
            expect(page.get_by_text(question.because)).to_be_visible()
        expect(page.get_by_text("5 of 5 right.")).to_be_visible()
        asked = parse_qs(urlsplit(page.url).query)
        assert [asked[f"q{n}"] for n in range(1, 6)] == [
            ["abcde"[question.answer - 1]] for question in lessons()["nvl72"].front.questions
        ]
    finally:
        page.close()


def test_a_wrong_answer_is_explained(page: Page, site: str) -> None:
    wrong = "b" if lessons()["nvl72"].front.questions[0].answer == 1 else "a"
    opened(page, f"{site}/{FLAGSHIP}&q1={wrong}", "Check yourself")
    expect(page.get_by_text("Not quite:")).to_be_visible()
    expect(page.get_by_text("0 of 5 right.")).to_be_visible()


def test_the_interactive_figure_keeps_its_state_in_the_address(page: Page, browser: Browser, site: str) -> None:
    opened(page, f"{site}/{FLAGSHIP}", "What holds the model?")
    before = page.get_by_text(re.compile(r"^It needs .* of accelerator memory")).inner_text()
    page.get_by_role("radio", name="fp4").or_(page.get_by_role("button", name="fp4")).first.click()
    changed = page.get_by_text(re.compile(r"^It needs .* of accelerator memory"))
    expect(changed).not_to_have_text(before)
    told = changed.inner_text()
    need = sum(fit.memory_need(fit.Inputs(precision="fp4"))) / 1e12
    assert quantity(need, "TB") in told
    page.wait_for_url(re.compile(r"fit\.bits=fp4"))
    other = browser.new_context().new_page()
    try:
        opened(other, page.url, "What holds the model?")
        expect(other.get_by_text(re.compile(r"^It needs .* of accelerator memory"))).to_have_text(told)
    finally:
        other.context.close()


def test_a_figure_leads_to_who_said_it(page: Page, site: str, published: Path) -> None:
    opened(page, f"{site}/{FLAGSHIP}", "In plain English")
    address = page.get_by_role("link", name=re.compile(r"(vendor|reported), \d{4}-\d\d-\d\d")).first.get_attribute(
        "href"
    )
    assert address
    (claim_id,) = (value for key, (value,) in parse_qs(urlsplit(address).query).items() if key.endswith("claim"))
    with Warehouse(published) as warehouse:
        (claim,) = warehouse.rows("SELECT claimant FROM evidence.claims WHERE claim_id = ?", [claim_id])
    page.goto(f"{site}/{address.removeprefix('/')}" if not address.startswith("http") else address)
    expect(page.get_by_role("heading", name="Where it is written")).to_be_visible()
    expect(page.get_by_text(claim["claimant"], exact=True).first).to_be_visible()


def test_a_chart_leads_to_the_section_of_its_lesson(page: Page, site: str) -> None:
    opened(page, f"{site}/density", "How much power does a rack take?")
    page.get_by_role("button", name="How to read this").first.click()
    address = page.get_by_role("link", name="The lesson on this").get_attribute("href")
    assert address
    opened(page, f"{site}/{address}", "How to read the market signal")
    expect(page.get_by_role("heading", name="How to read the market signal")).to_be_in_viewport()


@pytest.mark.parametrize("name", CALCULATORS)
def test_every_calculator_opens_with_an_answer_and_says_where_inputs_are_from(page: Page, site: str, name: str) -> None:
    calculator = CALCULATORS[name]
    opened(page, f"{site}/calculators?calc={name}", "What moves the answer most?")
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert findings(page) == []
    expect(page.get_by_test_id("stMetricLabel").first).to_have_text(calculator.figures()[calculator.headline].label)
    assumed = page.get_by_text("assumption: no sourced value is known")
    assert assumed.count() >= 1
    if any(spec.cell or spec.lookup for spec in calculator.specs().values()):
        assert page.get_by_role("link", name="claim", exact=True).count() >= 1
    with page.expect_download() as waited:
        page.get_by_role("button", name="Breakdown (CSV)").click()
    rows = list(csv.DictReader(io.StringIO(Path(waited.value.path()).read_text(encoding="utf-8"))))
    assert {row["kind"] for row in rows} == {"input", "figure", "part"}
    total = next(float(r["value"]) for r in rows if r["name"] == calculator.figures()[calculator.total].label)
    assert sum(float(r["value"]) for r in rows if r["kind"] == "part") == pytest.approx(total)


def test_a_changed_input_is_the_readers_own_and_stays_in_the_link(page: Page, browser: Browser, site: str) -> None:
    opened(page, f"{site}/calculators?calc=gpu-hour", "Answer")
    first = page.get_by_test_id("stMetricValue").first.inner_text()
    field = page.get_by_label(re.compile(r"^Life"))
    field.first.fill("3")
    field.first.press("Enter")
    expect(page.get_by_text("✎ yours")).to_have_count(1)
    expect(page.get_by_test_id("stMetricValue").first).not_to_have_text(first)
    told = page.get_by_test_id("stMetricValue").first.inner_text()
    page.wait_for_url(re.compile(r"gpu-hour\.life=3"))
    other = browser.new_context().new_page()
    try:
        opened(other, page.url, "Answer")
        expect(other.get_by_test_id("stMetricValue").first).to_have_text(told)
        expect(other.get_by_text("✎ yours")).to_have_count(1)
    finally:
        other.context.close()


def test_another_machine_brings_its_own_figures(page: Page, site: str) -> None:
    opened(page, f"{site}/calculators?calc=fit", "Answer")
    memory = page.get_by_label(re.compile(r"^Memory of an accelerator")).first
    expect(memory).to_have_value("80")
    page.get_by_role("combobox", name="Start from the figures of").click()
    page.get_by_role("option", name="NVIDIA GB300 NVL72").click()
    expect(memory).to_have_value("278")
    expect(page.get_by_text("✎ yours")).to_have_count(0)


def test_what_has_no_answer_is_said_at_the_inputs(page: Page, site: str) -> None:
    page.goto(f"{site}/calculators?calc=serving&serving.precision=bf16")
    expect(page.get_by_text(re.compile("cannot hold the model and one request"))).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
