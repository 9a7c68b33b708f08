"""What one run's log says: start, stop, status and the few values a result needs, in three formats.

`:::MLLOG {json}` (since v0.7, milliseconds), `:::MLL seconds key: {json}` (v0.6) and
`:::MLPv0.5.0 benchmark seconds (file:line) key: value` (v0.5). Logs are scanned, not parsed line by line; what a run
is worth is decided in score.py. The rule for a malformed `:::MLLOG` line is that of MLCommons' parser: the text is
Latin-1, lines end at LF, CR or both, what follows the last token on the line must be JSON with `time_ms`, `key`,
`value` and `metadata`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

import orjson

from pipelines.frozen import frozen
from pipelines.parse.mlperf.common.system import load_loosely

_MLLOG: Final = b":::MLLOG "
_MLL: Final = b":::MLL "
_MLP: Final = b":::MLPv"
_ANY: Final = b":::ML"
_TOKENS: Final = (("mllog", _MLLOG), ("mll", _MLL), ("mlp", _MLP))
_PAYLOAD: Final = re.compile(rb":::MLLOG (.*)")
_MLL_LINE: Final = re.compile(rb":::MLL +([\d.]+) +(\w+) ?: *(.*)")
_MLP_LINE: Final = re.compile(rb":::MLPv[\d.]+ (\S+) (\d+(?:\.\d+)?) \([^)]*\) (\w+)(?:: ?(.*))?")
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


_OLD_FINDERS: Final[dict[str, Callable[[bytes, str], Record | None]]] = {"mll": find_mll, "mlp": find_mlp}


PIECE_SIZE: Final = 4 << 20  # a log is scanned in pieces of about this size, cut at a line's end
_LONGEST_LINE: Final = 32 << 20

_SUCCESS_WORDS: Final = {"true": "success", "false": "failed"}


@frozen
class RunLog:
    """What one log says. Times in milliseconds since 1970; None where the log does not say.

    `status` is the publisher's own word on `run_stop` ('success', 'aborted', ...); `init_ms` the time from the first
    `init_start` to the first `init_stop`; `malformed` counts lines that MLCommons' parser refuses, `malformed_line`
    shows the first. `format` is 'mllog', 'mll', 'mlp' or '' where not one line of a known format stands in the log.
    """

    format: str = ""
    start_ms: float | None = None
    stop_ms: float | None = None
    status: str | None = None
    init_ms: float | None = None
    division: str = ""
    benchmark: str = ""
    global_batch_size: int | None = None
    nodes: int | None = None
    accelerators_per_node: int | None = None
    malformed: int = 0
    malformed_line: str = ""


_KEYS: Final = ("run_start", "run_stop", "init_start", "init_stop", "submission_division", "submission_benchmark",
                "global_batch_size")  # fmt: skip
_INSTANCE_KEYS: Final = ("number_of_nodes", "accelerators_per_node")
WANTED_KEYS: Final = (*_KEYS, *_INSTANCE_KEYS)


class LogScanner:
    """Scans one log fed in pieces.

    `with_instance` looks for the instance's size too (weak scaling); without `with_benchmark` the benchmark's name is
    not looked for: where a folder says it, nobody asks the log.
    """

    def __init__(self, shapes: Shapes, *, with_instance: bool = False, with_benchmark: bool = True) -> None:
        self._shapes = shapes
        self._wanted = {*_KEYS, *(_INSTANCE_KEYS if with_instance else ())}
        if not with_benchmark:
            self._wanted.discard("submission_benchmark")
        self._found: dict[str, Record] = {}
        self._rest = b""
        self._format = ""
        self._malformed = 0
        self._malformed_line = ""

    def feed(self, piece: bytes) -> None:
        """Scan the piece up to its last line end; what follows waits for the next piece."""
        data = self._rest + piece if self._rest else piece
        cut = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if cut == 0 and len(data) > _LONGEST_LINE:
            cut = len(data)
        self._rest = data[cut:]
        if cut:
            self._scan(data[:cut])

    def finish(self, last: bytes = b"") -> RunLog:
        """Scan the last piece with what waits, and say what the log said."""
        data = self._rest + last if self._rest else last
        self._rest = b""
        if data:
            self._scan(data)
        return self._run_log()

    def _scan(self, data: bytes) -> None:
        if not self._format:
            self._format = format_of(data)
        if not self._format:
            return
        if self._format == "mllog":
            found, bad = self._shapes.read(data, self._wanted)
            if bad and not self._malformed:
                self._malformed_line = bad[0][:200].decode("latin-1")
            self._malformed += len(bad)
        else:
            find = _OLD_FINDERS[self._format]
            found = {key: record for key in self._wanted if (record := find(data, key)) is not None}
        self._found |= found
        self._wanted -= found.keys()

    def _run_log(self) -> RunLog:
        start, stop = self._found.get("run_start"), self._found.get("run_stop")
        init_start, init_stop = self._found.get("init_start"), self._found.get("init_stop")
        return RunLog(
            format=self._format,
            start_ms=None if start is None else start.time_ms,
            stop_ms=None if stop is None else stop.time_ms,
            status=None if stop is None else _status(stop),
            init_ms=None if init_start is None or init_stop is None else init_stop.time_ms - init_start.time_ms,
            division=self._text("submission_division"),
            benchmark=self._text("submission_benchmark") or ("" if start is None else start.benchmark),
            global_batch_size=self._count("global_batch_size"),
            nodes=self._count("number_of_nodes"),
            accelerators_per_node=self._count("accelerators_per_node"),
            malformed=self._malformed,
            malformed_line=self._malformed_line,
        )

    def _text(self, key: str) -> str:
        record = self._found.get(key)
        return record.value if record is not None and isinstance(record.value, str) else ""

    def _count(self, key: str) -> int | None:
        record = self._found.get(key)
        if record is None or isinstance(record.value, bool):
            return None
        try:
            number = float(record.value) if isinstance(record.value, (int, float, str)) else None
        except ValueError:
            return None
        return None if number is None or not number.is_integer() else int(number)


def _status(stop: Record) -> str | None:
    if "status" in stop.metadata:
        status = stop.metadata["status"]
        return status if isinstance(status, str) else None
    if isinstance(stop.value, dict) and "success" in stop.value:  # v0.5: a truth value, or its name as text
        return _SUCCESS_WORDS.get(str(stop.value["success"]).lower())
    return None
