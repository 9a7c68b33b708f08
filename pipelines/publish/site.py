"""The record as a folder of plain pages that any static host serves.

Pages are made of the rows of the declared questions, so their values are those of the other pages. A page says nothing
of the version, so it changes only with its rows: what did not change is not written again, and the same rows give the
same bytes. Former versions stay beside them (`site_versions`).
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import html
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelines.frozen import frozen
from pipelines.publish import site_versions
from pipelines.publish.site_links import led, places_of, search_files
from pipelines.publish.site_previews import FRONT, preview_file, with_previews
from warehouse.answers import feeds, news
from warehouse.answers.corrections import is_version
from warehouse.answers.formats import slug
from warehouse.answers.plain_html import SAYS, More, Own, PlainFile, SitePage, Table, front, path_of
from warehouse.answers.questions import SQL
from warehouse.answers.site_pages import SECONDS, pages
from warehouse.read import Warehouse

MANIFEST = ".site.json"
INDEX = "all"
LOOK = "7"  # changes with the form of the pages: all are then written anew


@frozen
class Site:
    """What was made: pages in all, pages written this time, files that went."""

    pages: int
    written: int
    gone: int


def write_site(
    warehouse_path: Path,
    folder: Path,
    root: str,
    elsewhere: Callable[[str], More] = lambda address: More(),
    app: str = "",
    published: Path | None = None,
) -> Site:
    """Write the pages of a folder with the address `root` to be. Raises WarehouseMissing or WarehouseUnreadable.

    `elsewhere` gives what is not made here, for that address: charts and lessons. `app` is the address of a dashboard
    with the same record: what has no page here is linked there. `published` is the folder of published versions: their
    tables become files of the site, and what was put right between two of them is told.
    """
    folder.mkdir(parents=True, exist_ok=True)
    address = f"{root.rstrip('/')}/"
    more = elsewhere(address)
    with Warehouse(warehouse_path) as warehouse:
        version = warehouse.publication.version
        found, others, files = _made(warehouse, folder, address, more, app, published)
    held = _held(folder)
    digests = {path: _digest(address, dataclasses.asdict(page)) for path, page in found.items()}
    digests |= {name: _digest(content) for name, content in others.items()}
    digests |= {file.path: _digest(file.made_of) for file in files}
    stale = {name for name, digest in digests.items() if held.get(name) != digest or not (folder / name).is_file()}
    for name in stale & others.keys():
        _write(folder / name, others[name].encode())
    for name in stale & found.keys():
        _write(folder / name, found[name].html(address).encode())
    for file in files:
        if file.path in stale:
            _put(folder / file.path, file)
    gone = [name for name in held if name not in digests and (folder / name).is_file()]
    stays = _let_go(folder, gone, held, address)
    (folder / MANIFEST).write_text(json.dumps(digests | stays, sort_keys=True, indent=0), encoding="utf-8")
    if is_version(version):
        site_versions.keep_pages(folder, version, digests)
    site_versions.forget(folder)
    return Site(len(digests), len(stale), len(gone) - len(stays))


def _let_go(folder: Path, gone: Iterable[str], held: Mapping[str, str], address: str) -> dict[str, str]:
    """Remove files that are no more; where a former version has the page, a page leads there, so that links hold."""
    stays = {}
    for name in gone:
        last = site_versions.last_with(folder, name)
        if not last:
            (folder / name).unlink()
            continue
        stays[name] = _digest(address, name, last)
        if held[name] != stays[name]:
            _write(folder / name, site_versions.gone_page(name, last).html(address).encode())
    return stays


def _made(
    warehouse: Warehouse, folder: Path, address: str, more: More, app: str, published: Path | None
) -> tuple[dict[str, SitePage], dict[str, str], list[PlainFile]]:
    """All pages by path, the texts beside them by path, and all other files."""
    version = warehouse.publication.version
    if published is not None:
        site_versions.keep_tables(folder, published)
    put_right = site_versions.corrections(folder, published) if published is not None else []
    made = [*pages(warehouse.within, warehouse.publication.built_at.date(), put_right), *more.pages]
    entries, named = (warehouse.within(SECONDS, SQL[name], {}) for name in ("entries", "named"))
    places = places_of(made, entries, more.places)
    made = [dataclasses.replace(page, prose=led(page.prose, places, "../", app)) for page in made]
    made, previews = with_previews(made, address)
    indexes = index_pages(made)
    lead = dataclasses.replace(more.lead, body=led(more.lead.body, places, "", app))
    aside = [*more.aside, site_versions.list_page(folder, version)]
    found = {page.path: page for page in [*made, *indexes, *aside]}
    listed = [*made, *indexes]
    others = _others(warehouse, listed, address, places) | {"index.html": front(indexes, address, lead, FRONT)}
    tables = site_versions.newest_tables(published, version) if published is not None else []
    ours = [preview_file(FRONT, ("rackledger", "", ((SAYS, ""),), address)), *search_files(named, made, places)]
    return found, others, [*more.files, *previews, *ours, *tables]


def _put(path: Path, file: PlainFile) -> None:
    if file.source is None:
        _write(path, file.content())
    else:
        site_versions.place(file.source, path)


def _write(path: Path, content: bytes) -> None:
    """Write a file anew: the one of before may be a former version's too, which keeps it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def _held(folder: Path) -> dict[str, str]:
    """What the folder holds of ours, by digest; a name that is no path of a page is left alone."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(digest) for name, digest in found.items() if ".." not in name and not name.startswith("/")}


def _digest(*parts: Any) -> str:
    return hashlib.sha256(json.dumps([LOOK, *parts], sort_keys=True, default=str).encode()).hexdigest()


def index_pages(pages: Iterable[SitePage]) -> list[SitePage]:
    """A page for each kind of page, with all of them by name."""
    by_kind: dict[str, list[SitePage]] = {}
    for page in sorted(pages, key=lambda each: (each.kind, each.name, each.path)):
        by_kind.setdefault(page.kind, []).append(page)
    return [
        SitePage(
            path_of(INDEX, slug(kind)),
            kind.capitalize(),
            INDEX,
            f"All pages of the kind {kind}: {len(held):,}, by name.",
            "CollectionPage",
            len(held),
            (
                Table(
                    "By name",
                    ("Name", "Rows"),
                    tuple((Own(page.name, page.path), f"{page.figures:,}") for page in held),
                ),
            ),
        )
        for kind, held in by_kind.items()
    ]


def _others(warehouse: Warehouse, found: Sequence[SitePage], address: str, places: Mapping[str, str]) -> dict[str, str]:
    """The search index, the feeds, and what robots read."""
    today = warehouse.publication.built_at.date()
    entries = news.brief(warehouse.rows, today - dt.timedelta(days=news.BRIEF_DAYS), today)
    rooms = {path: places.get(path.partition("?")[0], "") for path in (entry.path for entry in entries)}
    entries = [dataclasses.replace(entry, path=places.get(entry.path) or rooms[entry.path]) for entry in entries]
    entries = entries or [feeds.nothing_new(today, today)]
    forms = {"atom": feeds.atom, "json": feeds.json_feed}
    told = {
        name: form(feeds.Feed("rackledger: today", SAYS, address, name, "", today), entries).decode()
        for ending, form in forms.items()
        for name in [f"feeds/today.{ending}"]
    }
    addresses = "".join(f"<url><loc>{html.escape(address + page.path)}</loc></url>\n" for page in found)
    listed = [
        {"id": page.path.split("/")[-1].removesuffix(".html"), "name": page.name, "kind": page.kind, "href": page.path}
        for page in found
    ]
    return {
        "search.json": json.dumps(listed, ensure_ascii=False, indent=0),
        **told,
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {address}sitemap.xml\n",
        "sitemap.xml": '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"<url><loc>{html.escape(address)}</loc></url>\n{addresses}</urlset>\n",
    }
