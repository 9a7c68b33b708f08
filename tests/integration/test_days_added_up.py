"""Days that are added to the version before come to what a build of everything gives, whatever changes beside them."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from pipelines.archive.index import forget
from pipelines.archive.layout import index_path, warc_files
from pipelines.archive.notes import DocumentNote, add_notes
from pipelines.archive.store import Archive
from pipelines.lake import Lake
from tests.simulation.internet import START, Internet
from tests.simulation.life import Life, living
from tests.simulation.world import everybody
from tests.trimmed import files_of, trimmed
from warehouse import build as building
from warehouse.build import BuildPlan, BuildReport
from warehouse.dictionary import content_hash
from warehouse.lake_parts import TABLES, PartTables
from warehouse.sql_files import sql_files

SOURCES = ("daily_news", "edits", "promises", "prices", "quiet_house", "becomes_app")
PARTED = frozenset(TABLES)
READERS = ("evidence.copies", "evidence.claims", "marts.source_health")  # and what they need


@dataclass(slots=True)
class Builds:
    """What was asked of the builds of a life, which of their tables stayed, and how often one was begun."""

    plans: list[BuildPlan] = field(default_factory=list)
    stayed: frozenset[str] = frozenset()
    begun: int = 0


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    hosts = [host for host in everybody() if host.source_id in SOURCES]
    with living(tmp_path, Internet(hosts)) as found, trimmed(tmp_path / "sql", *PARTED, *READERS):
        yield found


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Builds:
    seen = Builds()
    build, fill, begin = building.build, building._fill, PartTables.__init__

    def planned(plan: BuildPlan) -> BuildReport:
        bare = dataclasses.replace(plan, facts=plan.lake.with_name("facts"))  # no committed ones: they are as they were
        seen.plans.append(bare)
        return build(bare)

    def filled(*given: object, **named: object) -> BuildReport:
        seen.begun += 1
        return fill(*given, **named)  # type: ignore[arg-type]

    def began(self: PartTables, *given: object) -> None:
        begin(self, *given)  # type: ignore[arg-type]
        seen.stayed = self.staying

    monkeypatch.setattr("tests.simulation.life.build", planned)
    monkeypatch.setattr(building, "_fill", filled)
    monkeypatch.setattr(PartTables, "__init__", began)
    return seen


def a_capture_twice(life: Life) -> None:
    """Another partition has a capture that is held: both are set aside."""
    lake = Lake(life.settings.lake)
    rows = lake.read("captures", "daily_news").slice(0, 1)
    place = rows.schema.get_field_index("url")
    other = rows.set_column(place, rows.schema.field("url"), pa.array(["https://other.example/"]))
    lake.write("captures", "twice", other, inputs="twice", code="")


def only_once(life: Life) -> None:
    Lake(life.settings.lake).drop("captures", "twice")


def skipped(life: Life) -> None:
    """A source is not shown any more."""
    path = life.settings.sources
    text = path.read_text(encoding="utf-8")
    before, entry = text.split("  edits:\n")
    path.write_text(f"{before}  edits:\n{entry.replace('status: active', 'status: skip', 1)}", encoding="utf-8")


def noted(life: Life) -> None:
    """A person says of a document when it was published: the rows of its source are read again."""
    with Archive(life.settings.archive) as archive:
        capture = next(one for one in archive.captures("daily_news") if one.status == 200)
    add_notes(life.settings.archive, [DocumentNote(capture.capture_id, published_on=dt.date(2025, 3, 1))])


def deleted(life: Life) -> None:
    """A file of the archive goes, and with it captures and documents."""
    root = life.settings.archive
    path = warc_files(root, "daily_news")[1]
    path.unlink()
    index_path(root, path).unlink()
    forget(root, "daily_news")


def nothing(life: Life) -> None:
    """A day like others."""


# what happens before a day's run; the tables that its build adds to; how often it begins
DAYS: list[tuple[Callable[[Life], None], frozenset[str], int]] = [
    (nothing, frozenset(), 1),
    (nothing, PARTED, 1),
    (a_capture_twice, frozenset(), 2),
    (only_once, PARTED - {"evidence.captures"}, 1),
    (skipped, PARTED, 1),
    (noted, frozenset(), 2),
    (deleted, PARTED, 1),
]


def test_days_that_are_added_come_to_what_a_build_of_everything_gives(life: Life, builds: Builds) -> None:
    lived: list[tuple[str, frozenset[str], int]] = []
    for number, (happens, *_) in enumerate(DAYS):
        life.world.now = START + dt.timedelta(days=number)
        happens(life)
        builds.begun = 0
        life.day()
        lived.append((happens.__name__, builds.stayed, builds.begun))
        if happens is nothing or builds.begun > 1:  # the second beginning makes every table itself
            continue
        plan = builds.plans[-1]
        whole = dataclasses.replace(plan, target=plan.target.with_name("whole.duckdb"), is_full=True)
        building.build(whole)
        with duckdb.connect(str(plan.target), read_only=True) as added, duckdb.connect(str(whole.target)) as right:
            hashes = 'SELECT "table", row_count, content_hash FROM meta.tables ORDER BY ALL'
            told = added.execute(hashes).fetchall()
            assert told == right.execute(hashes).fetchall(), happens.__name__
            found = [(name, content) for name, *_ in told for content in [content_hash(added, name)]]
            assert told == [(name, content.rows, content.digest) for name, content in found]
    assert lived == [(happens.__name__, stayed, begun) for happens, stayed, begun in DAYS]


def test_all_that_reads_these_tables_is_built_here() -> None:
    reading = {file.path for file in sql_files() if PARTED & file.words.union(*file.macros.values())}
    assert reading <= files_of((*PARTED, *READERS))
