"""The lessons as files: front matter, sections, and the directives that place live figures. Reads files, draws nothing.

A lesson is `lessons/<id>.md`: YAML between two lines of dashes, then Markdown in `## ` sections. Figures are not typed.
Inline: `{{ figure: subject metric [qualifier=value …] }}`, where `claimant=` and `tag=` narrow too, and
`{{ query: name }}`. On a line of their own:
`{{ chart: id }}`, `{{ calculator: name }}`, `{{ conflict: subject metric }}`, `{{ fit }}`. A made-up example stands in
a fenced block whose language is `example`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipelines.frozen import frozen
from warehouse.answers.formats import slug
from warehouse.calculators import CALCULATORS

FOLDER = Path(__file__).parent / "lessons"
TRACKS = ("Foundations", "Reading the market", "Cost and operations")

_DIRECTIVE = re.compile(r"\{\{\s*(?P<kind>[a-z]+)(?::\s*(?P<words>[^{}]*?))?\s*\}\}")
_PAIR = re.compile(r'([a-z_]+)=("[^"]*"|\S+)')
_SECTION = re.compile(r"^## +(?P<title>.+?)\s*$", re.MULTILINE)
_EXAMPLE = re.compile(r"^```example\n(?P<text>.*?)^```\s*$", re.MULTILINE | re.DOTALL)


class LessonError(ValueError):
    """A lesson's file that cannot be used: says which file and what was expected."""


class Kind(StrEnum):
    """What a directive places."""

    FIGURE = "figure"
    QUERY = "query"
    CHART = "chart"
    CALCULATOR = "calculator"
    CONFLICT = "conflict"
    FIT = "fit"


INLINE = {Kind.FIGURE, Kind.QUERY}


@frozen
class Directive:
    """One directive: its words in order, and its name=value pairs."""

    kind: Kind
    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()


@frozen
class Prose:
    """Markdown with the inline directives cut out: `texts` is one longer than `directives`, they alternate."""

    texts: tuple[str, ...]
    directives: tuple[Directive, ...]


@frozen
class Example:
    """A made-up example, shown as illustrative."""

    text: str


Block = Prose | Example | Directive


@frozen
class Section:
    """A heading with its anchor and what stands under it."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]


class Question(BaseModel):
    """One question of the self-check; `answer` counts from one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ask: str
    options: Annotated[tuple[str, ...], Field(min_length=2, max_length=5)]
    answer: Annotated[int, Field(ge=1)]
    because: str


