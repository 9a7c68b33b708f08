"""The work of one source's market tables, without Dagster: captures in, partitions of the lake out.

Rows of owners who forbid collection are dropped here, whoever's table they stand in, and counted. A capture that was
parsed by the same code is not parsed again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipelines.archive.store import Archive
from pipelines.lake import CODE_KEY, Lake, arrow_schema, code_version, table_of
from pipelines.model.capture import Capture
from pipelines.model.evidence import Evidence
from pipelines.model.market import CapturedTable, MarketCapture, MarketProvenance, MarketRows
from pipelines.parse.sources import MARKET_TABLES, PARSERS, MarketParser
from pipelines.problems import InputError, Problem, Reason
from pipelines.settings import PROJECT_ROOT
from pipelines.source_model import Source
from pipelines.sources import SourceCatalog

LAST_TABLE = "market_captures"  # written last: a source is current only when this one is


@dataclass(frozen=True, slots=True)
class MarketOutcome:
    """What one source's step did; `denied` counts rows of owners who forbid collection."""

    source_id: str
    captures: int
    rows: int
    denied: int
    problems: int
    parsed_now: int


@dataclass(frozen=True, slots=True)
class _Parsed:
    """What one capture gave: a table for each lake table, its problems, and the line that accounts for it."""

    tables: dict[str, pa.Table]
    problems: pa.Table
    account: MarketCapture


@dataclass(frozen=True, slots=True)
class _ProblemOf:
    """The capture that a problem was found in."""

    capture_id: str


PROBLEMS = "market_problems"  # with their captures; the table `problems` holds them without
PROBLEM_SCHEMA = arrow_schema(Problem, _ProblemOf)


@cache
def parser_version() -> str:
    """Changes when a parser of market tables or its row types change; names are matched later, by the warehouse."""
    here = PROJECT_ROOT / "pipelines"
    return code_version(here / "parse" / "sources", *sorted((here / "model").glob("market*.py")), Path(__file__))


def partition_schemas() -> dict[str, pa.Schema]:
    """The lake tables that market parsers fill, with their columns."""
    return {name: arrow_schema(row_type, MarketProvenance) for name, row_type in MARKET_TABLES.items()}


def build_market(
    catalog: SourceCatalog, sources: Iterable[Source], archive: Path, lake: Path
) -> Iterator[MarketOutcome]:
    """Build the partitions of the sources that have a parser of market tables and captures."""
    with Archive(archive) as opened:
        for source in sources:
            parser = PARSERS.get(source.parser)
            captures = [] if parser is None else [c for c in opened.captures(source.id) if c.status in (200, 304)]
            if parser is not None and captures:
                yield _build_source(catalog, source, parser, captures, opened, Lake(lake))


def _build_source(
    catalog: SourceCatalog, source: Source, parser: MarketParser, captures: list[Capture], archive: Archive, lake: Lake
) -> MarketOutcome:
    inputs = hashlib.sha256("\n".join(c.capture_id for c in captures).encode()).hexdigest()[:16]
    if lake.is_current(LAST_TABLE, source.id, inputs=inputs, code=parser_version()):
        return _outcome(source, pq.read_table(lake.path(LAST_TABLE, source.id)), 0)
    wanted = {c.capture_id for c in captures}
    known = _known(lake, source.id) & wanted
    parsed = [_parse(catalog, source, parser, c, archive) for c in captures if c.capture_id not in known]
    schemas = partition_schemas()
    for name in parser.tables:
        rows = _merged(lake, name, source.id, schemas[name], known, [p.tables[name] for p in parsed])
        _put(lake, name, source.id, rows, inputs)
    problems = _merged(lake, PROBLEMS, source.id, PROBLEM_SCHEMA, known, [p.problems for p in parsed])
    _put(lake, PROBLEMS, source.id, problems, inputs)
    _put(lake, "problems", f"market-{source.id}", problems.drop_columns(["capture_id"]), inputs)
    new = [table_of([p.account for p in parsed], MarketCapture)]
    accounts = _merged(lake, LAST_TABLE, source.id, arrow_schema(MarketCapture), known, new)
    _put(lake, LAST_TABLE, source.id, accounts, inputs)
    return _outcome(source, accounts, len(parsed))


def _known(lake: Lake, source_id: str) -> set[str]:
    """Captures that this very code has parsed: their rows cannot have changed."""
    path = lake.path(LAST_TABLE, source_id)
    if not path.exists() or (pq.read_schema(path).metadata or {}).get(CODE_KEY) != parser_version().encode():
        return set()
    return set(pq.read_table(path, columns=["capture_id"]).column(0).to_pylist())


def _merged(
    lake: Lake, table: str, source_id: str, schema: pa.Schema, known: set[str], new: list[pa.Table]
) -> pa.Table:
    """Rows of captures that need no parsing, and the new ones."""
    path = lake.path(table, source_id)
    held = schema.empty_table()
    if known and path.exists():
        rows = pq.read_table(path).replace_schema_metadata(None)
        held = rows.filter(pc.is_in(rows.column("capture_id"), pa.array(sorted(known))))
    return pa.concat_tables([held.cast(schema), *(rows.cast(schema) for rows in new)])


def _put(lake: Lake, table: str, partition: str, rows: pa.Table, inputs: str) -> None:
    lake.write(table, partition, rows, inputs=inputs, code=parser_version())


def _outcome(source: Source, accounts: pa.Table, parsed_now: int) -> MarketOutcome:
    sums = {name: pc.sum(accounts.column(name)).as_py() or 0 for name in ("rows", "denied", "problems")}
    return MarketOutcome(source.id, accounts.num_rows, sums["rows"], sums["denied"], sums["problems"], parsed_now)


def _read(source: Source, parser: MarketParser, capture: Capture, archive: Archive) -> tuple[MarketRows, str]:
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
        found = parser.parse(table)
    except InputError as error:
        problem = Problem(source.id, source.id, error.place, error.reason, error.detail, is_fatal=True)
        return MarketRows({}, (problem,)), error.reason.value
    most, floor = max(map(len, found.rows.values()), default=0), source.expected.min_rows or 0
    if most >= floor or (most == 0 and found.unread):  # an answer of another kind has no rows and says so
        return found, ""
    detail = f"{most} rows, expected are {floor} at least"
    problem = Problem(source.id, source.id, capture.url, Reason.TOO_FEW_ROWS, detail)
    return replace(found, problems=(*found.problems, problem)), ""


def _parse(catalog: SourceCatalog, source: Source, parser: MarketParser, capture: Capture, archive: Archive) -> _Parsed:
    found, reason = _read(source, parser, capture, archive)
    kept = {name: [row for row in found.rows.get(name, ()) if not _denied(catalog, row)] for name in parser.tables}
    dropped = [n for rows in found.rows.values() for row in rows if (n := _denied(catalog, row)) is not None]
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
    tables = {name: table_of(rows, parser.tables[name], provenance) for name, rows in kept.items()}
    problems = table_of(found.problems, Problem, _ProblemOf(capture.capture_id))
    return _Parsed(tables, problems, account)


def _address(source: Source, capture: Capture) -> str:
    """Where a reader finds the table: the capture's address, or for a file added without one the source's page."""
    if capture.url.startswith("https://"):
        return capture.url
    return next(str(url) for url in (source.page_url, *source.urls, "https://") if url)


def _denied(catalog: SourceCatalog, row: object) -> str | None:
    """The denylist's name of the provider that a row is about, by its `provider` or `scope`; None where it may stay."""
    for field in ("provider", "scope"):
        entry = catalog.denied(getattr(row, field, ""))
        if entry is not None:
            return entry.provider
    return None
