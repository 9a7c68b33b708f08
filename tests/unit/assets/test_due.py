"""Which sources a run asks: those named, else those whose cadence says that it is time."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from pipelines.archive.attempts import last_captured
from pipelines.archive.store import Archive
from pipelines.assets.due import sources_to_ask
from pipelines.settings import Run, Settings
from pipelines.sources import SourceCatalog, parse_sources
from tests.archive_kit import START, exchange

ROOT = Path(__file__).parents[3]
ENTRY = (ROOT / "tests/fixtures/sources_yaml/entry.yaml").read_text(encoding="utf-8")  # every six hours


@pytest.fixture
def catalog() -> SourceCatalog:
    second = ENTRY.split("sources:\n", 1)[1].replace("example_feed:", "second_feed:").replace("/feed", "/second")
    return parse_sources(f"{ENTRY}\n{second}")


def asked(catalog: SourceCatalog, settings: Settings, hours: float, *only: str, whether_due: bool = True) -> list[str]:
    run = Run("r", START + dt.timedelta(hours=hours))
    return [one.id for one in sources_to_ask(catalog, settings, run, only=only, whether_due=whether_due)]


def keep(settings: Settings, source_id: str, hours: float, status: int = 200) -> None:
    with Archive(settings.archive, run_stamp="20261101T080000Z-1") as archive:
        archive.append(exchange(hours * 3600, source_id=source_id, status=status))


def test_without_an_archive_all_are_due(catalog: SourceCatalog, settings: Settings) -> None:
    assert asked(catalog, settings, 0) == ["example_feed", "second_feed"]


def test_a_source_waits_for_its_cadence_and_others_do_not_wait_for_it(
    catalog: SourceCatalog, settings: Settings
) -> None:
    keep(settings, "example_feed", 0)
    assert asked(catalog, settings, 4) == ["second_feed"]
    assert asked(catalog, settings, 6.1) == ["example_feed", "second_feed"]
    assert asked(catalog, settings, 1, whether_due=False) == ["example_feed", "second_feed"]
    assert asked(catalog, settings, 1, "example_feed") == ["example_feed"]


def test_a_failure_is_no_capture_and_one_ahead_of_the_clock_does_not_count(
    catalog: SourceCatalog, settings: Settings
) -> None:
    keep(settings, "example_feed", 0, status=503)
    keep(settings, "second_feed", 1000)
    assert asked(catalog, settings, 1) == ["example_feed", "second_feed"]
    assert last_captured(settings.archive) == {"second_feed": START + dt.timedelta(hours=1000)}


def test_a_name_that_is_no_source_is_refused_with_what_may_be_meant(catalog: SourceCatalog, settings: Settings) -> None:
    with pytest.raises(ValueError, match="no such source: exmple_feed; did you mean 'example_feed'"):
        asked(catalog, settings, 0, "exmple_feed", "second_feed")
