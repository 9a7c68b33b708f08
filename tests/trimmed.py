"""A warehouse of chosen tables and what they are made from: the product's own SQL and checks, fewer of them.

Planning the SQL of all marts costs seconds a build, whatever they hold; a day each would not fit a test.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from warehouse import build, checks, declared, dictionary, lineage, sql_files

ROOT = sql_files.FOLDER
ALWAYS = (
    "evidence.sources",
    "evidence.mentions",
    "evidence.market_captures",
    "evidence.problems",
    "evidence.quarantine",
)
_NAMED = re.compile(r"\b(?:registry|evidence|facts|marts)\.\w+")


def files_of(wanted: tuple[str, ...]) -> set[Path]:
    """The SQL files that make these tables and all that they read, themselves and by the macros that they call."""
    makers = {name: file for file in sql_files.sql_files() for name in (*file.made, *file.macros)}
    todo, files = [*ALWAYS, *wanted], set[Path]()
    while todo:
        file = makers.get(todo.pop())
        if file is not None and file.path not in files:
            files.add(file.path)
            todo += file.words
    return files


@contextmanager
def trimmed(folder: Path, *wanted: str, planted: tuple[checks.Check, ...] = ()) -> Iterator[None]:
    """Build these tables alone, with `planted` checks beside their own, while the block runs."""
    kept = files_of(wanted) | set((ROOT / "macros").glob("*.sql"))
    made = {table.name for table in lineage.built_tables() if table.path in kept}
    kept |= {path.with_suffix(".yaml") for path in kept if path.with_suffix(".yaml").exists()}
    kept |= {ROOT / "meta.yaml", ROOT / "columns.yaml", ROOT / "tables" / "10_types.sql"}
    kept |= {path for path in (ROOT / "checks").glob("*.sql") if set(_NAMED.findall(path.read_text())) <= made}
    for path in kept:
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    with _forgotten(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "HERE", folder)
        patch.setattr(dictionary, "FOLDER", folder)
        patch.setattr(sql_files, "FOLDER", folder)
        patch.setattr(declared, "load_checks", partial(checks.load_checks, folder / "checks"))
        _forget()
        everything = declared.all_checks
        few = tuple(check for check in everything() if set(_NAMED.findall(check.sql)) <= made | {"evidence.quarantine"})
        few += planted
        patch.setattr(declared, "all_checks", lambda: few)
        patch.setattr(build, "all_checks", lambda: few)
        yield


def only(*wanted: str) -> Any:
    """A fixture in which builds are of these tables and of what they need."""

    @pytest.fixture
    def built(tmp_path: Path) -> Iterator[None]:
        with trimmed(tmp_path / "sql", *wanted):
            yield

    return built


@contextmanager
def _forgotten() -> Iterator[None]:
    """What the block's build remembers of its files is not remembered after it, however it ends."""
    try:
        yield
    finally:
        _forget()


def _forget() -> None:
    for cached in (
        dictionary.load_declarations,
        declared.all_checks,
        declared.unasked,
        declared.views,
        sql_files.sql_files,
        lineage.built_tables,
    ):
        cached.cache_clear()
