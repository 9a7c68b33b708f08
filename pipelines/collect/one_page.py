"""One address that a person asks for, through the door of every source: guarded, by robots.txt, within the caps."""

from __future__ import annotations

import datetime as dt
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import httpcore
from pydantic import ValidationError

from pipelines.archive.store import Archive
from pipelines.collect.ports import Clock, CollectSettings, Resolver
from pipelines.collect.run import collect
from pipelines.frozen import frozen
from pipelines.model.document import Document
from pipelines.parse.document import parse_document
from pipelines.source_model import Source


class PageError(Exception):
    """The address cannot be asked, or gave no page; the message says which."""


@frozen
class Ways:
    """How names are looked up and connections opened; the system's unless given."""

    resolver: Resolver | None = None
    dialler: httpcore.AsyncNetworkBackend | None = None


OWN_WAYS = Ways()


def read_page(url: str, settings: CollectSettings, clock: Clock, ways: Ways = OWN_WAYS) -> Document:
    """The document at an address; nothing of it is kept. Raises PageError and InputError."""
    source = _source(url)
    with (
        tempfile.TemporaryDirectory(prefix="page-", dir=settings.spool) as folder,
        Archive(Path(folder), run_stamp=f"{clock():%Y%m%dT%H%M%SZ}") as archive,
    ):
        report = collect(
            [source], archive, settings=settings, clock=clock, resolver=ways.resolver, dialler=ways.dialler
        )
        found = next((one for one in archive.captures(source.id) if 200 <= one.status < 300), None)
        if found is None:
            failures = [failure for row in report.rows for failure in row.failures]
            detail = failures[0].detail if failures else report.line or "it gave nothing"
            raise PageError(f"{url}: {detail}")
        return parse_document(
            archive.payload(found), media_type=found.media_type or None, charset=found.charset_hint,
            url=found.final_url, captured_at=found.captured_at.astimezone(dt.UTC),
        )  # fmt: skip


def _source(url: str) -> Source:
    """The address as a source of one page; its host alone is allowed."""
    try:
        host = urlsplit(url).hostname or ""
        return Source.model_validate({
            "id": "asked", "title": url, "publisher": "unknown", "producer": host, "group": "press", "layer": "all",
            "signals": ["roadmap"], "kind": "page", "parser": "html", "evidence": "unverified", "status": "active",
            "allowed_hosts": [host, host.removeprefix("www.")] if host.startswith("www.") else [host, f"www.{host}"],
            "urls": [url.partition("#")[0]], "cadence": "1d", "terms": "asked for by hand", "licence": "unknown",
        })  # fmt: skip
    except (ValidationError, ValueError) as error:
        raise PageError(f"{url}: no address that can be asked") from error
