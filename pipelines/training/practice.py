"""Practice pages: made-up pages with their values marked in place. They train; nothing is measured on them.

`⟦8 TB/s⟧{NVIDIA B200 ; memory_bandwidth ; 8 ; per=gpu}`: what is printed, then subject, metric, value in the metric's
unit, and qualifiers. `|` stands between answers that are as good, `?` begins what counts neither way. The figures are
`illustrative`: no model hears them as facts of a thing.
"""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

from pipelines.model.claim import Origin
from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder
from pipelines.training.cases import Case
from pipelines.training.labels import Label, LabelError, Labelled, label_of, parsed, squashed
from pipelines.training.turned import cases_of

_WEIGHT = 0.5  # of a labelled document's
_HEAD = re.compile(r"\A---\npublisher:(.*)\npublished:(.*)\n---\n")
_MARK = re.compile(r"⟦([^⟦⟧]{1,200})⟧((?:\{[^{}⟦⟧]{1,400}\})+)")
_ANSWER = re.compile(r"\{([^{}]+)\}")
_AROUND = (0, 8, 20, 40, 70, 110, 160, 220)  # characters before a value until its quote stands once in the page


def practice_cases(folder: Path, finder: NameFinder) -> list[Case]:
    """The pages of a folder, with turned tables as those of labelled documents. Raises LabelError with the page."""
    known = {entry.id for entry in load_registry().entries.metrics}
    paths = [path for path in sorted(folder.glob("*.*")) if path.name != "README.md"]
    if not paths:
        raise LabelError(f"{folder}: no practice pages")
    cases = [case for path in paths for case in cases_of(_page(path, known), finder)]
    for case in cases:
        case.is_practice, case.share = True, case.share * _WEIGHT
    return cases


def _page(path: Path, known: set[str]) -> Labelled:
    try:
        return page_of(path.name, path.read_text(encoding="utf-8"), known)
    except (LabelError, ValueError) as error:
        raise LabelError(f"{path.name}: {error}") from None


def page_of(name: str, marked: str, known: set[str]) -> Labelled:
    """A page without its marks, and what they say. Raises LabelError for a mark that says nothing usable."""
    head = _HEAD.match(marked)
    if head is None:
        raise LabelError("want a head of '---', 'publisher:', 'published:', '---'")
    text, marks = _unmarked(marked[head.end() :])
    document = parsed(name, text)
    day = dt.date.fromisoformat(head[2].strip()) if head[2].strip() else document.published_on
    origin = Origin(name, head[1].strip() or document.publisher or "", day, "")
    page = Labelled(name, f"practice: {name}", document, origin)
    letters = squashed(text)
    for start, end, answer in marks:
        label = _label(name, answer, _quote(text, start, end, letters), known)
        (page.borderline if label.is_borderline else page.labels).append(label)
    return page


def _unmarked(marked: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The text, and for each answer the characters of the text that it is of."""
    pieces: list[str] = []
    marks: list[tuple[int, int, str]] = []
    size = done = 0
    for mark in _MARK.finditer(marked):
        pieces += [marked[done : mark.start()], mark[1]]
        start = size + mark.start() - done
        size, done = start + len(mark[1]), mark.end()
        marks += [(start, size, answer) for answer in _ANSWER.findall(mark[2])]
    text = "".join([*pieces, marked[done:]])
    if left := re.search("[⟦⟧].{0,40}", text):
        raise LabelError(f"a mark without an answer: {left[0]!r}")
    return text, marks


def _label(name: str, answer: str, quote: str, known: set[str]) -> Label:
    is_borderline = answer.lstrip().startswith("?")
    parts = [part.strip() for part in answer.strip(" ?").split(";")]
    if len(parts) not in (3, 4) or not all(parts[:3]):
        raise LabelError(f"want 'subject ; metric ; value ; qualifiers': {answer!r}")
    subjects, metrics = ([each.strip() for each in part.split("|")] for part in parts[:2])
    if unknown := [metric for metric in metrics if metric not in known]:
        raise LabelError(f"unknown metric {unknown[0]!r}")
    pairs = [pair.partition("=") for pair in parts[3].split(",")] if len(parts) == 4 else []
    row: dict[str, Any] = {
        "doc": name, "subject": subjects[0], "subject_alt": subjects[1:],
        "metric": metrics[0], "metric_alt": metrics[1:],
        "value": parts[2], "qualifiers": {key.strip(): word.strip() for key, _, word in pairs if word.strip()},
    }  # fmt: skip
    entry = next(each for each in load_registry().entries.metrics if each.id == metrics[0])
    if entry.is_number:
        row["value"] = float(parts[2])
    return label_of(row, quote, is_borderline=is_borderline)


def _quote(text: str, start: int, end: int, letters: str) -> str:
    """A value with as much around it as it takes to stand once in the page."""
    quotes = (text[max(0, start - room) : end + room // 2] for room in _AROUND)
    return next((quote for quote in quotes if letters.count(squashed(quote)) <= 1), text[start:end])
