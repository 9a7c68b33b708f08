"""The work of one source's market tables, without Dagster: captures in, partitions of the lake out.

Rows of owners who forbid collection are dropped here, whoever's table they stand in, and counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.archive.store import Archive
from pipelines.assets.documents_step import is_read_as
from pipelines.assets.guards import stale
from pipelines.assets.partition_step import Made, Outcome, PartitionStep, forget, run_steps
from pipelines.frozen import frozen
from pipelines.lake import Lake, arrow_schema, code_version, digest, table_of
from pipelines.model.capture import Capture
from pipelines.model.evidence import Evidence
from pipelines.model.lake_tables import MARKET_TABLES
from pipelines.model.market import CapturedTable, MarketCapture, MarketProvenance, MarketRows
from pipelines.model.reading import Reading
from pipelines.parse.parsers import Parser, find_parser
from pipelines.problems import InputError, Problem, Reason
from pipelines.settings import PROJECT_ROOT
from pipelines.source_model import Source
from pipelines.sources import DeniedProvider, SourceCatalog, denied_by
from pipelines.upkeep.worker import budget

UNSTORABLE = (OverflowError, UnicodeError, pa.ArrowException)  # what a table of the lake says of a cell it cannot hold
PROBLEMS = "market_problems"  # with their captures; the table `problems` holds them without


@frozen
class _ProblemOf:
    """The capture that a problem was found in."""

    capture_id: str


@cache
def parser_version() -> str:
    """Changes when a parser of market tables or its row types change; names are matched later, by the warehouse."""
    here = PROJECT_ROOT / "pipelines"
    return code_version(here / "parse" / "sources", *sorted((here / "model").glob("market*.py")), Path(__file__))


@dataclass(frozen=True)
class MarketStep(PartitionStep):
    """The rows of one source's captures, in the tables that its parser fills."""

    account: ClassVar[str] = "market_captures"
    key: ClassVar[str] = "capture_id"
    pool_from: ClassVar[int] = 50

    partition: str
    source: Source
    denylist: tuple[DeniedProvider, ...]
    captures: tuple[Capture, ...]
    archive: Path

    @property
    def parser(self) -> Parser:
        found = find_parser(self.source.parser or "")
        if found is None:
            raise LookupError(f"{self.partition}: no parser {self.source.parser!r}")
        return found

    @property
    def inputs(self) -> str:
        return digest(*(capture.capture_id for capture in self.captures))

    @property
    def code(self) -> str:
        return digest(parser_version(), repr(self.source), repr(self.denylist))

    @property
    def schemas(self) -> Mapping[str, pa.Schema]:
        rows = {name: arrow_schema(MARKET_TABLES[name], MarketProvenance) for name in self.parser.tables}
        return rows | {PROBLEMS: arrow_schema(Problem, _ProblemOf), self.account: arrow_schema(MarketCapture)}

    def items(self) -> Sequence[str]:
        return [capture.capture_id for capture in self.captures]

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        by_id = {capture.capture_id: capture for capture in self.captures}
        with Archive(self.archive) as archive:
            parsed = [_parse(self.denylist, self.source, self.parser, by_id[item], archive) for item in items]
        return {
            name: pa.concat_tables([schema.empty_table(), *(tables[name].cast(schema) for tables in parsed)])
            for name, schema in self.schemas.items()
        }

    def finish(self, made: Made) -> Mapping[str, pa.Table]:
        problems, within = made.rows(PROBLEMS).drop_columns(["capture_id"]), self.source.expected.newest_within
        if within is None:
            return {"problems": problems}
        dates = [made.rows(name, ["stated_on"]).column(0) for name in self.parser.tables]
        newest = max((day for column in dates if (day := pc.max(column).as_py()) is not None), default=None)
        last = max(self.captures, key=lambda capture: capture.captured_at)
        found = stale(self.source, newest, last.captured_at.date(), within, last.url)
        return {"problems": pa.concat_tables([problems, table_of(found, Problem).cast(problems.schema)])}

    def counts(self, made: Made) -> dict[str, int]:
        accounts = made.rows(self.account, ["rows", "denied", "problems"])
        sums = {name: pc.sum(accounts.column(name)).as_py() or 0 for name in accounts.column_names}
        return {"captures": accounts.num_rows, **sums}


def build_market(
    catalog: SourceCatalog, sources: Iterable[Source], archive: Path, lake: Path, workers: int = 1
) -> Iterator[Outcome]:
    """Build the partitions of the sources that are read as tables and have captures."""
    steps = []
    with Archive(archive) as opened:
        for source in sources:
            Lake(lake).drop("problems", f"market-{source.id}")  # where lakes of 2026-11 and before have them
            if not is_read_as(source, Reading.TABLE):
                forget(lake, (*MARKET_TABLES, PROBLEMS, MarketStep.account), source.id)
            elif captures := tuple(c for c in opened.captures(source.id) if c.status in (200, 304)):
                steps.append(MarketStep(source.id, source, catalog.provider_denylist, captures, archive))
    return run_steps(steps, lake, workers)


