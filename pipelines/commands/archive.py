"""`rackledger archive`: what is kept of the outside world. Add, list, verify, re-index."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import fail, load_settings, messages, out, print_json, table
from pipelines.settings import Settings

app = typer.Typer(no_args_is_help=True, help="What is kept of the outside world: add to it, list it, verify it.")

REPOSITORY_SUFFIXES = (".tar.gz", ".tgz", ".tar")
JSON = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def _is_repository(path: Path) -> bool:
    return path.name.endswith(REPOSITORY_SUFFIXES)


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
    as_json: JSON = False,
) -> None:
    """Keep files in the archive, without any network. A file that is kept already is not kept twice.

    Example: rackledger archive add training_results_v5.0-main.tar.gz
    """
    settings = load_settings()
    when = date.replace(tzinfo=dt.UTC) if date else None
    rows: list[dict[str, Any]] = []
    failed = False
    for path in paths:
        try:
            rows += _add_one(settings, path, source, url, when)
        except (OSError, ValueError, AddRefused) as error:
            failed = True
            rows.append({"file": path.name, "scope": "", "state": "refused", "kept": "", "why": str(error)})
    if as_json:
        print_json(rows)
    else:
        columns = ("file", "scope", "state", "kept", "why")
        table("", columns, [tuple(row[name] for name in columns) for row in rows])
        messages.print("`rackledger run` builds the warehouse from it", markup=False)
    if failed:
        raise typer.Exit(EXIT_FAILED)


class AddRefused(Exception):
    """A file cannot be kept; says why and what to do."""


def _add_one(
    settings: Settings, path: Path, source: str | None, url: str | None, when: dt.datetime | None
) -> list[dict[str, Any]]:
    if not path.exists():
        raise AddRefused("there is no such file")
    if path.is_file() and _is_repository(path):
        return [_add_repository(settings, path, source, url, when)]
    if source is None:
        raise AddRefused("say which source it belongs to with --source (ids: `rackledger sources list`)")
    return _add_files(settings, path, source, url, when)


def _add_repository(
    settings: Settings, path: Path, source: str | None, url: str | None, when: dt.datetime | None
) -> dict[str, Any]:
    from pipelines.archive.pack import PackStore
    from pipelines.problems import InputError

    captured_at = when or dt.datetime.now(dt.UTC).replace(microsecond=0)
    try:
        with path.open("rb") as stream:
            added = PackStore(settings.archive).add(
                stream,
                source_id=source or "mlperf_training",
                url=url or f"file:{path.name}",
                captured_at=captured_at,
                place=path.name,
            )
    except InputError as error:
        raise AddRefused(str(error)) from error
    manifest = added.manifest
    state = "kept" if added.is_new else "kept already"
    if not manifest.is_complete:
        state += ", not complete"
    return {
        "file": path.name,
        "scope": manifest.scope,
        "state": state,
        "kept": f"{manifest.members} members, {manifest.member_bytes / 1e6:.0f} MB",
        "why": "; ".join(f"{p.place}: {p.detail}" for p in manifest.problems[:3]),
    }


def _add_files(
    settings: Settings, path: Path, source: str, url: str | None, when: dt.datetime | None
) -> list[dict[str, Any]]:
    raise AddRefused("only round archives can be added")


@app.command("list")
def list_(as_json: JSON = False) -> None:
    """List what is kept: one line a capture."""
    from pipelines.archive.pack import PackStore

    settings = load_settings()
    rows = [
        {
            "scope": m.scope,
            "captured_at": m.captured_at,
            "commit": (m.commit or "")[:12],
            "members": m.members,
            "bytes": m.member_bytes,
            "state": "complete" if m.is_complete else "broken off",
            "url": m.url,
        }
        for m in PackStore(settings.archive).packs()
    ]
    if as_json:
        print_json(rows)
    elif rows:
        table("Round archives", tuple(rows[0]), [tuple(row.values()) for row in rows])
    else:
        out.print("the archive is empty; `rackledger run` captures, `rackledger archive add` keeps files", markup=False)


@app.command("verify")
def verify(as_json: JSON = False) -> None:
    """Check every digest of the archive. Exit code 1 when something is damaged, naming file and record."""
    from pipelines.archive.pack import PackStore
    from pipelines.problems import InputError

    store = PackStore(load_settings().archive)
    try:
        found = store.verify()
        count = len(store.packs())
    except InputError as error:
        fail(str(error), EXIT_FAILED)
    if as_json:
        print_json({"packs": count, "problems": [{n: getattr(p, n) for n in p.__slots__} for p in found]})
    else:
        for problem in found:
            messages.print(f"{problem.place}: {problem.detail}", style="red", markup=False)
        out.print(f"{count} packs, {len(found)} damaged", markup=False)
    if found:
        raise typer.Exit(EXIT_FAILED)
