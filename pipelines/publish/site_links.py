"""What leads to a page of the site: links of the dashboard, and the index of the site's search box.

A link leads to the page of the same, else to the dashboard, else nowhere. The index has every page by any name that
what it is about bears or bore, cut by the first letter of its words, so that a question fetches one small file.
"""

from __future__ import annotations

import html
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any

from warehouse.answers import formats
from warehouse.answers.corrections import BENCHMARK, ORGANISATION, THING
from warehouse.answers.plain_html import SEARCH_SCRIPT, PlainFile, SitePage, path_of
from warehouse.answers.site_pages import links_to

# A link that is relative and leads to no file: an address of the dashboard. Links of ours hold no links.
_LINK = re.compile(r'<a ([^>]*?)href="(?:\./)?(?![a-z]+:|\.\./)([^"#]*)(#[^"]*)?"([^>]*)>(.*?)</a>', re.DOTALL)


def places_of(
    pages: Iterable[SitePage], entries: Iterable[Mapping[str, Any]], others: Mapping[str, str]
) -> dict[str, str]:
    """By address in the dashboard, the path of the page: things with their variants, organisations, and claims.

    A claim stands in a row of the page of its thing. `others` has what comes from elsewhere.
    """
    held = {page.path: page for page in pages}
    found = {formats.page_address("thing", id=name): own.path for name, own in links_to(held.values(), entries).items()}
    for address, kind in (("org", ORGANISATION), ("benchmark", BENCHMARK)):
        found |= {
            formats.page_address(address, id=Path(path).stem): path for path in held if path.startswith(f"{kind}/")
        }
    for path, page in held.items():
        if path.startswith(f"{THING}/"):
            claims = (name for table in page.tables for name in table.claims if name)
            found |= {formats.page_address("evidence", claim=name): f"{path}#{name}" for name in claims}
    return found | dict(others)


def led(text: str, places: Mapping[str, str], up: str, app: str) -> str:
    """HTML of our own, every link of the dashboard led to where it stands here; `app` is the dashboard's address."""

    def lead(link: re.Match[str]) -> str:
        before, address, spot, after, words = link.groups(default="")
        target = html.unescape(address)
        if target.endswith(".html"):
            place = f"{up}{target}{spot}"
        elif target in places:
            place = f"{up}{places[target]}{'' if '#' in places[target] else spot}"
        elif app:
            place = f"{app}{target}{spot}"
        else:
            return words
        return f'<a {before}href="{html.escape(place)}"{after}>{words}</a>'

    return _LINK.sub(lead, text)


SHELVES = (*digits, *ascii_lowercase, "other")
FOUND_KINDS = ("lesson", "chart")  # pages beside those of named things
PAGE_OF = {"organisation": "org", "benchmark": "benchmark"}
METRIC, GLOSSARY = "metric", path_of("learn", "glossary")
METRIC_WEIGHT, LESSON_WEIGHT = 30, 3  # as in the dashboard: metrics before what merely has the word in its name
_WORD = re.compile(r"[^\W_]+")
Row = Mapping[str, Any]


def search_files(named: Iterable[Row], pages: Sequence[SitePage], places: Mapping[str, str]) -> list[PlainFile]:
    """The script and the shelves; `named` are all names of the registry, `places` where each has its page."""
    shelves: dict[str, list[dict[str, Any]]] = {name: [] for name in SHELVES}
    for entry in entries(named, pages, places):
        words = {shelf_of(word) for name in (entry["name"], entry["kind"], *entry["names"]) for word in words_of(name)}
        for name in words:
            shelves[name].append(entry)
    script = (Path(__file__).parent / "scripts" / SEARCH_SCRIPT).read_bytes()
    return [_file(SEARCH_SCRIPT, script)] + [
        _file(f"search/{name}.json", json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode())
        for name, held in shelves.items()
    ]


def entries(named: Iterable[Row], pages: Sequence[SitePage], places: Mapping[str, str]) -> list[dict[str, Any]]:
    """What can be found: name, kind, path, other names, and how much is known; by path, then by name."""
    held = {page.path for page in pages}
    others: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    weight: dict[tuple[str, str, str], int] = {}
    for row in named:
        kind, name = str(row["kind"]), str(row["name"])
        path = _path_of(kind, str(row["id"]), places, held)
        if path:
            key = (path, name, kind)
            others[key] |= {str(row["id"]), *map(str, row["names"]), *([str(row["says"])] if row["says"] else [])} - {
                name
            }
            weight[key] = METRIC_WEIGHT if kind == METRIC else int(row["weight"])
    for page in pages:
        if page.kind in FOUND_KINDS:
            key = (page.path, page.name, page.kind)
            others[key], weight[key] = {page.path.rpartition("/")[2].removesuffix(".html")}, LESSON_WEIGHT
    return [
        {"name": key[1], "kind": key[2], "href": key[0], "names": sorted(others[key]), "weight": weight[key]}
        for key in sorted(weight)
    ]


def _path_of(kind: str, name: str, places: Mapping[str, str], held: set[str]) -> str:
    if kind == METRIC:
        return f"{GLOSSARY}#{name}" if GLOSSARY in held else ""
    return places.get(formats.page_address(PAGE_OF.get(kind, "thing"), id=name), "")


def words_of(text: str) -> list[str]:
    """The words of a text, letters and digits, in lower case; the script cuts questions alike."""
    return _WORD.findall(text.lower())


def shelf_of(word: str) -> str:
    """The shelf that a word stands on."""
    return word[0] if word[0] in SHELVES else "other"


def _file(path: str, content: bytes) -> PlainFile:
    return PlainFile(path, content.decode(), lambda: content)
