"""Lines of MLPerf logs: finding a key's first line in each of the three formats, and telling malformed lines.

The rule for a malformed `:::MLLOG` line is that of MLCommons' parser: the text is Latin-1, lines end at LF, CR or
both, what follows the last token on the line must be JSON with `time_ms`, `key`, `value` and `metadata`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson

_MLLOG: Final = b":::MLLOG "
_MLL: Final = b":::MLL "
_MLP: Final = b":::MLPv"
_ANY: Final = b":::ML"
_TOKENS: Final = (("mllog", _MLLOG), ("mll", _MLL), ("mlp", _MLP))
_PAYLOAD: Final = re.compile(rb":::MLLOG (.*)")
_MLL_LINE: Final = re.compile(rb":::MLL +([\d.]+) +(\w+) ?: *(.*)")
_MLP_LINE: Final = re.compile(rb":::MLPv[\d.]+ (\S+) (\d+(?:\.\d+)?) \([^)]*\) (\w+)(?:: ?(.*))?")
_CONSTANT: Final = re.compile(r"\b(null|true|false)\b")
_PYTHON_WORDS: Final = {"null": "None", "true": "True", "false": "False"}
_NEEDED: Final = ("time_ms", "key", "value", "metadata")
# Lines that differ in digits only are equally well formed, so one line of each shape is parsed: some thousand shapes
# stand for the half million lines of a round. The one thing this cannot tell is a number with a leading zero (07),
# which JSON refuses and no JSON writer makes.
_SAME_DIGITS: Final = bytes.maketrans(b"0123456789", b"1111111111")
_MOST_SHAPES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a log: its time in milliseconds, its value and metadata as they stand, v0.5's benchmark name."""

    time_ms: float
    value: Any
    metadata: dict[str, Any]
    benchmark: str = ""


class LineCheck:
    """Tells malformed `:::MLLOG` lines; remembers the shapes that were fine, so one check serves a whole round."""

    def __init__(self) -> None:
        self._good: set[bytes] = set()

    def bad_lines(self, data: bytes) -> list[bytes]:
        """The payloads that MLCommons' parser refuses, in order."""
        shapes = set(_PAYLOAD.findall(data.translate(_SAME_DIGITS)))
        shapes -= self._good
        if not shapes:
            return []
        bad = {shape for shape in shapes if not is_well_formed(shape)}
        if len(self._good) > _MOST_SHAPES:
            self._good.clear()
        self._good |= shapes - bad
        return [line for line in _PAYLOAD.findall(data) if line.translate(_SAME_DIGITS) in bad] if bad else []


def is_well_formed(payload: bytes) -> bool:
    """Whether MLCommons' parser accepts what follows the first token up to a line feed."""
    try:
        return _has_needed(orjson.loads(payload))
    except orjson.JSONDecodeError:
        pass
    first, *others = payload.split(b"\r")  # a bare CR ends a line too
    lines = [first, *(line for line in others if _MLLOG in line)]
    return all(_has_needed(_load_as_official(line)) for line in lines)


def _has_needed(record: Any) -> bool:
    return isinstance(record, dict) and all(key in record for key in _NEEDED) and _number(record["time_ms"]) is not None


def _load_as_official(payload: bytes) -> Any:
    """What Python's json gives (it takes NaN and bytes that are not UTF-8), or None where it refuses."""
    text = payload.rpartition(_MLLOG)[2].decode("latin-1").strip()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _number(value: object) -> float | None:
    if not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def format_of(data: bytes) -> str:
    """The format of a log by its first token: 'mllog', 'mll', 'mlp', or '' where there is none."""
    at = data.find(_ANY)
    while at >= 0:
        for name, token in _TOKENS:
            if data.startswith(token, at):
                return name
        at = data.find(_ANY, at + 1)
    return ""


def _lines_with(data: bytes, token: bytes, needle: bytes) -> Iterator[bytes]:
    """Each line, from its last token before the needle on, that holds the needle after a token."""
    at = data.find(needle)
    while at >= 0:
        begin = data.rfind(b"\n", 0, at) + 1
        begin = max(begin, data.rfind(b"\r", begin, at) + 1)
        token_at = data.rfind(token, begin, at + 1)
        if token_at >= 0:
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
            cr = data.find(b"\r", at, end)
            yield data[token_at : end if cr < 0 else cr]
        at = data.find(needle, at + len(needle))


def find_mllog(data: bytes, key: str) -> Record | None:
    """The first well-formed `:::MLLOG` line of a key."""
    for line in _lines_with(data, _MLLOG, b'"%s"' % key.encode()):
        payload = line[len(_MLLOG) :]
        try:
            record = orjson.loads(payload)
        except orjson.JSONDecodeError:
            record = _load_as_official(payload)
        if isinstance(record, dict) and record.get("key") == key:
            time_ms = _number(record.get("time_ms"))
            if time_ms is not None:
                metadata = record.get("metadata")
                return Record(time_ms, record.get("value"), metadata if isinstance(metadata, dict) else {})
    return None


def find_mll(data: bytes, key: str) -> Record | None:
    """The first `:::MLL` line of a key; a payload written as a Python dict is read too (v0.6 Intel)."""
    for line in _lines_with(data, _MLL, b" " + key.encode()):
        found = _MLL_LINE.match(line)
        time_s = None if found is None else _number(found[1].decode("ascii"))
        if found is None or found[2].decode("ascii") != key or time_s is None:
            continue
        payload = load_loosely(found[3].decode("latin-1").strip())
        if isinstance(payload, dict):
            metadata = payload.get("metadata")
            return Record(time_s * 1000, payload.get("value"), metadata if isinstance(metadata, dict) else {})
    return None


def find_mlp(data: bytes, key: str) -> Record | None:
    """The first `:::MLPv0.5.0` line of a key; the value is JSON, or absent."""
    for line in _lines_with(data, _MLP, b" " + key.encode()):
        found = _MLP_LINE.match(line)
        if found is None or found[3].decode("ascii") != key:
            continue
        value = None if found[4] is None else load_loosely(found[4].decode("latin-1").strip())
        return Record(float(found[2]) * 1000, value, {}, found[1].decode("latin-1"))
    return None


def load_loosely(text: str) -> Any:
    """JSON, or a Python literal with JSON's words in it; None where it is neither. Evaluates nothing."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(_CONSTANT.sub(lambda word: _PYTHON_WORDS[word[1]], text))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


FINDERS: Final[dict[str, Callable[[bytes, str], Record | None]]] = {
    "mllog": find_mllog,
    "mll": find_mll,
    "mlp": find_mlp,
}
