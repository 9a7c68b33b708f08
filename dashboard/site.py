"""What the folder of plain pages takes from the dashboard: the first page with the cards of Today, a page a room,
and each card as a page with picture, rows, files and embed.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from altair.utils import schemapi
from streamlit.logger import get_logger

from dashboard import site_lessons, site_sql
from dashboard.cards import KnownCard, known_cards
from dashboard.components import bundle, images
from dashboard.components.board import list_html
from dashboard.components.share import FOLDER, embed_path, snippet
from dashboard.embeds import PICTURES, embed_page, frame_height, oembed
from dashboard.frame import board_style
from dashboard.lesson_book import lessons
from dashboard.navigation import sections
from dashboard.queries import Ledger
from dashboard.views import today
from warehouse.answers.formats import slug
from warehouse.answers.plain_html import ICON, Lead, More, Own, PlainFile, SitePage, path_of, picture_html

CARD, ROOM = "chart", "room"
SESSIONS = "streamlit.runtime.scriptrunner_utils.script_run_context"
FILES = "files/latest"  # stable addresses of the newest rows


def more_pages(warehouse: Path, address: str, app: str = "", published: Path = Path(), packages: Path = Path()) -> More:
    """The pages and files for a folder of this address. Raises WarehouseMissing or WarehouseUnreadable.

    `app` is the address of a dashboard with the same record, '' without one; `published` the folder of published
    versions; `packages` that of what `make site-sql` brought, where it was run.
    """
    get_logger(SESSIONS).disabled = True  # it would warn that nobody looks on while charts are made
    schemapi.disable_debug_mode()  # the tests check charts against Vega-Lite's schema; it takes as long as drawing them
    ledger = Ledger(warehouse)
    cards = known_cards(ledger)
    pages = [_page(card, address) for card in cards]
    rooms = room_pages(cards, {card.id: _small(card, "h2") for card in cards})
    in_lessons = {card.id: _small(card, "h3") for card in cards}
    learn = [*site_lessons.lesson_pages(ledger, in_lessons), site_lessons.glossary_page(ledger)]
    files = tuple(file for card in cards for file in _files(card, address, app))
    icon = (Path(__file__).parent / ICON).read_bytes()
    tables = [path.stem for path in sorted((published / ledger.version).glob("*.*.parquet"))]
    sql, engine = site_sql.sql_page(ledger, tables, packages, address)
    front = lead(ledger, cards, {card.id: _path(card) for card in cards})
    return More(
        (*pages, *rooms, *learn),
        (sql,),
        (*files, *engine, PlainFile(ICON, str(icon), lambda: icon)),
        front,
        places(cards) | site_lessons.places(),
    )


def _path(card: KnownCard) -> str:
    return path_of(CARD, card.id)


def _pictures(card: KnownCard) -> tuple[str, str]:
    wide, narrow = (f"{embed_path(card.id)}{name}" for name in PICTURES)
    return wide, narrow


def _page(card: KnownCard, address: str) -> SitePage:
    """A card with its picture, its rows and its files."""
    links = [Own(f"Rows as {ending.upper()}", f"{FILES}/{card.id}.{ending}") for ending in ("csv", "json", "parquet")]
    prints = [Own(f"For print, {ending.upper()}", f"{embed_path(card.id)}print.{ending}") for ending in ("svg", "png")]
    lessons = [Own("The lesson on this", path_of(site_lessons.LESSON, card.meta.lesson))] if card.meta.lesson else []
    picture = card.picture(_pictures(card))
    return SitePage(
        _path(card),
        card.meta.title,
        CARD,
        f"{card.meta.subtitle} {card.meta.how_to_read}",
        "Dataset",
        len(card.rows),
        (card.table(),),
        picture=replace(picture, links=(*links, *prints, *lessons)),
        image=f"{embed_path(card.id)}print.png",
        oembed=f"oembed/{card.id}.json",
        copy=snippet(card.id, card.meta.title, frame_height(card), address),
    )


def _small(card: KnownCard, heading: str) -> str:
    """Title, question and picture on the page of a room or a lesson, with the way to the card."""
    whole = Own("Rows, sources, files", _path(card))
    picture = card.picture(_pictures(card))
    drawn = picture_html(replace(picture, foot=(card.dated(),), links=(whole,)), "../")
    title, says = html.escape(card.meta.title), html.escape(card.meta.subtitle)
    return f"<section><{heading}>{title}</{heading}><p>{says}</p>{drawn}</section>"


def _files(card: KnownCard, address: str, app: str = "") -> list[PlainFile]:
    """Pictures, rows, the page for others' pages and its description, each with what it is made of."""
    meta, rows, line, drawn = card.meta, card.rows, card.prepared.line, card.made_of()
    words = images.Words(meta, line, card.dated(), f"{address}{_path(card)}")
    there = f"{app}{card.page}#{card.id.replace('_', '-')}" if app else ""
    page = embed_page(card, f"{address}{_path(card)}", f"{address}oembed/{card.id}.json", elsewhere=there)
    described = json.dumps(oembed(card, address), ensure_ascii=False, indent=0).encode()
    csv = bundle.csv_bytes(rows)
    in_print = f"{drawn}{words!r}"
    chart, folder, kept = card.prepared.chart, f"{FOLDER}/{card.id}", str(csv)
    return [
        PlainFile(f"{folder}/index.html", str(page), lambda: page),
        PlainFile(f"oembed/{card.id}.json", str(described), lambda: described),
        *(
            PlainFile(f"{folder}/{name}", f"{drawn}{size}", partial(images.screen, chart, size))
            for name, size in zip(PICTURES, card.sizes, strict=True)
        ),
        PlainFile(f"{folder}/print.svg", in_print, partial(images.svg, chart, words)),
        PlainFile(f"{folder}/print.png", in_print, partial(images.png, chart, words)),
        PlainFile(f"{FILES}/{card.id}.csv", kept, lambda: csv),
        PlainFile(f"{FILES}/{card.id}.json", f"{kept}{meta!r}{line}", partial(bundle.json_bytes, meta, rows, line)),
        PlainFile(f"{FILES}/{card.id}.parquet", kept, partial(bundle.parquet_bytes, rows)),
    ]


