"""Help texts: a flag is shown as a flag, on every command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pipelines.cli import app

Path = tuple[str, ...]


def commands(command: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


ALL = list(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_no_flag_looks_as_if_it_wanted_a_value(path: Path) -> None:
    result = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert "--help" in result.output
    assert "<bool>" not in result.output


def test_options_with_a_value_still_say_of_which_kind() -> None:
    assert "<list[str]>" in CliRunner().invoke(app, ["run", "-h"], env={"COLUMNS": "200"}).output
