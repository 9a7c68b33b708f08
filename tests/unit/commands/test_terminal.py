"""How commands print and fail: cells as people read them, outside text never as markup, each failure with its code."""

from __future__ import annotations

import datetime as dt
import errno
import io
import json
from pathlib import Path

import duckdb
import pytest
import typer
from rich.text import Text
from typer.testing import CliRunner

from pipelines.cli import Commands
from pipelines.commands import EXIT_FAILED, EXIT_NO_WAREHOUSE, EXIT_USAGE, terminal
from pipelines.settings import Settings
from warehouse.read import SCHEMA_VERSION


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (1_234_567, "1,234,567"),
        (1234.5678, "1,234.57"),
        (0.000123456789, "0.000123457"),
        (dt.datetime(2026, 3, 4, 5, 6, tzinfo=dt.UTC), "2026-03-04 05:06"),
        (dt.date(2026, 3, 4), "2026-03-04"),
        ("[red]text[/red]", "[red]text[/red]"),
    ],
)
def test_a_cell_reads_as_people_write(value: object, shown: str) -> None:
    assert terminal.cell(value) == shown


def test_a_table_shows_outside_text_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.table("", ("name", "count"), [("[bold]x[/bold]", 1_000), ("y", None)])
    printed = capsys.readouterr().out
    assert "[bold]x[/bold]" in printed
    assert "1,000" in printed


def test_json_keeps_letters_and_writes_dates_in_iso_form(capsys: pytest.CaptureFixture[str]) -> None:
    terminal.print_json({"name": "Röchling", "day": dt.date(2026, 3, 4)})
    printed = capsys.readouterr().out
    assert "Röchling" in printed
    assert json.loads(printed) == {"name": "Röchling", "day": "2026-03-04"}


def test_a_day_is_read_or_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.read_day("--since", "") is None
    assert terminal.read_day("--since", "2026-03-04") == dt.date(2026, 3, 4)
    with pytest.raises(typer.Exit) as ended:
        terminal.read_day("--since", "4 March")
    assert ended.value.exit_code == EXIT_USAGE
    assert "--since: expected a day as YYYY-MM-DD, found '4 March'" in capsys.readouterr().err


def test_without_a_warehouse_it_says_what_to_run(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        terminal.open_warehouse()
    assert ended.value.exit_code == EXIT_NO_WAREHOUSE
    assert "make run" in capsys.readouterr().err


def test_a_damaged_warehouse_is_another_failure(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    settings.warehouse.parent.mkdir(parents=True)
    settings.warehouse.write_bytes(b"no database")
    with pytest.raises(typer.Exit) as ended:
        terminal.open_warehouse()
    assert ended.value.exit_code == EXIT_FAILED
    assert "cannot be read" in capsys.readouterr().err.replace("\n", " ")


def published(path: Path) -> None:
    """A warehouse that holds its version and nothing else."""
    path.parent.mkdir(parents=True)
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA meta")
        connection.execute(
            "CREATE TABLE meta.publication AS SELECT 'v' AS version, TIMESTAMP '2026-03-04' AS built_at, "
            f"'h' AS content_hash, {SCHEMA_VERSION} AS schema_version"
        )


def test_an_answer_of_the_warehouse_or_what_stands_in(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    def version(ask: object) -> str:
        assert callable(ask)
        return str(ask("SELECT version FROM meta.publication", ())[0]["version"])

    assert terminal.ask_warehouse(settings, version, "none") == "none"
    assert "Without the ledger's figures: There is no warehouse" in capsys.readouterr().err.replace("\n", " ")
    published(settings.warehouse)
    assert terminal.ask_warehouse(settings, version, "none") == "v"
    assert terminal.ask_warehouse(settings, lambda ask: len(ask("FROM evidence.claims", ())), 0) == 0
    assert "built by an older program" in capsys.readouterr().err.replace("\n", " ")


def test_messages_are_json_lines_where_the_setting_says_so() -> None:
    told = io.StringIO()
    messages = terminal.Messages(file=told, highlight=False)
    messages.is_json = True
    messages.print("  building …", markup=False)
    messages.print(Text("it failed\nfor a reason", style="red"))
    messages.note("2 new", event="captured", source_id="a", new=2)
    lines = [json.loads(line) for line in told.getvalue().splitlines()]
    assert [(line["level"], line["says"]) for line in lines] == [
        ("info", "building …"),
        ("error", "it failed\nfor a reason"),
        ("info", "2 new"),
    ]
    assert (lines[2]["event"], lines[2]["source_id"], lines[2]["new"]) == ("captured", "a", 2)
    assert dt.datetime.fromisoformat(lines[0]["at"]).tzinfo is not None


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "The disk is full"),
        (
            RuntimeError("(sqlite3.OperationalError) disk I/O error\n[SQL: INSERT INTO runs]"),
            "The disk reports a fault",
        ),
    ],
)
def test_any_command_says_what_to_do_about_the_disk(error: Exception, words: str) -> None:
    app = typer.Typer(cls=Commands)

    @app.command()
    def one() -> None:
        raise error

    @app.command()
    def other() -> None: ...

    result = CliRunner().invoke(app, ["one"])
    assert result.exit_code == EXIT_FAILED
    assert words in " ".join(result.stderr.split())
    assert "SQL" not in result.stderr
