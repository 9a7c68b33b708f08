"""The index of the site's search box: every page by any name that what it is about bears or bore.

It is cut by the first letter of its words, so that a question fetches one small file however many pages there are.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any

from warehouse.answers import formats
from warehouse.answers.plain_html import SEARCH_SCRIPT, PlainFile, SitePage, path_of

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
