"""Former versions of the site at addresses that stay: `v/<version>/` holds its pages, `files/<version>/` its tables.

Both are written whole under another name and renamed, once, and never changed. What did not change since is one file
with two names, where the disk knows such; so a version costs its pages with their line on top, and no pictures. What
was put right is kept beside them (`files/corrections.json`): old versions go, this stays.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipelines.publish.package import CROISSANT, DESCRIPTOR, LATEST, QUESTIONS
from warehouse.answers.corrections import Correction, between, day_of, is_version, pairs
from warehouse.answers.plain_html import (
    SEARCH_SCRIPT,
    VERSIONS,
    Own,
    PlainFile,
    SitePage,
    Table,
    frame_html,
)

PAGES, FILES = "v", "files"
NEWEST = f"{FILES}/latest"
NEWEST_KEPT = 12
_TABLE = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+\.(?:parquet|csv)")
_BESIDE = ("rackledger.duckdb", DESCRIPTOR, QUESTIONS, CROISSANT, "SHA256SUMS")
_OWN = ("search", "data", PAGES)  # folders that only the newest version has
_MADE = ".made"


def kept(versions: Iterable[str]) -> set[str]:
    """Of all versions those that stay: the newest twelve, and for good the last of every month."""
    ordered = sorted(versions)
    last_of_month = {name[:6]: name for name in ordered}
    return {*ordered[-NEWEST_KEPT:], *last_of_month.values()}


def newest_tables(published: Path, version: str) -> list[PlainFile]:
    """The tables of the version as files of the site, each told by its checksum; none where it was not published."""
    folder = published / version
    if not (folder / DESCRIPTOR).is_file():
        return []
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    names = [path.name for path in sorted(folder.iterdir()) if _TABLE.fullmatch(path.name) or path.name in _BESIDE]
    made = [
        PlainFile(f"{NEWEST}/{name}", sums.get(name, str(sums)), (folder / name).read_bytes, folder / name)
        for name in names
    ]
    pointer = json.dumps({"version": version, "folder": version}) + "\n"
    return [*made, PlainFile(f"{FILES}/{LATEST}", pointer, pointer.encode)]


def keep_tables(folder: Path, published: Path) -> None:
    """Give each published version its folder of tables."""
    for source in sorted(published.iterdir() if published.is_dir() else ()):
        target = folder / FILES / source.name
        if not is_version(source.name) or not (source / DESCRIPTOR).is_file() or target.exists():
            continue
        temporary = _fresh(target)
        for path in sorted(source.iterdir()):
            _link(path, temporary / path.name)
        temporary.rename(target)


def keep_pages(folder: Path, version: str, digests: dict[str, str]) -> None:
    """Give the version its folder of pages; `digests` names what the folder holds now, by path."""
    paths = sorted(path for path in digests if _belongs(path))
    mark = hashlib.sha256(json.dumps([(path, digests[path]) for path in paths]).encode()).hexdigest()
    target = folder / PAGES / version
    if (target / _MADE).is_file() and (target / _MADE).read_text(encoding="utf-8") == mark:
        return
    temporary = _fresh(target)
    for parent in {(temporary / path).parent for path in paths}:
        parent.mkdir(parents=True, exist_ok=True)
    for path in paths:
        if path.endswith(".html") and not path.startswith("embed/"):
            text = (folder / path).read_text(encoding="utf-8")
            (temporary / path).write_text(_as_kept(text, path, version), encoding="utf-8")
        else:
            _link(folder / path, temporary / path)
    (temporary / _MADE).write_text(mark, encoding="utf-8")
    shutil.rmtree(target, ignore_errors=True)
    temporary.rename(target)


def _belongs(path: str) -> bool:
    """Whether a file is of a version's pages: not what only the newest has, nor the tables."""
    name = path.rpartition("/")[2]
    if "/" not in path:
        return path.endswith((".html", ".svg"))
    is_table = path.startswith(f"{NEWEST}/") and (_TABLE.fullmatch(name) or name in _BESIDE)
    return path.partition("/")[0] not in _OWN and path != f"{FILES}/{LATEST}" and not is_table


