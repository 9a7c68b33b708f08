"""Lines of MLPerf logs: finding a key's first line in each of the three formats, and telling malformed lines.

The rule for a malformed `:::MLLOG` line is that of MLCommons' parser: the text is Latin-1, lines end at LF, CR or
both, what follows the last token on the line must be JSON with `time_ms`, `key`, `value` and `metadata`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

import orjson

from pipelines.frozen import frozen

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
_NEEDED: Final = frozenset(("time_ms", "key", "value", "metadata"))
# Lines that differ in digits only are equally well formed, so one line of each shape is parsed: some thousand shapes
# stand for the half million lines of a round. The one thing this cannot tell is a number with a leading zero (07),
# which JSON refuses and no JSON writer makes.
_SAME_DIGITS: Final = bytes.maketrans(b"0123456789", b"1111111111")
_MOST_SHAPES: Final = 20_000


@frozen
class Record:
    """One line of a log: its time in milliseconds, its value and metadata as they stand, v0.5's benchmark name."""

    time_ms: float
    value: Any
    metadata: dict[str, Any]
    benchmark: str = ""


class Shapes:
    """Reads `:::MLLOG` lines by their shapes and remembers these, so one instance serves a whole round.

    `keys` are the keys whose lines are looked for.
    """

    def __init__(self, keys: Collection[str]) -> None:
        self._wanted = frozenset(keys)
        self._good: set[bytes] = set()
        self._keyed: dict[bytes, tuple[str, ...]] = {}

    def read(self, data: bytes, keys: Collection[str]) -> tuple[dict[str, Record], list[bytes]]:
        """The first record of each of these keys, and the payloads that MLCommons' parser refuses, in order."""
        same = data.translate(_SAME_DIGITS)
        lines = _PAYLOAD.findall(same)
        shapes = set(lines)
        bad = self._learn(shapes - self._good)
        first: dict[str, tuple[int, bytes]] = {}
        for shape in shapes & self._keyed.keys():
            for key in self._keyed[shape]:
                if key in keys:
                    place = (lines.index(shape), shape)
                    first[key] = min(place, first.get(key, place))
        records = {key: _record_at(data, same, shape, key) for key, (_, shape) in first.items()}
        malformed = [line for line in _PAYLOAD.findall(data) if line.translate(_SAME_DIGITS) in bad] if bad else []
        return records, malformed

    def _learn(self, shapes: set[bytes]) -> set[bytes]:
        """Remember new shapes; gives back those that are malformed."""
        if not shapes:
            return shapes
        if len(self._good) > _MOST_SHAPES:
            self._good.clear()
        bad = set()
        for shape in shapes:
            records = load_records(shape)
            if records is None:
                bad.add(shape)
                continue
            self._good.add(shape)
            keys = tuple(record["key"] for record in records if record["key"] in self._wanted)
            if keys:
                self._keyed[shape] = keys
        return bad


def _record_at(data: bytes, same: bytes, shape: bytes, key: str) -> Record:
    """The record of a key in the first line of a shape."""
    token_and_shape = _MLLOG + shape
    at = same.find(token_and_shape + b"\n")
    if at < 0:  # the last line, without a line feed
        at = same.rfind(token_and_shape)
    at += len(_MLLOG)
    for line in _official_lines(data[at : at + len(shape)]):
        record = _load(line)
        if isinstance(record, dict) and record.get("key") == key:
            metadata = record["metadata"]
            return Record(float(record["time_ms"]), record["value"], metadata if isinstance(metadata, dict) else {})
    raise AssertionError(f"a line of shape {shape!r} without its key")  # the shape has the key, so its lines have


def load_records(payload: bytes) -> list[dict[str, Any]] | None:
    """What follows the first token up to a line feed, as MLCommons' parser reads it; None where it refuses.

    There is one record, or several where a bare CR ends a line too. Of several tokens on a line the last counts.
    """
    records = [_load(line) for line in _official_lines(payload)]
    return records if all(map(_is_record, records)) else None


def _official_lines(payload: bytes) -> list[bytes]:
    first, *others = payload.removesuffix(b"\r").split(b"\r")
    return [first, *(line for line in others if _MLLOG in line)]


def _is_record(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and record.keys() >= _NEEDED
        and isinstance(record["key"], str)
        and _number(record["time_ms"]) is not None
    )


def _load(payload: bytes) -> Any:
    """What Python's json gives, or None where it refuses: it takes NaN and bytes that are not UTF-8, orjson neither."""
    try:
        return orjson.loads(payload)
    except orjson.JSONDecodeError:
        pass
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


OLD_FINDERS: Final[dict[str, Callable[[bytes, str], Record | None]]] = {
    "mll": find_mll,
    "mlp": find_mlp,
}
