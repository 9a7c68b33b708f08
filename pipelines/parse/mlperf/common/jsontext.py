"""JSON as submitters write it: read strictly, then with the repairs that cannot change a meaning, each one named."""

from __future__ import annotations

import ast
import json
import re
from typing import Any, Final

from pipelines.frozen import frozen
from pipelines.problems import Reason

_TRAILING_COMMA: Final = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)
_KEYED_LINE: Final = re.compile(r"(\w+): ?(\{.*)")
_LONGEST_LITERAL: Final = 1 << 16

Note = tuple[Reason, str]


@frozen
class JsonText:
    """What a text holds (None where it cannot be read) and what was odd about it."""

    value: dict[str, Any] | None
    notes: tuple[Note, ...]


def read_object(data: bytes) -> JsonText:
    """A JSON object from bytes; what was odd or repaired stands in the notes.

    Repairs: bytes that are not UTF-8 are read as Latin-1; a comma before a closing bracket is left out; lines of
    `key: {json}` (v0.6) become one object. Of a key given twice the last value counts, as in MLCommons' tool.
    """
    notes: list[Note] = []
    text = _decoded(data, notes)
    try:
        value = _loads(text, notes)
    except (ValueError, RecursionError) as error:
        value = _repaired(text, error, notes)
    if value is not None and not isinstance(value, dict):
        notes.append((Reason.SYSTEM_UNREADABLE, f"a JSON {type(value).__name__} where an object is expected"))
        value = None
    return JsonText(value, tuple(notes))


def _decoded(data: bytes, notes: list[Note]) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        notes.append((Reason.TEXT_REPAIRED, f"not UTF-8 at byte {error.start}; read as Latin-1"))
        return data.decode("latin-1")


def _loads(text: str, notes: list[Note]) -> Any:
    def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = sorted({key for key in keys if keys.count(key) > 1})
            repeated.append(f"{', '.join(map(repr, twice))} given more than once; the last value counts")
        return found

    repeated: list[str] = []
    value = json.loads(text, object_pairs_hook=_object)
    notes.extend((Reason.KEY_DUPLICATED, detail) for detail in repeated)
    return value


def _repaired(text: str, error: Exception, notes: list[Note]) -> Any:
    without_commas = _TRAILING_COMMA.sub(lambda found: found[1] or "", text)
    try:
        value = _loads(without_commas, notes)
    except (ValueError, RecursionError):
        value = _keyed_lines(text)
        repair = "lines of 'key: {json}' read as one object"
    else:
        repair = "a comma before a closing bracket left out"
    if value is None:
        notes.append((Reason.SYSTEM_UNREADABLE, f"no JSON: {error}"))
    else:
        notes.append((Reason.TEXT_REPAIRED, f"no JSON ({error}); {repair}"))
    return value


def _keyed_lines(text: str) -> dict[str, Any] | None:
    """Lines `key: {"value": ..., "metadata": ...}` as one object of the values; None where a line is otherwise."""
    found: dict[str, Any] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        match = _KEYED_LINE.fullmatch(line)
        if match is None:
            return None
        try:
            record = json.loads(match[2])
        except (ValueError, RecursionError):
            return None
        found[match[1]] = unquoted(record.get("value")) if isinstance(record, dict) else record
    return found or None


def unquoted(value: Any) -> Any:
    """A text that holds a Python dict or list becomes that, and so within; anything else stays. Evaluates nothing."""
    if isinstance(value, str) and value[:1] in ("{", "[") and len(value) <= _LONGEST_LITERAL:
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            return value
    if isinstance(value, dict):
        return {str(key): unquoted(item) for key, item in value.items()}
    return value
