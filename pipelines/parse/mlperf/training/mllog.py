"""What one run's log says: start, stop, status and the few values a result needs, in three formats.

`:::MLLOG {json}` (since v0.7, milliseconds), `:::MLL seconds key: {json}` (v0.6) and
`:::MLPv0.5.0 benchmark seconds (file:line) key: value` (v0.5). Logs are scanned, not parsed line by line; what a run
is worth is decided in score.py.
"""

from __future__ import annotations

from typing import Final

from pipelines.frozen import frozen
from pipelines.parse.mlperf.training import mllines
from pipelines.parse.mlperf.training.mllines import Record, Shapes

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
            self._format = mllines.format_of(data)
        if not self._format:
            return
        if self._format == "mllog":
            found, bad = self._shapes.read(data, self._wanted)
            if bad and not self._malformed:
                self._malformed_line = bad[0][:200].decode("latin-1")
            self._malformed += len(bad)
        else:
            find = mllines.OLD_FINDERS[self._format]
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
