"""`rackledger archive`: what is kept of the outside world. Add, list, verify, re-index."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.clock import this_second
from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import AsJson, fail, load_settings, messages, out, print_json, table
from pipelines.settings import Settings, mint_run
from pipelines.sources import load_sources
from pipelines.suggest import did_you_mean

if TYPE_CHECKING:
    from pipelines.archive.notes import DocumentNote

app = typer.Typer(no_args_is_help=True, help="What is kept of the outside world: add to it, list it, verify it.")

BY_HAND = "hand_added"  # the source of documents that belong to no other
NOTHING = "0 kept, 0 kept already"
REPOSITORY_SUFFIXES = (".tar.gz", ".tgz", ".tar")


@app.command("add")
def add(
    paths: Annotated[
        list[Path], typer.Argument(help="Round archives (.tar.gz), WARC, HTML, PDF, text files or folders.")
    ],
    source: Annotated[
        str | None, typer.Option(help="Id of the source in sources.yaml; round archives know theirs by themselves.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="Address the bytes came from.")] = None,
    date: Annotated[
        dt.datetime | None,
        typer.Option(help="When they were captured (UTC). Default: now for archives, else the file's."),
    ] = None,
    publisher: Annotated[
        str | None, typer.Option(help="Who published a document that belongs to no source of sources.yaml.")
    ] = None,
    claimant: Annotated[
        str | None, typer.Option(help="Who asserts what it says, where that is not its publisher.")
    ] = None,
    published: Annotated[dt.datetime | None, typer.Option(help="The day it was published, where it is known.")] = None,
    as_json: AsJson = False,
) -> None:
    """Keep files in the archive, without any network. A file that is kept already is not kept twice.

    A document that belongs to no source needs its address: --url, and where they are known --publisher, --claimant
    (who asserts it, if somebody else) and --published.

    Examples: rackledger archive add training_results_v5.0-main.tar.gz ·
    rackledger archive add note.html --url https://example.org/note --publisher "Example Labs" --published 2026-03-02
    """
    from pipelines.archive.notes import DocumentNote

    settings = load_settings()
    when = date.replace(tzinfo=dt.UTC) if date else None
    told = DocumentNote("", publisher or "", published and published.date(), claimant or "")
    rows: list[dict[str, Any]] = []
    failed = False
    for path in paths:
        try:
            rows += _add_one(settings, path, source, url, when, told)
        except (OSError, ValueError, AddRefused) as error:
            failed = True
            rows.append(_row(path.name, "", "refused", why=str(error)))
    is_kept = any(not row["state"].startswith(("refused", NOTHING)) for row in rows)
    if as_json:
        print_json(rows)
    else:
        table("", tuple(_row("", "", "")), [tuple(row.values()) for row in rows])
        if is_kept:
            messages.print("`rackledger run` builds the warehouse from it", markup=False)
    if failed or not is_kept:
        raise typer.Exit(EXIT_FAILED)


class AddRefused(Exception):
    """A file cannot be kept; says why and what to do."""


def _add_one(
    settings: Settings, path: Path, source: str | None, url: str | None, when: dt.datetime | None, told: DocumentNote
) -> list[dict[str, Any]]:
    if not path.exists():
        raise AddRefused("there is no such file")
    if path.is_file() and path.name.endswith(REPOSITORY_SUFFIXES):
        return [_add_repository(settings, path, source, url, when)]
    if source is None and not url:
        raise AddRefused(
            "say which source it belongs to with --source (ids: `rackledger sources list`), or where it comes from "
            "with --url, --publisher, --claimant and --published"
        )
    return _add_files(settings, path, source or BY_HAND, url, when, told)


def _add_repository(
    settings: Settings, path: Path, source: str | None, url: str | None, when: dt.datetime | None
) -> dict[str, Any]:
    from pipelines.archive.pack import PackStore
    from pipelines.problems import InputError

    captured_at = when or this_second()
    try:
        with path.open("rb") as stream:
            added = PackStore(settings.archive).add(
                stream, source_id=source or "", url=url or f"file:{path.name}", captured_at=captured_at, place=path.name
            )
    except InputError as error:
        raise AddRefused(str(error)) from error
    manifest = added.manifest
    state = "kept" if added.is_new else "kept already"
    if not manifest.is_complete:
        state += ", not complete"
    kept = f"{manifest.members} members, {manifest.member_bytes / 1e6:.0f} MB"
    why = "; ".join(f"{problem.place}: {problem.detail}" for problem in manifest.problems[:3])
    return _row(path.name, manifest.scope, state, kept, why)


def _add_files(
    settings: Settings, path: Path, source: str, url: str | None, when: dt.datetime | None, told: DocumentNote
) -> list[dict[str, Any]]:
    from pipelines.archive.notes import add_notes
    from pipelines.archive.store import Archive

    known = load_sources(settings.sources).sources
    if source not in known:
        near = did_you_mean(source, known)
        raise AddRefused(f"no source has the id {source!r}{near}; `rackledger sources list` shows them")
    settings.archive.mkdir(parents=True, exist_ok=True)
    with Archive(settings.archive, run_stamp=mint_run().run_id) as archive:
        report = archive.add(path, source, url, when)
    captures: list[str] = []
    if told.publisher or told.published_on or told.claimant:
        captures = [*(capture.capture_id for capture in report.added), *report.held]
        add_notes(settings.archive, [replace(told, capture_id=capture) for capture in captures])
    state = f"{len(report.added)} kept, {len(report.held)} kept already, {report.passed_over} passed over"
    if report.held and captures:
        state += ", what is said of it now counts"
    rows = [_row(path.name, source, state, why=_unknown_names(told))]
    return rows + [_row(refused.place, source, "refused", why=refused.detail) for refused in report.refused]


def _unknown_names(told: DocumentNote) -> str:
    """What is said of names that the registry lacks but has the like of: they are kept as they were typed."""
    from pipelines.registry.load import committed_entries
    from pipelines.registry.registry import load_registry

    known = [name for entry in committed_entries().organisations for name in (entry.name, *entry.aliases)]
    lacking = [
        name for name in (told.publisher, told.claimant) if name and not load_registry().submitter(name).is_known
    ]
    near = {name: did_you_mean(name, known) for name in lacking}
    return "; ".join(f"no organisation {name!r} is known{says}" for name, says in near.items() if says)


def _row(file: str, scope: str, state: str, kept: str = "", why: str = "") -> dict[str, Any]:
    return {"file": file, "scope": scope, "state": state, "kept": kept, "why": why}


@app.command("list")
def list_(
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    as_json: AsJson = False,
) -> None:
    """List what is kept: one line a capture."""
    from pipelines.archive.pack import PackStore
    from pipelines.archive.store import Archive

    settings = load_settings()
    names = ("source", "what", "captured_at", "bytes", "state", "url")
    kept: list[tuple[Any, ...]] = [
        (m.source_id, f"{m.scope} at {(m.commit or 'unknown commit')[:12]}", m.captured_at, m.member_bytes,
         "complete" if m.is_complete else "broken off", m.url)
        for m in PackStore(settings.archive).packs()
    ]  # fmt: skip
    with Archive(settings.archive) as archive:
        for c in archive.captures(source):
            what = "revisit" if c.is_revisit else c.record_type.value
            kept.append((c.source_id, what, c.captured_at, c.byte_count, str(c.status), c.url))
    rows = [row for row in kept if source is None or row[0] == source]
    if as_json:
        print_json([dict(zip(names, row, strict=True)) for row in rows])
    elif rows:
        table("", names, rows)
    else:
        out.print("the archive is empty; `rackledger run` captures, `rackledger archive add` keeps files", markup=False)


@app.command("verify")
def verify(as_json: AsJson = False) -> None:
    """Check every digest of the archive. Exit code 1 when something is damaged, naming file, record and offset."""
    from pipelines.archive.pack import PackStore
    from pipelines.archive.store import Archive
    from pipelines.problems import InputError

    settings = load_settings()
    store = PackStore(settings.archive)
    try:
        packs, damaged = len(store.packs()), store.verify()
    except InputError as error:
        fail(str(error), EXIT_FAILED)
    with Archive(settings.archive) as archive:
        report = archive.verify()
    lines = [f"{p.place}: {p.detail}" for p in damaged]
    lines += [f"{p.warc_path}, record {p.record_number}, offset {p.offset}: {p.detail}" for p in report.problems]
    counts = {"packs": packs, "files": report.files, "records": report.records, "digests": report.digests}
    if as_json:
        print_json(counts | {"problems": lines})
    else:
        for line in lines:
            messages.print(line, style="red", markup=False)
        out.print(
            ", ".join(f"{count:,} {name}" for name, count in counts.items()) + f": {len(lines)} damaged", markup=False
        )
    if lines:
        raise typer.Exit(EXIT_FAILED)


@app.command("repair")
def repair() -> None:
    """Set aside what a killed run left torn, so that everything before it is readable. Every run does this first."""
    from pipelines.archive.store import Archive

    with Archive(load_settings().archive, run_stamp=mint_run().run_id) as archive:
        report = archive.repair()
    for torn in report.torn:
        where = f"{torn.warc_path}, record {torn.record_number}, offset {torn.offset}"
        out.print(f"{where}: {torn.byte_count} bytes set aside in {torn.set_aside}: {torn.detail}", markup=False)
    for lost in report.lost:
        messages.print(f"lost: {lost}", style="red", markup=False)
    out.print("nothing was torn" if report.is_clean else "repaired; torn tails lie in the folder torn/", markup=False)


@app.command("reindex")
def reindex() -> None:
    """Make the archive's index anew from its WARC files; the index is derived and can always be rebuilt."""
    from pipelines.archive.store import Archive

    with Archive(load_settings().archive, run_stamp=mint_run().run_id) as archive:
        count = archive.reindex()
    out.print(f"{count:,} captures indexed", markup=False)