class Front(BaseModel):
    """A lesson's front matter. `calculators`: those that it leads to beside what it draws and what leads to it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    gist: str
    track: str
    order: int
    minutes: Annotated[int, Field(ge=1, le=20)]
    tags: tuple[str, ...]
    audience: tuple[str, ...]
    prerequisites: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    calculators: tuple[str, ...] = ()
    fresh_days: Annotated[int, Field(ge=1)] = 1_100
    questions: Annotated[tuple[Question, ...], Field(min_length=5, max_length=5)]


@frozen
class Lesson:
    """A lesson ready to be drawn."""

    id: str
    front: Front
    sections: tuple[Section, ...]

    def directives(self) -> Iterator[Directive]:
        """All directives in order."""
        for section in self.sections:
            for block in section.blocks:
                if isinstance(block, Directive):
                    yield block
                elif isinstance(block, Prose):
                    yield from block.directives

    @property
    def charts(self) -> tuple[str, ...]:
        """The charts that it draws, in order."""
        return tuple(dict.fromkeys(found.words[0] for found in self.directives() if found.kind is Kind.CHART))

    @property
    def calculators(self) -> tuple[str, ...]:
        """The calculators that it leads to: those that it draws, that lead to it, and that its front matter names."""
        drawn = (found.words[0] for found in self.directives() if found.kind is Kind.CALCULATOR)
        leading = (calculator.id for calculator in CALCULATORS.values() if calculator.lesson == self.id)
        return tuple(dict.fromkeys((*drawn, *leading, *self.front.calculators)))


def read_lesson(path: Path) -> Lesson:
    """One lesson from its file. Raises LessonError."""
    text = path.read_text(encoding="utf-8")
    parts = text.split("---\n", 2)
    if len(parts) != 3 or parts[0].strip():
        raise LessonError(f"{path.name}: expected front matter between two lines of three dashes")
    try:
        front = Front.model_validate(yaml.safe_load(parts[1]))
    except (yaml.YAMLError, ValidationError) as error:
        raise LessonError(f"{path.name}: front matter: {error}") from error
    if front.track not in TRACKS:
        raise LessonError(f"{path.name}: track: expected one of {', '.join(TRACKS)}, found {front.track!r}")
    wrong = [question.ask for question in front.questions if question.answer > len(question.options)]
    if wrong:
        raise LessonError(f"{path.name}: the answer of {wrong[0]!r} names no option")
    return Lesson(path.stem, front, tuple(_sections(path.name, parts[2])))


@lru_cache(maxsize=1)
def lessons() -> dict[str, Lesson]:
    """All lessons by id, in their order. Raises LessonError."""
    found = [read_lesson(path) for path in sorted(FOLDER.glob("*.md"))]
    return {lesson.id: lesson for lesson in sorted(found, key=lambda lesson: lesson.front.order)}


def _sections(file: str, body: str) -> Iterator[Section]:
    marks = list(_SECTION.finditer(body))
    if not marks or body[: marks[0].start()].strip():
        raise LessonError(f"{file}: all text stands under '## ' headings")
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        title = mark["title"]
        text = body[mark.end() : following.start() if following else len(body)]
        yield Section(title, slug(title), tuple(_blocks(file, text)))


def _blocks(file: str, text: str) -> Iterator[Block]:
    """Prose, examples, and directives that stand on a line of their own, in order."""
    at = 0
    for example in _EXAMPLE.finditer(text):
        yield from _plain_blocks(file, text[at : example.start()])
        yield Example(example["text"].strip())
        at = example.end()
    yield from _plain_blocks(file, text[at:])


def _plain_blocks(file: str, text: str) -> Iterator[Block]:
    lines: list[str] = []
    for line in text.splitlines():
        whole = _DIRECTIVE.fullmatch(line.strip())
        if whole and _directive(file, whole).kind not in INLINE:
            yield from _prose(file, lines)
            yield _directive(file, whole)
            lines = []
        else:
            lines.append(line)
    yield from _prose(file, lines)


def _prose(file: str, lines: list[str]) -> Iterator[Block]:
    text = "\n".join(lines).strip()
    if not text:
        return
    texts, found, at = [], [], 0
    for match in _DIRECTIVE.finditer(text):
        directive = _directive(file, match)
        if directive.kind not in INLINE:
            raise LessonError(f"{file}: {match.group()} stands on a line of its own")
        texts.append(text[at : match.start()])
        found.append(directive)
        at = match.end()
    texts.append(text[at:])
    if any("{{" in piece or "}}" in piece for piece in texts):
        raise LessonError(f"{file}: a directive that cannot be read, in {text[:80]!r}")
    yield Prose(tuple(texts), tuple(found))


def _directive(file: str, match: re.Match[str]) -> Directive:
    if match["kind"] not in set(Kind):
        raise LessonError(f"{file}: no directive {match['kind']!r}; there are {', '.join(Kind)}")
    kind, words = Kind(match["kind"]), match["words"] or ""
    pairs = tuple((name, value.strip('"')) for name, value in _PAIR.findall(words))
    plain = tuple(_PAIR.sub(" ", words).split())
    wanted = {Kind.FIGURE: 2, Kind.CONFLICT: 2, Kind.FIT: 0}.get(kind, 1)
    if len(plain) != wanted or (pairs and kind is not Kind.FIGURE):
        raise LessonError(f"{file}: {match.group()}: expected {wanted} words after '{kind}:'")
    return Directive(kind, plain, pairs)
