"""SQL files with named statements: how they are read, and that each is asked, by pages with the parameters it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from warehouse.answers.questions import questions
from warehouse.statements import statements

ROOT = Path(__file__).parents[3]
PAGES = sorted((ROOT / "dashboard/queries").glob("*.sql"))
ANSWERS = sorted((ROOT / "warehouse/answers").glob("*.sql"))


def test_a_part_is_put_in_and_what_the_caller_gives_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.write_text("-- About.\n\n-- name: columns\na, b\n\n-- name: all\nSELECT {{columns}} FROM {{table}}\n")
    assert statements(path) == {"columns": "a, b", "all": "SELECT a, b FROM {{table}}"}


def dashboard_asks() -> Iterator[tuple[str, set[str] | None]]:
    """Statements that pages name ('sites.timeline') and the parameters given; None where a record gives them."""
    for page in sorted((ROOT / "dashboard").rglob("*.py")):
        for node in ast.walk(ast.parse(page.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("frame_of", "first", "rows", "row"):
                name = ast.unparse(node.args[0]).removeprefix("f").strip("'\"") if node.args else ""
                given = [keyword.arg for keyword in node.keywords]
                yield name, None if None in given else {word for word in given if word}
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "results_table":
                yield ast.unparse(node.args[1]).strip("'\""), {"key"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pages_ask_every_statement_with_its_parameters(path: Path) -> None:
    sql = path.read_text(encoding="utf-8")
    wanted = {f"{path.stem}.{name}": set(re.findall(r"\$(\w+)", text)) for name, text in statements(path).items()}
    parts = {f"{path.stem}.{name}" for name in re.findall(r"\{\{(\w+)\}\}", sql)}
    asked: dict[str, list[set[str] | None]] = {}
    for name, given in dashboard_asks():
        pattern = re.compile(re.sub(r"\{\w+\}", r"\\w+", name))
        for each in filter(pattern.fullmatch, wanted):
            asked.setdefault(each, []).append(given)
    if path.stem != "lessons":  # asked by a function that a lesson on a plain page asks too
        assert set(asked) == set(wanted) - parts
    assert {name: given for name, given in asked.items() if any(one not in (None, wanted[name]) for one in given)} == {}
    assert len(wanted) == sql.count("-- name: "), "two statements of one name"


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_every_statement_is_asked(path: Path) -> None:
    found = statements(path)
    python, sql = path.with_suffix(".py").read_text(encoding="utf-8"), path.read_text(encoding="utf-8")
    asked = set(re.findall(r'SQL\["(\w+)"\]', python)) | set(re.findall(r"\{\{(\w+)\}\}", sql))
    for prefix in re.findall(r'SQL\[f"(\w+)\{', python):
        asked |= {name for name in found if name.startswith(prefix)}
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
