"""The frame of every page: brand, menu, tabs of the room and search box. Plain HTML around Streamlit's page.

It stands in the page that the server sends, so that it is there before anything runs and never moves. `frame.js` turns
links between pages into steps of Streamlit's own history and asks `search.json`.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from functools import lru_cache
from pathlib import Path
from string import Template

from dashboard.addresses import BESIDE, PLAIN
from dashboard.navigation import PageEntry, page_entries, sections
from dashboard.palette import palette_file

FILES = {"frame.css": "text/css; charset=utf-8", "frame.js": "text/javascript; charset=utf-8"}
HINT = "Find a chip, rack, company, benchmark"
_FONT = re.compile(r"static/media/SourceSansVF-Upright[^\"]*woff2")


@lru_cache(maxsize=len(FILES))
def file_bytes(name: str) -> bytes:
    """A file of the frame; the stylesheet begins with palette and cards. Raises KeyError for any other name."""
    FILES[name]
    content = Path(__file__).with_name(name).read_bytes()
    return board_style().encode() + content if name == "frame.css" else content


def board_style() -> str:
    """What cards, small charts and sheets in plain HTML look like, wherever they stand: the palette and the rules."""
    return colours() + Path(__file__).with_name("board.css").read_text(encoding="utf-8")


def card_style() -> str:
    """What cards, tables and their words look like, the same before and after anything is drawn; for a page's head."""
    _, *lines = Path(__file__).with_name("cards.css").read_text(encoding="utf-8").splitlines()
    file = palette_file()
    inks = {name: "light-dark({},{})".format(*pair) for name, pair in (file["inks"] | file["page"]).items()}
    return Template("".join(lines)).substitute(inks)


def colours() -> str:
    """The palette as CSS: `--c-` and a maker's or generation's id, `--i-` and an ink's; each for both grounds."""
    file = palette_file()
    named = {f"c-{name}": pair for group in ("generations", "makers") for name, pair in file[group].items()}
    named |= {"c-other": file["other"]} | {f"i-{name}": pair for name, pair in (file["inks"] | file["page"]).items()}
    return f":root{{{''.join(f'--{name}:light-dark({light},{dark});' for name, (light, dark) in named.items())}}}\n"


def head(index: str) -> str:
    """What every page's head loads, by addresses that change with their content."""
    font = _FONT.search(index)
    face = (
        f'<style>@font-face{{font-family:"Source Sans";src:url("./{font[0]}") format("woff2");font-weight:200 900}}'
        "</style>\n    "
        if font
        else ""
    )
    return (
        f'{face}<link rel="stylesheet" href="./{_versioned("frame.css")}" />\n    '
        f'<script defer src="./{_versioned("frame.js")}"></script>'
    )


def _versioned(name: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(file_bytes(name)).digest()).decode()[:10]
    return f"{name}?v={digest}"


def header(entry: PageEntry | None, site: str) -> str:
    """Brand, menu, search box, and the tabs of each room; those of the page's own room are shown."""
    here = entry.section if entry else sections_first()
    rooms = "".join(_room(name, entries[0], name == here) for name, entries in sections().items())
    return (
        f'<header id="frame" data-pages="{html.escape(" ".join(each.path for each in page_entries()))}" '
        f'data-plain="{html.escape(" ".join(PLAIN))}">'
        f'<a class="brand" href="./">{html.escape(site)}</a><nav class="rooms" aria-label="Rooms">{rooms}</nav>'
        f'<div class="find" role="search"><input id="find" type="search" role="combobox" aria-label="{HINT}" '
        f'placeholder="{HINT}" aria-expanded="false" aria-controls="found" aria-autocomplete="list" '
        'aria-keyshortcuts="/" autocomplete="off" spellcheck="false" maxlength="100" /><kbd aria-hidden="true">/</kbd>'
        '<div id="found" role="listbox" aria-label="Offers" hidden></div></div>'
        f"{_tabs(here, entry)}</header>"
    )


def sections_first() -> str:
    """The room that opens without an address."""
    return next(iter(sections()))


def _room(name: str, first: PageEntry, is_here: bool) -> str:
    current = ' aria-current="true"' if is_here else ""
    beside = ' class="beside"' if name == BESIDE[0] else ""
    return f'<a href="{_href(first)}" data-room="{html.escape(name)}"{beside}{current}>{html.escape(name)}</a>'


def _tabs(here: str, entry: PageEntry | None) -> str:
    groups = []
    for name, entries in sections().items():
        if len(entries) > 1:
            hidden = "" if name == here else " hidden"
            links = "".join(_tab(each, entry is not None and each.path == entry.path) for each in entries)
            label = html.escape(f"Pages of {name}")
            groups.append(
                f'<nav class="tabs" data-room="{html.escape(name)}" aria-label="{label}"{hidden}>{links}</nav>'
            )
    return "".join(groups)


def _tab(entry: PageEntry, is_here: bool) -> str:
    current = ' aria-current="page"' if is_here else ""
    return f'<a href="{_href(entry)}"{current}>{html.escape(entry.title)}</a>'


def _href(entry: PageEntry) -> str:
    return "./" if entry is page_entries()[0] else f"./{entry.path}"
