"""An evidence tag is one entry of one file: a new one is found in order, warehouse, badges and charts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from pipelines.settings import PROJECT_ROOT

NEW = '    SWORN = "sworn", "◈ W", "said under oath", "stroke"\n'
BEFORE = "    OPERATOR = "
LOOK = """
import json, duckdb
from dashboard.charts.theme import by_evidence
from pipelines.model.evidence import Evidence
from warehouse.answers.evidence import mark, meaning
from warehouse.staging import declare_types
connection = duckdb.connect()
declare_types(connection)
order = "SELECT 'sworn'::evidence_tag BETWEEN 'measured'::evidence_tag AND 'operator'::evidence_tag"
print(json.dumps({
    "rank": Evidence("sworn").rank,
    "warehouse": connection.execute(order).fetchone(),
    "badge": [mark("sworn"), meaning("sworn")],
    "chart": by_evidence(shown=["sworn", "audited"]).to_dict()["scale"],
}))
"""


def test_a_new_tag_is_one_entry_of_one_file(tmp_path: Path) -> None:
    for package in ("pipelines", "warehouse", "dashboard"):
        ignored = shutil.ignore_patterns("__pycache__", "facts", "*.duckdb*", "published")
        shutil.copytree(PROJECT_ROOT / package, tmp_path / package, ignore=ignored)
    file = tmp_path / "pipelines" / "model" / "evidence.py"
    file.write_text(file.read_text(encoding="utf-8").replace(BEFORE, NEW + BEFORE), encoding="utf-8")
    command = [sys.executable, "-c", LOOK]
    ran = subprocess.run(
        command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {
        "rank": 3,
        "warehouse": [True],
        "badge": ["◈ W sworn", "said under oath"],
        "chart": {"domain": ["audited", "sworn"], "range": ["square", "stroke"]},
    }
