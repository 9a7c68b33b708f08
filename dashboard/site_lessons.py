"""The lessons and the glossary as plain pages, from the lesson files: every figure in its place, charts as pictures."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from markdown_it import MarkdownIt

from dashboard.cards import table_of
from dashboard.components.sheet import links_html
from dashboard.lesson_book import Block, Directive, Example, Kind, Lesson, Prose, Question, lessons
from dashboard.lesson_figures import MISSING, LessonFigure, resolve
from dashboard.queries import Ledger
from dashboard.views.glossary import WORDS as GLOSSARY
from dashboard.views.glossary import WORDS_SHOWN
from dashboard.views.lesson import SIDES, prose, sources
from warehouse.answers import claim_words, formats
from warehouse.answers.plain_html import SitePage, Table, path_of, table_html
from warehouse.calculators import CALCULATORS, fit

LESSON, LEARN = "lesson", "learn"
Figures = Mapping[Directive, LessonFigure]
Pictures = Mapping[str, str]  # a chart's picture as HTML, by its id


def places() -> dict[str, str]:
    """By address in the dashboard, where lessons and glossary stand."""
    found = {formats.page_address(LEARN, lesson=name): path_of(LESSON, name) for name in lessons()}
    return found | {LEARN: path_of("all", LESSON), "glossary": path_of(LEARN, "glossary")}


def lesson_pages(ledger: Ledger, pictures: Pictures) -> list[SitePage]:
    """A page a lesson, as known on the day of the build; `pictures` are those of all charts."""
    every = dict.fromkeys(chain.from_iterable(lesson.directives() for lesson in lessons().values()))
    known = resolve(ledger.records, ledger.built_at.date(), every)  # asked once for all: one question costs seconds
    pages = []
    for lesson in lessons().values():
        figures = {directive: known[directive] for directive in lesson.directives() if directive in known}
        pages.append(_page(ledger, lesson, figures, pictures))
    return pages


def glossary_page(ledger: Ledger) -> SitePage:
    """What is measured, in which unit, and by which words it goes."""
    held = ledger.rows("catalog.metrics")
    rows = tuple(
        (
            str(row["title"]),
            str(row["unit"]),
            ", ".join(row["words"][:WORDS_SHOWN]),
            ", ".join(row["requires"]).replace("_", " "),
        )
        for row in held
    )
    heads = ("Figure", "Unit", "Also called", "Must say")
    table = Table("Figures", heads, rows, tuple(str(row["metric_id"]) for row in held))
    path = path_of(LEARN, "glossary")
    return SitePage(path, GLOSSARY.page.title, "glossary", GLOSSARY.page.says, "DefinedTermSet", len(rows), (table,))


def _page(ledger: Ledger, lesson: Lesson, figures: Figures, pictures: Pictures) -> SitePage:
    front = lesson.front
    first = [(f"First: {lessons()[name].front.title}", _address(name)) for name in front.prerequisites]
    head = f"{front.track} · {front.minutes} minutes · for {', '.join(front.audience)}"
    parts = [f"<p><small>{html.escape(head)}</small></p>"]
    parts += [f"<p>{links_html(first)}</p>"] if first else []
    for section in lesson.sections:
        parts.append(f'<h2 id="{section.anchor}">{html.escape(section.title)}</h2>')
        parts += [_block(ledger, block, figures, pictures) for block in section.blocks]
    parts += ['<h2 id="check-yourself">Check yourself</h2>', *map(_question, front.questions)]
    parts += ['<h2 id="sources">Sources</h2>', _marked(sources(figures) or "This lesson places no figures.")]
    parts += [_onward(lesson)]
    return SitePage(
        path_of(LESSON, lesson.id),
        front.title,
        LESSON,
        front.gist,
        "LearningResource",
        len(figures),
        (),
        prose="\n".join(parts),
    )


def _address(name: str) -> str:
    return formats.page_address(LEARN, lesson=name)


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    """Markdown with tables; HTML in it stays text, and links lead to the web and to pages of ours only."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _marked(text: str) -> str:
    found: str = _reader().render(text)
    return found


def _block(ledger: Ledger, block: Block, figures: Figures, pictures: Pictures) -> str:
    if isinstance(block, Prose):
        return _marked(prose(block, figures))
    if isinstance(block, Example):
        told = "<p><small>illustrative: an example with made-up round numbers</small></p>"
        return f"<blockquote>{told}{_marked(block.text)}</blockquote>"
    if block.kind is Kind.CHART:
        return pictures.get(block.words[0], f"<p>{MISSING}</p>")
    if block.kind in (Kind.CALCULATOR, Kind.FIT):
        calculator = CALCULATORS[block.words[0] if block.words else fit.CALCULATOR.id]
        address = formats.page_address("calculators", calc=calculator.id)
        return f"<p>{links_html([(f'Calculator: {calculator.title}', address)])}</p>"
    return _conflict(ledger, *block.words)


def _conflict(ledger: Ledger, subject_id: str, metric: str) -> str:
    frame = claim_words.with_words(ledger.frame_of("claims.history_of", subject=subject_id, metric=metric))
    if frame.empty:
        return f"<p>{MISSING}</p>"
    return table_html(table_of("What is said of it", frame, SIDES), heading="h3")


def _question(question: Question) -> str:
    options = "".join(f"<li>{html.escape(option)}</li>" for option in question.options)
    right = html.escape(f"{question.options[question.answer - 1]} {question.because}")
    return (
        f'<p>{html.escape(question.ask)}</p><ol type="a">{options}</ol>'
        f"<details><summary>Answer</summary><p>{right}</p></details>"
    )


def _onward(lesson: Lesson) -> str:
    order = list(lessons())
    place = order.index(lesson.id)
    led = [("Before", order[place - 1])] if place else []
    led += [("Next", order[place + 1])] if place + 1 < len(order) else []
    return f"<p>{links_html([(f'{word}: {lessons()[name].front.title}', _address(name)) for word, name in led])}</p>"
