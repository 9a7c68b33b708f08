"""Candidate events of adoption: what bounds their days."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.candidates.adoption import AdoptionReview, read_adoption
from pipelines.candidates.checks import RefusedCandidate

REVIEW = AdoptionReview.model_validate(
    {
        "read_on": dt.date(2026, 11, 21),
        "generations": {"NVIDIA Hopper": "nvidia-hopper"},
        "elsewhere": ["MLCommons"],
        "denied": [],
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


def test_a_commit_bounds_a_listing_and_gives_no_day() -> None:
    (told,) = read_adoption(GOOD, REVIEW)
    assert (told.on_low, told.on_high) == (dt.date(2024, 2, 2), dt.date(2024, 2, 2))
    (listed,) = read_adoption(GOOD | {"url": "https://github.com/modal-labs/modal-client/commit/992d06516"}, REVIEW)
    assert (listed.on_low, listed.on_high) == (None, dt.date(2024, 2, 2))


def test_a_copy_is_not_cited() -> None:
    with pytest.raises(RefusedCandidate, match="url: a copy"):
        read_adoption(GOOD | {"url": "https://mirror.example/a"}, REVIEW)
