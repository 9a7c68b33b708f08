"""Candidates of promises: what holds becomes a row, what does not is refused by file, line and reason."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path

import pytest
from pydantic import ValidationError

from pipelines.candidates.files import COLUMNS, CandidatesUnreadable, import_promises, write_rows
from pipelines.candidates.review import Review
from pipelines.model.evidence import Evidence
from pipelines.model.promise import PromiseModality, PromiseRow
from tests.candidate_kit import PROMISE as GOOD

REVIEW = Review.model_validate(
    {
        "read_on": "2026-11-21",
        "own_words": ["AI Wiki"],
        "no_page": {"mirror.example": "a copy"},
        "only_page": {"X6": "no other page says it"},
        "hosts": {"origin-7.example": "press.example"},
        "subjects": {"Aurora": {"id": "aurora", "kind": "site", "party": "anl", "voices": ["intel"]}},
        "kinds": {"launch": ["launch", "release"], "in_service": ["operation"]},
        "parts": {"first 40 MW": ["in_service", "first 40 MW"]},
        "refused": {"X9": "an unnamed leak"},
        "rows": {
            "X7": {"url": "https://origin.example/a", "printed_by": "Origin", "printed_by_kind": "press"},
            "X8": {"claimant": "AMD", "period": "2026-H2", "why": "the page says so"},
        },
    }
)


def table(folder: Path, *records: dict[str, str]) -> Path:
    path = folder / "candidates.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, sorted(COLUMNS), restval="")
        writer.writeheader()
        writer.writerows(records)
    return path


def one(folder: Path, **changed: str) -> PromiseRow:
    (row,), refused = import_promises([table(folder, GOOD | changed)], REVIEW)
    assert refused == []
    return row


def test_a_candidate_becomes_a_row(tmp_path: Path) -> None:
    row = one(tmp_path)
    assert (row.subject_id, row.subject_kind, row.party_id) == ("amd-instinct-mi350x", "accelerator", "amd")
    assert (row.milestone, row.variant, row.modality) == ("launch", "", PromiseModality.PROMISED)
    assert (row.period_start, row.period_end) == (dt.date(2025, 7, 1), dt.date(2025, 12, 31))
    assert (row.claimant_id, row.is_own_word, row.evidence) == ("amd", True, Evidence.REPORTED)
    assert (row.stated_on, row.stated_on_precision) == (dt.date(2024, 10, 12), "day")


def test_a_house_reports_on_its_own_page_of_anothers_milestone(tmp_path: Path) -> None:
    page = {"url": "https://www.amd.com/en/a", "printed_by": "AMD", "printed_by_kind": "maker"}
    assert one(tmp_path, **page).evidence is Evidence.VENDOR
    other = {"subject": "Aurora", "maker": "Argonne National Laboratory", "qualifiers": "milestone=operation"}
    row = one(tmp_path, **page, **other)
    assert (row.is_own_word, row.evidence) == (False, Evidence.REPORTED)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"url": ""}, "no url: a statement needs all of them"),
        ({"claimant": ""}, "no claimant: a statement needs all of them"),
        ({"printed_by": ""}, "no printed_by: a statement needs all of them"),
        ({"url": "https://gaya.one/"}, "url: 'https://gaya.one/' leads to the root of a site, not to the page"),
        ({"url": "https://mirror.example/a"}, "url: a copy"),
        (
            {"url": "https://vo.la/a"},
            "url: 'https://vo.la/a' is a short link; give the address it leads to",
        ),
        ({"url": "gaya.one/a"}, "url: expected a web address, found 'gaya.one/a'"),
        (
            {"modality": "actual", "value": "2026-12"},
            "value: 2026-12-01 lies after the day of reading, 2026-11-21, and is said to have happened",
        ),
        (
            {"modality": "actual", "value": "2025-03"},
            "value: 2025-03-01 lies after the statement, 2024-10-12: a plan told as done",
        ),
        ({"stated_on": "2026-11-30"}, "stated_on: 2026-11-30 lies after the day of reading, 2026-11-21"),
        ({"value": "1999"}, "value: 1999-01-01 is outside the believable years 2005 to 2045"),
        ({"value": "", "value_low": "2025", "value_high": "2040"}, "value: '2025..2040' is no believable period"),
        ({"value": "soon"}, "value: expected a period such as 2026-H2, 2026-Q3, 2026-07 or START..END, found 'soon'"),
        ({"value": ""}, "value: promised needs a date"),
        ({"metric": "duration"}, "metric: duration is no date of a milestone"),
        ({"subject": "AMD Unheard 9"}, "subject: the registry knows no 'AMD Unheard 9'; add it with its aliases"),
        ({"maker": "Nobody"}, "maker: the registry knows no organisation 'Nobody'"),
        ({"qualifiers": "milestone=party"}, "milestone: no stage was decided for the wording 'party'"),
        ({"id": "X9"}, "an unnamed leak"),
        (
            {"url": "https://press.example/news/tag/llnl"},
            "url: a list of articles, not the page; cite the article",
        ),
    ],
)
def test_what_does_not_hold_is_refused_by_file_line_and_reason(
    tmp_path: Path, changed: dict[str, str], reason: str
) -> None:
    rows, refused = import_promises([table(tmp_path, GOOD, GOOD | {"id": "X2"} | changed)], REVIEW)
    assert [row.ref for row in rows] == ["X1"]
    assert [(item.file, item.line, item.reason) for item in refused] == [("candidates.csv", 3, reason)]


def test_a_page_that_is_not_cited_stands_only_for_the_row_that_has_no_other(tmp_path: Path) -> None:
    copy = GOOD | {"url": "https://mirror.example/a"}
    rows, refused = import_promises([table(tmp_path, copy, copy | {"id": "X6"})], REVIEW)
    assert [(row.ref, row.url) for row in rows] == [("X6", "https://mirror.example/a")]
    assert [(item.ref, item.reason) for item in refused] == [("X1", "url: a copy")]


def test_an_address_that_only_delivers_a_site_s_pages_becomes_the_site_s(tmp_path: Path) -> None:
    assert one(tmp_path, url="https://origin-7.example/a/b?c=1").url == "https://press.example/a/b?c=1"
    assert one(tmp_path, url="https://my-origin-7.example/a").url == "https://my-origin-7.example/a"


def test_a_modality_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    _, (refused,) = import_promises([table(tmp_path, GOOD | {"modality": "hoped"})], REVIEW)
    assert refused.reason.endswith("found 'hoped'")


def test_a_date_that_the_page_does_not_give_bounds_the_statement(tmp_path: Path) -> None:
    inferred = one(tmp_path, url="https://gaya.one/mi350", stated_on="2024-10")
    assert (inferred.stated_on, inferred.stated_not_after) == (None, dt.date(2024, 10, 31))
    unknown = one(tmp_path, url="https://gaya.one/mi350", stated_on="")
    assert (unknown.stated_on, unknown.stated_not_after) == (None, dt.date(2026, 11, 21))
    unpadded = one(tmp_path, url="https://gaya.one/2024/1/2/mi350", stated_on="2024-01-02")
    assert unpadded.stated_on == dt.date(2024, 1, 2)
    longer = one(tmp_path, url="https://gaya.one/2024101299", stated_on="2024-10-12")
    assert longer.stated_on is None
    clocked = one(tmp_path, url="https://gaya.one/202410121030441", stated_on="2024-10-12")
    assert clocked.stated_on == dt.date(2024, 10, 12)


@pytest.mark.parametrize(
    ("url", "said", "expected"),
    [
        ("https://gaya.one/2024/10/12/mi350", "", (dt.date(2024, 10, 12), "day")),
        ("https://gaya.one/mi350-20241012", "", (dt.date(2024, 10, 12), "day")),
        ("https://gaya.one/2024/10/mi350", "2024-10-12", (dt.date(2024, 10, 12), "month")),
        ("https://gaya.one/2024/09/mi350", "2024-10-12", (None, None)),
        ("https://gaya.one/mi350-202410", "", (None, None)),
        ("https://gaya.one/web/20241012030734/https://a.one/mi350", "2024-10-12", (None, None)),
    ],
)
def test_an_address_dates_its_page_to_what_it_spells(
    tmp_path: Path, url: str, said: str, expected: tuple[dt.date | None, str | None]
) -> None:
    row = one(tmp_path, url=url, stated_on=said)
    assert (row.stated_on, row.stated_on_precision) == expected


@pytest.mark.parametrize(
    ("said", "stated_on", "not_after"),
    [
        ("", dt.date(2024, 10, 12), dt.date(2024, 10, 12)),
        ("2024-10-12", dt.date(2024, 10, 12), dt.date(2024, 10, 12)),
        ("2024-09", None, dt.date(2024, 9, 30)),  # the page tells what was said before it
    ],
)
def test_a_row_with_a_bound_only_takes_the_date_of_its_page(
    tmp_path: Path, said: str, stated_on: dt.date | None, not_after: dt.date
) -> None:
    first = GOOD | {"url": "https://gaya.one/mi350"}
    other = first | {"id": "X2", "subject": "Aurora", "maker": "Intel", "qualifiers": "milestone=operation"}
    review = REVIEW.model_copy(update={"dated": frozenset({first["id"]})})
    rows, refused = import_promises([table(tmp_path, first, other | {"stated_on": said})], review)
    assert refused == []
    assert [(row.stated_on, row.stated_not_after) for row in rows if row.ref == "X2"] == [(stated_on, not_after)]


def test_a_release_on_github_is_a_page_and_no_list(tmp_path: Path) -> None:
    assert one(tmp_path, url="https://github.com/a/b/releases/tag/v1").url.endswith("/tag/v1")


def test_bounds_stay_open(tmp_path: Path) -> None:
    by = one(tmp_path, value="", value_high="2026-12")
    assert (by.period_start, by.period_end) == (None, dt.date(2026, 12, 31))
    earliest = one(tmp_path, value="", value_low="2026-Q3")
    assert (earliest.period_start, earliest.period_end) == (dt.date(2026, 7, 1), None)


def test_what_happened_is_known_by_the_day_it_was_told(tmp_path: Path) -> None:
    told = one(tmp_path, modality="actual", value="2024-Q4")
    assert (told.period_start, told.period_end) == (dt.date(2024, 10, 1), dt.date(2024, 10, 12))
    assert one(tmp_path, value="2024-Q4").period_end == dt.date(2024, 12, 31)


def test_who_printed_it_decides_the_tag(tmp_path: Path) -> None:
    own = {"printed_by": "AMD", "printed_by_kind": "maker"}
    assert one(tmp_path, **own, url="https://ir.amd.com/news/a-plan").evidence == Evidence.VENDOR
    assert one(tmp_path, **own, url="https://amd-news.example/a-plan").evidence == Evidence.REPORTED  # its name alone
    wire = one(tmp_path, printed_by="StockTitan (AMD release)", printed_by_kind="maker")
    assert wire.evidence == Evidence.REPORTED
    assert one(tmp_path, printed_by="Some News", printed_by_kind="maker").evidence == Evidence.REPORTED
    wiki = one(tmp_path, printed_by="AI Wiki", printed_by_kind="aggregator")
    assert (wiki.evidence, wiki.claimant, wiki.is_own_word) == (Evidence.UNVERIFIED, "AI Wiki", False)
    analyst = one(tmp_path, claimant="SemiAnalysis", printed_by="SemiAnalysis", printed_by_kind="analyst")
    assert (analyst.evidence, analyst.is_own_word) == (Evidence.ESTIMATED, False)


def test_a_page_that_the_registry_does_not_know_is_nobodys_own(tmp_path: Path) -> None:
    wire = {"printed_by": "StockTitan (AMD release)", "printed_by_kind": "maker"}
    assert one(tmp_path, **wire, url="https://stocktitan.example/a-plan").printed_by_kind == "press"
    assert one(tmp_path, **wire, url="https://ir.amd.com/news/a-plan").printed_by_kind == "maker"


def test_who_speaks_for_the_party_speaks_its_own_word(tmp_path: Path) -> None:
    aurora = {"subject": "Aurora", "metric": "deployed_on", "qualifiers": "milestone=operation", "claimant": "Intel"}
    assert one(tmp_path, **aurora).is_own_word
    assert not one(tmp_path, **(aurora | {"claimant": "HPCwire"})).is_own_word


def test_a_reviewer_corrects_a_row(tmp_path: Path) -> None:
    row = one(tmp_path, id="X8", claimant="an insider", value="2026")
    assert (row.claimant, row.period_start) == ("AMD", dt.date(2026, 7, 1))


def test_a_reviewer_names_the_page_in_place_of_its_copy_and_an_address_stays_as_it_is(tmp_path: Path) -> None:
    mended = one(tmp_path, id="X7", url="https://mirror.example/a")
    assert (mended.url, mended.printed_by) == ("https://origin.example/a", "Origin")
    assert one(tmp_path, url="http://gaya.one/2024/10/12/mi350").url == "http://gaya.one/2024/10/12/mi350"


def test_repeats_of_one_occasion_are_one_statement(tmp_path: Path) -> None:
    pages = [
        GOOD,
        GOOD
        | {"id": "X2", "url": "https://b.example/2024/10/20/x", "stated_on": "2024-10-20"}
        | {"qualifiers": "milestone=release"},
        GOOD | {"id": "X3", "url": "https://c.example/x", "stated_on": ""},
        GOOD | {"id": "X4", "url": "https://d.example/2025/03/01/x", "stated_on": "2025-03-01"},
        GOOD | {"id": "X5", "url": "https://e.example/x", "claimant": "Reuters", "stated_on": ""},
    ]  # fmt: skip
    rows, _ = import_promises([table(tmp_path, *pages)], REVIEW)
    assert [(row.ref, row.other_urls) for row in rows] == [
        ("X1", ("https://b.example/2024/10/20/x", "https://c.example/x")),
        ("X4", ()),
        ("X5", ()),
    ]


def test_a_file_without_the_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("id,subject\n", encoding="utf-8")
    with pytest.raises(CandidatesUnreadable, match=r"other\.csv: columns missing: claimant, maker"):
        import_promises([path], REVIEW)


def test_a_review_decides_each_thing_once() -> None:
    with pytest.raises(ValidationError, match="a wording has two meanings: launch"):
        Review.model_validate({"read_on": "2026-11-21", "kinds": {"launch": ["launch"], "sampling": ["launch"]}})
    with pytest.raises(ValidationError, match="a row is refused and corrected: P1"):
        Review.model_validate({"read_on": "2026-11-21", "refused": {"P1": "no"}, "rows": {"P1": {"variant": ""}}})


def test_rows_are_written_as_the_facts_are_kept(tmp_path: Path) -> None:
    rows, _ = import_promises([table(tmp_path, GOOD, GOOD | {"id": "X2", "value": "", "value_high": "2026"})], REVIEW)
    path = tmp_path / "promises.csv"
    write_rows(path, rows, PromiseRow)
    with path.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [(row["ref"], row["period_start"], row["period_end"]) for row in written] == [
        ("X1", "2025-07-01", "2025-12-31"),
        ("X2", "", "2026-12-31"),
    ]
    assert (written[0]["is_own_word"], written[0]["stated_on"], written[0]["other_urls"]) == ("true", "2024-10-12", "")
