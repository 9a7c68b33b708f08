"""A card as others put it into their pages: a page without a frame around it, its description as oEmbed, what to paste.

The same page serves the folder of plain files and the dashboard: all of its links are relative.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Any

from dashboard.cards import KnownCard
from dashboard.charts.theme import ink_pair
from dashboard.components.share import MESSAGE, ROOM_FOR_WORDS, snippet
from warehouse.answers.plain_html import ICON, NARROW_BELOW, oembed_link, picture_html


def _file(name: str) -> str:
    """A template beside the site's scripts, in one line."""
    return "".join((Path(__file__).parent / "site_scripts" / name).read_text(encoding="utf-8").splitlines())


PICTURES = ("wide.svg", "narrow.svg")
# `?theme=light` or `?theme=dark` fixes the theme, else it is the reader's; whoever embeds is told each new height.
# A plain file stands for the chart's first choices: asked for others it says so, and leads to where they are shown.
SCRIPT = Template(_file("embed.js")).substitute(message=MESSAGE)
POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; script-src 'sha256-"
    f"{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
)


def embed_page(
    card: KnownCard,
    whole: str,
    oembed: str,
    *,
    said: Sequence[str] = (),
    query: str = "",
    elsewhere: str | None = None,
) -> bytes:
    """The page, for a folder of its own with the two pictures in it.

    `whole` is the address of the card with all that belongs to it, `oembed` that of its description. `said` are
    sentences on the state shown, `query` is that state. A plain file has one state only: `elsewhere` is then where a
    dashboard shows others, '' without one.
    """
    wide, narrow = (f"{name}?{query}" if query else name for name in PICTURES)
    told = "".join(f"<p>{html.escape(each)}</p>" for each in said) + (
        _asked(elsewhere) if elsewhere is not None else ""
    )
    title, says = html.escape(card.meta.title), html.escape(card.meta.subtitle)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>{title} · rackledger</title>'
        f'<link rel="icon" type="image/svg+xml" href="../../{ICON}">'
        f'<link rel="canonical" href="{html.escape(whole)}">{oembed_link(oembed, card.meta.title)}'
        f"<style>{_style()}</style></head><body><h1>{title}</h1><p>{says}</p>{told}"
        f"{picture_html(card.picture((wide, narrow)), '')}"
        f'<p><a href="{html.escape(whole)}" target="_blank" rel="noopener">The chart with its rows and sources</a></p>'
        f"<script>{SCRIPT}</script></body></html>\n"
    ).encode()


def _asked(elsewhere: str) -> str:
    """What a plain file says where another state was asked for; without scripts nobody sees which was."""
    words = "Shown with its first choices, not with those of this address."
    link = f'<a href="{html.escape(elsewhere)}" target="_blank" rel="noopener">Show the chart with them</a>'
    return f'<p id="asked" hidden>{words} {link if elsewhere else ""}</p>'


def _style() -> str:
    inks = {name: "light-dark({},{})".format(*ink_pair(name)) for name in ("text", "second", "card", "link")}
    return Template(_file("embed.css")).substitute(inks, narrow=NARROW_BELOW)


def frame_height(card: KnownCard) -> int:
    """A height that fits before the page has said its own."""
    return card.sizes[0][1] + ROOM_FOR_WORDS


def oembed(
    card: KnownCard, root: str, most: tuple[int | None, int | None] = (None, None), query: str = ""
) -> dict[str, Any]:
    """The description of a card (oembed.com 1.0, type rich), no wider and higher than asked for."""
    width, height = (
        min(size, limit) if limit else size
        for size, limit in zip((card.sizes[0][0], frame_height(card)), most, strict=True)
    )
    return {
        "version": "1.0",
        "type": "rich",
        "title": card.meta.title,
        "provider_name": "rackledger",
        "provider_url": root,
        "cache_age": 86_400,
        "width": width,
        "height": height,
        "html": snippet(card.id, card.meta.title, height, root, query),
    }
