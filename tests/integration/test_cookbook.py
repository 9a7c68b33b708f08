"""Every block of the cookbook runs on the committed facts and answers something."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from dashboard import api_routes
from pipelines.settings import PREFIX, PROJECT_ROOT
from rackledger.client import DECLARED, Ledger
from warehouse.answers.questions import declaration
from warehouse.read import Warehouse

TEXT = (PROJECT_ROOT / "docs" / "cookbook" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def of(language: str) -> list[str]:
    return [text.strip() for name, text in BLOCKS if name == language]


def test_there_are_ten_questions_each_in_three_ways() -> None:
    assert [len(of(language)) for language in ("sql", "python", "http")] == [10, 10, 10]
    assert {name for name, _ in BLOCKS} == {"sql", "python", "http", "text"}


def test_the_notebook_has_these_blocks_and_its_first_cell_runs(market: Warehouse, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("notebook", PROJECT_ROOT / "docs" / "cookbook" / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.NOTEBOOK.read_text(encoding="utf-8") == made.written()
    held = json.loads(made.written())
    setup, *cells = ["".join(cell["source"]) for cell in held["cells"] if cell["cell_type"] == "code"]
    told = [text for pair in zip(of("python"), of("sql"), strict=True) for text in pair]
    assert len(cells) == len(told) == 20
    assert all(block in cell for block, cell in zip(told, cells, strict=True))
    (tmp_path / "rackledger.duckdb").symlink_to(market.path)
    (tmp_path / DECLARED).write_text(json.dumps(declaration()), encoding="utf-8")
    named: dict[str, Any] = {}
    exec(setup.replace("warehouse/published/VERSION", str(tmp_path)), named)
    assert len(eval(cells[1], named)) > 0
    named["database"].close()


@pytest.mark.parametrize("sql", of("sql"))
def test_a_statement_answers(market: Warehouse, sql: str) -> None:
    assert market.rows(sql)


@pytest.mark.parametrize("code", of("python"))
def test_a_line_of_python_answers(market: Warehouse, tmp_path: Path, code: str) -> None:
    (tmp_path / "rackledger.duckdb").symlink_to(market.path)
    (tmp_path / DECLARED).write_text(json.dumps(declaration()), encoding="utf-8")
    named: dict[str, Any] = {"ledger": Ledger(tmp_path, frames="rows")}
    found = eval(code, named)
    assert found
    assert all(row["evidence"] for row in found)


@pytest.mark.parametrize("request_line", of("http"))
def test_an_address_answers(market: Warehouse, monkeypatch: pytest.MonkeyPatch, request_line: str) -> None:
    monkeypatch.setenv(PREFIX + "WAREHOUSE", str(market.path))
    monkeypatch.setenv(PREFIX + "API_RATE", "0")
    method, address = request_line.split(" ", 1)
    with TestClient(Starlette(routes=list(api_routes.routes()))) as client:
        answer = client.request(method, address)
    assert answer.status_code == 200, answer.text
    assert answer.json()["rows"]