def _as_kept(text: str, path: str, version: str) -> str:
    """A page with what it is a version of on top; its search and the way home lead to the newest."""
    up = "../" * path.count("/")
    root = f"../../{up}"
    says = (
        f'<p class="kept" role="note">This is version {html.escape(version)} of {day_of(version):%-d %B %Y}, kept '
        f'as it was. <a href="{root}{html.escape(path)}">The newest</a> · <a href="{root}{VERSIONS}">All '
        "versions</a></p>"
    )
    led = text.replace(frame_html(up), frame_html(root) + says, 1)
    return led.replace(f'src="{up}{SEARCH_SCRIPT}"', f'src="{root}{SEARCH_SCRIPT}"', 1)


def last_with(folder: Path, path: str) -> str:
    """The newest former version that has a page; '' where none has, or where it is no page of one thing."""
    if path.count("/") != 1 or not path.endswith(".html"):
        return ""
    versions = (folder / PAGES).iterdir() if (folder / PAGES).is_dir() else ()
    return max((each.name for each in versions if is_version(each.name) and (each / path).is_file()), default="")


def gone_page(path: str, version: str) -> SitePage:
    """What stands where a page was that the newest version does not have."""
    name = path.rpartition("/")[2].removesuffix(".html")
    says = f"The newest version has no page of this name; it last stood in the version of {day_of(version):%-d %B %Y}."
    row = (Own("The page as it was", f"{PAGES}/{version}/{path}"),)
    return SitePage(path, name, "gone", says, "WebPage", 0, (Table("Former version", ("Page",), (row,)),))


def forget(folder: Path) -> None:
    """Remove the versions that need not be kept, and what a killed run left."""
    for place_of in (folder / PAGES, folder / FILES):
        found = [path.name for path in place_of.iterdir() if path.is_dir()] if place_of.is_dir() else []
        stays = kept(name for name in found if is_version(name))
        for name in found:
            if (is_version(name) and name not in stays) or name.startswith("."):
                shutil.rmtree(place_of / name, ignore_errors=True)


def list_page(folder: Path, version: str) -> SitePage:
    """All versions that can be read, the newest first; `version` is the one that is being written."""
    held = {
        kind: {path.name for path in (folder / kind).iterdir() if is_version(path.name)}
        if (folder / kind).is_dir()
        else set()
        for kind in (PAGES, FILES)
    }
    held[PAGES] |= {version} if is_version(version) else set()
    known = sorted(held[PAGES] | held[FILES], reverse=True)
    rows = tuple(
        (
            f"{day_of(name):%-d %B %Y}",
            name,
            Own("Pages", f"{PAGES}/{name}/index.html") if name in held[PAGES] else "",
            Own("Tables", f"{FILES}/{name}/{DESCRIPTOR}") if name in held[FILES] else "",
        )
        for name in known
    )
    says = (
        f"Every version stays readable as it was: the newest {NEWEST_KEPT}, and for good the last of every month. "
        "Pages of a version say which it is; its tables are Parquet, CSV and DuckDB with a data package."
    )
    table = Table("By day, the newest first", ("Day", "Version", "Pages", "Tables"), rows)
    return SitePage(VERSIONS, "Versions", "versions", says, "CollectionPage", len(rows), (table,))


def place(source: Path, target: Path) -> None:
    """A second name for a file, or a copy where the disk knows none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    _link(source, target)


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _fresh(target: Path) -> Path:
    temporary = target.with_name(f".{target.name}.writing")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    return temporary


FILE = f"{FILES}/corrections.json"


def corrections(folder: Path, published: Path) -> list[Correction]:
    """All that are known: those kept in the folder of the site, and those of published versions not compared so far."""
    kept = _kept(folder / FILE)
    found = {_key(each): each for each in (Correction(**one) for one in kept["corrections"])}
    compared = {tuple(pair) for pair in kept["compared"]}
    for older, newer in pairs(published):
        if (older.name, newer.name) not in compared:
            compared.add((older.name, newer.name))
            found |= {_key(one): one for one in between(older, newer)}
    ordered = [found[key] for key in sorted(found)]
    told = {"compared": sorted(compared), "corrections": [asdict(one) for one in ordered]}
    (folder / FILE).parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps(told, ensure_ascii=False, indent=0)
    if not (folder / FILE).is_file() or (folder / FILE).read_text(encoding="utf-8") != content:
        (folder / FILE).write_text(content, encoding="utf-8")
    return ordered


def _key(one: Correction) -> tuple[str, ...]:
    return one.version, one.family, one.subject_id, one.figure, one.before


def _kept(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"compared": [], "corrections": []}
    return found
