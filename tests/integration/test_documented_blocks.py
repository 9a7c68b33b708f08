"""Every code block of the README and the documentation is run: SQL on a build, commands in a folder of their own.

A block without a language would be skipped by mistake, so each has one; a drawing is `text`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from pipelines.settings import PREFIX, PROJECT_ROOT, Settings
from pipelines.sources import parse_sources
from tests import rounds
from warehouse.read import Warehouse

DOCUMENTS = [
    *(PROJECT_ROOT / name for name in ("README.md", "CONTRIBUTING.md", "DECISIONS.md", "warehouse/README.md")),
    *sorted((PROJECT_ROOT / "docs").glob("*.md")),
]
FENCE = re.compile(r"^ *```(?P<language>\w*) *$")
LANGUAGES = {"sh", "sql", "yaml", "text"}
FILE = re.compile(r"[\w./-]+\.(?:tar\.gz|xlsx|zip|csv|json|html|pdf)")
# `make` only says whether it knows the goal: what it would run here would set up an environment.
MAKE = f'make() {{ command make -C {shlex.quote(str(PROJECT_ROOT))} --dry-run "$@" >/dev/null; }}'

# Files are made up, so that those of tables cannot be read: a run that publishes and names them ends with 5.
RACKLEDGER = 'rackledger() { command rackledger "$@" || [ $? -eq 5 ]; }'


@dataclass(frozen=True)
class Block:
    """A fenced block: where it begins, its language, its text."""

    place: str
    language: str
    text: str


def blocks_of(name: str, text: str) -> list[Block]:
    """The fenced blocks of a document. Raises ValueError for a fence that is left open or closes in a line of text."""
    found: list[Block] = []
    opened: tuple[int, str] | None = None
    held: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence is None:
            if "```" in line:
                raise ValueError(f"{name}:{number}: a fence that does not stand alone on its line")
            held.append(line)
        elif opened is None:
            opened, held = (number, fence["language"]), []
        else:
            found.append(Block(f"{name}:{opened[0]}", opened[1], textwrap.dedent("\n".join(held))))
            opened = None
    if opened is not None:
        raise ValueError(f"{name}:{opened[0]}: a fence that is left open")
    return found


BLOCKS = [
    block
    for path in DOCUMENTS
    for block in blocks_of(str(path.relative_to(PROJECT_ROOT)), path.read_text(encoding="utf-8"))
]


def of(language: str) -> list[object]:
    return [pytest.param(block, id=block.place) for block in BLOCKS if block.language == language]


def test_every_block_has_a_language_that_is_checked() -> None:
    assert [block.place for block in BLOCKS if block.language not in LANGUAGES] == []
    assert {block.language for block in BLOCKS} == LANGUAGES


def test_an_open_fence_is_seen() -> None:
    with pytest.raises(ValueError, match=r"a\.md:2: a fence that is left open"):
        blocks_of("a.md", "words\n```sql\nSELECT 1;\n")
    with pytest.raises(ValueError, match=r"a\.md:2: a fence that does not stand alone"):
        blocks_of("a.md", "```sql\nSELECT 1; ```\n")


@pytest.mark.parametrize("block", of("sql"))
def test_sql_runs_on_a_build(market: Warehouse, block: Block) -> None:
    cursor = market.cursor()
    for statement in cursor.extract_statements(block.text):
        assert cursor.execute(statement).description


@pytest.mark.parametrize("block", of("yaml"))
def test_yaml_is_a_valid_entry(block: Block) -> None:
    entries = yaml.safe_load(block.text)
    catalog = parse_sources(f"sources:\n{textwrap.indent(block.text, '  ')}\n")
    assert [source.id for source in catalog] == list(entries)


@pytest.fixture
def home(settings: Settings, market: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a published warehouse of all committed facts, and the lake it was made of."""
    settings.warehouse.parent.mkdir(parents=True)
    settings.warehouse.write_bytes(market.path.read_bytes())
    shutil.copytree(market.path.with_name("lake"), settings.lake, copy_function=os.link)
    monkeypatch.setenv(PREFIX + "FACTS", str(PROJECT_ROOT / "warehouse" / "facts"))
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return folder


@pytest.mark.parametrize("block", of("sh"))
def test_commands_run(home: Path, block: Block) -> None:
    for name in set(FILE.findall(block.text)):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(rounds.archive() if name.endswith(".tar.gz") else f"made up: {name}".encode())
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{MAKE}\n{RACKLEDGER}\n{block.text}"],
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, f"{block.place}\n{run.stdout}\n{run.stderr}"
