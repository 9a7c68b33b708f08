"""The lines that hold the house: pure packages, sizes, headers, and a README that names what there is."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from pipelines.cli import app
from pipelines.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("pipelines", "warehouse", "dashboard", "rackledger")
PURE = (
    "pipelines/model",
    "pipelines/parse",
    "pipelines/extract",
    "pipelines/claims",
    "pipelines/repeats",
    "pipelines/problems.py",
    "dashboard/charts",
)
IMPURE_MODULES = {
    "dagster", "duckdb", "httpx", "socket", "urllib.request", "subprocess", "requests", "shutil", "tempfile",
    "streamlit", "os", "sqlite3", "time",
}  # fmt: skip
IMPURE_CALLS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "now", "utcnow", "today", "unlink"}
MODULE_LINES, FUNCTION_LINES = 400, 60
FILE_BYTES = 3_000_000


def python_files(*places: str) -> list[Path]:
    found: list[Path] = []
    for place in places:
        path = ROOT / place
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return found


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def reaches_outside(text: str) -> set[str]:
    """What a pure module must not import or call."""
    tree = ast.parse(text)
    modules = {module for module in imported(tree) if {module, module.split(".")[0]} & IMPURE_MODULES}
    calls = {
        node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name)
    }
    return modules | calls & IMPURE_CALLS


def breaks_the_form(text: str) -> list[str]:
    """What of a module is too long, or not said."""
    tree = ast.parse(text)
    wrong = ["too long"] if len(text.splitlines()) > MODULE_LINES else []
    wrong += [
        f"{node.name} is too long"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    return wrong if not text.strip() or ast.get_docstring(tree) else [*wrong, "does not say what lives in it"]


def found_in(paths: list[Path], look: Callable[[str], Collection[str]]) -> dict[str, Collection[str]]:
    """What a look finds in each file, by name; files with nothing are left out."""
    assert len(paths) > 80
    found = {str(path.relative_to(ROOT)): look(path.read_text(encoding="utf-8")) for path in paths}
    return {name: wrong for name, wrong in found.items() if wrong}


def test_pure_modules_reach_for_nothing_outside() -> None:
    assert reaches_outside("import os.path\ndef f() -> None:\n    open('x')") == {"os.path", "open"}
    assert found_in(python_files(*PURE), reaches_outside) == {}


def test_modules_and_functions_keep_their_size_and_say_what_they_are() -> None:
    assert breaks_the_form("def f() -> None:\n" + "    pass\n" * 400) == [
        "too long", "f is too long", "does not say what lives in it",
    ]  # fmt: skip
    assert found_in(python_files(*PACKAGES), breaks_the_form) == {}


# Words of the README's list and of the code, each the name of one class at most.
ONE_MEANING = {
    "Source", "SourceRow", "Capture", "Document", "Claim", "Mention", "MentionRow", "Evidence", "Registry", "Settings",
    "Place", "Origin", "Figure", "Candidate", "Conflict", "Version",
}  # fmt: skip


def test_one_word_names_one_class() -> None:
    named: dict[str, list[str]] = {}
    for path in python_files(*PACKAGES):
        for word in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            named.setdefault(word, []).append(str(path.relative_to(ROOT)))
    assert {word: paths for word, paths in named.items() if word in ONE_MEANING and len(paths) > 1} == {}
    assert {"Place", "Origin", "Figure", "Evidence"} <= set(named)


@pytest.mark.parametrize("path", sorted((ROOT / "warehouse" / "marts").glob("*.sql")), ids=lambda path: path.name)
def test_a_mart_says_question_grain_and_rule(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for word in ("-- Question:", "-- Grain:", "-- Selection:"):
        assert word in text


def test_the_readme_names_every_setting_and_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    missing = [PREFIX + name.upper() for name in Settings.model_fields if PREFIX + name.upper() not in readme]
    command = get_command(app)
    missing += [f"rackledger {name}" for name in command.commands if f"rackledger {name}" not in readme]  # type: ignore[attr-defined]
    assert missing == []


def test_every_command_has_a_help_text() -> None:
    def walk(command: object, path: str) -> Iterator[str]:
        children = getattr(command, "commands", None)
        if children is None:
            yield path if not getattr(command, "help", "") else ""
            return
        for name, child in children.items():
            yield from walk(child, f"{path} {name}")

    assert [path for path in walk(get_command(app), "rackledger") if path] == []


def test_the_repository_carries_nothing_large_or_local() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    files = [ROOT / name for name in tracked if name and (ROOT / name).is_file()]
    assert [str(f) for f in files if f.stat().st_size > FILE_BYTES] == []
    assert [str(f) for f in files if f.name == "uv.lock" or f.suffix in {".duckdb", ".wal"}] == []
