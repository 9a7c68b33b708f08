"""Plain pages that need no script: text of others is escaped, only http links lead outside.

The one script of a page brings its search box to life; the page of SQL has one more.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pipelines.frozen import frozen
from warehouse.answers import formats

SAYS = "A public, dated, evidence-graded ledger of the AI-hardware market: every figure with who said it, and when."
_PAGE = Path(__file__).with_name("plain.html").read_text(encoding="utf-8")
_STYLE = "".join(map(str.strip, Path(__file__).with_name("plain.css").read_text(encoding="utf-8").splitlines()))
ICON = "icon.svg"  # comes with the charts
NARROW_BELOW = 720  # pixels of the window; below it a chart has its narrow layout
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "script-src 'self'{more}; connect-src 'self'"
)
_RUNS_DUCKDB = " 'wasm-unsafe-eval'; worker-src 'self'"  # of a page with a script of its own
SEARCH_SCRIPT = "search.js"
VERSIONS, SQL = "v/index.html", "data/sql.html"


@frozen
class Own:
    """A link to another page of the folder: its words and its path."""

    words: str
    path: str


@frozen
class Outside:
    """A link to somebody's page, shown by its host; no link where the address is none."""

    url: str


Cell = str | Own | Outside


@frozen
class Table:
    """A titled table; a cell is a text or a link. `claims` names each row by its claim where one row has it."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    claims: tuple[str, ...] = ()


@frozen
class Picture:
    """A chart drawn beforehand: the paths and sizes of its wide and narrow layout, its words, what stands below it."""

    paths: tuple[str, str]
    sizes: tuple[tuple[int, int], tuple[int, int]]
    alt: str
    foot: tuple[str, ...]
    links: tuple[Own, ...] = ()


@frozen
class PlainFile:
    """A file of the folder that is no page: what it is made of, so that it is made again only when that changed.

    Of one that lies ready elsewhere `source` says where: it gets a second name instead of a copy.
    """

    path: str
    made_of: str
    content: Callable[[], bytes]
    source: Path | None = None


@frozen
class Lead:
    """What the first page shows above its lists: heading, a sentence, HTML of our own, and the style of that."""

    title: str = "rackledger"
    says: str = SAYS
    body: str = ""
    style: str = ""


@frozen
class More:
    """Pages and files from elsewhere, what the first page shows, and by address in the dashboard the place here.

    Pages that stand `aside` are in no list of pages and in no former version.
    """

    pages: tuple[SitePage, ...] = ()
    aside: tuple[SitePage, ...] = ()
    files: tuple[PlainFile, ...] = ()
    lead: Lead = Lead()
    places: Mapping[str, str] = field(default_factory=dict)


@frozen
class SitePage:
    """A page of the folder: where it stands, what it is about and its tables. `figures` is what the first page says.

    `image` is the path of its preview, `oembed` of its description for those who embed it, `copy` what they paste;
    `prose` is HTML of our own writing, each figure in it escaped by its maker; `script` is the path of the module that
    the page runs beside its search.
    """

    path: str
    name: str
    kind: str
    says: str
    type: str  # of schema.org
    figures: int
    tables: tuple[Table, ...]
    picture: Picture | None = None
    image: str = ""
    oembed: str = ""
    copy: str = ""
    prose: str = ""
    script: str = ""

    def html(self, address: str) -> str:
        """The page for a folder with this address."""
        own = f"{address}{self.path}"
        linked = {"@context": "https://schema.org", "@type": self.type, "name": self.name, "url": own}
        shown = [picture_html(self.picture, "../")] if self.picture else []
        shown += [self.prose] if self.prose else []
        if self.copy:
            shown.append(f"<details><summary>Embed this chart</summary><pre>{html.escape(self.copy)}</pre></details>")
        body = "\n".join([*shown, *(table_html(table) for table in self.tables if table.rows)])
        more = [meta_image(f"{address}{self.image}")] if self.image else []
        more += [oembed_link(f"{address}{self.oembed}", self.name)] if self.oembed else []
        return _page(self.name, self.says, own, linked, body, up="../", more="".join(more), script=self.script)


def path_of(folder: str, name: str) -> str:
    """Where the page of an id stands."""
    return f"{folder}/{quote(name)}.html"


def picture_html(picture: Picture, up: str) -> str:
    """The chart as an image that keeps its place while it comes, with what stands below it."""
    (wide, narrow), sizes = picture.paths, [f'width="{width}" height="{height}"' for width, height in picture.sizes]
    lines = [html.escape(line) for line in picture.foot]
    links = [f'<a href="{up}{html.escape(each.path)}">{html.escape(each.words)}</a>' for each in picture.links]
    lines.append(" · ".join(links))
    return (
        f'<figure><picture><source media="(max-width:{NARROW_BELOW}px)" srcset="{up}{html.escape(narrow)}" {sizes[1]}>'
        f'<img src="{up}{html.escape(wide)}" {sizes[0]} alt="{html.escape(picture.alt)}"></picture>'
        f"<figcaption>{''.join(f'<p>{line}</p>' for line in lines if line)}</figcaption></figure>"
    )


def frame_html(up: str) -> str:
    """What stands above every page: the way home, what the folder holds beside its pages, the search box."""
    links = "".join(f'<a href="{up}{path}">{name}</a>' for name, path in (("SQL", SQL), ("Versions", VERSIONS)))
    return (
        f'<header><a href="{up}index.html"><b>rackledger</b></a>{links}'
        f'<div class="find" role="search" data-root="{up}"><input id="find" type="search" role="combobox" '
        'autocomplete="off" spellcheck="false" aria-expanded="false" aria-controls="found" aria-autocomplete="list" '
        'aria-label="Search things, organisations, benchmarks, figures, lessons" placeholder="Search">'
        '<div id="found" role="listbox" aria-label="Found" hidden></div>'
        '<span id="told" class="unseen" role="status"></span></div></header>'
    )


def meta_image(address: str) -> str:
    """The preview of a page as others show it."""
    large = '<meta name="twitter:card" content="summary_large_image">'
    return f'\n<meta property="og:image" content="{html.escape(address)}">{large}'


def oembed_link(address: str, title: str) -> str:
    """Where those who embed a page find how (oembed.com, section 4)."""
    where, what = html.escape(address), html.escape(title)
    return f'\n<link rel="alternate" type="application/json+oembed" href="{where}" title="{what}">'


def front(indexes: Iterable[SitePage], address: str, lead: Lead, image: str = "") -> str:
    """The first page: what leads, then the lists of all pages by kind; `image` is the path of its preview."""
    kinds = "".join(
        f'<li><a href="{html.escape(page.path)}">{html.escape(page.name)}</a> <small>{page.figures}</small></li>'
        for page in indexes
    )
    linked = {
        "@context": "https://schema.org", "@type": "Dataset", "name": "rackledger", "description": SAYS, "url": address,
        "license": "https://creativecommons.org/licenses/by/4.0/",
    }  # fmt: skip
    feed = '<p><a href="feeds/today.atom">What is new, as a feed</a> (<a href="feeds/today.json">JSON</a>)</p>'
    body = f'{lead.body}\n<h2>All pages</h2><ul class="kinds">{kinds}</ul>{feed}'
    more = '\n<link rel="alternate" type="application/atom+xml" href="feeds/today.atom" title="What is new">'
    more += meta_image(f"{address}{image}") if image else ""
    return _page(lead.title, lead.says, address, linked, body, up="", style=lead.style, more=more)


def table_html(table: Table, heading: str = "h2") -> str:
    """A table below its title."""
    head = "".join(f'<th scope="col">{html.escape(each)}</th>' for each in table.heads)
    names = table.claims or ("",) * len(table.rows)
    body = "".join(
        f"<tr{_anchor(name)}>{''.join(f'<td>{_cell(each)}</td>' for each in row)}</tr>\n"
        for name, row in zip(names, table.rows, strict=True)
    )
    title = html.escape(table.title)
    rows = f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"
    box = f'<div class="rows" role="region" tabindex="0" aria-label="{title}">{rows}</div>'
    return f"<{heading}>{title}</{heading}>\n{box}"


def _anchor(name: str) -> str:
    return f' id="{html.escape(name)}"' if name else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return html.escape(cell)
    if isinstance(cell, Own):
        return f'<a href="../{html.escape(cell.path)}">{html.escape(cell.words)}</a>'
    safe = formats.safe_url(cell.url)
    if not safe:
        return ""
    return f'<a href="{html.escape(safe)}" rel="noreferrer nofollow">{html.escape(formats.host(safe))}</a>'


def _page(
    title: str,
    says: str,
    address: str,
    linked: Mapping[str, Any],
    body: str,
    *,
    up: str,
    more: str = "",
    style: str = "",
    script: str = "",
) -> str:
    """A whole page; in linked data no character can end its element."""
    data = json.dumps(linked, ensure_ascii=True).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    escaped = {name: html.escape(text) for name, text in (("title", title), ("says", says), ("address", address))}
    scripts = f'<script src="{up}{SEARCH_SCRIPT}" defer></script>'
    scripts += f'<script type="module" src="{up}{html.escape(script)}"></script>' if script else ""
    policy = _POLICY.format(more=_RUNS_DUCKDB if script else "")
    return _PAGE.format(
        **escaped, policy=policy, icon=ICON, style=_STYLE + style, linked=data, body=body, up=up, more=more,
        frame=frame_html(up), scripts=scripts,
    )  # fmt: skip
