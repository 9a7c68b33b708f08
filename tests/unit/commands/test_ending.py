"""What the operator's address is told of how runs end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines.commands import EXIT_FAILED
from pipelines.commands.run import refused, unchanged
from pipelines.settings import PREFIX
from tests.settings_kit import settings_below


def test_a_refusal_that_is_over_is_told_although_nothing_had_to_be_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, object]] = []

    def post(url: str, body: bytes, wait: object) -> str:
        told.append(json.loads(body))
        return ""

    monkeypatch.setattr("pipelines.alarm.post", post)
    monkeypatch.setenv(PREFIX + "ALARM_URL", "http://127.0.0.1:9/")
    settings = settings_below(tmp_path, monkeypatch)
    assert [refused(settings, "not published\nChecks failed: one") for _ in range(2)] == [EXIT_FAILED] * 2
    assert [unchanged(settings) for _ in range(2)] == [0, 0]
    assert told == [
        {"outcome": "refused", "says": ["not published", "Checks failed: one"], "wrong": []},
        {"outcome": "published", "says": [], "wrong": []},
    ]
