"""Length and reading level of each lesson: words, minutes at 200 words a minute, and automated readability index.

    python bench/lessons.py

The texts alone, without figures, questions and charts. The index is a school grade from the length of words and
sentences; plain English is about 8 or less.
"""

from __future__ import annotations

import re
import sys

import textstat

from dashboard.lesson_book import Example, Kind, Lesson, Prose, lessons

WORDS_A_MINUTE = 200
MOST_GRADE = 9.0


def words_of(lesson: Lesson) -> str:
    """A lesson's own words as plain sentences; a placed figure reads as one word."""
    pieces = []
    for section in lesson.sections:
        for block in section.blocks:
            if isinstance(block, Prose):
                pieces.append(" it ".join(block.texts))
            elif isinstance(block, Example):
                pieces.append(block.text)
    text = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", "\n\n".join(pieces))
    return re.sub(r"[*`]|^- ", "", text, flags=re.MULTILINE)


def main() -> int:
    print(f"{'lesson':15} {'words':>6} {'figures':>8} {'charts':>7} {'minutes read':>13} {'said':>5} {'grade':>6}")
    hard = []
    for lesson in lessons().values():
        text = words_of(lesson)
        words = len(text.split())
        asked = sum(len(f"{q.ask} {' '.join(q.options)} {q.because}".split()) for q in lesson.front.questions)
        kinds = [directive.kind for directive in lesson.directives()]
        figures, charts = (
            sum(kind in (Kind.FIGURE, Kind.QUERY) for kind in kinds),
            kinds.count(Kind.CHART),
        )
        grade = textstat.automated_readability_index(text)
        if grade > MOST_GRADE:
            hard.append(lesson.id)
        minutes = (words + asked) / WORDS_A_MINUTE
        print(f"{lesson.id:15} {words:6,} {figures:8} {charts:7} {minutes:13.1f} {lesson.front.minutes:5} {grade:6.1f}")
    if hard:
        print(f"above grade {MOST_GRADE:g}: {', '.join(hard)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
