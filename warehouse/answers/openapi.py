"""The description of the HTTP API as OpenAPI 3.1, derived from the declared questions. Pure."""

from __future__ import annotations

from typing import Any

from warehouse.answers.questions import MOST_CHARACTERS, MOST_THINGS, Column, Parameter, Question, kinds, questions

ROWS, MOST_ROWS = 100, 1_000
PROBLEM, JSON = "application/problem+json", "application/json"
_TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": ["string", "null"]},
    "number": {"type": ["number", "null"]},
    "count": {"type": ["integer", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "day": {"type": ["string", "null"], "format": "date"},
    "list": {"type": "array", "items": {"type": "string"}},
}
_PROBLEMS = {
    "400": "a parameter cannot be read, or names nothing that is known",
    "404": "there is no such question",
    "414": "the address is too long",
    "429": "too many requests from one address; Retry-After says when to ask again",
    "503": "there is no record to read yet, or the question took too long",
}


def openapi(version: str) -> dict[str, Any]:
    """The whole description; `version` is the program's."""
    found = questions().values()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "rackledger",
            "version": version,
            "summary": "A public, dated, evidence-graded ledger of the AI-hardware market.",
            "description": (
                "Read-only. Every row carries its evidence tag, who asserts it, whose page carries it, the day of the "
                "statement, a link and its caveats. MLPerf results are not compared with other measurements."
            ),
            "license": {"name": "CC BY 4.0", "url": "https://creativecommons.org/licenses/by/4.0/"},
        },
        "servers": [{"url": "/"}],
        "paths": {f"/api/v1/{question.name}": {"get": _operation(question)} for question in found},
        "components": {
            "schemas": {**{f"row_of_{each.name}": _row(each) for each in found}, "problem": _problem()},
            "responses": {
                f"problem_{status}": {
                    "description": says,
                    "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/problem"}}},
                }
                for status, says in _PROBLEMS.items()
            },
        },
    }


def _operation(question: Question) -> dict[str, Any]:
    return {
        "operationId": question.name,
        "summary": question.title,
        "description": question.says,
        "parameters": [*(_parameter(name, each) for name, each in question.parameters.items()), *_paging()],
        "responses": {
            "200": {
                "description": "The rows, with the version they come from.",
                "headers": {"ETag": {"schema": {"type": "string"}, "description": "Names the answer; send it back."}},
                "content": {JSON: {"schema": _answer(question)}},
            },
            "304": {"description": "The answer is still the one of the ETag that was sent."},
            **{status: {"$ref": f"#/components/responses/problem_{status}"} for status in _PROBLEMS},
        },
    }


def _parameter(name: str, parameter: Parameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "maxLength": MOST_CHARACTERS}
    if parameter.allowed:
        schema["enum"] = list(parameter.allowed)
    if parameter.kind == "day":
        schema["format"] = "date"
    if parameter.default not in (None, "built"):
        schema["default"] = parameter.default
    if parameter.is_many:
        schema = {"type": "array", "items": schema, "minItems": 1, "maxItems": MOST_THINGS}
    default = " Without it: the day of the version." if parameter.default == "built" else ""
    says = f"{parameter.says[0].upper()}{parameter.says[1:]}: {kinds()[parameter.kind]}.{default}"
    return {"name": name, "in": "query", "required": parameter.is_required, "description": says, "schema": schema}


def _paging() -> list[dict[str, Any]]:
    limit = {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": ROWS}
    return [
        {"name": "limit", "in": "query", "description": "Most rows of an answer.", "schema": limit},
        {
            "name": "cursor",
            "in": "query",
            "description": "`next` of the answer before: the rows that follow. Holds for one version only.",
            "schema": {"type": "string", "maxLength": 500},
        },
    ]


def _answer(question: Question) -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "required": ["question", "version", "built_at", "parameters", "is_known", "rows", "next"],
        "properties": {
            "question": {"const": question.name},
            "version": text,
            "built_at": {"type": "string", "format": "date-time"},
            "parameters": {"type": "object", "description": "What was asked, with names as ids."},
            "is_known": {"type": "boolean", "description": "False where the record says nothing about it."},
            "rows": {"type": "array", "items": {"$ref": f"#/components/schemas/row_of_{question.name}"}},
            "next": {"type": ["string", "null"], "description": "The cursor of the rows that follow."},
        },
    }


def _row(question: Question) -> dict[str, Any]:
    made = {name: _column(column) for name, column in question.columns.items()}
    return {"type": "object", "required": list(made), "properties": made}


def _column(column: Column) -> dict[str, Any]:
    unit = {"x-unit": column.unit} if column.unit else {}
    return {**_TYPES[column.type], "description": column.says, **unit}


def _problem() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "description": "What is wrong with a request, as RFC 9457 has it.",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": text,
            "title": text,
            "status": {"type": "integer"},
            "detail": text,
            "parameter": text,
            "expected": text,
            "found": text,
            "nearest": {"type": "array", "items": text},
        },
    }
