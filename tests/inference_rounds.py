"""Makes small archives of MLPerf Inference rounds in the layout that GitHub serves. The figures in them are made up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests import rounds

TOP = "inference_results_v5.1-main"


def archive(members: Mapping[str, bytes], top: str = TOP) -> bytes:
    """The bytes of a `.tar.gz` of an inference round."""
    return rounds.archive(members, top=top)


def system(**changes: object) -> bytes:
    """A system description with the usual keys; a change to None leaves the key out."""
    keys: dict[str, object] = {
        "submitter": "Example",
        "division": "closed",
        "status": "available",
        "system_type": "datacenter",
        "system_name": "Example server (8x H100, TensorRT)",
        "number_of_nodes": "1",
        "accelerators_per_node": 8,
        "accelerator_model_name": "NVIDIA H100-SXM-80GB",
        "accelerator_memory_capacity": "80 GB",
        "host_processor_model_name": "Example CPU",
        "host_processors_per_node": 2,
        "framework": "TensorRT 10",
        "hw_notes": "700W",
    }
    return json.dumps({name: value for name, value in (keys | changes).items() if value is not None}).encode()


def summary(scenario: str = "Offline", *lines: str, valid: str = "VALID", stats: str = "") -> bytes:
    """A run's summary with its result lines."""
    shown = "\n".join(lines or ("Samples per second: 1234.57",))
    text = f"""================================================
MLPerf Results Summary
================================================
SUT name : Example
Scenario : {scenario}
Mode     : PerformanceOnly
{shown}
Result is : {valid}
  Min duration satisfied : Yes

================================================
Additional Stats
================================================
{stats}
================================================
Test Parameters Used
================================================
samples_per_query : 8
"""
    return text.encode()


def detail(*, loaded: int = 0, **values: object) -> bytes:
    """A detail log with these keys near its end, after `loaded` bytes of the line with the loaded samples."""
    lines = [_line("effective_scenario", "Offline"), _line("loaded_qsl_set", "1" * loaded)]
    lines += [_line(key.replace("__", "."), value) for key, value in values.items()]
    return "".join(lines).encode()


def _line(key: str, value: object) -> str:
    rest = '"time_ms": 1.0, "namespace": "mlperf::logging", "event_type": "POINT_IN_TIME", "metadata": {}}'
    return f':::MLLOG {{"key": "{key}", "value": {json.dumps(value)}, {rest}\n'


def samples(watts: list[float], *, minute: int = 0) -> bytes:
    """Watt samples one second apart from 10:00:01 on, as PTDaemon writes them."""
    return "".join(
        f"Time,07-28-2025 10:{minute:02d}:{second:02d}.500,Watts,{value:.6f},Volts,210.0,Amps,4.7,Mark,x_testing\n"
        for second, value in enumerate(watts, start=1)
    ).encode()


def session(*, ranging: bool = True, timezone: int = 0) -> bytes:
    """A `client.json` with its phases."""
    phases: dict[str, list[list[float]]] = {"testing": [[1.0, 2.0]]}
    if ranging:
        phases["ranging"] = [[0.0, 0.5]]
    return json.dumps({"timezone": timezone, "phases": phases}).encode()


WINDOW: dict[str, Any] = {"power_begin": "07-28-2025 10:00:02.000", "power_end": "07-28-2025 10:00:05.000"}


def members(
    benchmark: str = "resnet50",
    scenario: str = "Offline",
    *,
    where: str = "closed/Example",
    platform: str = "ex8",
    run: Mapping[str, bytes] | None = None,
    other: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """One system with one result; `run` are the files of run_1, `other` files below the scenario's folder."""
    folder = f"{where}/results/{platform}/{benchmark}/{scenario}"
    files = {f"{folder}/performance/run_1/{name}": data for name, data in (run or {}).items()}
    files |= {f"{folder}/{name}": data for name, data in (other or {}).items()}
    return {f"{where}/systems/{platform}.json": system(), **files}
