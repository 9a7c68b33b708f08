"""SQL files with named statements: how they are read, and that each is asked by the module beside its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from warehouse.answers.questions import questions
from warehouse.statements import statements

ROOT = Path(__file__).parents[3]
FILES = [path for place in ("dashboard/queries", "warehouse/answers") for path in sorted((ROOT / place).glob("*.sql"))]


def test_a_part_is_put_in_and_what_the_caller_gives_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.write_text("-- About.\n\n-- name: columns\na, b\n\n-- name: all\nSELECT {{columns}} FROM {{table}}\n")
    assert statements(path) == {"columns": "a, b", "all": "SELECT a, b FROM {{table}}"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_statement_is_asked(path: Path) -> None:
    found = statements(path)
    python, sql = path.with_suffix(".py").read_text(encoding="utf-8"), path.read_text(encoding="utf-8")
    asked = set(re.findall(r'SQL\["(\w+)"\]', python)) | set(re.findall(r"\{\{(\w+)\}\}", sql))
    for prefix in re.findall(r'SQL\[f"(\w+)\{', python):
        asked |= {name for name in found if name.startswith(prefix)}
    if path.stem == "today":  # asked by name, from the first page and its parts
        pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "dashboard").rglob("*.py"))
        asked |= set(re.findall(r'rows\(ledger, "(\w+)"', pages))
    if path.stem == "news":  # these are asked by the first page too, by their names
        asked |= {"claims", "rounds", "revisions", "renames", "conflicts"}
    if path.stem == "questions":  # a declared question asks the statement of its name; a brief asks who makes what
        brief = (ROOT / "pipelines/commands/brief.py").read_text(encoding="utf-8")
        brief += (ROOT / "warehouse/answers/site_pages.py").read_text(encoding="utf-8")  # and so does the site
        asked |= {question.name for question in questions().values() if question.sql}
        asked |= {f"{name}_newest" for name in questions()} & set(found)  # the same answer from kept tables
        asked |= set(re.findall(r'SQL\["(\w+)"\]', brief))
    assert set(found) == asked
    assert len(found) == sql.count("-- name: "), "two statements of one name"
