"""Feeds, listings and sitemaps lead to their new items, each captured as its own page, within the cap of a run."""

from __future__ import annotations

from pipelines.problems import Fault, Reason
from pipelines.source_model import Source
from tests.collect_kit import HOST, Collected, Site, make_source, redirect, reply


def feed(site: Site, *paths: str) -> bytes:
    items = "".join(f"<item><title>{path}</title><link>{site.url(path)}</link></item>" for path in paths)
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>{items}</channel></rss>'.encode()


def pages(site: Site, *paths: str) -> None:
    site.routes |= {path: reply(f"<p>page {path}</p>".encode(), Content_Type="text/html") for path in paths}


def feed_source(site: Site, **fields: object) -> Source:
    return make_source("news", site.url("/feed"), kind="feed", parser="feed", **fields)


def test_a_feed_leads_to_its_items_and_next_time_to_the_new_one_only(site: Site, collected: Collected) -> None:
    pages(site, "/1", "/2", "/3")
    site.routes["/feed"] = [reply(feed(site, "/2", "/1")), reply(feed(site, "/3", "/2", "/1"))]
    source = feed_source(site)
    first = collected.run(source).row("news")
    second = collected.run(source).row("news")
    assert (first.fetched, first.unchanged, first.new, first.failed) == (3, 0, 3, 0)
    assert (second.fetched, second.unchanged, second.new, second.failed) == (2, 0, 1, 0)
    assert site.paths() == ["/feed", "/2", "/1", "/feed", "/3"]
    held = [capture.url for capture in collected.captures("news")]
    assert held == [site.url(path) for path in ("/feed", "/2", "/1", "/feed", "/3")]


def test_items_beyond_the_cap_come_in_the_next_run_though_the_feed_is_unchanged(
    site: Site, collected: Collected
) -> None:
    pages(site, "/1", "/2", "/3")
    body = feed(site, "/1", "/2", "/3")
    site.routes["/feed"] = [reply(body, ETag='"f"'), reply(status="304 Not Modified", ETag='"f"')]
    source = feed_source(site, politeness={"delay_s": 0.0, "max_new_items": 2})
    assert collected.run(source).row("news").new == 3
    row = collected.run(source).row("news")
    assert (row.fetched, row.unchanged, row.new) == (1, 1, 1)
    assert site.paths() == ["/feed", "/1", "/2", "/feed", "/3"]


def test_headline_and_link_only_means_that_no_item_is_asked(site: Site, collected: Collected) -> None:
    pages(site, "/1")
    site.routes["/feed"] = reply(feed(site, "/1"))
    row = collected.run(feed_source(site, link_only=True)).row("news")
    assert (row.fetched, row.failed) == (1, 0)
    assert site.paths() == ["/feed"]


def test_one_bad_item_stops_no_other(site: Site, collected: Collected) -> None:
    pages(site, "/2")
    site.routes["/robots.txt"] = reply(b"User-agent: *\nDisallow: /3")
    site.routes["/1"] = redirect("http://elsewhere.example/1")
    site.routes["/feed"] = reply(feed(site, "/1", "/gone", "/3", "/2"))
    row = collected.run(feed_source(site)).row("news")
    assert (row.fetched, row.refused) == (2, 1)
    assert [(failure.place, failure.reason) for failure in row.failures] == [
        (site.url("/1"), Reason.HOST_NOT_ALLOWED),
        (site.url("/gone"), Reason.HTTP_STATUS),
    ]
    assert row.why == "host_not_allowed, http_status"


def test_items_on_other_hosts_are_left_and_named(site: Site, collected: Collected) -> None:
    pages(site, "/1")
    body = feed(site, "/1").replace(b"</channel>", b"<item><link>https://elsewhere.example/x</link></item></channel>")
    site.routes["/feed"] = reply(body)
    row = collected.run(feed_source(site)).row("news")
    assert (row.fetched, row.failed) == (2, 0)
    assert row.notes == ("links to 1 hosts that are not allowed were left: elsewhere.example",)


def test_a_feed_that_is_a_page_is_kept_and_a_failure(site: Site, collected: Collected) -> None:
    site.routes["/feed"] = reply(b"<html><p>Please enable JavaScript</p></html>")
    row = collected.run(feed_source(site)).row("news")
    assert row.fetched == 1
    assert [(failure.place, failure.reason) for failure in row.failures] == [
        (site.url("/feed"), Reason.DOCUMENT_DAMAGED)
    ]
    assert len(collected.captures()) == 1


def test_a_listing_leads_to_the_links_that_its_source_names(site: Site, collected: Collected) -> None:
    pages(site, "/press/1", "/press/2", "/about")
    site.routes["/press"] = reply(
        b'<base href="/press/"><a href="1">One</a> <a href="/about">About</a>'
        b'<A HREF=2#top>Two</A> <a href="1?utm_x=y">1'
    )
    source = make_source("news", site.url("/press"), kind="listing", items={"include": r"/press/\d+$"})
    row = collected.run(source).row("news")
    assert (row.fetched, row.new) == (3, 3)
    assert site.paths() == ["/press", "/press/1", "/press/2"]


def test_an_index_of_sitemaps_is_two_hops_and_no_more(site: Site, collected: Collected) -> None:
    pages(site, "/blog/new", "/blog/old")
    site.routes["/sitemap.xml"] = reply(
        f"<sitemapindex><sitemap><loc>{site.url('/blog.xml')}</loc></sitemap></sitemapindex>".encode()
    )
    site.routes["/blog.xml"] = reply(
        f"<urlset><url><loc>{site.url('/blog/old')}</loc><lastmod>2025-01-01</lastmod></url>"
        f"<url><loc>{site.url('/blog/new')}</loc><lastmod>2026-01-01</lastmod></url>"
        f"<url><loc>{site.url('/jobs')}</loc></url></urlset>".encode()
    )
    # an item that is a list itself leads nowhere
    site.routes["/blog/old"] = reply(f"<urlset><url><loc>{site.url('/blog/third')}</loc></url></urlset>".encode())
    source = make_source("news", site.url("/sitemap.xml"), kind="listing", items={"include": "/blog/"})
    assert collected.run(source).row("news").failures == ()
    assert site.paths() == ["/sitemap.xml", "/blog.xml", "/blog/new", "/blog/old"]
    # sitemaps are looked at again, pages are not
    collected.run(source)
    assert site.paths()[4:] == ["/sitemap.xml", "/blog.xml"]


def test_an_item_that_stays_away_is_asked_again(site: Site, collected: Collected) -> None:
    site.routes |= {"/feed": reply(feed(site, "/1")), "/1": [reply(status="403 Forbidden"), reply(b"now")]}
    assert collected.run(feed_source(site)).row("news").failures == (
        Fault(site.url("/1"), Reason.HTTP_STATUS, "answered 403 Forbidden"),
    )
    assert collected.run(feed_source(site)).row("news").new == 1


def test_an_item_on_a_host_that_the_source_rewrites(site: Site, collected: Collected) -> None:
    pages(site, "/1")
    site.routes["/feed"] = reply(feed(site, "/1").replace(HOST.encode(), b"wf.example"))
    source = feed_source(site, items={"host_rewrites": {"wf.example": HOST}})
    assert collected.run(source).row("news").new == 2
    assert site.paths() == ["/feed", "/1"]
