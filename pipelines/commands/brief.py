"""`rackledger brief`: what is new in the published ledger, as text or as a feed."""

from __future__ import annotations

import datetime as dt
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.commands import EXIT_USAGE
from pipelines.commands.terminal import fail, open_warehouse, out, read_day

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from warehouse.answers.news import NewsItem
    from warehouse.read import Warehouse


class Format(StrEnum):
    text = "text"
    json = "json"
    atom = "atom"
    markdown = "markdown"
    html = "html"


def brief(
    since: Annotated[str, typer.Option(help="From this day on, YYYY-MM-DD; default: thirty days.")] = "",
    until: Annotated[str, typer.Option(help="Up to this day; default: the day the ledger was built.")] = "",
    output: Annotated[Format, typer.Option("--format", "-f", help="How to print.")] = Format.text,
    root: Annotated[str, typer.Option(help="The dashboard's address, for links.")] = "",
    thing: Annotated[str, typer.Option(help="Only on this thing, by id or name.")] = "",
    maker: Annotated[str, typer.Option(help="Only on this maker, its things and its words.")] = "",
    topic: Annotated[str, typer.Option(help="Only entries whose kind or title holds these words, e.g. 'power'.")] = "",
) -> None:
    """Print what is new: promises moved, renames, disputes, benchmark rounds, prices, claims. A quiet time says so.

    Example: rackledger brief --since 2026-01-01 --format atom --root https://example.org/ > today.xml
    """
    from warehouse.answers import feeds, news

    with open_warehouse() as warehouse:
        last = read_day("--until", until) or warehouse.publication.built_at.date()
        first = read_day("--since", since) or last - dt.timedelta(days=news.BRIEF_DAYS)
        entries = news.only_about(news.brief(warehouse.rows, first, last), _ids(warehouse, thing, maker), topic)
        earlier = news.last_day(warehouse.rows, first) if not entries else None
    address = f"{root.rstrip('/')}/" if root else "http://127.0.0.1:8501/"
    if output is Format.text:
        _print(entries, first, last, earlier)
        return
    if output in (Format.markdown, Format.html):
        made = feeds.markdown if output is Format.markdown else feeds.page
        sys.stdout.write(made(f"rackledger: {first} to {last}", address, entries))
        return
    feed = feeds.Feed(
        "rackledger: brief",
        f"What is new from {first} to {last}.",
        address,
        f"feeds/today.{output.value}",
        "",
        last,
    )
    write = feeds.atom if output is Format.atom else feeds.json_feed
    sys.stdout.write(write(feed, entries or [feeds.nothing_new(last, first)]).decode() + "\n")


def _ids(warehouse: Warehouse, thing: str, maker: str) -> list[str]:
    """The ids that entries must be about; none where nothing was asked for."""
    from warehouse.answers.questions import SQL, Wrong, ids_of

    def ask(sql: str, named: Mapping[str, Any]) -> list[dict[str, Any]]:
        return warehouse.within(60.0, sql, named)

    try:
        ids = ids_of("thing", thing, ask) if thing else []
        makers = ids_of("organisation", maker, ask) if maker else []
    except Wrong as error:
        fail(str(error), EXIT_USAGE)
    return [*ids, *makers, *(str(row["id"]) for row in ask(SQL["made_by"], {"ids": makers}))] if makers else ids


def _print(entries: Sequence[NewsItem], first: dt.date, last: dt.date, earlier: dt.date | None) -> None:
    from warehouse.answers.news import by_day

    if not entries:
        before = f" What was stated last before that: --since {earlier}" if earlier else ""
        out.print(f"Nothing new was stated from {first} to {last}.{before}", markup=False, soft_wrap=True)
    for day, found in by_day(entries).items():
        out.print(f"\n{day}", markup=False, style="bold")
        for entry in found:
            out.print(f"  {entry.kind}: {entry.title}. {entry.words}", markup=False, soft_wrap=True)
