"""`rackledger brief`: what is new in the published ledger, as text or as a feed."""

from __future__ import annotations

import datetime as dt
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.commands.terminal import open_warehouse, out, read_day

if TYPE_CHECKING:
    from collections.abc import Sequence

    from warehouse.answers.news import NewsItem


class Format(StrEnum):
    text = "text"
    json = "json"
    atom = "atom"


def brief(
    since: Annotated[str, typer.Option(help="From this day on, YYYY-MM-DD; default: thirty days.")] = "",
    until: Annotated[str, typer.Option(help="Up to this day; default: the day the ledger was built.")] = "",
    output: Annotated[Format, typer.Option("--format", "-f", help="How to print.")] = Format.text,
    root: Annotated[str, typer.Option(help="The dashboard's address, for the links of a feed.")] = "",
) -> None:
    """Print what is new: promises moved, renames, disputes, benchmark rounds, prices, claims. A quiet time says so.

    Example: rackledger brief --since 2026-01-01 --format atom --root https://example.org/ > today.xml
    """
    from warehouse.answers import feeds, news

    with open_warehouse() as warehouse:
        last = read_day("--until", until) or warehouse.publication.built_at.date()
        first = read_day("--since", since) or last - dt.timedelta(days=news.BRIEF_DAYS)
        entries = news.brief(warehouse.rows, first, last)
    if output is Format.text:
        _print(entries, first, last)
        return
    feed = feeds.Feed(
        "rackledger: brief",
        f"What is new from {first} to {last}.",
        f"{root.rstrip('/')}/" if root else "http://127.0.0.1:8501/",
        f"feeds/today.{output.value}",
        "",
        last,
    )
    write = feeds.atom if output is Format.atom else feeds.json_feed
    sys.stdout.write(write(feed, entries or [feeds.nothing_new(last, first)]).decode() + "\n")


def _print(entries: Sequence[NewsItem], first: dt.date, last: dt.date) -> None:
    from warehouse.answers.news import by_day

    if not entries:
        out.print(f"Nothing new was stated from {first} to {last}.", markup=False)
    for day, found in by_day(entries).items():
        out.print(f"\n{day}", markup=False, style="bold")
        for entry in found:
            out.print(f"  {entry.kind}: {entry.title}. {entry.words}", markup=False, soft_wrap=True)
