"""Where a feed or a listing leads: bytes in, addresses out. Pure.

A feed leads to its entries, a listing page to its links, a sitemap to its pages; only a sitemap's index leads to
further lists, and those to nothing but pages. So an item is at most two hops away.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import date
from urllib.parse import urljoin

from lxml import etree

from pipelines.collect.links import canonical, is_allowed, rewritten
from pipelines.frozen import frozen
from pipelines.parse.feed import read_feed
from pipelines.parse.media import decode
from pipelines.parse.page import read_page
from pipelines.problems import InputError, Reason
from pipelines.source_model import Kind, Source

MAX_LINKS = 20_000
SITEMAP = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex)[\s>]")


@frozen
class Leads:
    """What was found, each address once: `items` in their order, `lists` to look through, hosts that were left out."""

    items: tuple[str, ...]
    lists: tuple[str, ...] = ()
    left_hosts: tuple[str, ...] = ()


def discover(source: Source, payload: bytes, url: str, charset: str | None, latest: date) -> Leads:
    """The items that a feed or listing at `url` leads to, by the source's own rules.

    Raises InputError when the bytes are no feed or listing. `latest` is the day of the capture.
    """
    kind = SITEMAP.search(payload[:4096])
    if kind is not None:
        found = _sitemap_links(payload, url)
        if kind[1] == b"sitemapindex":
            return Leads((), _chosen(source, found, url, are_items=False).items)
    elif source.kind == Kind.FEED:
        found = [entry.url for entry in read_feed(payload, url, latest).entries if entry.url]
    else:
        found = _page_links(payload, url, charset)
    return _chosen(source, found, url, are_items=True)


def _chosen(source: Source, found: Sequence[str], base: str, *, are_items: bool) -> Leads:
    own = {canonical(url) for url in (*source.urls, base)}
    items: dict[str, None] = {}
    left: dict[str, None] = {}
    for link in found[:MAX_LINKS]:
        url = canonical(urljoin(base, link)) if _is_joinable(link) else None
        if url is None or url in own:
            continue
        url = rewritten(source, url)
        if are_items and not _is_item(source, url):
            continue
        if is_allowed(source, url):
            items[url] = None
        else:
            left[url.split("/")[2]] = None
    return Leads(tuple(items), left_hosts=tuple(left))


def _is_joinable(link: str) -> bool:
    try:
        urljoin("https://host.example/", link)
    except ValueError:
        return False
    return True


def _is_item(source: Source, url: str) -> bool:
    rules = source.items
    if rules.include is not None and not re.search(rules.include, url):
        return False
    return rules.exclude is None or not re.search(rules.exclude, url)


def _page_links(payload: bytes, url: str, charset: str | None) -> list[str]:
    base, links = url, []
    try:
        page = read_page(decode(payload, charset)[0])
        for node in page.nodes:
            href = (node.attrs.get("href") or "").strip()
            if href and node.tag == "base":
                base = urljoin(url, href)
            elif href and node.tag in ("a", "area") and _is_joinable(href):
                links.append(urljoin(base, href))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(Reason.DOCUMENT_DAMAGED, url, f"no listing: {error}") from error
    return links


def _sitemap_links(payload: bytes, url: str) -> list[str]:
    """A sitemap's addresses, the latest changed first where it says so (https://www.sitemaps.org/protocol.html)."""
    found: list[tuple[str, str]] = []
    try:
        events = etree.iterparse(
            io.BytesIO(payload), events=("end",), resolve_entities=False, no_network=True, load_dtd=False
        )
        location = changed = ""
        for _, element in events:
            name = etree.QName(element).localname if isinstance(element.tag, str) else ""
            if name == "loc":
                location = (element.text or "").strip()
            elif name == "lastmod":
                changed = (element.text or "").strip()
            elif name in ("url", "sitemap"):
                found.append((changed, location))
                location = changed = ""
                element.clear()
    except etree.XMLSyntaxError as error:
        raise InputError(Reason.DOCUMENT_DAMAGED, url, f"no sitemap: {error}") from error
    return [location for _, location in sorted(found, key=lambda pair: pair[0], reverse=True) if location]