def _read(source: Source, parser: Parser, capture: Capture, archive: Archive) -> tuple[MarketRows, str]:
    """What the parser makes of one capture, and the reason where it can make nothing of it.

    An unchanged answer is read at its own date: the table was looked at again.
    """
    try:
        table = CapturedTable(
            source_id=source.id,
            url=capture.url,
            captured_at=capture.captured_at,
            sha256=capture.payload_sha256,
            media_type=capture.media_type,
            data=archive.payload(capture),
        )
        with budget(capture.url):
            found: MarketRows = parser.parse(table)
    except InputError as error:
        problem = Problem(source.id, source.id, error.place, error.reason, error.detail, is_fatal=True)
        return MarketRows({}, (problem,)), error.reason.value
    most, floor = max(map(len, found.rows.values()), default=0), source.expected.min_rows or 0
    if most >= floor or (most == 0 and found.unread):  # an answer of another kind has no rows and says so
        return found, ""
    detail = f"{most} rows, expected are {floor} at least"
    problem = Problem(source.id, source.id, capture.url, Reason.TOO_FEW_ROWS, detail)
    return replace(found, problems=(*found.problems, problem)), ""


def _storable(source: Source, capture: Capture, found: MarketRows) -> MarketRows:
    """The rows without those that no table can hold (a number beyond 64 bits, text that is no Unicode), each named."""
    kept = {name: [row for row in rows if _fits({name: [row]})] for name, rows in found.rows.items()}
    odd = [
        Problem(source.id, source.id, capture.url, Reason.VALUE_IMPLAUSIBLE, f"{row!a:.300}", is_fatal=True)
        for name, rows in found.rows.items()
        for row in rows
        if not _fits({name: [row]})
    ]
    return replace(found, rows=kept, problems=(*found.problems, *odd))


def _fits(rows: Mapping[str, Sequence[object]]) -> bool:
    """Whether the tables of the lake can hold these rows."""
    try:
        for name, held in rows.items():
            table_of(held, MARKET_TABLES[name])
    except UNSTORABLE:
        return False
    return True


def _parse(
    denylist: tuple[DeniedProvider, ...], source: Source, parser: Parser, capture: Capture, archive: Archive
) -> dict[str, pa.Table]:
    """What one capture gave: a table for each lake table, its problems, and the line that accounts for it."""
    found, reason = _read(source, parser, capture, archive)
    try:
        return _tables(denylist, source, parser, capture, found, reason)
    except UNSTORABLE:
        return _tables(denylist, source, parser, capture, _storable(source, capture, found), reason)


def _tables(
    denylist: tuple[DeniedProvider, ...],
    source: Source,
    parser: Parser,
    capture: Capture,
    found: MarketRows,
    reason: str,
) -> dict[str, pa.Table]:
    kept = {name: [row for row in found.rows.get(name, ()) if not _denied(denylist, row)] for name in parser.tables}
    dropped = [n for rows in found.rows.values() for row in rows if (n := _denied(denylist, row)) is not None]
    provenance = MarketProvenance(
        source_id=source.id,
        url=_address(source, capture),
        captured_at=capture.captured_at,
        capture_id=capture.capture_id,
        payload_sha256=capture.payload_sha256,
        evidence=Evidence(source.evidence),
    )
    account = MarketCapture(
        capture_id=capture.capture_id,
        source_id=source.id,
        url=capture.url,
        captured_at=capture.captured_at,
        payload_sha256=capture.payload_sha256,
        rows=sum(map(len, kept.values())),
        denied=len(dropped),
        denied_names=tuple(sorted(set(dropped))),
        problems=len(found.problems),
        unread=found.unread,
        problem=reason,
    )
    tables = {name: table_of(rows, MARKET_TABLES[name], provenance) for name, rows in kept.items()}
    problems = table_of(found.problems, Problem, _ProblemOf(capture.capture_id))
    return {**tables, PROBLEMS: problems, MarketStep.account: table_of([account], MarketCapture)}


def _address(source: Source, capture: Capture) -> str:
    """Where a reader finds the table: the capture's address, or for a file added without one the source's page."""
    if capture.url.startswith("https://"):
        return capture.url
    return next(str(url) for url in (source.page_url, *source.urls, "https://") if url)


def _denied(denylist: tuple[DeniedProvider, ...], row: object) -> str | None:
    """The denylist's name of the provider that a row is about, by its `provider` or `scope`; None where it may stay."""
    for field in ("provider", "scope"):
        entry = denied_by(denylist, getattr(row, field, ""))
        if entry is not None:
            return entry.provider
    return None
