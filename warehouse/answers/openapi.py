"""The description of the HTTP API as OpenAPI 3.1: derived from the questions; `openapi.yaml` holds the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from warehouse.answers.questions import MOST_CHARACTERS, MOST_THINGS, Column, Parameter, Question, kinds, questions

ROWS, MOST_ROWS = 100, 1_000
PROBLEM, JSON = "application/problem+json", "application/json"
_SAID: dict[str, Any] = yaml.load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
_LIMIT = {"maximum": MOST_ROWS, "default": ROWS}


def openapi(version: str) -> dict[str, Any]:
    """The whole description; `version` is the program's."""
    document, found = _SAID["document"], questions().values()
    problem = {PROBLEM: {"schema": {"$ref": "#/components/schemas/problem"}}}
    return {
        **document,
        "info": {**document["info"], "version": version},
        "paths": {f"/api/v1/{question.name}": {"get": _operation(question)} for question in found},
        "components": {
            "schemas": {**{f"row_of_{each.name}": _row(each) for each in found}, "problem": _SAID["problem"]},
            "responses": {
                f"problem_{status}": {"description": says, "content": problem}
                for status, says in _SAID["problems"].items()
            },
        },
    }


def _operation(question: Question) -> dict[str, Any]:
    limit, cursor = _SAID["paging"]
    responses = _SAID["responses"]
    return {
        "operationId": question.name,
        "summary": question.title,
        "description": question.says,
        "parameters": [
            *(_parameter(name, each) for name, each in question.parameters.items()),
            {**limit, "schema": {**limit["schema"], **_LIMIT}},
            cursor,
        ],
        "responses": {
            **responses,
            "200": {**responses["200"], "content": {JSON: {"schema": _answer(question)}}},
            **{status: {"$ref": f"#/components/responses/problem_{status}"} for status in _SAID["problems"]},
        },
    }


def text_schema(parameter: Parameter, **more: Any) -> dict[str, Any]:
    """What a parameter may hold, as JSON Schema: a text, or several."""
    schema: dict[str, Any] = {"type": "string", "maxLength": MOST_CHARACTERS}
    if parameter.allowed:
        schema["enum"] = list(parameter.allowed)
    schema |= more
    return {"type": "array", "items": schema, "minItems": 1, "maxItems": MOST_THINGS} if parameter.is_many else schema


def parameter_words(parameter: Parameter) -> str:
    """What a parameter means and how it is written."""
    return f"{parameter.says[0].upper()}{parameter.says[1:]}: {kinds()[parameter.kind]}."


def _parameter(name: str, parameter: Parameter) -> dict[str, Any]:
    more: dict[str, Any] = {"format": "date"} if parameter.kind == "day" else {}
    if parameter.default not in (None, "built"):
        more["default"] = parameter.default
    default = " Without it: the day of the version." if parameter.default == "built" else ""
    told = {"name": name, "in": "query", "required": parameter.is_required}
    return {**told, "description": parameter_words(parameter) + default, "schema": text_schema(parameter, **more)}


def _answer(question: Question) -> dict[str, Any]:
    answer = _SAID["answer"]
    rows = {"type": "array", "items": {"$ref": f"#/components/schemas/row_of_{question.name}"}}
    return {**answer, "properties": {**answer["properties"], "question": {"const": question.name}, "rows": rows}}


def _row(question: Question) -> dict[str, Any]:
    made = {name: _column(column) for name, column in question.columns.items()}
    return {"type": "object", "required": list(made), "properties": made}


def _column(column: Column) -> dict[str, Any]:
    unit = {"x-unit": column.unit} if column.unit else {}
    return {**_SAID["types"][column.type], "description": column.says, **unit}
