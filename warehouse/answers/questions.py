"""The questions that programs ask, declared once in `questions.yaml` and `questions.sql`: what they take and give.

HTTP addresses, OpenAPI, tools for assistants, the client and the documents are derived from here. Reading what was
asked needs the record for names only, so a function that runs SQL is handed in.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, model_validator

from pipelines.frozen import frozen
from warehouse.statements import statements

AskNamed = Callable[[str, Mapping[str, Any]], Sequence[Mapping[str, Any]]]
SQL = statements(Path(__file__).with_suffix(".sql"))
NAMED = ("thing", "organisation", "generation", "benchmark", "metric")  # kinds that are given by name, asked as ids
MOST_CHARACTERS, MOST_THINGS = 200, 6
PAGE_OF_ROWS = "\nLIMIT $row_limit OFFSET $row_offset"

Kind = Literal[
    "words", "text", "day", "choice", "version", "thing", "organisation", "generation", "benchmark", "metric"
]
Type = Literal["text", "number", "count", "flag", "day", "list"]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Parameter(_Strict):
    """What may be asked for: its kind, its meaning, what stands for it when it is left out, and the allowed words."""

    kind: Kind
    says: str
    default: str | None = None
    is_required: bool = False
    is_many: bool = False
    allowed: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _choices_are_listed(self) -> Parameter:
        if (self.kind == "choice") != bool(self.allowed):
            raise ValueError("a choice lists what is allowed, and nothing else does")
        return self


class Column(_Strict):
    """A column of an answer; a unit stands in brackets at the end of what it says."""

    type: Type
    says: str

    @property
    def unit(self) -> str:
        return self.says.rpartition("[")[2].rstrip("]") if self.says.endswith("]") else ""


class Question(_Strict):
    """A question with its parameters, its columns in order and its SQL (empty where files answer it)."""

    name: str
    title: str
    says: str
    parameters: dict[str, Parameter]
    columns: dict[str, Column]
    sql: str


@frozen
class Wrong(Exception):
    """What was asked cannot be: which parameter, what was expected, what was found, and what may have been meant."""

    parameter: str
    expected: str
    found: str = ""
    nearest: tuple[str, ...] = ()

    def __str__(self) -> str:
        meant = f" Did you mean {', '.join(self.nearest)}?" if self.nearest else ""
        found = f", found {self.found!r}" if self.found else ""
        return f"{self.parameter}: expected {self.expected}{found}.{meant}"


@frozen
class Asked:
    """A question as it was understood: the parameters as SQL takes them, and as words for the answer.

    `sql` is the question's own, or of the same answer from kept tables where the newest day is asked for.
    """

    question: Question
    values: Mapping[str, Any]
    words: Mapping[str, Any]
    sql: str


@lru_cache(maxsize=1)
def questions() -> dict[str, Question]:
    """All questions by name. Raises ValueError where the declaration and the SQL do not fit."""
    told = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    columns = {name: Column(type=kind, says=says) for name, (kind, says) in told["columns"].items()}
    return {name: _question(name, entry, columns, told) for name, entry in told["questions"].items()}


@lru_cache(maxsize=1)
def kinds() -> dict[str, str]:
    """How each kind of parameter is written."""
    told = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {str(name): str(says) for name, says in told["kinds"].items()}


def _question(name: str, entry: Mapping[str, Any], columns: Mapping[str, Column], told: Mapping[str, Any]) -> Question:
    shared = told["parameters"]
    given = {key: Parameter(**{**shared.get(key, {}), **(own or {})}) for key, own in entry["parameters"].items()}
    listed = [*entry["columns"], *(() if entry.get("is_of_files") else told["told"])]
    return Question(
        name=name, title=entry["title"], says=entry["says"], parameters=given,
        columns={column: columns[column] for column in listed}, sql="" if entry.get("is_of_files") else SQL[name],
    )  # fmt: skip


@lru_cache(maxsize=1)
def digest() -> str:
    """What changes when a question, its words or its SQL change."""
    parts = [question.model_dump(mode="json") for question in questions().values()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def read(question: Question, given: Mapping[str, Sequence[str]], ask: AskNamed, built_on: dt.date) -> Asked:
    """Understand what was asked. Raises Wrong, naming the parameter; an unknown name comes with the nearest known."""
    for name in given:
        if name not in question.parameters:
            raise Wrong(name, f"one of the parameters {', '.join(question.parameters)}", "", ())
    values: dict[str, Any] = {}
    words: dict[str, Any] = {}
    for name, parameter in question.parameters.items():
        texts = [text for text in given.get(name, ()) if text.strip()]
        if not texts and parameter.is_required:
            raise Wrong(name, kinds()[parameter.kind])
        if len(texts) > (MOST_THINGS if parameter.is_many else 1):
            most = f"at most {MOST_THINGS} values" if parameter.is_many else "one value"
            raise Wrong(name, most, f"{len(texts)} values")
        values[name], words[name] = _value(name, parameter, texts, ask, built_on)
    day = values.get("as_of")
    kept = SQL.get(f"{question.name}_newest") if day is not None and day >= built_on else None
    return Asked(
        question, values, {name: word for name, word in words.items() if word is not None}, kept or question.sql
    )


def _value(name: str, parameter: Parameter, texts: list[str], ask: AskNamed, built_on: dt.date) -> tuple[Any, Any]:
    """One parameter as SQL takes it, and as the answer repeats it."""
    for text in texts:
        if len(text) > MOST_CHARACTERS or not text.isprintable():
            raise Wrong(name, f"printable text of at most {MOST_CHARACTERS} characters", text[:40])
    if not texts and parameter.default == "built":
        return built_on, built_on
    if not texts and parameter.default is None:
        return None, None
    text = texts[0] if texts else str(parameter.default)
    if parameter.kind in NAMED:
        found = [_one_named(name, parameter.kind, each, ask) for each in texts]
        ids = sorted({own for row in found for own in row["ids"]})
        shown = [str(row["id"]) for row in found]
        return ids, shown if parameter.is_many else shown[0]
    if parameter.kind == "day":
        day = _day(name, text)
        return day, day
    if parameter.kind == "choice" and text not in parameter.allowed:
        raise Wrong(name, f"one of {', '.join(parameter.allowed)}", text)
    return text, text


def _day(name: str, text: str) -> dt.date:
    try:
        if len(text) != len("2026-03-01"):
            raise ValueError
        return dt.date.fromisoformat(text)
    except ValueError:
        raise Wrong(name, kinds()["day"], text) from None


def ids_of(kind: str, text: str, ask: AskNamed) -> list[str]:
    """The ids that a name stands for. Raises Wrong where nobody or more than one bears it."""
    return [str(own) for own in _one_named(kind, kind, text, ask)["ids"]]


def _one_named(name: str, kind: str, text: str, ask: AskNamed) -> Mapping[str, Any]:
    asked = {"name": text.strip(), "family": kind}
    found = ask(SQL["resolve"], asked)
    if len(found) == 1:
        return found[0]
    if found:
        raise Wrong(name, "a name that only one bears", text, tuple(str(row["id"]) for row in found[:MOST_THINGS]))
    near = tuple(f"{row['name']} ({row['id']})" for row in ask(SQL["nearest"], asked))
    raise Wrong(name, kinds()[kind], text, near)


def rows(asked: Asked, ask: AskNamed, limit: int, offset: int = 0) -> list[dict[str, Any]]:
    """A stretch of the rows of an answer in their order, as plain values."""
    named = {**asked.values, "row_limit": limit, "row_offset": offset}
    return [plain(row) for row in ask(asked.sql + PAGE_OF_ROWS, named)]


def plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as JSON holds it: days in ISO form, no number that JSON does not know."""
    return {str(name): _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%dT%H:%M:%SZ}"
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def parameters_in_words(question: Question) -> str:
    """'Parameters: `thing`, the thing; `as_of`, … (may be left out).' for pages and documents."""
    told = []
    for name, each in question.parameters.items():
        allowed = f": {', '.join(each.allowed)}" if each.allowed else ""
        told.append(f"`{name}`, {each.says}{allowed}{'' if each.is_required else ' (may be left out)'}")
    return f"Parameters: {'; '.join(told)}."


def declaration() -> dict[str, Any]:
    """Everything that a reader of the files needs to ask the same questions without a server."""
    return {
        "questions": {name: question.model_dump(mode="json") for name, question in questions().items()},
        "resolve": SQL["resolve"], "nearest": SQL["nearest"], "named_kinds": list(NAMED), "page_of_rows": PAGE_OF_ROWS,
    }  # fmt: skip
