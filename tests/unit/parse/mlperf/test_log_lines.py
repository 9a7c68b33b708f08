"""Log lines of the three formats, and malformed ones, held against a plain reading by MLCommons' rule."""

from __future__ import annotations

import io
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.parse.mlperf.training.mllog import WANTED_KEYS, LogScanner, Record, RunLog, Shapes

TOKEN = ":::MLLOG "


def line(key: str, time_ms: object = 1_700_000_000_000, value: object = None, **metadata: object) -> str:
    record = {"namespace": "", "time_ms": time_ms, "event_type": "POINT_IN_TIME", "key": key, "value": value}
    return TOKEN + json.dumps(record | {"metadata": metadata})


def scan(text: str | bytes, *, with_instance: bool = False) -> RunLog:
    data = text if isinstance(text, bytes) else text.encode()
    return LogScanner(Shapes(WANTED_KEYS), with_instance=with_instance).finish(data)


def malformed_by_the_rule(data: bytes) -> int:
    """How many lines MLCommons' parser refuses, read one by one as it does."""
    count = 0
    for text in io.TextIOWrapper(io.BytesIO(data), encoding="latin-1"):
        if TOKEN not in text:
            continue
        try:
            record = json.loads(re.sub(".*" + TOKEN, "", text).strip())
            float(record["time_ms"])
            count += not all(key in record for key in ("key", "value", "metadata"))
        except (ValueError, KeyError, TypeError):
            count += 1
    return count


def test_a_log_gives_the_first_start_and_stop_and_the_values_it_states() -> None:
    log = "\n".join(
        [
            line("submission_benchmark", value="bert"),
            line("submission_division", value="open"),
            line("init_start", 1000),
            line("init_stop", 61_000),
            line("global_batch_size", value=256),
            line("run_start", 100_000),
            line("run_start", 170_000),
            line("run_stop", 400_000, status="success"),
            line("run_stop", 500_000, status="aborted"),
        ]
    )
    assert scan(log) == RunLog(
        format="mllog",
        start_ms=100_000,
        stop_ms=400_000,
        status="success",
        init_ms=60_000,
        division="open",
        benchmark="bert",
        global_batch_size=256,
    )


@pytest.mark.parametrize(
    "text",
    [
        " 0: " + line("run_start", 5),
        "[0] " + line("run_start", 5) + "\r\n",
        "Epoch 3: 100%|####|\r" + line("run_start", 5) + "\rEpoch 4: 1%\n",
        "\x1b[0m" + line("run_start", 5) + "   \n",
        "no line end " + line("run_start", 5),
        TOKEN + "half a line " + line("run_start", 5),
    ],
)
def test_what_stands_around_a_line_does_not_matter(text: str) -> None:
    assert scan(text).start_ms == 5
    assert scan(text).malformed == malformed_by_the_rule(text.encode()) == 0


def test_bytes_that_are_not_utf8_and_nan_are_taken_as_officially() -> None:
    log = line("run_start", 5).encode() + b"\n" + line("train_loss", value=1).encode().replace(b": 1,", b": NaN,")
    log += b"\n" + line("name", value="x").encode().replace(b'"x"', b'"\xff\xfe"') + b"\n"
    assert scan(log).malformed == malformed_by_the_rule(log) == 0


@pytest.mark.parametrize(
    "payload",
    [
        '{"namespace": "", "time_ms": 17, "key": "a", "value": nullLambdaorkspace, "metadata": {}}',
        '{"namespace": "", "time_ms": 17, "key": "a", "value": 1, "metadata": {}',
        '{"namespace": "", "time_ms": "1.2.3", "key": "a", "value": 1, "metadata": {}}',
        '{"namespace": "", "time_s": 17, "key": "a", "value": 1, "metadata": {}}',
        '{"namespace": "", "time_ms": 17, "key": "a", "metadata": {}}',
        "[1, 2]",
        "",
    ],
)
def test_a_malformed_line_is_counted_and_shown(payload: str) -> None:
    log = line("run_start", 5) + "\n" + TOKEN + payload + "\n" + line("run_stop", 9, status="success") + "\n"
    read = scan(log)
    assert (read.malformed, read.malformed_line) == (1, payload)
    assert (read.start_ms, read.stop_ms) == (5, 9)


