"""Committed facts: the lake's parsed rounds, and computed scores of rounds whose archive is not at hand, as Parquet.

A row from a table of computed scores is marked `origin = 'computed table'` and has no commit; it stands only where no
parsed row does. Columns and types are those of the lake, so the warehouse loads both alike.
"""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from pipelines.lake import Lake, arrow_schema, table_of, write_parquet
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import MlperfSystem, TrainingResult
from pipelines.model.provenance import RoundProvenance
from pipelines.parse.mlperf import rules
from pipelines.parse.mlperf.kind import RoundKind, recognise
from pipelines.registry import AcceleratorNames, Registry, load_registry

TRAINING = arrow_schema(TrainingResult, RoundProvenance)
SYSTEMS = arrow_schema(MlperfSystem, RoundProvenance)
SOURCE_ID = "mlperf_training"
ABSENT = ("", "None")
NOT_A_RESULT = "nonstandard layout"  # how the table marks folders of logs that the official tool does not count
NOT_ENOUGH_RUNS = "too_few_runs: fewer converged runs than the rules ask for"
WEAK_UNSCORED = "weak scaling: the computed table has the mean of the instances, not the time to train all of them"


class ScoresUnreadable(Exception):
    """The table of computed scores is not as expected; names file, row and field."""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Rows written, and of those the ones that come from the table of computed scores."""

    training: int
    computed: int
    systems: int
    rounds: int


def export_facts(lake: Lake, facts: Path, scores: Path | None, captured_at: dt.datetime) -> ExportReport:
    """Write `mlperf_training.parquet` and `mlperf_systems.parquet`. Raises ScoresUnreadable."""
    parsed = _concatenate(lake, "mlperf_training", TRAINING)
    systems = _concatenate(lake, "mlperf_systems", SYSTEMS)
    tables = [parsed]
    if scores is not None:
        known = set(zip(*(parsed.column(name).to_pylist() for name in ("suite", "round", "member_dir")), strict=True))
        tables += list(_computed(scores, known, captured_at))
    training = pa.concat_tables(tables)
    training = training.take(
        pa.compute.sort_indices(training, [(k, "ascending") for k in ("suite", "round", "member_dir")])
    )
    facts.mkdir(parents=True, exist_ok=True)
    write_parquet(training, facts / "mlperf_training.parquet")
    write_parquet(systems, facts / "mlperf_systems.parquet")
    rounds = len(set(zip(training.column("suite").to_pylist(), training.column("round").to_pylist(), strict=True)))
    return ExportReport(training.num_rows, training.num_rows - parsed.num_rows, systems.num_rows, rounds)


def _concatenate(lake: Lake, table: str, schema: pa.Schema) -> pa.Table:
    files = lake.partitions(table)
    tables = [pq.read_table(file).replace_schema_metadata(None) for file in files]
    return pa.concat_tables(tables) if tables else schema.empty_table()


def _computed(path: Path, known: set[tuple[str, str, str]], captured_at: dt.datetime) -> Iterator[pa.Table]:
    """Rows of the scores table that were not parsed, a table a round."""
    registry, names = load_registry(), AcceleratorNames.load()
    rounds: dict[RoundKind, list[TrainingResult]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for number, record in enumerate(csv.DictReader(file), start=2):
            try:
                row = _computed_row(record, registry, names)
            except (KeyError, ValueError) as error:
                raise ScoresUnreadable(f"{path.name}: line {number}: {error!r}") from error
            is_result = record["note"] != NOT_A_RESULT
            if is_result and (row.suite, row.round, row.member_dir) not in known:
                rounds.setdefault(RoundKind(row.suite, row.round), []).append(row)
    for kind, rows in rounds.items():
        yield table_of(rows, TrainingResult, _computed_provenance(kind, registry, captured_at))


def _computed_provenance(kind: RoundKind, registry: Registry, captured_at: dt.datetime) -> RoundProvenance:
    entry = registry.round(kind.suite, kind.round)
    if entry is None or entry.published_on is None:
        raise ScoresUnreadable(f"{kind.key}: the registry has no publication date, a figure needs one")
    return RoundProvenance(
        source_id=SOURCE_ID,
        repository=entry.repository,
        commit=None,
        committed_at=None,
        archive_sha256=None,
        captured_at=captured_at,
        stated_on=entry.published_on,
        stated_on_basis="round",
        evidence=Evidence.AUDITED,
        origin="computed table",
    )


def _computed_row(record: Mapping[str, str], registry: Registry, names: AcceleratorNames) -> TrainingResult:
    kind = recognise(record["round"])
    if kind is None:
        raise ValueError(f"no round in {record['round']!r}")
    is_weak = record["scaling"] == "weak"
    score = None if is_weak else _number(record["score_minutes"])
    benchmark_dir = record["benchmark"]
    started = record["first_run_start_utc"]
    return TrainingResult(
        round=kind.round,
        suite=kind.suite,
        division=rules.division_of(record["division"]),
        division_raw=record["division"],
        submitter=registry.submitter(record["submitter"]).name,
        submitter_raw=record["submitter"],
        submitter_dir=record["submitter_dir"],
        system=record["system"],
        system_name=record["system_name"],
        benchmark=rules.benchmark_of(benchmark_dir),
        benchmark_dir=benchmark_dir,
        table=record["scaling"] or "strong",
        availability=rules.availability_of(record["status"]),
        availability_raw=record["status"],
        accelerator_raw=record["accelerator"],
        accelerator=names.match(record["accelerator"], record["system"]).accelerator_id,
        accelerators=_count(record["accelerators"]) or 0,
        nodes=None,
        host_processor="",
        framework="",
        n_runs=_count(record["n_runs"]) or 0,
        n_runs_required=_count(record["n_required"]),
        n_not_converged=_count(record["n_nonconverged"]) or 0,
        raw_minutes=None if is_weak else _number(record["raw_minutes"]),
        scaling_factor=_number(record["scaling_json"]),
        score_minutes=score,
        n_models=None,
        instance_scale=None,
        energy_j=None,
        global_batch_size=_one_count(record["gbs"]),
        first_run_at=dt.datetime.fromisoformat(started).replace(tzinfo=dt.UTC) if started else None,
        member_dir=record["path"],
        problem=WEAK_UNSCORED if is_weak else "" if score is not None else NOT_ENOUGH_RUNS,
    )


def _number(text: str) -> float | None:
    return float(text) if text not in ABSENT else None


def _count(text: str) -> int | None:
    return int(float(text)) if text not in ABSENT else None


def _one_count(text: str) -> int | None:
    """The table joins several sizes with '|'; runs that differ have no one size."""
    sizes = {part for part in text.split("|") if part not in ABSENT}
    return _count(sizes.pop()) if len(sizes) == 1 else None
