"""Candidate events of adoption: what bounds their days."""

from __future__ import annotations

import csv
import datetime as dt
from urllib.parse import urlsplit

import pytest
import yaml

from pipelines.candidates.adoption import AdoptionCorrection, AdoptionReview, merged_events, read_adoption
from pipelines.candidates.review import RefusedCandidate, is_dated_by
from pipelines.model.promise import AdoptionRow
from pipelines.settings import PROJECT_ROOT

FACTS = PROJECT_ROOT / "warehouse" / "facts"
LEDGER = FACTS / "ledger"
KINDS = ("promises", "adoption", "racks")
REVIEW = AdoptionReview.model_validate(
    {
        "read_on": dt.date(2026, 11, 21),
        "generations": {"NVIDIA Hopper": "nvidia-hopper"},
        "elsewhere": ["MLCommons"],
        "denied": [],
        "own_words": ["AI Wiki"],
        "no_page": {"mirror.example": "a copy"},
        "not_counted": {},
    }
)
GOOD = {
    "id": "A1", "organisation": "Modal", "generation": "NVIDIA Hopper", "accelerator": "NVIDIA H100", "system": "",
    "event": "general_availability", "event_date_low": "2024-02-02", "event_date_high": "2024-02-02", "count": "",
    "claimant": "Modal", "printed_by": "A paper", "printed_by_kind": "press", "stated_on": "2024-02-02",
    "url": "https://a-paper.example/2024/02/02/a",
}  # fmt: skip


def test_a_commit_bounds_a_listing_and_has_the_day_of_its_statement() -> None:
    (told,) = read_adoption(GOOD, REVIEW)
    assert (told.on_low, told.on_high) == (dt.date(2024, 2, 2), dt.date(2024, 2, 2))
    (listed,) = read_adoption(GOOD | {"url": "https://github.com/modal-labs/modal-client/commit/992d06516"}, REVIEW)
    assert (listed.on_low, listed.on_high, listed.stated_on) == (None, dt.date(2024, 2, 2), dt.date(2024, 2, 2))


def test_a_plan_is_dated_no_later_than_it_was_told() -> None:
    days = {"event_date_low": "2024-02", "event_date_high": "2024-02"}
    (plan,) = read_adoption(GOOD | days | {"event": "announced_plan"}, REVIEW)
    assert (plan.on_low, plan.on_high) == (dt.date(2024, 2, 1), dt.date(2024, 2, 2))
    (ahead,) = read_adoption(GOOD | days | {"event": "preview"}, REVIEW)
    assert ahead.on_high == dt.date(2024, 2, 29)


def test_a_retirement_that_was_told_ahead_is_not_done() -> None:
    days = {"event_date_low": "2024-03-01", "event_date_high": "2024-03-01"}
    with pytest.raises(RefusedCandidate, match="a plan told as done"):
        read_adoption(GOOD | days | {"event": "retired"}, REVIEW)
    (done,) = read_adoption(
        GOOD | days | {"event": "retired", "stated_on": "2024-03-01", "url": "https://a-paper.example/2024/03/01/a"},
        REVIEW,
    )
    assert (done.on_low, done.on_high) == (dt.date(2024, 3, 1), dt.date(2024, 3, 1))


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://mirror.example/a", "url: a copy"),
        ("https://github.com/modal-labs/modal-client/commits/main", "url: a list of articles"),
    ],
)
def test_a_copy_and_a_list_are_not_cited(url: str, reason: str) -> None:
    with pytest.raises(RefusedCandidate, match=reason):
        read_adoption(GOOD | {"url": url}, REVIEW)


def test_a_page_that_the_registry_does_not_know_is_nobodys_own() -> None:
    told = {"printed_by": "Modal", "printed_by_kind": "operator"}
    (copied,) = read_adoption(GOOD | told, REVIEW)
    (own,) = read_adoption(GOOD | told | {"url": "https://modal.com/blog/2024/02/02/a"}, REVIEW)
    assert (copied.printed_by_kind, own.printed_by_kind) == ("press", "operator")


def test_a_count_is_printed_and_no_product_of_the_reader() -> None:
    (printed,) = read_adoption(GOOD | {"count": "512"}, REVIEW)
    (product,) = read_adoption(GOOD | {"count": "512", "note": "64 nodes of eight: 512 derived."}, REVIEW)
    assert (printed.accelerators, product.accelerators) == (512, None)


def test_the_words_of_a_wiki_are_its_own() -> None:
    (row,) = read_adoption(GOOD | {"printed_by": "AI Wiki", "printed_by_kind": "aggregator"}, REVIEW)
    assert (row.claimant, row.evidence) == ("AI Wiki", "unverified")


def test_a_correction_cites_another_page_and_names_what_it_names() -> None:
    cited = {"url": "https://paper.example/b", "printed_by": "B Paper", "accelerator": "NVIDIA H200", "stated_on": ""}
    review = REVIEW.model_copy(update={"rows": {"A1": AdoptionCorrection(**cited, claimant="B Paper")}})
    (row,) = read_adoption(GOOD | {"url": "https://mirror.example/a", "printed_by": "AI Wiki"}, review)
    assert (row.url, row.printed_by, row.accelerator, row.claimant) == (*list(cited.values())[:3], "B Paper")
    assert (row.stated_on, row.stated_not_after) == (None, review.read_on)


def test_two_accelerators_of_one_generation_are_two_events_and_two_names_of_one_are_one() -> None:
    def told(name: str, accelerator: str, day: str) -> AdoptionRow:
        (row,) = read_adoption(GOOD | {"id": name, "accelerator": accelerator, "event_date_low": day}, REVIEW)
        return row

    rows = [told("A1", "NVIDIA H100", "2024-01-02"), told("A2", "NVIDIA GH200", "2024-01-20")]
    assert [row.ref for row in merged_events([*rows, told("A3", "H100 SXM5", "2024-01-30")])] == ["A2", "A3"]


@pytest.mark.parametrize(
    "name", ["promises.csv", "adoption.csv", *sorted(f"ledger/{p.name}" for p in LEDGER.glob("*"))]
)
def test_no_committed_fact_cites_a_page_that_no_review_cites(name: str) -> None:
    review = FACTS / "review"
    pages = yaml.safe_load((review / "pages.yaml").read_text(encoding="utf-8"))
    reviews = [yaml.safe_load((review / f"{kind}.yaml").read_text(encoding="utf-8")) for kind in KINDS]
    alone = {ref for decided in reviews for ref in decided.get("only_page", {})}
    with (FACTS / name).open(encoding="utf-8", newline="") as file:
        cited = [(row["ref"], row["url"]) for row in csv.DictReader(file)]
    delivered = [ref for ref, url in cited if urlsplit(url).netloc in pages["hosts"]]
    assert delivered == []
    found = [(ref, part) for ref, url in cited for part in pages["no_page"] if part in url and ref not in alone]
    assert found == []


# The page says of which year it is.
YEAR_TOLD = ("dev.to/dev_tips/nvidias-nvl72",)


@pytest.mark.parametrize("name", sorted(p.name for p in LEDGER.glob("*")))
def test_a_year_alone_dates_no_page_that_does_not_give_it(name: str) -> None:
    with (LEDGER / name).open(encoding="utf-8", newline="") as file:
        yearly = [row for row in csv.DictReader(file) if len(row["stated_on"]) == 4]
    told = [row for row in yearly if not is_dated_by(row["url"], row["stated_on"])]
    assert [row["ref"] for row in told if not any(page in row["url"] for page in YEAR_TOLD)] == []