PIECES = st.sampled_from(
    [
        TOKEN,
        '{"time_ms": 12, "key": "run_start", "value": null, "metadata": {}}',
        '{"time_ms": 9.5, "key": "k", "value": NaN, "metadata": {"a": 1}}',
        '{"time_ms": 3, "key": "k", "value": "é\\u00e9", "metadata": ""}',
        '{"time_ms": 3, "key": "k"',
        ', "value": 1, "metadata": {}}',
        "\n",
        "\r",
        "\r\n",
        " 0: ",
        "text",
        "}",
    ]
)


@given(st.lists(PIECES, max_size=30))
@settings(max_examples=400, deadline=None)
def test_malformed_lines_are_those_that_the_plain_rule_finds(pieces: list[str]) -> None:
    data = "".join(pieces).encode()
    _, bad = Shapes(WANTED_KEYS).read(data, WANTED_KEYS)
    assert bool(bad) == bool(malformed_by_the_rule(data))


@given(st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=5))
@settings(max_examples=200, deadline=None)
def test_any_bytes_scan_the_same_whole_and_in_pieces(noise: bytes, cuts: list[int]) -> None:
    data = line("run_start", 5).encode() + b"\n" + noise + b"\n" + line("run_stop", 9, status="success").encode()
    scanner = LogScanner(Shapes(WANTED_KEYS))
    at = 0
    for cut in sorted(cuts):
        scanner.feed(data[at:cut])
        at = max(at, cut)
    assert scanner.finish(data[at:]) == scan(data)


def test_one_instance_serves_many_logs_and_reads_each_anew() -> None:
    shapes = Shapes(WANTED_KEYS)
    for time_ms in (11, 22):
        found, bad = shapes.read(line("run_start", time_ms).encode(), {"run_start"})
        assert (found, bad) == ({"run_start": Record(time_ms, None, {})}, [])


def test_the_size_of_an_instance_is_read_for_weak_scaling_only() -> None:
    log = line("number_of_nodes", value=16) + "\n" + line("accelerators_per_node", value="8") + "\n"
    assert (scan(log).nodes, scan(log).accelerators_per_node) == (None, None)
    read = scan(log, with_instance=True)
    assert (read.nodes, read.accelerators_per_node) == (16, 8)


def test_v06_lines_hold_seconds_and_json_or_a_python_dict() -> None:
    log = (
        ':::MLL 1560881731.835 run_start: {"value": null, "metadata": {"lineno": 1}}\n'
        ':::MLL 1560881740.000 global_batch_size: {"value": 4096, "metadata": {}}\n'
        ":::MLL 1560881791.835 run_stop: {\"value\": null, \"metadata\": {'lineno': 53, 'status': 'success'}}\n"
    )
    read = scan(log)
    assert (read.format, read.status, read.global_batch_size) == ("mll", "success", 4096)
    assert (read.start_ms, read.stop_ms) == (1560881731835.0, 1560881791835.0)


@pytest.mark.parametrize(
    ("stated", "status"),
    [
        (': {"success": true}', "success"),
        (': {"success": "true"}', "success"),
        (': {"success": false}', "failed"),
        ("", None),
        (": {}", None),
    ],
)
def test_v05_lines_hold_seconds_and_a_success_that_may_be_missing(stated: str, status: str | None) -> None:
    log = (
        ":::MLPv0.5.0 ncf 1541732254.5 (ncf.py:242) run_start\n"
        f":::MLPv0.5.0 ncf 1541732284.5 (ncf.py:460) run_stop{stated}\n"
    )
    read = scan(log)
    assert (read.format, read.benchmark, read.status) == ("mlp", "ncf", status)
    assert (read.start_ms, read.stop_ms) == (1541732254500.0, 1541732284500.0)


def test_a_log_without_a_known_line_has_no_format() -> None:
    assert scan("MLPerf: resnet [06/13/19 00:30:56], run_start\n:::ML\n:::MLPERF\n") == RunLog()
