"""robots.txt: obeyed, asked for once, its pause kept; what a broken one means."""

from __future__ import annotations

import asyncio
import gzip

import pytest

from pipelines.problems import Fault, Reason
from tests.collect_kit import HOST, Asked, Collected, Site, make_source, redirect, reply, reset


def test_what_is_disallowed_is_not_asked_and_counts_as_refused(site: Site, collected: Collected) -> None:
    site.routes["/robots.txt"] = reply(b"User-agent: *\nDisallow: /private\nAllow: /private/press\n")
    site.routes |= {"/a": reply(b"a"), "/private/x": reply(b"x"), "/private/press": reply(b"p")}
    source = make_source("news", *map(site.url, ("/a", "/private/x", "/private/press")))
    row = collected.run(source).row("news")
    assert (row.fetched, row.refused, row.failed) == (2, 1, 0)
    assert site.paths() == ["/a", "/private/press"]
    assert len(collected.captures()) == 2


def test_rules_for_us_by_name_count_before_those_for_all(site: Site, collected: Collected) -> None:
    rules = b"\xef\xbb\xbfUser-agent: *\nDisallow:\n\nUser-agent: Rackledger\nDisallow: /\n"
    site.routes["/robots.txt"] = reply(gzip.compress(rules), Content_Encoding="gzip")
    site.routes["/a"] = reply(b"a")
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert (row.fetched, row.refused) == (0, 1)
    assert site.paths() == []


def test_it_is_asked_for_once_a_run_by_all_sources_of_a_host(site: Site, collected: Collected) -> None:
    site.routes |= {"/robots.txt": reply(b""), "/a": reply(b"a"), "/b": reply(b"b")}
    collected.run(make_source("one", site.url("/a")), make_source("two", site.url("/b")))
    assert sorted(site.paths(with_robots=True)) == ["/a", "/b", "/robots.txt"]


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden", "410 Gone"])
def test_none_means_that_all_is_allowed(status: str, site: Site, collected: Collected) -> None:
    site.routes |= {"/robots.txt": reply(b"Disallow: /", status), "/a": reply(b"a")}
    assert collected.run(make_source("news", site.url("/a"))).row("news").fetched == 1


def test_a_5xx_means_not_now(site: Site, collected: Collected) -> None:
    site.routes |= {"/robots.txt": reply(status="502 Bad Gateway"), "/a": reply(b"a")}
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    detail = "not now, robots.txt cannot be had: answered 502 Bad Gateway"
    assert row.failures == (Fault(site.url("/a"), Reason.ROBOTS_UNAVAILABLE, detail),)
    assert row.refused == 0
    assert site.paths() == []
    assert collected.captures() == []


def test_one_that_cannot_be_had_today_is_asked_for_again_in_the_next_run(site: Site, collected: Collected) -> None:
    site.routes |= {"/robots.txt": [*[reply(status="500 No")] * 3, reply(b"")], "/a": reply(b"a")}
    source = make_source("news", site.url("/a"))
    assert collected.run(source).row("news").why == "robots_unavailable"
    assert collected.run(source).row("news").fetched == 1


def test_a_broken_connection_on_it_stops_the_source_but_not_another(site: Site, collected: Collected) -> None:
    site.routes |= {f"{HOST}/robots.txt": reset, "/a": reply(b"a")}
    other = make_source("other", site.url("/a", host="other.example"), allowed_hosts=["other.example"])
    report = collected.run(make_source("news", site.url("/a")), other)
    assert report.row("news").why == "connect_failed"
    assert report.row("other").fetched == 1


def test_it_is_followed_along_redirects_within_the_allowed_hosts(site: Site, collected: Collected) -> None:
    site.routes |= {"/robots.txt": redirect("/rules"), "/rules": reply(b"User-agent: *\nDisallow: /a"), "/a": reply()}
    assert collected.run(make_source("news", site.url("/a"))).row("news").refused == 1


def test_where_a_redirect_leads_is_judged_too(site: Site, collected: Collected) -> None:
    site.routes |= {
        "/a": redirect(site.url("/b", host="other.example")),
        "/b": reply(b"b"),
        "other.example/robots.txt": reply(b"User-agent: *\nDisallow: /b"),
    }
    source = make_source("news", site.url("/a"), allowed_hosts=[HOST, "other.example"])
    row = collected.run(source).row("news")
    assert (row.fetched, row.refused) == (0, 1)
    assert site.paths() == ["/a"]


def test_the_longer_of_the_pauses_lies_between_two_requests(site: Site, collected: Collected) -> None:
    site.routes |= {"/robots.txt": reply(b"User-agent: *\nCrawl-delay: 0.3\n"), "/a": reply(b"a"), "/b": reply(b"b")}
    collected.run(make_source("news", site.url("/a"), site.url("/b"), politeness={"delay_s": 0.1}))
    robots, first, second = [asked.at for asked in site.asked]
    assert first - robots >= 0.3
    assert second - first >= 0.3


def test_a_pause_longer_than_a_run_leaves_the_rest_for_another_run(site: Site, collected: Collected) -> None:
    site.routes |= {"/robots.txt": reply(b"User-agent: *\nCrawl-delay: 3600\n"), "/a": reply(b"a"), "/b": reply(b"b")}
    row = collected.run(make_source("news", site.url("/a"), site.url("/b")), max_pause_s=0.1).row("news")
    detail = "left for another run: robots.txt asks for 3600 s between two requests"
    assert (row.fetched, row.failures) == (
        1,
        (Fault(site.url("/b"), Reason.ROBOTS_UNAVAILABLE, detail),),
    )
    assert site.paths() == ["/a"]


def test_a_host_is_asked_one_thing_at_a_time_and_hosts_side_by_side(site: Site, collected: Collected) -> None:
    async def slowly(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.3)
        await reply(b"x")(asked, writer)

    site.routes |= {f"/{n}": slowly for n in range(4)}
    same = [make_source(f"s{n}", site.url(f"/{n}")) for n in range(4)]
    collected.run(*same)
    assert site.busiest == 1
    others = [
        make_source(f"t{n}", site.url(f"/{n}", host=f"h{n}.example"), allowed_hosts=[f"h{n}.example"]) for n in range(4)
    ]
    collected.run(*others)
    assert site.busiest == 4
