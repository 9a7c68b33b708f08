"""`rackledger brief` and `rackledger alerts`: what is new in the ledger, and what of it newly meets a rule."""

from __future__ import annotations

import datetime as dt
import json
import sys
from dataclasses import asdict
from email.message import EmailMessage
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import fail, load_settings, open_warehouse, out, read_day

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from warehouse.answers.news import NewsItem
    from warehouse.answers.rules import Alert
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


SECONDS = 60.0


def alerts(
    rules: Annotated[list[str], typer.Argument(help="Rules, e.g. 'B200 hour under 3 USD' 'any slip of Helios'.")],
    webhook: Annotated[str, typer.Option(help="An address of yours that is told by POST, as JSON.")] = "",
    mail: Annotated[Path | None, typer.Option(help="A file that gets the message in the form of e-mail.")] = None,
    root: Annotated[str, typer.Option(help="The dashboard's address, for links.")] = "http://127.0.0.1:8501/",
    again: Annotated[bool, typer.Option("--again", help="Tell also what was told before.")] = False,
) -> None:
    """Say what of the record newly meets a rule; what was told before is not told twice as long as it holds.

    Rules: "B200 hour under 3 USD" · "any slip of Helios" · "anything new on GB300 NVL72"
    """
    import orjson

    from pipelines import alarm

    found = _found(rules)
    state = load_settings().data / "alerts.json"
    told = set(json.loads(state.read_text(encoding="utf-8"))) if state.is_file() and not again else set()
    fresh = [each for each in found if each.id not in told]
    for each in fresh:
        out.print(f"{each.rule}: {each.words} {each.url}", markup=False, soft_wrap=True)
    if not fresh:
        out.print("Nothing new meets a rule.")
    if fresh and webhook:
        error = alarm.post(webhook, orjson.dumps({"alerts": [asdict(each) for each in fresh], "root": root}))
        if error:
            fail(f"The webhook could not be told: {error}", EXIT_FAILED)
    if fresh and mail is not None:
        mail.write_bytes(bytes(_message(fresh, root)))
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text(json.dumps(sorted(each.id for each in found)), encoding="utf-8")


def _found(texts: list[str]) -> list[Alert]:
    from warehouse.answers import rules
    from warehouse.answers.questions import Wrong

    try:
        asked = [rules.parse(text) for text in texts]
        with open_warehouse() as warehouse:
            today = warehouse.publication.built_at.date()
            return [
                each
                for rule in asked
                for each in rules.alerts(
                    rule, warehouse.rows, lambda sql, named: warehouse.within(SECONDS, sql, named), today
                )
            ]
    except (rules.RuleError, Wrong) as error:
        fail(str(error), EXIT_USAGE)


def _message(found: list[Alert], root: str) -> EmailMessage:
    """A message in plain text; a line break in outside text cannot add a header."""
    message = EmailMessage()
    message["Subject"] = f"rackledger: {len(found)} alerts" if len(found) > 1 else "rackledger: 1 alert"
    lines = [f"{each.rule}\n  {each.words}\n  {root.rstrip('/')}/{each.page}\n  {each.url}\n" for each in found]
    message.set_content("\n".join(lines))
    return message
