"""`rackledger doctor`: looks at the set-up and says what is wrong and what to do."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import AsJson, load_settings, print_json, table
from pipelines.frozen import frozen
from pipelines.settings import Settings, unknown_variables

EXPECTED = {"dagster": "1.13.", "duckdb": "1.5.", "streamlit": "1.67."}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first draws for the least


@frozen
class Finding:
    """One thing that was looked at; `remedy` says what to do when it is not well."""

    what: str
    found: str
    is_well: bool
    remedy: str = ""


def doctor(
    as_json: AsJson = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help="Also show what checks of the tables warn of."),
    ] = False,
) -> None:
    """Check the set-up and say what is wrong and what to do about it. Exit code 1 when something is."""
    settings = load_settings()
    findings = [*examine(settings), *(_warnings(settings) if verbose else ())]
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        rows = [("ok" if f.is_well else "look", f.what, f.found, "" if f.is_well else f.remedy) for f in findings]
        table("", ("", "what", "found", "what to do"), rows)
    if not all(f.is_well for f in findings):
        raise typer.Exit(EXIT_FAILED)


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at Python, libraries, folders, sources, warehouse, environment and browser, in that order."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    yield Finding("Python", version, (3, 11) <= sys.version_info[:2] <= (3, 13), "use Python 3.11 to 3.13")
    yield from _libraries()
    for folder in (settings.data, settings.warehouse.parent):
        yield _folder(folder)
    yield _sources(settings)
    yield _warehouse(settings)
    yield from _health(settings)
    for name in unknown_variables():
        yield Finding("environment", name, False, "no setting has this name; see the README for the list")
    yield Finding(
        "contact",
        settings.contact or "not set",
        bool(settings.contact) or settings.offline,
        "set RACKLEDGER_CONTACT to an address: site owners must be able to reach you",
    )
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    get = f"apt-get install {BROWSERS[0]}"
    yield Finding("Chromium (browser tests)", browser or "not found", browser is not None, get)


def _libraries() -> Iterator[Finding]:
    for name, wanted in EXPECTED.items():
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found = "not installed"
        yield Finding(name, found, found.startswith(wanted), "run `make setup` to install the locked dependencies")


def _folder(folder: Path) -> Finding:
    existing = folder
    while not existing.exists():
        existing = existing.parent
    free = shutil.disk_usage(existing).free / 1e9
    is_writable = os.access(existing, os.W_OK)
    found = f"{folder}, {free:.0f} GB free" + ("" if is_writable else ", not writable")
    return Finding("folder", found, is_writable and free > 1, "make it writable with at least 1 GB free")


def _sources(settings: Settings) -> Finding:
    from pipelines.sources import SourcesError, load_sources

    try:
        catalog = load_sources(settings.sources)
    except SourcesError as error:
        return Finding("sources", f"{len(error.mistakes)} mistakes", False, "run `rackledger sources check`")
    except OSError as error:
        return Finding("sources", str(error), False, "put sources.yaml in place or set RACKLEDGER_SOURCES")
    return Finding("sources", f"{len(catalog)} sources", True)


def _health(settings: Settings) -> Iterator[Finding]:
    """How the last run ended, the sources that fail, and what is set aside."""
    from pipelines.commands.run import published_health
    from warehouse.outcome import last

    ending, state = last(settings.warehouse), published_health(settings)
    if ending is not None:
        found = f"{ending.outcome} {ending.at:%Y-%m-%d %H:%M}" + (f": {ending.says}" if ending.says else "")
        yield Finding("last run", found, ending.is_well, "mend what it names, then `rackledger run`")
    if state is None:
        return
    for row in state.failing:
        remedy = "mend its address in sources.yaml, or set `status: skip` with the reason"
        yield Finding(f"source {row['source_id']}", f"{row['verdict']}: {row['says']}", False, remedy)
    for row in state.left_out:
        remedy = f"`rackledger quarantine show {row['quarantine_id']}`"
        yield Finding(f"source {row['source_id']}", str(row["reason"]), False, remedy)
    rows = [row for row in state.aside if row["kind"] != "source"]
    if rows:  # nothing is wrong with the set-up, and all else is published
        yield Finding("quarantine", f"{len(rows):,} set aside; `rackledger quarantine list` names them", True)


def _warnings(settings: Settings) -> Iterator[Finding]:
    """What the checks warn of: oddities of what sources say, for whoever works on sources or registry."""
    from warehouse.checks import BUILD, run_checks
    from warehouse.declared import all_checks
    from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

    warn = [check for check in all_checks() if check.kind == BUILD and not check.refuses]
    try:
        with Warehouse(settings.warehouse) as warehouse:
            results = run_checks(warehouse.connection, warn, has_previous=False)
    except (WarehouseMissing, WarehouseUnreadable):
        return  # told above
    for result in results:
        if not result.passed:
            yield Finding(f"warning {result.check.name}", f"{result.failures:,} rows, e.g. {result.examples[0]}", True)


def _warehouse(settings: Settings) -> Finding:
    from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

    try:
        with Warehouse(settings.warehouse) as warehouse:
            return Finding("warehouse", warehouse.publication.version, True)
    except (WarehouseMissing, WarehouseUnreadable) as error:
        return Finding("warehouse", str(error), False, "run `make run`")
