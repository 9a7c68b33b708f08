"""How commands print: results to standard output, messages to standard error. Outside text is never read as markup."""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipelines.commands import EXIT_USAGE
from pipelines.settings import PREFIX, Settings

out = Console(highlight=False)
messages = Console(stderr=True, highlight=False)


def load_settings() -> Settings:
    """Settings from the environment; a mistake names the variable and ends the command."""
    try:
        return Settings()
    except ValidationError as error:
        for mistake in error.errors():
            name = PREFIX + "_".join(str(part) for part in mistake["loc"]).upper()
            messages.print(Text(f"{name}: {mistake['msg']} (found {mistake['input']!r})"))
        raise typer.Exit(EXIT_USAGE) from error


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong on standard error and end with this exit code."""
    messages.print(Text(message, style="red"))
    raise typer.Exit(code)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, caption: str = "") -> None:
    """Print a table; numbers are right-aligned."""
    body = [list(row) for row in rows]
    shown = Table(title=title or None, caption=caption or None, title_justify="left", caption_justify="left")
    for index, name in enumerate(columns):
        is_number = bool(body) and all(isinstance(row[index], int | float | None) for row in body)
        shown.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in body:
        shown.add_row(*(Text(cell(value)) for value in row))
    out.print(shown)


def cell(value: Any) -> str:
    """One value as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}"
    if isinstance(value, dt.datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return str(value)


def print_json(value: Any) -> None:
    """Print one JSON document; dates in ISO form."""
    sys.stdout.write(json.dumps(value, default=str, ensure_ascii=False, indent=2) + "\n")
