"""Learn: lessons whose every figure is a dated statement one click away."""

from __future__ import annotations

import streamlit as st

from dashboard.components import chosen_key, words_of
from dashboard.components.page import link_to, open_page
from dashboard.lesson_book import TRACKS, Lesson, lessons
from dashboard.views.lesson import show_lesson
from warehouse.answers import formats

WORDS = words_of(__file__)


def show() -> None:
    """Draw the page."""
    wanted = chosen_key("lesson")
    lesson = lessons().get(wanted)
    if lesson is not None:
        ledger = open_page(lesson.front.title, lesson.front.gist, needs=WORDS.needs)
        link_to("learn", "All lessons", icon=":material/arrow_back:")
        show_lesson(ledger, lesson)
        return
    WORDS.open()
    if wanted:
        st.info("The link names a lesson that does not exist. Choose one below.")
    for track in TRACKS:
        found = [each for each in lessons().values() if each.front.track == track]
        if found:
            st.header(track, anchor=formats.slug(track))
            _cards(found)
    with st.container(border=True, key="to_calculators"):
        st.markdown("**Turn it into a number:** calculators that start from the ledger's figures.")
        link_to("calculators", "All calculators", icon=":material/calculate:")


def _cards(found: list[Lesson]) -> None:
    columns = st.columns(2)
    for place, lesson in enumerate(found):
        with columns[place % 2], st.container(border=True, key=f"lesson_{lesson.id}"):
            link_to("learn", lesson.front.title, icon=":material/school:", lesson=lesson.id)
            st.markdown(formats.escape_markdown(lesson.front.gist))
            st.caption(f"{lesson.front.minutes} minutes · {', '.join(lesson.front.tags)}")
