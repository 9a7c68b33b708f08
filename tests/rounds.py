"""Makes small archives of MLPerf rounds in the layout that GitHub serves. The figures in them are made up."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping, Sequence

COMMIT = "0123456789abcdef0123456789abcdef01234567"
COMMITTED_AT = 1_750_000_000
START_MS = 1_740_000_000_000


def system(**changes: str | None) -> bytes:
    """A system description with the usual keys; a change to None leaves the key out."""
    keys: dict[str, str | None] = {
        "submitter": "Example Corp",
        "division": "closed",
        "status": "Available on-premise",
        "system_name": "Example 8x",
        "number_of_nodes": "1",
        "accelerators_per_node": "8",
        "accelerator_model_name": "NVIDIA H100-SXM5-80GB",
        "accelerator_memory_capacity": "80 GB",
        "host_processor_model_name": "Example CPU",
        "host_processors_per_node": "2",
        "framework": "PyTorch",
        "operating_system": "Linux",
    }
    return json.dumps({name: value for name, value in (keys | changes).items() if value is not None}).encode()


def log(minutes: float, *, status: str = "success", benchmark: str = "bert") -> bytes:
    """A run's log that takes this many minutes."""
    lines = [
        ("submission_benchmark", START_MS - 3000, benchmark, {}),
        ("init_start", START_MS - 2000, None, {}),
        ("init_stop", START_MS - 1000, None, {}),
        ("global_batch_size", START_MS, 256, {}),
        ("run_start", START_MS, None, {}),
        ("run_stop", START_MS + round(minutes * 60_000), None, {"status": status}),
    ]
    text = "".join(
        ":::MLLOG "
        + json.dumps({"namespace": "", "time_ms": at, "event_type": "INTERVAL_START", "key": key, "value": value})[:-1]
        + f', "metadata": {json.dumps(metadata)}}}\n'
        for key, at, value, metadata in lines
    )
    return text.encode()


def results(minutes: Sequence[float], where: str, **options: str) -> dict[str, bytes]:
    """Logs result_0.txt and on below a result's folder."""
    return {f"{where}/result_{i}.txt": log(each, **options) for i, each in enumerate(minutes)}


TEN_RUNS = (10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 99.0)  # without 10 and 99 the mean is 14.5


def usual_members() -> dict[str, bytes]:
    """One submitter, one system, one benchmark with ten runs, and code that no parser needs."""
    return {
        "Example/systems/ex8.json": system(),
        **results(TEN_RUNS, "Example/results/ex8/bert"),
        "Example/benchmarks/bert/implementations/ex8/train.py": b"print('code')\n" * 50,
        "README.md": b"# A round\n",
    }


def archive(
    members: Mapping[str, bytes] | None = None, *, top: str = "training_results_v9.9-main", commit: str | None = COMMIT
) -> bytes:
    """The bytes of a `.tar.gz` as GitHub serves it: one top folder, the commit in the pax header's comment."""
    buffer = io.BytesIO()
    headers = {"comment": commit} if commit else {}
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT, pax_headers=headers) as tar:
        folder = tarfile.TarInfo(top)
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        for name, content in (usual_members() if members is None else members).items():
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.size, entry.mtime = len(content), COMMITTED_AT
            tar.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()
