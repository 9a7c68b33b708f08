"""Feeds: their entries for the collector, and a document that reads like the feed."""

from __future__ import annotations

from datetime import date

import pytest

from pipelines.model.document import BlockKind, DateBasis
from pipelines.parse.feed import parse_feed, read_feed
from pipelines.problems import InputError, Reason

RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Examplar news</title>
<link>https://example.com/</link><language>en-US</language>
<item><title>R72 ships</title><link>/r72</link><pubDate>Tue, 18 Mar 2025 09:00:00 GMT</pubDate><author>Ada</author>
<description>&lt;p&gt;It draws &lt;b&gt;132 kW&lt;/b&gt;.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</description></item>
<item><title>R36 ends</title><link>https://example.com/r36</link><pubDate>Sat, 18 Mar 2045 09:00:00 GMT</pubDate></item>
</channel></rss>"""

ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title>R72</title>
<link href="https://example.com/r72"/><published>2025-03-18T09:00:00Z</published>
<content type="html">&lt;p&gt;132 kW&lt;/p&gt;</content></entry></feed>"""

JSON = (
    b'{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [{"id": "1", "title": "R72",'
    b' "url": "https://example.com/r72", "date_published": "2025-03-18T09:00:00Z", "content_html": "<p>132 kW</p>"}]}'
)
LATEST = date(2025, 6, 1)


def test_entries_carry_address_title_and_day() -> None:
    feed = read_feed(RSS, "https://example.com/feed.xml", LATEST)
    assert [(entry.url, entry.title, entry.published_on, entry.authors) for entry in feed.entries] == [
        ("https://example.com/r72", "R72 ships", date(2025, 3, 18), ("Ada",)),
        ("https://example.com/r36", "R36 ends", None, ()),
    ]
    assert (feed.title, feed.language) == ("Examplar news", "en-us")


def test_a_feed_reads_as_headings_and_summaries() -> None:
    document = parse_feed(RSS, None, LATEST)
    assert [(block.kind, document.text_of(block)) for block in document.blocks] == [
        (BlockKind.HEADING, "Examplar news"),
        (BlockKind.HEADING, "R72 ships"),
        (BlockKind.PARAGRAPH, "It draws 132 kW."),
        (BlockKind.HEADING, "R36 ends"),
    ]
    assert (document.published_on, document.published_basis) == (date(2025, 3, 18), DateBasis.FEED)


@pytest.mark.parametrize("payload", [ATOM, JSON])
def test_atom_and_json_feeds(payload: bytes) -> None:
    (entry,) = read_feed(payload, None, LATEST).entries
    assert (entry.url, entry.title, entry.published_on) == ("https://example.com/r72", "R72", date(2025, 3, 18))
    assert parse_feed(payload, None, LATEST).text == "News\n\nR72\n\n132 kW"


def test_an_entity_bomb_stays_small() -> None:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "aaaaaaaaaa">{entities}]><rss version="2.0"><channel>'
    bomb += "<title>&a11;</title><item><title>R72</title></item></channel></rss>"
    assert len(parse_feed(bomb.encode(), None, LATEST).text) < 100


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"<opml><body/></opml>", Reason.DOCUMENT_DAMAGED),
        (b'<rss version="2.0"><channel><title>x</title></channel></rss>', Reason.DOCUMENT_EMPTY),
        (b"{", Reason.DOCUMENT_DAMAGED),
        (b"[" * 100_000, Reason.DOCUMENT_DAMAGED),
        (b'{"items": 5}', Reason.DOCUMENT_DAMAGED),
    ],
)
def test_what_is_no_feed_is_refused(payload: bytes, reason: Reason) -> None:
    with pytest.raises(InputError) as caught:
        read_feed(payload, None, LATEST)
    assert caught.value.reason is reason
