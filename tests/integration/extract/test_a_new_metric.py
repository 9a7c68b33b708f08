"""A metric is one card of one file: a new one is read from a sentence and from tables, as a candidate."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from pipelines.settings import PROJECT_ROOT

CARD = """
  - id: coolant_flow
    title: Flow of coolant
    kind: quantity
    unit: L/min
    tolerance: 0.05
    requires: [per]
    owners: [system]
    prose: [coolant, coolant flow, flow rate]
    heads: [coolant flow, flow]
    not_prose: [leak]
    ranges:
      - {low: 0.1, high: 100000}
"""
PAGE = """# Coolant

The NVIDIA GB200 NVL72 needs a coolant flow of 130 liters per minute. Its pump moves 4 L/min of oil. A coolant leak of
7 L/min stops the NVIDIA GB200 NVL72.

| System | Coolant flow (LPM) | Oil (L/min) |
|---|---|---|
| NVIDIA GB300 NVL72 | 150 | 2 |
| Zeta R9 | 95 | 3 |

| | Zeta R10 |
|---|---|
| Coolant flow | 99 L/min |
"""
READ = """
import datetime as dt, json, sys
from pipelines.extract.reader import ClaimReader
from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document
at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
document = parse_document(sys.stdin.read().encode(), media_type=None, charset=None, url="page.md", captured_at=at)
found = [claim for claim in ClaimReader().extract(document, Origin("page.md")) if claim.metric == "coolant_flow"]
print(json.dumps([[c.subject, c.value, c.unit, c.state, c.qualifier("per")] for c in found]))
"""


def test_a_new_metric_is_one_card_of_one_file(tmp_path: Path) -> None:
    shutil.copytree(PROJECT_ROOT / "pipelines", tmp_path / "pipelines", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "pipelines/registry/metrics.yaml").open("a", encoding="utf-8") as file:
        file.write(CARD)
    ran = subprocess.run(
        [sys.executable, "-c", READ], input=PAGE, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == [
        ["NVIDIA GB200 NVL72", 130.0, "L/min", "candidate", "rack"],
        ["NVIDIA GB300 NVL72", 150.0, "L/min", "candidate", "rack"],
        ["Zeta R9", 95.0, "L/min", "candidate", "system"],
        ["Zeta R10", 99.0, "L/min", "candidate", "system"],
    ]
