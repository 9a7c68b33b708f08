"""Candidate figures of machines: names, bounds, dates, tags by rule; what does not hold is refused with its reason."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.candidates.figure import FigureReview, read_figure, share_page_dates, told_once
from pipelines.candidates.review import RefusedCandidate
from pipelines.ledger.fields import FieldError

REVIEW = FigureReview.model_validate(
    {
        "read_on": dt.date(2026, 11, 21),
        "subjects": {"Blackwell rack": "nvidia-gb200-nvl72"},
        "no_subject": {"Average rack": "a kind of rack"},
        "elsewhere": ["MLCommons"],
        "metrics_elsewhere": {"revenue": "read from filings"},
        "no_page": {"mirror.example": "a copy"},
        "bases": {"TDP": "rated", "busbar capacity": "design limit"},
        "names": {},
        "left_out": ["cooling"],
        "rows": {"K9": {"qualifiers": "per=server", "subject": "DGX H100"}, "K8": {"limit": False}},
    }
)
GOOD = {
    "id": "K1",
    "subject": "Blackwell rack",
    "maker": "NVIDIA",
    "kind": "rack",
    "metric": "power",
    "value": "120",
    "value_low": "",
    "value_high": "",
    "unit": "kW",
    "qualifiers": "per=rack; basis=unstated; cooling=liquid",
    "modality": "promised",
    "claimant": "NVIDIA",
    "printed_by": "NVIDIA",
    "printed_by_kind": "maker",
    "stated_on": "2025-03",
    "period": "",
    "url": "https://blogs.nvidia.com/blog/a-page/",
    "note": "",
}


def read(**change: str) -> list[dict[str, str]]:
    return read_figure(GOOD | change, REVIEW)


def test_a_figure_on_the_makers_own_page_is_the_makers_word() -> None:
    (row,) = read()
    assert (row["subject"], row["qualifiers"], row["evidence"]) == ("nvidia-gb200-nvl72", "per=rack", "vendor")
    assert (row["modality"], row["caveats"], row["publisher"]) == ("expected", "undated", "NVIDIA")


def test_a_date_that_neither_address_nor_review_gives_is_a_bound() -> None:
    (row,) = read()
    assert (row["stated_on"], row["stated_not_after"], row["read_on"]) == ("", "2025-03-31", "2026-11-21")
    (dated,) = read(url="https://blogs.nvidia.com/2025/03/a-page/")
    assert (dated["stated_on"], dated["stated_not_after"]) == ("2025-03", "")
    (undated,) = read(stated_on="")
    assert undated["stated_not_after"] == "2026-11-21"


@pytest.mark.parametrize(
    ("url", "kind", "tag", "printer"),
    [
        ("https://www.tomshardware.com/news/x", "press", "reported", "Tom's Hardware"),
        # the domain decides, not the kind that a reader typed
        ("https://www.tomshardware.com/news/x", "maker", "reported", "Tom's Hardware"),
        ("https://nvidia.example.com/x", "maker", "reported", "NVIDIA page"),
    ],
)
def test_a_relay_is_reported_whatever_kind_was_typed(url: str, kind: str, tag: str, printer: str) -> None:
    (row,) = read(url=url, printed_by="NVIDIA page", printed_by_kind=kind)
    assert (row["claimant"], row["evidence"], row["printed_by"]) == ("NVIDIA", tag, printer)
    assert "indirect" in row["caveats"]


def test_the_words_of_an_aggregator_are_its_own() -> None:
    (row,) = read(url="https://aiwiki.ai/wiki/x", printed_by_kind="aggregator")
    assert (row["claimant"], row["evidence"], row["printed_by"]) == ("AI Wiki", "unverified", "AI Wiki")


def test_a_range_is_its_two_ends_and_one_end_a_bound() -> None:
    (whole,) = read(value="", value_low="120", value_high="132")
    told = [whole[name] for name in ("ref", "value", "value_low", "value_high", "qualifiers", "printed")]
    assert told == ["K1", "126", "120", "132", "per=rack", "120 to 132 kW"]
    (up_to,) = read(value="", value_high="132")
    assert up_to["qualifiers"] == "bound=max; per=rack"
    (most,) = read(value="", value_high="132", qualifiers="per=rack; basis=max")
    assert most["qualifiers"] == "basis=max; per=rack"  # the basis says that it is the most


def test_of_things_that_are_counted_a_range_has_no_middle() -> None:
    (row,) = read(
        metric="accelerator_count", unit="count", qualifiers="per=rack", value="", value_low="64", value_high="80"
    )
    assert (row["value"], row["value_low"], row["qualifiers"]) == ("80", "", "bound=max; counted_as=unstated; per=rack")


def test_a_capacity_is_a_limit_and_tdp_a_rating() -> None:
    (bar,) = read(qualifiers="per=rack; basis=busbar capacity")
    (rated,) = read(qualifiers="per=server; basis=TDP")
    assert (bar["qualifiers"], rated["qualifiers"]) == ("basis=design limit; per=rack", "basis=rated; per=node")


@pytest.mark.parametrize(
    ("quote", "qualifiers"),
    [
        ("it draws 120 kW", "per=rack"),
        ("it draws about 120 kW", "approx=yes; per=rack"),
        ("a rack of ~0.12 MW", "approx=yes; per=rack"),
        ("about 72 accelerators draw 120 kW", "per=rack"),
        ("up to 120 kW a rack", "bound=max; per=rack"),
        ("up to 72 accelerators in 120 kW", "per=rack"),
    ],
)
def test_a_round_figure_and_a_limit_are_marked_as_the_words_before_them_say(quote: str, qualifiers: str) -> None:
    (row,) = read(quote=quote)
    assert row["qualifiers"] == qualifiers


def test_a_reviewer_corrects_a_row() -> None:
    (row,) = read(id="K9")
    assert (row["subject"], row["qualifiers"]) == ("nvidia-dgx-h100", "per=node")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"subject": "Average rack"}, "subject: a kind of rack"),
        ({"subject": "Unheard-of rack"}, "subject: the registry knows no 'Unheard-of rack'"),
        ({"metric": "revenue"}, "metric: read from filings"),
        ({"printed_by": "MLCommons (training results)"}, "is read as a table"),
        ({"url": "https://mirror.example/x"}, "url: a copy"),
        ({"url": "https://blogs.nvidia.com/"}, "leads to the root of a site"),
        ({"claimant": ""}, "no claimant"),
        ({"printed_by": ""}, "no printed_by"),
        ({"url": ""}, "no url"),
        ({"qualifiers": "per=rack; derived=17 MW over 125"}, "a product or quotient of the reader"),
        ({"qualifiers": "per=rack; basis=guess"}, "basis: expected one of rated"),
        ({"qualifiers": "per=rack; basis=max", "quote": "Rack TDP 132 kW"}, "basis: the page says TDP"),
        ({"value": "9000"}, "value: 9000 kW is outside what is believable"),
        ({"value": "12", "unit": "bananas"}, "unit: "),
        ({"modality": "perhaps"}, "modality: expected one of"),
    ],
)
def test_what_does_not_hold_is_refused_with_its_reason(change: dict[str, str], reason: str) -> None:
    with pytest.raises((RefusedCandidate, FieldError), match=reason):
        read(**change)


def test_a_plan_told_as_done_is_refused() -> None:
    event = {"metric": "available_from", "value": "2027", "unit": "", "qualifiers": "", "modality": "shipping"}
    with pytest.raises(RefusedCandidate, match="a plan told as done"):
        read(**event)
    assert read(**event | {"modality": "promised"})[0]["value"] == "2027"


def test_a_page_says_a_figure_once() -> None:
    first = read()
    with pytest.raises(RefusedCandidate, match="says K1 again on the same page"):
        told_once(read(id="K2"), first)


def test_a_limit_before_another_figure_of_the_same_number_is_none() -> None:
    words = "up to 120 GPUs and 120 kW"
    assert read(quote=words)[0]["qualifiers"] == "bound=max; per=rack"
    assert read(id="K8", quote=words)[0]["qualifiers"] == "per=rack"


def test_rows_of_a_dated_page_share_its_date() -> None:
    (dated,) = read(url="https://blogs.nvidia.com/2025/03/a-page/")
    (other,) = read(value="130")
    bound = {**other, "url": dated["url"]}
    mended = share_page_dates([dated, bound, other])
    assert [(row["stated_on"], row["stated_not_after"], row["caveats"]) for row in mended] == [
        ("2025-03", "", ""),
        ("2025-03", "", ""),
        ("", "2025-03-31", "undated"),
    ]
