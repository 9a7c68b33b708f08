"""Rows that are too wide for the terminal stand upright, a line a column."""

from __future__ import annotations

import pytest
from rich.console import Console

from pipelines.commands import sql
from pipelines.commands.terminal import TableFormat


def test_a_wide_row_stands_upright_and_control_characters_are_no_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sql, "out", Console(width=40, highlight=False))
    row: tuple[object, ...] = (1, "NVIDIA\x1b[2J", None, 2.5, True)
    sql._print(["id", "name", "empty", "price", "is_new"], [row], TableFormat.table)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "    id  1",
        "  name  NVIDIA [2J",
        " price  2.5",
        "is_new  yes",
    ]
