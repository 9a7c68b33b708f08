"""The record as a folder of plain pages that any static host serves: a page for each thing, without script.

Pages are made of the rows of the declared questions, so their values are those of the other pages. A page says nothing
of the version, so it changes only with its rows: what did not change is not written again, and the same rows give the
same bytes. Text of others is escaped; only http links are links.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import html
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from warehouse.answers import claim_words, feeds, formats, news
from warehouse.answers.questions import SQL, plain, questions
from warehouse.read import Warehouse

MANIFEST, SECONDS = ".site.json", 600.0
LOOK = "1"  # changes with the form of the pages: all are then written anew
SAYS = "A public, dated, evidence-graded ledger of the AI-hardware market: every figure with who said it, and when."
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:64rem;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8886;padding:.3rem .6rem;text-align:left;"
    "vertical-align:top}small{opacity:.8}"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'">
<title>{title}</title><meta name="description" content="{says}"><link rel="canonical" href="{address}">
<meta property="og:title" content="{title}"><meta property="og:description" content="{says}">
<meta property="og:type" content="website"><meta property="og:url" content="{address}">
<style>{style}</style><script type="application/ld+json">{linked}</script></head>
<body><p><a href="{up}index.html">rackledger</a></p><main><h1>{title}</h1><p>{says}</p>
{body}</main><p><small>Data under CC BY 4.0; each figure names its source.</small></p></body></html>
"""
Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Site:
    """What was made: pages in all, pages written this time, files that went."""

    pages: int
    written: int
    gone: int


def write_site(warehouse_path: Path, folder: Path, root: str) -> Site:
    """Write the pages of a folder with the address `root` to be. Raises WarehouseMissing or WarehouseUnreadable."""
    folder.mkdir(parents=True, exist_ok=True)
    address = f"{root.rstrip('/')}/"
    held = _held(folder)
    with Warehouse(warehouse_path) as warehouse:
        things = _things(warehouse)
        digests = {f"thing/{name}.html": _digest(address, thing) for name, thing in things.items()}
        others = _others(warehouse, things, address)
    digests |= {name: _digest(content) for name, content in others.items()}
    stale = [name for name, digest in digests.items() if held.get(name) != digest or not (folder / name).is_file()]
    for name in stale:
        content = others.get(name) or _thing_page(things[name[len("thing/") : -len(".html")]], address)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    gone = [name for name in held if name not in digests and (folder / name).is_file()]
    for name in gone:
        (folder / name).unlink()
    (folder / MANIFEST).write_text(json.dumps(digests, sort_keys=True, indent=0), encoding="utf-8")
    return Site(len(digests), len(stale), len(gone))


