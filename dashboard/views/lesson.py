"""A lesson on a page: sections with live figures, small charts, rival claims, examples, self-check, sources."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.columns import columns
from dashboard.components.card import small_cards
from dashboard.components.fit_figure import ask_model, fit_figure
from dashboard.components.page import link_to
from dashboard.components.state import chosen_key, pick_key
from dashboard.components.tables import rows_table
from dashboard.lesson_book import Block, Directive, Example, Kind, Lesson, Prose, Question, lessons
from dashboard.lesson_figures import MISSING, LessonFigure, resolve
from dashboard.navigation import charts
from dashboard.queries import Ledger, once
from warehouse.answers import claim_words, formats
from warehouse.calculators import CALCULATORS

SIDES = columns("claimant value_words qualifiers evidence stated_on claim_id url", qualifiers="Counted")
LINKS = {"lesson": "learn?lesson=", "page": ""}


def show_lesson(ledger: Ledger, lesson: Lesson) -> None:
    """Draw all of a lesson below its title."""
    figures = once(ledger, _figures, lesson.id)
    _head(ledger, lesson, figures)
    for section in lesson.sections:
        st.header(section.title, anchor=section.anchor)
        for block in section.blocks:
            _block(ledger, block, figures)
    _self_check(lesson)
    _sources(figures)
    _onward(lesson)


def _figures(ledger: Ledger, lesson_id: str) -> Mapping[Directive, LessonFigure]:
    """The figures of a lesson in one version: asked once, since every answer of the self-check draws the page again."""
    return resolve(ledger.records, ledger.built_at.date(), lessons()[lesson_id].directives())


def _head(ledger: Ledger, lesson: Lesson, figures: Mapping[Directive, LessonFigure]) -> None:
    front = lesson.front
    days = [side.stated_on for figure in figures.values() for side in figure.sides if side.stated_on]
    dated = f" Figures stated {formats.day(min(days))} to {formats.day(max(days))}." if days else ""
    st.caption(
        f"{front.track} · {front.minutes} minutes · for {', '.join(front.audience)} · {', '.join(front.tags)}.{dated}"
    )
    if front.prerequisites:
        with st.container(horizontal=True, gap="small"):
            for name in front.prerequisites:
                link_to("learn", f"First: {lessons()[name].front.title}", icon=":material/school:", lesson=name)


def _block(ledger: Ledger, block: Block, figures: Mapping[Directive, LessonFigure]) -> None:
    if isinstance(block, Prose):
        st.markdown(prose(block, figures))
    elif isinstance(block, Example):
        with st.container(border=True):
            st.caption("… I illustrative: an example with made-up round numbers")
            st.markdown(block.text)
    elif block.kind is Kind.CHART:
        chart = charts()[block.words[0]]
        with small_cards(chart.page):
            chart.draw(ledger)
    elif block.kind is Kind.CALCULATOR:
        calculator = CALCULATORS[block.words[0]]
        link_to("calculators", f"Calculator: {calculator.title}", icon=":material/calculate:", calc=calculator.id)
    elif block.kind is Kind.FIT:
        with st.container(border=True, key="fit"):
            inputs = ask_model()
            fit_figure(ledger, inputs)
    else:
        _conflict(ledger, *block.words)


def prose(block: Prose, figures: Mapping[Directive, LessonFigure]) -> str:
    """Markdown with every figure in its place, or 'no dated figure'; links to lessons and pages made addresses."""
    pieces = [_linked(block.texts[0])]
    for directive, text in zip(block.directives, block.texts[1:], strict=True):
        figure = figures.get(directive)
        pieces += [figure.markdown() if figure else f"**{MISSING}**", _linked(text)]
    return "".join(pieces)


def _linked(text: str) -> str:
    for name, address in LINKS.items():
        text = text.replace(f"]({name}:", f"]({address}")
    return text


def _conflict(ledger: Ledger, subject_id: str, metric: str) -> None:
    frame = claim_words.with_words(ledger.frame_of("claims.history_of", subject=subject_id, metric=metric))
    if frame.empty:
        st.caption(MISSING)
        return
    rows_table(frame, SIDES, key=f"sides_{subject_id}_{metric}", alt=f"What is said of {subject_id}: {metric}")


def _self_check(lesson: Lesson) -> None:
    st.header("Check yourself", anchor="check-yourself")
    st.caption("Five questions. Your answers stay in the address and go nowhere else.")
    questions = enumerate(lesson.front.questions, start=1)
    right = sum(_question(lesson.id, place, question) for place, question in questions)
    st.markdown(f"**{right} of {len(lesson.front.questions)} right.**")


def _question(lesson_id: str, place: int, question: Question) -> bool:
    """One question; the address holds the letter of the answer, so that a reworded option breaks no link."""
    letters = list("abcde"[: len(question.options)])
    name, key = f"q{place}", f"{lesson_id}_q{place}"
    kept = chosen_key(name)
    chosen = st.radio(
        f"{place}. {question.ask}",
        letters,
        index=letters.index(kept) if kept in letters else None,
        format_func=lambda letter: question.options[letters.index(letter)],
        key=key,
        on_change=lambda: pick_key(name, str(st.session_state[key])),
    )
    if chosen is None:
        return False
    is_right = letters.index(chosen) + 1 == question.answer
    if is_right:
        st.markdown(f"✓ **Right.** {question.because}")
    else:
        st.markdown(f"✗ **Not quite:** {question.options[question.answer - 1]} {question.because}")
    return is_right


def _sources(figures: Mapping[Directive, LessonFigure]) -> None:
    st.header("Sources", anchor="sources")
    if not figures:
        st.caption("This lesson places no figures.")
        return
    st.caption("Every figure above, in its order; each leads to who said it and when.")
    st.markdown(sources(figures))


def sources(figures: Mapping[Directive, LessonFigure]) -> str:
    """Every figure once, in its order, as a Markdown list."""
    lines = (f"- {formats.escape_markdown(figure.what)}: {figure.markdown()}" for figure in figures.values())
    return "\n".join(dict.fromkeys(lines))


def _onward(lesson: Lesson) -> None:
    st.header("Onward", anchor="onward")
    order = list(lessons())
    place = order.index(lesson.id)
    with st.container(horizontal=True, gap="small"):
        if place > 0:
            before = lessons()[order[place - 1]]
            link_to("learn", f"Before: {before.front.title}", icon=":material/arrow_back:", lesson=before.id)
        if place + 1 < len(order):
            after = lessons()[order[place + 1]]
            link_to("learn", f"Next: {after.front.title}", icon=":material/arrow_forward:", lesson=after.id)
    with st.container(horizontal=True, gap="small"):
        for name in lesson.calculators:
            link_to("calculators", CALCULATORS[name].title, icon=":material/calculate:", calc=name)
        leading = (entry.page for entry in charts().values() if entry.lesson == lesson.id)
        for page in dict.fromkeys((*(charts()[chart].page for chart in lesson.charts), *leading)):
            link_to(page, page.capitalize(), icon=":material/monitoring:")