def lead(ledger: Ledger, cards: Sequence[KnownCard], chart_paths: dict[str, str]) -> Lead:
    """What stands above the lists of the first page: `chart_paths` says where each card's page stands."""
    day = ledger.built_at.date()
    findings = "".join(today.board(ledger, day))
    rooms = "".join(
        list_html(room, "", [("", card.meta.title, "", "", False, chart_paths[card.id]) for card in held],
                  foot=f'<p class="foot"><a class="room" href="./{room_path(room)}">All of {html.escape(room)}</a></p>',
                  kind="charts")
        for room, held in by_room(cards).items()
    )  # fmt: skip
    rooms += _learn()
    body = f'<div class="board">{findings}</div><h2>Rooms</h2><div class="board">{rooms}</div>'
    return Lead(today.WORDS.heading, f"{today.WORDS.says} As known on {day:%-d %B %Y}.", body, board_style() + _FRONT)


def _learn() -> str:
    titles = [("", lesson.front.title, "", "", False, path_of("lesson", name)) for name, lesson in lessons().items()]
    foot = '<p class="foot"><a class="room" href="./glossary">Glossary</a></p>'
    says = "Lessons: every figure in them is a dated statement."
    return list_html("Learn", says, titles, foot=foot, kind="charts wide")


_FRONT = (
    "body{max-width:1240px;background:var(--ground);color:var(--ink)}a{color:var(--link)}"
    ".board .charts .lines li{display:block}.board .charts .lines :is(time,b,span:empty){display:none}"
    ".board .charts.wide ul{columns:2 24rem}"
    ".kinds{display:flex;flex-wrap:wrap;gap:.4rem 1.4rem;padding:0;list-style:none}"
)


def by_room(cards: Sequence[KnownCard]) -> dict[str, list[KnownCard]]:
    """The cards of each room that has any, rooms and cards in the order of the menu."""
    held = {
        room: [card for page in pages for card in cards if card.page == page.path]
        for room, pages in sections().items()
    }  # fmt: skip
    return {room: found for room, found in held.items() if found}


def room_path(room: str) -> str:
    """Where the page of a room stands."""
    return path_of(ROOM, slug(room))


def places(cards: Sequence[KnownCard]) -> dict[str, str]:
    """By address in the dashboard, where the room of a page stands; only rooms that have charts have a page."""
    held = by_room(cards)
    return {page.path: room_path(room) for room in held for page in sections()[room]}


def room_pages(cards: Sequence[KnownCard], picture_of: dict[str, str]) -> list[SitePage]:
    """A page a room: every chart of it with its words; `picture_of` is each card with picture and words as HTML."""
    return [
        SitePage(
            room_path(room),
            room,
            ROOM,
            f"{room}: {len(held)} {'chart' if len(held) == 1 else 'charts'}, each with its rows and who said them.",
            "CollectionPage",
            len(held),
            (),
            prose="".join(picture_of[card.id] for card in held),
        )
        for room, held in by_room(cards).items()
    ]
