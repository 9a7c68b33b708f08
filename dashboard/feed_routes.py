"""Feeds at addresses of their own: `/feeds/today.atom` and `/feeds/<thing>/<metric>.atom`, or `.json`. Read-only."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from dashboard.asked import published_ledger, root
from dashboard.components.page import SITE
from pipelines.settings import Settings
from warehouse.answers import feeds, formats
from warehouse.answers.feeds import Feed
from warehouse.answers.health import entries, health
from warehouse.answers.news import BRIEF_DAYS, NewsItem, brief, watch, watched
from warehouse.outcome import last

FORMS = {"atom": (feeds.atom, feeds.ATOM), "json": (feeds.json_feed, feeds.JSON)}
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_METRIC = re.compile(r"[a-z][a-z0-9_]{0,49}")


def feed_path(subject_id: str, metric: str, form: str = "atom") -> str:
    """The address of a figure's feed below the dashboard's root."""
    return f"feeds/{subject_id}/{metric}.{form}"


def serve_brief(request: Request) -> Response:
    """What is new in the last thirty days; a quiet time says so."""
    ledger = published_ledger()
    today = ledger.built_at.date()
    since = today - dt.timedelta(days=BRIEF_DAYS)
    entries = brief(ledger.records, since, today) or [feeds.nothing_new(today, since)]
    says = f"What is new in the ledger of the AI-hardware market, from {since} to {today}."
    feed = Feed(f"{SITE}: today", says, root(request), f"feeds/today.{_form(request)}", "", today)
    return _answer(request, feed, entries)


def serve_health(request: Request) -> Response:
    """A refused run, failing sources and what was set aside; a feed without entries says that all is well."""
    ledger, ending = published_ledger(), last(Settings().warehouse)
    found = entries(health(ledger.records), ending, ledger.built_at)
    feed = Feed(
        f"{SITE}: health",
        "Runs that were refused, sources that fail, and what was set aside. No entry: all is well.",
        root(request),
        f"feeds/health.{_form(request)}",
        "sources",
        ledger.built_at.date(),
    )
    return _answer(request, feed, found)


def serve_watch(request: Request) -> Response:
    """The changes of one figure in value or tag."""
    subject_id, metric = request.path_params["subject"], request.path_params["metric"]
    if not _NAME.fullmatch(subject_id) or not _METRIC.fullmatch(metric):
        return _missing()
    ledger = published_ledger()
    found = watched(ledger.records, subject_id, metric)
    if found is None:
        return _missing()
    today = ledger.built_at.date()
    feed = Feed(
        f"{SITE}: {found.subject}, {found.metric.lower()}",
        "An entry for each change in value or evidence; a page that is only seen again is no change.",
        root(request),
        feed_path(subject_id, metric, _form(request)),
        formats.page_address("thing", id=subject_id),
        today,
    )
    return _answer(request, feed, watch(ledger.records, subject_id, metric, today))


def _answer(request: Request, feed: Feed, entries: Sequence[NewsItem]) -> Response:
    write, kind = FORMS[_form(request)]
    content = write(feed, entries)
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {
        "ETag": tag,
        "Cache-Control": "public, max-age=300",
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
    }
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


def _form(request: Request) -> str:
    form = str(request.path_params["form"])
    if form not in FORMS:
        raise HTTPException(404)
    return form


def _missing() -> Response:
    return PlainTextResponse(
        "The ledger says nothing about this. A feed's address is /feeds/<thing>/<metric>.atom or .json, with the ids "
        "of the pages on things; /feeds/today.atom has everything new.\n",
        404,
    )
