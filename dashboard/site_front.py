"""The first page of the folder of plain pages, and a page a room: the cards of Today, then rooms with their charts."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dashboard.cards import KnownCard
from dashboard.components.board import list_html
from dashboard.frame import board_style
from dashboard.lesson_book import lessons
from dashboard.navigation import sections
from dashboard.queries import Ledger
from dashboard.views import today
from warehouse.answers.formats import slug
from warehouse.answers.plain_html import Lead, SitePage, path_of

ROOM = "room"


def lead(ledger: Ledger, cards: Sequence[KnownCard], chart_paths: dict[str, str]) -> Lead:
    """What stands above the lists of the first page: `chart_paths` says where each card's page stands."""
    day = ledger.built_at.date()
    findings = "".join(today.board(ledger, day))
    rooms = "".join(
        list_html(room, "", [("", card.meta.title, "", "", False, chart_paths[card.id]) for card in held],
                  foot=f'<p class="foot"><a class="room" href="./{room_path(room)}">All of {html.escape(room)}</a></p>')
        .replace('class="card"', 'class="card charts"', 1)
        for room, held in by_room(cards).items()
    )  # fmt: skip
    rooms += _learn()
    body = f'<div class="board">{findings}</div><h2>Rooms</h2><div class="board">{rooms}</div>'
    return Lead(today.WORDS.heading, f"{today.WORDS.says} As known on {day:%-d %B %Y}.", body, board_style() + _STYLE)


def _learn() -> str:
    titles = [("", lesson.front.title, "", "", False, path_of("lesson", name)) for name, lesson in lessons().items()]
    foot = '<p class="foot"><a class="room" href="./glossary">Glossary</a></p>'
    says = "Lessons: every figure in them is a dated statement."
    return list_html("Learn", says, titles, foot=foot).replace('class="card"', 'class="card charts wide"', 1)


_STYLE = (
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
