"""What the published file was made of, to know before any work whether a run would make the same again.

Every file that a build may read counts, unless it is known to be made by a run. The record is written by the step that
publishes, of the inputs as they were before that run began to read; a run that failed or was refused leaves the record
of the one before, whose inputs are others.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pipelines.archive.layout import replace_file
from pipelines.frozen import frozen
from pipelines.lake import digest
from pipelines.settings import PROJECT_ROOT, Settings

RECORD = "last_run.json"
# below the data folder: what a run makes, and what holds it
DERIVED = (
    "lake",
    "ducklake",
    "builds",
    "dagster",
    "archive/index",
    "archive/listing",
    "archive/locks",
    "metrics",
    "run.",
    "remote.",
    "alarm.txt",
    RECORD,
)
CODE = frozenset({".py", ".sql", ".yaml", ".json"})


@frozen
class LastRun:
    """The inputs of the published file by name, its version, and its state on the disk."""

    inputs: Mapping[str, str]
    version: str
    published: str


def inputs_of(settings: Settings) -> dict[str, str]:
    """A digest for each kind of input: what is kept of the outside world, facts, sources, code, libraries."""
    return {
        "archive": digest(*_kept(settings)),
        "facts": _content(sorted(path for path in settings.facts.rglob("*") if path.is_file())),
        "sources": _content([settings.sources]),
        "code": _content(_code(settings)),
        "libraries": digest(sys.version, *_libraries()),
    }


def changed_since_last_run(settings: Settings, inputs: Mapping[str, str]) -> list[str]:
    """The names of inputs that are not as in the last record; empty where a run would publish what is published."""
    last = read_record(settings)
    if last is None:
        return ["no complete run yet"]
    if last.published != _state(settings.warehouse):
        return ["published file"]
    return sorted(name for name in {*inputs, *last.inputs} if inputs.get(name) != last.inputs.get(name))


def read_record(settings: Settings) -> LastRun | None:
    """The record of the last complete run; None where there is none that can be read."""
    try:
        kept = json.loads((settings.data / RECORD).read_text(encoding="utf-8"))
        return LastRun(dict(kept["inputs"]), str(kept["version"]), str(kept["published"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def record(settings: Settings, inputs: Mapping[str, str], version: str) -> None:
    """Note that the file in place was made of these inputs."""
    kept = {"inputs": dict(inputs), "version": version, "published": _state(settings.warehouse)}
    replace_file(settings.data / RECORD, json.dumps(kept, indent=1).encode() + b"\n")


def _kept(settings: Settings) -> Iterator[str]:
    """Name, size and time of every file that was kept: the archive may be too large to read, and has many files."""
    top = f"{settings.data}{os.sep}"
    for folder, folders, files in os.walk(settings.data):
        below = f"{folder}{os.sep}"[len(top) :]
        folders[:] = sorted(name for name in folders if not f"{below}{name}/".startswith(DERIVED))
        for name in sorted(files):
            path = f"{folder}{os.sep}{name}"
            if not f"{below}{name}".startswith(DERIVED) and not _is_published(settings, path):
                yield f"{below}{name} {_state(path)}"


def _is_published(settings: Settings, path: str) -> bool:
    return path.startswith((f"{settings.published}{os.sep}", str(settings.warehouse)))


def _state(path: str | Path) -> str:
    try:
        found = Path(path).stat()
    except FileNotFoundError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns}"


def _content(paths: Iterable[Path]) -> str:
    return digest(*(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in paths if path.exists()))


def _code(settings: Settings) -> list[Path]:
    """What makes the content: the pipelines, and the warehouse's SQL and declarations."""
    places = (PROJECT_ROOT / "pipelines", PROJECT_ROOT / "warehouse")
    found = sorted(path for place in places for path in place.rglob("*") if path.suffix in CODE)
    return [
        path for path in found if not path.is_relative_to(settings.facts) and not _is_published(settings, str(path))
    ]


def _libraries() -> list[str]:
    """Names and versions of what is installed beside this package, without asking each: its folders say them."""
    return sorted(path.name for folder in filter(None, sys.path) for path in Path(folder).glob("*.dist-info"))
