"""Entries as feeds: valid in both forms, and whatever comes from outside stays text."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace

import feedparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.hostile import STRINGS
from warehouse.answers import feeds
from warehouse.answers.feeds import Feed
from warehouse.answers.news import NewsItem, by_day, entry_id

DAY = dt.date(2026, 3, 18)
FEED = Feed("rackledger: a rack, power", "Changes.", "http://127.0.0.1:8501/", "feeds/a/power.atom", "systems", DAY)
ENTRY = NewsItem(
    entry_id("x"), "new value", "A rack, power: 132 kW", "132 kW, says Maker.", "It matters.", DAY, "vendor",
    "evidence?claim=abc", "https://example.org/a", ("abc",),
)  # fmt: skip
ATOM = "{http://www.w3.org/2005/Atom}"


def test_atom_has_what_the_standard_asks_for() -> None:
    root = etree.fromstring(feeds.atom(FEED, [ENTRY]))
    (entry,) = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}id") == ENTRY.id
    assert entry.findtext(f"{ATOM}title") == ENTRY.title
    assert entry.findtext(f"{ATOM}updated") == "2026-03-18T12:00:00+00:00"
    assert entry.findtext(f"{ATOM}content") == "132 kW, says Maker. It matters. Source: https://example.org/a"
    assert [link.get("href") for link in entry.findall(f"{ATOM}link")] == ["http://127.0.0.1:8501/evidence?claim=abc"]
    itself = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert itself["self"] == "http://127.0.0.1:8501/feeds/a/power.atom"
    read = feedparser.parse(feeds.atom(FEED, [ENTRY]))
    assert not read.bozo
    assert read.version == "atom10"


@pytest.mark.parametrize("entries", [[], [ENTRY], [ENTRY, replace(ENTRY, id=entry_id("y"), url="")]])
def test_atom_keeps_the_rules_of_rfc_4287(entries: list[NewsItem]) -> None:
    """Sections 4.1.1 and 4.1.2: exactly one id, title and updated, an author, links that do not repeat, content."""
    root = etree.fromstring(feeds.atom(FEED, entries))
    assert root.tag == f"{ATOM}feed"
    found = root.findall(f"{ATOM}entry")
    assert len(found) == len(entries)
    for holder in (root, *found):
        for name in ("id", "title", "updated"):
            assert len(holder.findall(f"{ATOM}{name}")) == 1, name
        assert holder.findtext(f"{ATOM}id", "").startswith("tag:")
        moment = dt.datetime.fromisoformat(holder.findtext(f"{ATOM}updated", ""))
        assert moment.tzinfo is not None
        links = [(link.get("rel"), link.get("type"), link.get("href")) for link in holder.findall(f"{ATOM}link")]
        assert len({link[:2] for link in links}) == len(links)
        assert all(href for _, _, href in links)
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "rackledger"
    assert [link.get("rel") for link in root.findall(f"{ATOM}link")] == ["self", "alternate"]
    assert all(entry.find(f"{ATOM}content").get("type") == "text" for entry in found)


def test_json_feed_has_what_the_standard_asks_for() -> None:
    found = json.loads(feeds.json_feed(FEED, [ENTRY]))
    assert found["version"] == "https://jsonfeed.org/version/1.1"
    assert found["title"] == FEED.title
    (item,) = found["items"]
    assert item["id"] == ENTRY.id
    assert item["content_text"].startswith("132 kW")
    assert item["url"] == "http://127.0.0.1:8501/evidence?claim=abc"
    assert dt.datetime.fromisoformat(item["date_published"]).tzinfo is not None


@pytest.mark.parametrize("text", STRINGS)
def test_hostile_text_is_text(text: str) -> None:
    entry = replace(ENTRY, title=text, words=text, why=text, kind=text)
    feed = replace(FEED, title=text, says=text)
    content = feeds.atom(feed, [entry])
    read = feedparser.parse(content)
    assert not read.bozo
    tags = {element.tag.removeprefix(ATOM) for element in etree.fromstring(content).iter()}
    assert tags <= {"feed", "id", "title", "updated", "author", "name", "link", "generator", "subtitle", "entry",
                    "content", "category", "published"}  # fmt: skip
    assert json.loads(feeds.json_feed(feed, [entry]))["items"][0]["title"] == text


@given(st.text(max_size=80))
@settings(max_examples=150)
def test_any_text_gives_a_feed_that_reads_back(text: str) -> None:
    entry = replace(ENTRY, title=text, words=text)
    assert len(etree.fromstring(feeds.atom(FEED, [entry])).findall(f"{ATOM}entry")) == 1
    assert len(json.loads(feeds.json_feed(FEED, [entry]))["items"]) == 1


def test_only_the_newest_are_listed() -> None:
    many = [replace(ENTRY, id=entry_id(n)) for n in range(feeds.MOST_ENTRIES + 5)]
    assert len(json.loads(feeds.json_feed(FEED, many))["items"]) == feeds.MOST_ENTRIES


def test_a_quiet_time_says_so() -> None:
    entry = feeds.nothing_new(DAY, DAY - dt.timedelta(days=30))
    assert entry.title == "Nothing new was stated from 2026-02-16 to 2026-03-18."
    assert feeds.nothing_new(DAY, DAY).id == entry.id


def test_days_keep_their_entries_in_order() -> None:
    other = replace(ENTRY, id="2", day=DAY - dt.timedelta(days=1))
    assert by_day([ENTRY, other, replace(ENTRY, id="3")]) == {DAY: [ENTRY, replace(ENTRY, id="3")], other.day: [other]}