def _held(folder: Path) -> dict[str, str]:
    """What the folder holds of ours, by digest; a name that is no path of a page is left alone."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(digest) for name, digest in found.items() if ".." not in name and not name.startswith("/")}


def _digest(*parts: Any) -> str:
    return hashlib.sha256(json.dumps([LOOK, *parts], sort_keys=True, default=str).encode()).hexdigest()


def _things(warehouse: Warehouse) -> dict[str, dict[str, Any]]:
    """Everything with a page by id: its name, kind, cells and promises, as known on the day of the build."""
    day = warehouse.publication.built_at.date()

    def ask(name: str, **given: Any) -> list[dict[str, Any]]:
        parameters = dict.fromkeys(questions()[name].parameters)
        return [plain(row) for row in warehouse.within(SECONDS, SQL[name], {**parameters, "as_of": day, **given})]

    entries = [row for row in warehouse.within(SECONDS, SQL["entries"], {}) if row["family"] == "thing"]
    page_of = {row["own_id"]: row["id"] for row in entries}
    named = {row["id"]: row for row in entries if row["own_id"] == row["id"]}
    cells: dict[str, list[dict[str, Any]]] = defaultdict(list)
    promises: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for kept, rows in ((cells, ask("sheet")), (promises, ask("promises"))):
        for row in rows:
            if row["subject_id"] in page_of:
                kept[page_of[row["subject_id"]]].append(row)
    known = sorted(name for name in {*cells, *promises} if name in named and formats.slug(name) == name)
    return {
        name: {
            "id": name,
            "name": named[name]["name"],
            "kind": named[name]["kind"],
            "cells": cells[name],
            "promises": promises[name],
        }
        for name in known
    }


def _others(warehouse: Warehouse, things: Mapping[str, Mapping[str, Any]], address: str) -> dict[str, str]:
    """The first page, the search index, the feeds, and what robots read."""
    today = warehouse.publication.built_at.date()
    entries = news.brief(warehouse.rows, today - dt.timedelta(days=news.BRIEF_DAYS), today)
    feed = feeds.Feed("rackledger: today", SAYS, address, "feeds/today.atom", "", today)
    addresses = "".join(f"<url><loc>{html.escape(address)}thing/{name}.html</loc></url>\n" for name in things)
    listed = [
        {"id": name, "name": each["name"], "kind": each["kind"], "href": f"thing/{name}.html"}
        for name, each in things.items()
    ]
    return {
        "index.html": _front(things, address),
        "search.json": json.dumps(listed, ensure_ascii=False, indent=0),
        "feeds/today.atom": feeds.atom(feed, entries or [feeds.nothing_new(today, today)]).decode(),
        "robots.txt": f"User-agent: *\nAllow: /\nSitemap: {address}sitemap.xml\n",
        "sitemap.xml": '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"<url><loc>{html.escape(address)}</loc></url>\n{addresses}</urlset>\n",
    }


def _front(things: Mapping[str, Mapping[str, Any]], address: str) -> str:
    by_kind: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for thing in things.values():
        by_kind[str(thing["kind"])].append(thing)
    parts = []
    for kind, found in sorted(by_kind.items()):
        found.sort(key=lambda each: str(each["name"]))
        items = "".join(_listed(thing) for thing in found)
        parts.append(f"<h2>{html.escape(kind.capitalize())}</h2><ul>{items}</ul>")
    linked = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": "rackledger",
        "description": SAYS,
        "url": address,
        "license": "https://creativecommons.org/licenses/by/4.0/",
    }
    return _page("rackledger", SAYS, address, linked, "\n".join(parts), up="")


def _listed(thing: Mapping[str, Any]) -> str:
    figures = f"<small>{len(thing['cells'])} figures</small>"
    return f'<li><a href="thing/{quote(str(thing["id"]))}.html">{html.escape(str(thing["name"]))}</a> {figures}</li>'


def _thing_page(thing: Mapping[str, Any], address: str) -> str:
    name = str(thing["name"])
    own = f"{address}thing/{quote(str(thing['id']))}.html"
    says = (
        f"What is stated of {name} ({thing['kind']}): {len(thing['cells'])} figures, each with who said it, and when."
    )
    linked = {"@context": "https://schema.org", "@type": "Product", "name": name, "category": thing["kind"], "url": own}
    parts = []
    if thing["cells"]:
        parts.append(
            _table(
                "What stands",
                ("Figure", "Standing value", "Evidence, who, when", "Source"),
                [_cell(row) for row in thing["cells"]],
            )
        )
    if thing["promises"]:
        parts.append(
            _table(
                "What was promised, what came",
                ("Stage", "State", "Evidence, who, when", "Source"),
                [_promise(row) for row in thing["promises"]],
            )
        )
    return _page(name, says, own, linked, "\n".join(parts), up="../")


def _cell(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    title = f"{row['metric_title'] or row['metric']}" + (f", {row['qualifiers']}" if row["qualifiers"] else "")
    return title, claim_words.standing_words(row), _told(row), str(row["url"] or "")


def _promise(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    stage = str(row["milestone"]).replace("_", " ") + (f", {row['variant']}" if row["variant"] else "")
    start, end = row["actual_start"] or row["latest_start"], row["actual_end"] or row["latest_end"]
    when = claim_words.period_words(start or end, end)
    return stage, f"{row['state']}{', ' + when if when else ''}", _told(row), str(row["url"] or "")


def _told(row: Mapping[str, Any]) -> str:
    day = row["stated_on"] or (f"by {row['stated_not_after']}" if row["stated_not_after"] else "undated")
    return f"{row['evidence']}: {row['claimant']}, {day}"


def _table(title: str, heads: Sequence[str], rows: Sequence[tuple[str, str, str, str]]) -> str:
    head = "".join(f'<th scope="col">{html.escape(each)}</th>' for each in heads)
    body = "".join(
        f"<tr>{''.join(f'<td>{html.escape(each)}</td>' for each in row[:3])}<td>{_link(row[3])}</td></tr>\n"
        for row in rows
    )
    return f"<h2>{html.escape(title)}</h2>\n<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


def _link(url: str) -> str:
    safe = formats.safe_url(url)
    return (
        f'<a href="{html.escape(safe)}" rel="noreferrer nofollow">{html.escape(formats.host(safe))}</a>' if safe else ""
    )


def _page(title: str, says: str, address: str, linked: Mapping[str, Any], body: str, *, up: str) -> str:
    """A whole page; in linked data no character can end its element."""
    data = json.dumps(linked, ensure_ascii=True).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    escaped = {name: html.escape(text) for name, text in (("title", title), ("says", says), ("address", address))}
    return _PAGE.format(**escaped, style=_STYLE, linked=data, body=body, up=up)
