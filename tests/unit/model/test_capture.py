"""A capture's name follows from what was seen, and from nothing else."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.model.capture import capture_id

NOON = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
SEEN: dict[str, object] = {
    "source_id": "racks", "url": "https://a.example/x", "captured_at": NOON, "status": 200, "payload_sha256": "ab" * 32,
}  # fmt: skip


def named(**other: object) -> str:
    return capture_id(**{**SEEN, **other})  # type: ignore[arg-type]


def test_the_same_instant_in_another_zone_is_the_same_capture() -> None:
    tokyo = dt.timezone(dt.timedelta(hours=9))
    assert named(captured_at=dt.datetime(2026, 3, 1, 21, tzinfo=tokyo)) == named()


@pytest.mark.parametrize(
    "other",
    [
        {"source_id": "rack"},
        {"url": "https://a.example/X"},
        {"captured_at": NOON + dt.timedelta(microseconds=1)},
        {"status": 304},
        {"payload_sha256": "ac" * 32},
        {"source_id": "rack", "url": "shttps://a.example/x"},  # the same letters in a row
    ],
)
def test_whatever_was_seen_otherwise_is_another_capture(other: dict[str, object]) -> None:
    assert named(**other) != named()


def test_an_instant_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone: 2026-03-01T12:00:00"):
        named(captured_at=NOON.replace(tzinfo=None))


def test_an_address_that_is_no_proper_unicode_has_a_name_too() -> None:
    assert len(named(url="https://a.example/\udce4")) == 32
