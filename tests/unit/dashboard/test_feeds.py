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

from dashboard import feeds
from dashboard.feeds import Feed
from dashboard.news import Entry, by_day, entry_id
from tests.hostile import STRINGS

DAY = dt.date(2026, 3, 18)
FEED = Feed("rackledger: a rack, power", "Changes.", "http://127.0.0.1:8501/", "feeds/a/power.atom", "systems", DAY)
ENTRY = Entry(
    entry_id("x"), "new value", "A rack, power: 132 kW", "132 kW, says Maker.", "It matters.", DAY, "vendor",
    "evidence?claim=abc", "https://example.org/a", ("abc",),
)  # fmt: skip
ATOM = "{http://www.w3.org/2005/Atom}"


def test_atom_has_what_the_standard_asks_for() -> None:
    root = etree.fromstring(feeds.atom(FEED, [ENTRY]))
    for name in ("id", "title", "updated", "author", "link"):
        assert root.find(f"{ATOM}{name}") is not None
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
