"""What falls below the floors that a source declares, and whose claims a source's documents carry."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.sources import SourcesError
from tests.unit.assets.test_reading_steps import (
    PAGE,
    catalog,
    claims,
    column,
    documents,
    keep,
    market,
    page,
    prices,
    snapshot,
)  # fmt: skip

LINK = "https://example.org/{title}"
ITEM = f"<item><title>{{title}}</title><link>{LINK}</link><pubDate>{{day}} Mar 2026 08:00:00 GMT</pubDate></item>"


def feed(*days: int) -> str:
    items = "".join(ITEM.format(title=f"news{day}", day=f"{day:02}") for day in days)
    return f'<rss version="2.0"><channel><title>The newsroom</title>{items}</channel></rss>'


def news(expected: str) -> str:
    return page("news", kind="feed", parser="feed") + f"    expected: {expected}\n"


def problems(folder: Path, source: str) -> list[tuple[str, str]]:
    reasons, details = (column(folder, "problems", source, name) for name in ("reason", "detail"))
    return list(zip(reasons, details, strict=True))


@pytest.mark.parametrize(
    ("days", "found"), [((1, 2), []), ((1,), [("too_few_items", "1 entries, expected are 2 at least")])]
)
def test_a_feed_with_too_few_entries_is_a_problem(
    tmp_path: Path, days: tuple[int, ...], found: list[tuple[str, str]]
) -> None:
    keep(tmp_path, "news", feed(*days), 5)
    documents(tmp_path, catalog(news("{min_items: 2}")))
    assert problems(tmp_path, "news") == found


def test_only_the_last_answer_of_a_feed_is_judged(tmp_path: Path) -> None:
    keep(tmp_path, "news", feed(1), 5)
    keep(tmp_path, "news", feed(1, 2, 3), 6)
    documents(tmp_path, catalog(news("{min_items: 2}")))
    assert problems(tmp_path, "news") == []


@pytest.mark.parametrize(("within", "count"), [("3d", 1), ("4d", 0)])
def test_a_source_without_news_for_too_long_is_a_problem(tmp_path: Path, within: str, count: int) -> None:
    keep(tmp_path, "news", feed(1, 2), 6)
    documents(tmp_path, catalog(news(f"{{newest_within: {within}}}")))
    said = ("nothing_newer", "the newest is of 2026-03-02, on 2026-03-06 something within 3 days was expected")
    assert problems(tmp_path, "news") == [said] * count


def test_a_page_that_was_looked_at_again_in_vain_is_a_problem_too(tmp_path: Path) -> None:
    keep(tmp_path, "news", feed(2), 3)
    documents(tmp_path, found := catalog(news("{newest_within: 3d}")))
    assert problems(tmp_path, "news") == []
    keep(tmp_path, "news", feed(2), 9)
    documents(tmp_path, found)
    assert [reason for reason, _ in problems(tmp_path, "news")] == ["nothing_newer"]


@pytest.mark.parametrize(("within", "reasons"), [("9d", []), ("2d", ["nothing_newer"])])
def test_a_table_whose_newest_row_is_old_is_a_problem(tmp_path: Path, within: str, reasons: list[str]) -> None:
    keep(tmp_path, "prices", snapshot("nebius"), 6)  # the list was looked at on 1 March
    market(tmp_path, catalog(prices() + f"    expected: {{newest_within: {within}}}\n"))
    assert column(tmp_path, "problems", "prices", "reason") == reasons


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (page() + "    expected: {min_rows: 3}\n", "no min_rows: only a table has rows"),
        (page() + "    expected: {min_items: 3}\n", "no min_items: only a feed or a listing has items"),
        (prices() + "    expected: {min_items: 3}\n", "no min_items: only a feed or a listing has items"),
    ],
)
def test_a_floor_that_nothing_could_enforce_is_refused(entry: str, says: str) -> None:
    with pytest.raises(SourcesError) as caught:
        catalog(entry)
    assert [mistake.expected for mistake in caught.value.mistakes] == [says]


NAMED = PAGE.replace("<title>", '<meta property="og:site_name" content="Some Newsroom"><title>')


@pytest.mark.parametrize(
    ("more", "claimant", "evidence"),
    [("", "nvidia", "reported"), ("    is_aggregator: true\n", "Some Newsroom", "reported")],
)
def test_the_curated_publisher_speaks_and_a_site_name_only_where_there_is_none(
    tmp_path: Path, more: str, claimant: str, evidence: str
) -> None:
    keep(tmp_path, "racks", NAMED.format(kw=140), 1)
    claims(tmp_path, catalog(page().replace("publisher: example", "publisher: nvidia") + more))
    found = {
        (row[0], row[1])
        for row in zip(*(column(tmp_path, "mentions", "racks", n) for n in ("publisher", "evidence")), strict=True)
    }
    assert found == {(claimant, evidence)}
