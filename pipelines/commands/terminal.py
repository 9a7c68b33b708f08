"""How commands print: results to standard output, messages to standard error. Outside text is never read as markup."""

from __future__ import annotations

import csv
import datetime as dt
import json
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED, EXIT_NO_WAREHOUSE, EXIT_USAGE
from pipelines.settings import PREFIX, Settings

if TYPE_CHECKING:
    from warehouse.answers import Ask
    from warehouse.read import Warehouse

T = TypeVar("T")


class TableFormat(StrEnum):
    """How a command prints rows."""

    table = "table"
    csv = "csv"
    json = "json"


class LineFormat(StrEnum):
    """How a command prints what it read."""

    table = "table"
    jsonl = "jsonl"


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
out = Console(highlight=False)
LEVELS = {"red": "error", "yellow": "warning"}


class Messages(Console):
    """Messages of a command on standard error: for a reader, or a JSON object a line for a program."""

    is_json = False

    def print(self, *objects: Any, **options: Any) -> None:
        if not self.is_json:
            super().print(*objects, **options)
            return
        style = str(options.get("style") or next((str(o.style) for o in objects if isinstance(o, Text)), ""))
        says = " ".join(o.plain if isinstance(o, Text) else str(o) for o in objects)
        self.tell(LEVELS.get(style, "info"), says)

    def note(self, says: str, **fields: Any) -> None:
        """A message with the figures that it tells as fields of their own."""
        if self.is_json:
            self.tell("info", says, **fields)
        else:
            super().print(says, markup=False)

    def tell(self, level: str, says: str, **fields: Any) -> None:
        """One line of JSON: when, how grave, what, and the fields."""
        at = utc_now().isoformat(timespec="milliseconds")
        line = json.dumps({"at": at, "level": level, "says": says.strip(), **fields}, ensure_ascii=False, default=str)
        self.file.write(f"{line}\n")
        self.file.flush()


class JsonLines(logging.Handler):
    """What libraries and the collector log, in the same lines."""

    def emit(self, record: logging.LogRecord) -> None:
        fields = {"logger": record.name}
        if record.exc_info:
            fields["trace"] = logging.Formatter().formatException(record.exc_info)
        messages.tell(record.levelname.lower(), record.getMessage(), **fields)


messages = Messages(stderr=True, highlight=False)


def load_settings() -> Settings:
    """Settings from the environment; a mistake names the variable and ends the command."""
    try:
        settings = Settings()
        if settings.log_format == "json" and not messages.is_json:
            messages.is_json = True
            logging.basicConfig(handlers=[JsonLines()], level=logging.WARNING)
        return settings
    except ValidationError as error:
        for mistake in error.errors():
            name = PREFIX + "_".join(str(part) for part in mistake["loc"]).upper()
            messages.print(Text(f"{name}: {mistake['msg']} (found {mistake['input']!r})"))
        raise typer.Exit(EXIT_USAGE) from error


def fail(message: str, code: int) -> NoReturn:
    """Say what went wrong on standard error and end with this exit code."""
    messages.print(Text(message, style="red"))
    raise typer.Exit(code)


def open_warehouse() -> Warehouse:
    """The published file. Ends the command with 3 where there is none, with 1 where it cannot be read."""
    from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

    settings = load_settings()
    try:
        return Warehouse(settings.warehouse, memory_limit=settings.memory_limit)
    except WarehouseMissing as error:
        fail(str(error), EXIT_NO_WAREHOUSE)
    except WarehouseUnreadable as error:
        fail(str(error), EXIT_FAILED)


def ask_warehouse(settings: Settings, question: Callable[[Ask], T], otherwise: T) -> T:
    """The published file's answer; `otherwise`, with a message why, where it is missing, damaged or too old."""
    import duckdb

    from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

    try:
        with Warehouse(settings.warehouse, memory_limit=settings.memory_limit) as warehouse:
            return question(warehouse.rows)
    except (WarehouseMissing, WarehouseUnreadable) as error:
        messages.print(Text(f"Without the ledger's figures: {error}"))
    except duckdb.CatalogException:
        messages.print("Without the ledger's figures: the warehouse was built by an older program; run `make run`.")
    return otherwise


def read_day(option: str, text: str) -> dt.date | None:
    """A day given as YYYY-MM-DD, None for ''. Ends the command with 2 for anything else."""
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        fail(f"{option}: expected a day as YYYY-MM-DD, found {text!r}", EXIT_USAGE)


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


def print_lines(values: Iterable[Any]) -> None:
    """Print a JSON document a line."""
    sys.stdout.writelines(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def print_csv(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print rows as CSV."""
    csv.writer(sys.stdout).writerows([columns, *rows])


def print_json(value: Any) -> None:
    """Print one JSON document; dates in ISO form."""
    sys.stdout.write(json.dumps(value, default=str, ensure_ascii=False, indent=2) + "\n")
