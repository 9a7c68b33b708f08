"""`rackledger sources`: checks sources.yaml and shows what is collected, how fresh it is and what it gave.

Reads sources.yaml, the registry, the archive's index and the warehouse; changes nothing and never touches the network.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import AsJson, T, ask_warehouse, load_settings, messages, out, print_json
from pipelines.frozen import frozen
from pipelines.settings import Settings, mint_run
from pipelines.source_model import Kind, Status
from pipelines.sources import Mistake, Source, SourcesError, load_sources

if TYPE_CHECKING:
    from warehouse.answers import Ask

app = typer.Typer(no_args_is_help=True, help="What is collected: check the list of sources, or show it.")

LATE_AFTER = 2  # cadences without a capture
PIPE_WIDTH = 160
COLUMNS = (
    ("source", 13),
    ("kind", 7),
    ("publisher", 9),
    ("status", 8),
    ("captured", 10),
    ("age/every", 9),
    ("state", 7),
    ("claims", 6),
)
NUMBERS = ("age/every", "claims")
PathOption = Annotated[Path | None, typer.Option("--path", help="Another sources.yaml.", show_default=False)]


@frozen
class ListedSource:
    """One line of the list; ages in hours, `claims` empty where there is no warehouse or the source gave none."""

    id: str
    kind: Kind
    publisher: str
    status: Status
    cadence_hours: float
    last_capture_at: dt.datetime | None
    age_hours: float | None
    state: str
    claims: int | None


@app.command("check")
def check(path: PathOption = None, as_json: AsJson = False) -> None:
    """Check sources.yaml, and that each publisher is an organisation of the registry. Exit code 1 on mistakes."""
    try:
        catalog = load_sources(path or load_settings().sources)
    except SourcesError as error:
        _report(0, error.mistakes, as_json)
        raise typer.Exit(EXIT_FAILED) from error
    known = known_organisations()
    mistakes = () if known is None else catalog.check_publishers(known)
    _report(len(catalog), mistakes, as_json)
    if known is None:
        messages.print("publishers not checked: the registry cannot be read")
    for warning in catalog.warnings() if not as_json else ():
        messages.print(f"note: {warning}", markup=False)
    if mistakes:
        raise typer.Exit(EXIT_FAILED)


def _report(count: int, mistakes: Iterable[Mistake], as_json: bool) -> None:
    found = list(mistakes)
    if as_json:
        print_json({"sources": count, "mistakes": [asdict(mistake) for mistake in found]})
    elif found:
        out.print(f"{len(found)} mistake{'' if len(found) == 1 else 's'}")
        for mistake in found:
            out.print(str(mistake), markup=False, soft_wrap=True)
    else:
        out.print(f"{count} sources, all good")


@app.command("list")
def show(
    path: PathOption = None,
    status: Annotated[Status | None, typer.Option(help="Only sources of this status.", show_default=False)] = None,
    kind: Annotated[Kind | None, typer.Option(help="Only sources of this kind.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """Show the sources with their last capture, its age against the cadence, and the claims they gave."""
    settings = load_settings()
    try:
        catalog = load_sources(path or settings.sources)
    except SourcesError as error:
        _report(0, error.mistakes, as_json)
        raise typer.Exit(EXIT_FAILED) from error
    chosen = [s for s in catalog if status in (None, s.status) and kind in (None, s.kind)]
    rows = source_rows(chosen, mint_run().run_at, last_captures(settings), claims_given(settings))
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    _print(rows)
    out.print(f"{len(rows)} of {len(catalog)} sources; late: more than {LATE_AFTER} cadences without a capture")


def _print(rows: Iterable[ListedSource]) -> None:
    """Names fold on a narrow terminal, the rest stays whole; a pipe gets every column whole."""
    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0)
    for name, width in COLUMNS:
        folds = name in ("source", "publisher")
        align: Literal["left", "right"] = "right" if name in NUMBERS else "left"
        shown.add_column(name, min_width=width, overflow="fold", no_wrap=not folds, justify=align)
    for row in rows:
        shown.add_row(*map(Text, _cells(row)))
    (out if out.is_terminal else Console(width=PIPE_WIDTH)).print(shown)


def source_rows(
    sources: Iterable[Source],
    now: dt.datetime,
    captures: Mapping[str, dt.datetime],
    claims: Mapping[str, int],
) -> list[ListedSource]:
    """Put the sources beside what is known of them; `captures` holds the newest instant of each source's captures."""
    rows = []
    for source in sources:
        last = captures.get(source.id)
        age = None if last is None else now - last
        rows.append(
            ListedSource(
                id=source.id,
                kind=source.kind,
                publisher=source.publisher,
                status=source.status,
                cadence_hours=_hours(source.cadence),
                last_capture_at=last,
                age_hours=None if age is None else _hours(age),
                state=_state(source, age),
                claims=claims.get(source.id),
            )
        )
    return rows


def _state(source: Source, age: dt.timedelta | None) -> str:
    if not source.is_fetched:
        return "skipped"
    if age is None:
        return "never"
    if age <= source.cadence:
        return "fresh"
    return "due" if age <= LATE_AFTER * source.cadence else "late"


def _cells(row: ListedSource) -> tuple[str, ...]:
    last = "-" if row.last_capture_at is None else f"{row.last_capture_at:%Y-%m-%d}"
    age = f"{'-' if row.age_hours is None else _span(row.age_hours)}/{_span(row.cadence_hours)}"
    claims = "-" if row.claims is None else f"{row.claims:,}"
    return (row.id, row.kind, row.publisher, row.status, last, age, row.state, claims)


def _hours(span: dt.timedelta) -> float:
    return round(span / dt.timedelta(hours=1), 2)


def _span(hours: float) -> str:
    """'6h' below two days, else '30d'; a day's remainder in hours is not worth showing then."""
    return f"{hours / 24:.0f}d" if hours >= 48 or hours == 24 else f"{hours:.0f}h"


def known_organisations() -> set[str] | None:
    """Ids of the registry's organisations, or None where the registry cannot be read."""
    from pipelines.registry.load import RegistryError, read_entries

    try:
        return {organisation.id for organisation in read_entries().organisations}
    except (RegistryError, OSError):
        return None


def last_captures(settings: Settings) -> dict[str, dt.datetime]:
    """The newest good capture (status below 400) of each source, in UTC: from archive, packs and warehouse."""
    from pipelines.archive.attempts import last_captured, newest_of
    from warehouse.answers import health

    found = (last_captured(settings.archive), _of_warehouse(settings, health.newest_captures))
    return newest_of(chain.from_iterable(newest.items() for newest in found))


def claims_given(settings: Settings) -> dict[str, int]:
    """How many claims of the warehouse each source gave; empty without a warehouse or before it holds claims."""
    from warehouse.answers import health

    return _of_warehouse(settings, health.claims_given)


def _of_warehouse(settings: Settings, question: Callable[[Ask], dict[str, T]]) -> dict[str, T]:
    return ask_warehouse(settings, question, {}) if settings.warehouse.exists() else {}
