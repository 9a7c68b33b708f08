"""Committed facts of MLPerf as Parquet: the lake's parsed rounds, and other tables' rows where no archive is at hand.

A row that stands in is marked in `origin` and has no archive; it stands only where no parsed row does. A parsed row
that borrows fields names these in `from_organisers`. Columns and types are those of the lake, so the warehouse loads
both alike. A round that neither the lake nor another table holds keeps its committed rows.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from pipelines.frozen import frozen
from pipelines.lake import Lake, arrow_schema, table_of, write_parquet
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import TABLES, InferenceResult, lake_folder
from pipelines.model.provenance import RoundProvenance
from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.parse.mlperf.common.rows import StandIn
from pipelines.parse.mlperf.inference.organisers import read_organisers
from pipelines.parse.mlperf.training.computed import read_scores
from pipelines.registry import Registry, load_registry

# A summary prints rates with two decimals: a figure this near is the same figure with more digits.
_ROUNDING: Final = 0.0051
_LENT: Final = ("accuracy", "power_w", "energy_j", "result_id")
_WITH: Final = {"accuracy": ("accuracy", "accuracy_met", "accuracy_raw")}


@frozen
class ExportReport:
    """Rows written by table, results by origin, parsed rows that borrow a field, and rounds with results."""

    rows: Mapping[str, int]
    origins: Mapping[str, int]
    completed: int
    rounds: int


def read_stand_ins(scores: Path | None, organisers: Iterable[Path]) -> list[StandIn[Any]]:
    """Rows of a CSV of computed scores and of folders with the organisers' rows; of a result's rows the first counts.

    Raises StandInUnreadable.
    """
    registry = load_registry()
    names, rules = registry.accelerator_names, registry.mlperf
    found: list[StandIn[Any]] = (
        [] if scores is None else list(read_scores(scores.name, scores.read_bytes(), names, rules))
    )
    for folder in organisers:
        found += read_organisers({path.name: path.read_bytes() for path in folder.iterdir()}, names, rules)
    return list({row.key: row for row in reversed(found)}.values())


def export_facts(
    lake: Lake, facts: Path, stand_ins: Iterable[StandIn[Any]], captured_at: dt.datetime, commits: Mapping[str, str]
) -> ExportReport:
    """Write the committed Parquet file of each table; `commits` are those of the stand-ins' rounds where known."""
    by_key = {row.key: row for row in stand_ins}
    tables, completed = {}, 0
    for name, row_type in TABLES.items():
        schema = arrow_schema(row_type, RoundProvenance)
        parsed = [pq.read_table(file).replace_schema_metadata(None) for file in lake.files(lake_folder(name))]
        if row_type is InferenceResult:
            parsed, borrowing = _completed(parsed, by_key, schema)
            completed += borrowing
        table = pa.concat_tables([schema.empty_table(), *parsed])
        theirs = [row for row in by_key.values() if type(row.result) is row_type]
        table = pa.concat_tables([table, *_stand_in_tables(theirs, table, captured_at, commits)])
        tables[name] = pa.concat_tables([_kept(facts / f"{name}.parquet", schema, table), table])
    facts.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        place = "system_path" if name == "mlperf_systems" else "member_dir"
        order = [(key, "ascending") for key in ("suite", "round", place)]
        write_parquet(table.take(pa.compute.sort_indices(table, order)), facts / f"{name}.parquet")
    results = [table for name, table in tables.items() if name != "mlperf_systems"]
    origins = Counter(origin for table in results for origin in table.column("origin").to_pylist())
    rounds = set().union(*(_keys(table, "suite", "round") for table in results))
    return ExportReport({name: table.num_rows for name, table in tables.items()}, origins, completed, len(rounds))


def _keys(table: pa.Table, *names: str) -> set[tuple[Any, ...]]:
    return set(zip(*(table.column(name).to_pylist() for name in names), strict=True))


def _kept(path: Path, schema: pa.Schema, table: pa.Table) -> pa.Table:
    """The committed rows of rounds that the new table does not hold."""
    if not path.exists():
        return schema.empty_table()
    committed = pq.read_table(path).select(schema.names).cast(schema)
    held = _keys(table, "suite", "round")
    rounds = zip(committed.column("suite").to_pylist(), committed.column("round").to_pylist(), strict=True)
    return committed.filter(pa.array([key not in held for key in rounds], pa.bool_()))


def _stand_in_tables(
    rows: list[StandIn[Any]], parsed: pa.Table, captured_at: dt.datetime, commits: Mapping[str, str]
) -> Iterable[pa.Table]:
    """Rows that were not parsed, a table a round and origin, with the provenance that is known of them."""
    registry, known = load_registry(), _keys(parsed, "suite", "round", "member_dir") if rows else set()
    groups: dict[tuple[RoundKind, str], list[Any]] = {}
    for row in rows:
        if row.key not in known:
            result = replace(row.result, submitter=registry.submitter(row.result.submitter_named).name)
            groups.setdefault((RoundKind(*row.key[:2]), row.origin), []).append(result)
    for (kind, origin), results in sorted(groups.items()):
        provenance = _provenance(kind, origin, registry, captured_at, commits.get(kind.round))
        yield table_of(results, type(results[0]), provenance)


def _provenance(
    kind: RoundKind, origin: str, registry: Registry, captured_at: dt.datetime, commit: str | None
) -> RoundProvenance:
    entry = registry.round(kind.suite, kind.round)
    published_on = None if entry is None else entry.published_on
    return RoundProvenance(
        source_id=kind.source_id,
        repository=f"mlcommons/{kind.suite}_results_{kind.round}" if entry is None else entry.repository,
        commit=commit,
        committed_at=None,
        archive_sha256=None,
        captured_at=captured_at,
        stated_on=published_on or captured_at.date(),
        stated_on_basis="round" if published_on else "capture",
        evidence=Evidence.AUDITED,
        origin=origin,
    )


def _completed(
    tables: list[pa.Table], theirs: Mapping[tuple[str, str, str], StandIn[Any]], schema: pa.Schema
) -> tuple[list[pa.Table], int]:
    """The parsed rows with what their archive lacks and the organisers have; and how many borrow."""
    completed, count = [], 0
    for table in tables:
        records = table.to_pylist()
        for record in records:
            lender = theirs.get((record["suite"], record["round"], record["member_dir"]))
            if lender is not None and isinstance(lender.result, InferenceResult):
                borrowed = _borrow(record, lender.result)
                record |= borrowed | {"from_organisers": sorted(borrowed)}
                count += bool(borrowed)
        completed.append(pa.Table.from_pylist(records, schema=schema))
    return completed, count


def _borrow(record: dict[str, Any], theirs: InferenceResult) -> dict[str, Any]:
    """Fields that the parsed row lacks. A figure is taken only where it is the summary's with more digits."""
    borrowed: dict[str, Any] = {}
    ours, official, printed = record["result"], theirs.result, record["result_summary"]
    if ours is not None and official is not None and printed is not None and ours != official:
        sixth_digit = 10.0 ** (math.floor(math.log10(official)) - 5) if official else 0.0
        if record["result_detail"] is None and abs(printed - official) <= _ROUNDING + sixth_digit / 2:
            borrowed["result"] = official
    for name in _LENT:
        lent = getattr(theirs, name)
        if record[name] in (None, "") and lent not in (None, ""):
            borrowed |= {each: getattr(theirs, each) for each in _WITH.get(name, (name,))}
    if borrowed.keys() & {"power_w", "energy_j"}:
        borrowed["has_power"] = True
    return borrowed
