"""Who lives in the world: about sixty hosts of every kind of source, and what goes wrong with whom, and when."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import yaml

from tests import rounds
from tests.simulation import pages
from tests.simulation.internet import HTML, Fault, Host, Page, Says, zipped
from tests.unit.parse.pdf_writer import Put, write_pdf

CAP = 1_000_000
# Price changes that the world plants: from this day on, this price of an H100 in US dollars an hour.
PRICES = ((1, 3.00), (4, 2.80), (9, 2.95), (16, 2.10), (21, 1.90))
# A promise that the world moves: the day it is said on, and the month it is for.
MOVED_ON = 12
PROMISES = ((1, dt.date(2026, 10, 1)), (MOVED_ON, dt.date(2027, 3, 1)))
BOMB = gzip.compress(b"\0" * 40_000_000, 9, mtime=0)
ZIPPED_BOMB = Says(BOMB, kind=HTML, headers={"Content-Encoding": "gzip"}, manner="bomb")
GITHUB = "github.com"


def price_on(day: int) -> float:
    """What an H100 costs on a day."""
    return [price for first, price in PRICES if first <= day][-1]


def entry(source_id: str, host: str, path: str, *, is_tls: bool = False, **more: Any) -> dict[str, Any]:
    """An entry of the list of sources."""
    made: dict[str, Any] = {
        "title": f"{host} {source_id}",
        "publisher": "nvidia",
        "producer": "Example",
        "licence": "CC BY 4.0",
        "group": "press",
        "layer": "vendor",
        "signals": ["roadmap"],
        "kind": "page",
        "parser": "html",
        "evidence": "reported",
        "status": "active",
        "allowed_hosts": [host],
        "cadence": "1d",
        "terms": "made up",
        "urls": [f"{'https' if is_tls else 'http'}://{host}{path}"],
        "page_url": f"https://{host}/",
        "politeness": {"delay_s": 0.0, "max_new_items": 5},
        "size_cap_bytes": CAP,
    }
    return made | more


def _host(name: str, path: str, page: Page, *faults: Fault, is_tls: bool = False, **more: Any) -> Host:
    source_id, host = name.replace("-", "_"), f"{name}.example"
    described = entry(source_id, host, path, is_tls=is_tls, **more)
    return Host(host, source_id, described, {path: page}, faults=list(faults), is_tls=is_tls)


Feed = Callable[[str, range], Says]


def newsroom(name: str, feed: Feed, *faults: Fault, every: int = 3, kind: str = "feed", **more: Any) -> Host:
    """A host that publishes an article every few days, and shows the last few of them."""
    host = f"{name}.example"
    shown = {} if kind == "feed" else {"items": {"include": "/news/\\d+$"}, "parser": "html"}
    made = _host(
        name,
        "/feed",
        lambda day: feed(host, _issues(day, every)),
        *faults,
        kind=kind,
        **({"parser": "feed"} | shown | more),
    )

    def item(path: str, day: int) -> Says | None:
        number = path.removeprefix("/news/")
        return pages.article(host, min(int(number), day)) if number.isdigit() else None

    made.more = item
    return made


def _issues(day: int, every: int) -> range:
    """The days whose articles are shown: the last four issues, the first one always."""
    newest = (day - 1) // every * every + 1
    return range(max(1, newest - 3 * every), newest + 1, every)


def _faulty(name: str, verdict: str, reason: str, says: Says | Callable[[Says], Says], **more: Any) -> Fault:
    return Fault(name, more.pop("first", 3), more.pop("last", 5), says, verdict, reason, **more)


def _status(number: int, **headers: str) -> Says:
    return Says(b"no", number, "text/plain", {key.replace("_", "-"): value for key, value in headers.items()})


def _cut(said: Says) -> Says:
    return replace(said, manner="cut")


def _elsewhere(location: str) -> Says:
    return Says(b"", 302, "text/plain", {"Location": location})


def newsrooms() -> list[Host]:
    """Feeds, listings and sitemaps, with what happens to such."""
    flood = lambda said: pages.rss("floods.example", range(1, 601))  # noqa: E731
    return [
        newsroom("daily-news", pages.rss, every=1),
        newsroom("daily-atom", pages.atom, every=1),
        newsroom("weekly-json", pages.json_feed, every=7, cadence="7d"),
        newsroom("maps", pages.sitemap, kind="listing"),
        newsroom("lists", pages.listing, kind="listing"),
        newsroom("quiet-house", lambda host, _: pages.rss(host, range(1, 2)), expected={"newest_within": "10d"}),
        newsroom(
            "drained",
            pages.rss,
            _faulty(
                "empty feed",
                "failing",
                "document_empty",
                Says(b'<rss version="2.0"><channel><title>x</title></channel></rss>', kind="application/rss+xml"),
                first=8,
                last=10,
            ),
        ),
        newsroom(
            "walled",
            pages.rss,
            _faulty("items answer 403", "failing", "http_status", _status(403), path="/news/", first=7, last=12),
        ),
        newsroom(
            "floods", pages.rss, _faulty("flood", "current", "too_many_items", flood, path="/feed", first=4, last=6)
        ),
        newsroom(
            "closes",
            pages.rss,
            _faulty(
                "robots forbid",
                "refused by robots",
                "robots_disallowed",
                Says(b"User-agent: *\nDisallow: /\n", kind="text/plain"),
                path="/robots.txt",
                first=5,
                last=9,
            ),
        ),
        newsroom(
            "robots-down",
            pages.rss,
            _faulty(
                "robots answer 503", "failing", "robots_unavailable", _status(503), path="/robots.txt", first=8, last=9
            ),
        ),
        newsroom(
            "apps",
            pages.listing,
            _faulty("listing becomes an app", "failing", "too_few_items", pages.SHELL, path="/feed", first=5, last=7),
            kind="listing",
        ),
        newsroom(
            "shells",
            pages.rss,
            _faulty("items become apps", "failing", "document_empty", pages.SHELL, path="/news/", first=1, last=12),
        ),
        newsroom(
            "slow-town",
            pages.rss,
            _faulty(
                "429 with Retry-After", "failing", "http_status", _status(429, Retry_After="3600"), first=10, last=11
            ),
        ),
        newsroom("secure", pages.rss, every=5),
        newsroom("secure-items", pages.atom, every=9),
        newsroom(
            "breaks",
            pages.rss,
            _faulty("feed is cut", "failing", "body_truncated", _cut, path="/feed", first=9, last=9),
            every=1,  # a feed with nothing new is not sent again, so it could not be cut
        ),
        newsroom("hostile", lambda host, days: pages.rss(host, days), every=10),
    ]


def plain_pages() -> list[Host]:
    """Single pages: data sheets, notes, PDFs, and what happens to such."""
    sheet = lambda day: pages.spec_page("GB300 NVL72", 132)  # noqa: E731
    kept: list[tuple[str, str, str, Says | Callable[[Says], Says], dict[str, Any]]] = [
        ("gone-404", "gone", "http_status", _status(404), {}),
        ("gone-410", "gone", "http_status", _status(410), {"first": 4}),
        ("forbids-403", "failing", "http_status", _status(403), {"first": 2}),
        ("down-503", "failing", "http_status", _status(503), {}),
        ("moves-away", "failing", "host_not_allowed", _elsewhere("http://parked.example/"), {"first": 6, "last": 9}),
        ("circles", "failing", "too_many_redirects", _elsewhere("/page"), {}),
        ("asks-login", "challenge page", "login_wall", _elsewhere("/login?next=page"), {"path": "/page"}),
        ("shows-form", "challenge page", "login_wall", pages.LOGIN, {"first": 4, "last": 6}),
        ("challenges", "challenge page", "challenge_page", pages.CHALLENGE, {"first": 5, "last": 8}),
        ("becomes-app", "failing", "document_empty", pages.SHELL, {"first": 7, "last": 10}),
        (
            "shrinks",
            "failing",
            "layout_changed",
            lambda said: pages.html("Moved", "<p>Find all news in our app.</p>"),
            {},
        ),
        ("declares-100mb", "failing", "body_too_large", Says(manner="declared"), {}),
        ("streams-100mb", "failing", "body_too_large", Says(manner="endless"), {"first": 4}),
        (
            "bombs",
            "failing",
            "body_too_large",
            Says(BOMB, kind=HTML, headers={"Content-Encoding": "gzip"}, manner="bomb"),
            {},
        ),
        ("resets", "failing", "connect_failed", Says(manner="reset"), {}),
        (
            "junk",
            "failing",
            "media_type_unknown",
            Says(bytes(range(256)) * 40, kind="application/pdf"),
            {"first": 8, "last": 9},
        ),
    ]
    made = [
        _host(name, "/page", sheet, _faulty(name, verdict, reason, says, **more))
        for name, verdict, reason, says, more in kept
    ]
    made[[name for name, *_ in kept].index("asks-login")].pages["/login?next=page"] = lambda day: pages.LOGIN
    expires = Fault("certificate expired", 3, 6, Says(), "failing", "tls_failed", expired=True)
    made += [
        _host("expires", "/page", sheet, expires, is_tls=True),
        _host("certified", "/page", sheet, is_tls=True),
        _host("edits", "/page", lambda day: pages.spec_page("GB200 NVL72", 120 + day // 3)),
        _host("promises", "/page", lambda day: pages.roadmap(PROMISES[day >= MOVED_ON]), is_tls=True),
        _host("flips", "/page", lambda day: pages.spec_page("HGX B200", 14 if day % 2 else 15)),
        _host(
            "recodes",
            "/page",
            lambda day: pages.html(
                "Stände",
                "<p>The DGX B300 draws 14 kW per node – so the maker says in München.</p>",
                charset="utf-8" if day < 9 else "cp1252",
            ),
        ),
        _host("zips", "/page", lambda day: zipped(pages.spec_page("DGX B300", 14))),
        _host(
            "notes",
            "/notes.md",
            lambda day: Says(
                f"# Notes\n\nThe GB200 NVL72 draws {120 + day // 10} kW per rack.\n".encode(), kind="text/markdown"
            ),
            parser="markdown",
        ),
        _host(
            "plain",
            "/notes.txt",
            lambda day: Says(b"The GB300 NVL72 holds 72 GPUs in one rack.\n", kind="text/plain"),
            parser="text",
        ),
        _host(
            "papers",
            "/paper.pdf",
            lambda day: Says(
                write_pdf([[Put("The GB300 NVL72 draws 132 kW per rack, says its maker.", 72, 700)]]),
                kind="application/pdf",
            ),
            parser="pdf",
        ),
        _host("hostiles", "/page", lambda day: pages.hostile(day // 5)),
    ]
    return made


def tables() -> list[Host]:
    """Price APIs, catalogues and tables, and what happens to such."""
    facts: dict[str, Any] = {"kind": "table", "evidence": "estimated"}
    api: dict[str, Any] = {"kind": "api", "evidence": "unverified"}
    renamed = lambda said: pages.chips(renamed=True)  # noqa: E731
    few = lambda said: Says(b"\n".join(said.body.splitlines()[:2]) + b"\n", kind=said.kind)  # noqa: E731
    error = Says(b'{"error": "moved to v2"}', kind="application/json")
    wall = pages.html("Catalogue", "<p>The catalogue has moved to our portal.</p>")
    made = [
        _host("prices", "/api", lambda day: pages.snapshot(day, price_on(day)), parser="gpurentalprices", **api),
        _host(
            "new-fields",
            "/api",
            lambda day: pages.snapshot(day, 3.3, fresh_field=day >= 5),
            Fault("a new field", 5, 7, lambda said: said, "current", "fields_new"),
            parser="gpurentalprices",
            **api,
        ),
        _host(
            "api-moves",
            "/api",
            lambda day: pages.snapshot(day, 3.1),
            _faulty("an error with 200", "failing", "table_unreadable", error),
            parser="gpurentalprices",
            **api,
        ),
        _host(
            "compute-price",
            "/api/v1/prices/b200",
            lambda day: pages.compute_price(day, 5.5),
            parser="price_of_compute",
            **api,
        ),
        _host(
            "catalogue",
            "/catalogs/v8/examplecloud/vms.csv",
            lambda day: pages.instances(price_on(day)),
            parser="skypilot_catalog",
            **facts,
        ),
        _host(
            "catalogue-html",
            "/catalogs/v8/examplecloud/vms.csv",
            lambda day: pages.instances(2.2),
            _faulty("HTML for CSV", "failing", "table_unreadable", wall, first=4),
            parser="skypilot_catalog",
            **facts,
        ),
        _host(
            "catalogue-short",
            "/catalogs/v8/examplecloud/vms.csv",
            lambda day: pages.instances(2.2),
            _faulty("few rows", "failing", "too_few_rows", few, first=4),
            parser="skypilot_catalog",
            **facts,
        ),
        _host("chips", "/chips.csv", lambda day: pages.chips(), parser="epoch_ml_hardware", **facts),
        _host(
            "chips-renamed",
            "/chips.csv",
            lambda day: pages.chips(),
            _faulty("a column is renamed", "failing", "table_unreadable", renamed, first=5, last=7),
            parser="epoch_ml_hardware",
            **facts,
        ),
        _host("price-page", "/prices", lambda day: pages.price_page(price_on(day))),
        _host(
            "price-cards",
            "/prices",
            lambda day: pages.price_page(2.5),
            _faulty(
                "a table becomes cards",
                "failing",
                "layout_changed",
                lambda said: pages.price_cards(2.5),
                first=4,
                last=7,
            ),
        ),
    ]
    for host in made:
        if host.entry["kind"] != "page":
            host.entry["page_url"] = f"https://{host.name}/"
    archive = "/mlcommons/training_results_v9.9/archive/refs/heads/main.tar.gz"
    described = {
        "kind": "tarball", "licence": "Apache-2.0", "parser": "mlperf_training", "evidence": "audited",
        "cadence": "7d", "page_url": "https://github.com/mlcommons",
    }  # fmt: skip
    says = Says(ARCHIVE, kind="application/x-gzip")
    listed_as = entry("rounds", GITHUB, archive, is_tls=True, **described)
    rounds_of = Host(GITHUB, "rounds", listed_as, {archive: lambda day: says}, is_tls=True)
    return [*made, rounds_of]


ARCHIVE = rounds.archive()


def everybody() -> list[Host]:
    """All hosts."""
    return [*newsrooms(), *plain_pages(), *tables()]


# Those of the suite: every kind of source and of fault once. The others are variants, and live in the bench.
CHOSEN = (
    "daily_news", "quiet_house", "drained", "floods", "closes", "slow_town",
    "gone_404", "gone_410", "forbids_403", "down_503", "moves_away", "asks_login", "challenges", "becomes_app",
    "streams_100mb", "bombs", "expires", "recodes", "hostiles", "edits", "promises",
    "prices", "new_fields", "chips_renamed", "price_cards",
)  # fmt: skip


def chosen() -> list[Host]:
    """The hosts of the suite."""
    return [host for host in everybody() if host.source_id in CHOSEN]


def listed(hosts: Iterable[Host]) -> str:
    """The list of sources for them, as YAML."""
    return yaml.safe_dump({"provider_denylist": [], "sources": {host.source_id: host.entry for host in hosts}})
