"""Committed facts of MLPerf Inference: the lake's parsed rounds, and the organisers' rows where no archive is at hand.

A row of the organisers is marked in `origin`; a parsed row that borrows fields from them names these in
`from_organisers`. Columns and types are those of the lake, so the warehouse loads both alike.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from pipelines.lake import Lake, arrow_schema, table_of, write_parquet
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import InferenceResult, MlperfSystem
from pipelines.model.provenance import RoundProvenance
from pipelines.publish.organisers import OrganiserRow, read_organisers
from pipelines.registry import load_registry

SCHEMA: Final = arrow_schema(InferenceResult, RoundProvenance)
SYSTEMS: Final = arrow_schema(MlperfSystem, RoundProvenance)
SOURCE_ID: Final = "mlperf_inference"
ORDER: Final = (("round", "ascending"), ("member_dir", "ascending"))
# A summary prints rates with two decimals: a figure this near is the same figure with more digits.
_ROUNDING: Final = 0.0051


@dataclass(frozen=True, slots=True)
class InferenceExport:
    """Rows written, by origin; parsed rows that borrow a field; systems; rounds."""

    results: int
    origins: dict[str, int]
    completed: int
    systems: int
    rounds: int


def export_inference(
    lake: Lake, facts: Path, organisers: Iterable[Path], captured_at: dt.datetime, commits: dict[str, str]
) -> InferenceExport:
    """Write `mlperf_inference.parquet` and the inference part of `mlperf_systems.parquet`.

    `organisers` are folders of the organisers' rows, `commits` the commit a round's rows are from where it is known.
    """
    published = _merged([read_organisers(folder) for folder in organisers])
    tables, completed = [], 0
    for file in lake.partitions("mlperf_inference"):
        parsed = pq.read_table(file).replace_schema_metadata(None)
        name = parsed.column("round")[0].as_py()
        borrowed, count = _completed(parsed, published.pop(name, []))
        tables.append(borrowed)
        completed += count
    for name, rows in sorted(published.items()):
        tables += _organisers_tables(name, rows, captured_at, commits.get(name))
    results = pa.concat_tables(tables) if tables else SCHEMA.empty_table()
    results = results.take(pa.compute.sort_indices(results, list(ORDER)))
    facts.mkdir(parents=True, exist_ok=True)
    write_parquet(results, facts / "mlperf_inference.parquet")
    systems = _systems(lake, facts / "mlperf_systems.parquet")
    write_parquet(systems, facts / "mlperf_systems.parquet")
    rounds = results.column("round").to_pylist()
    return InferenceExport(
        len(rounds), Counter(results.column("origin").to_pylist()), completed, systems.num_rows, len(set(rounds))
    )


def _merged(folders: list[dict[str, list[OrganiserRow]]]) -> dict[str, list[OrganiserRow]]:
    """Rows of several folders; the first that has a result's folder counts."""
    merged: dict[str, dict[str, OrganiserRow]] = {}
    for rounds in folders:
        for name, rows in rounds.items():
            held = merged.setdefault(name, {})
            for row in rows:
                held.setdefault(row.result.member_dir, row)
    return {name: list(rows.values()) for name, rows in merged.items()}


def _organisers_tables(
    name: str, rows: list[OrganiserRow], captured_at: dt.datetime, commit: str | None
) -> list[pa.Table]:
    entry = load_registry().round("inference", name)
    published_on = None if entry is None else entry.published_on
    tables = []
    for origin in sorted({row.origin for row in rows}):
        provenance = RoundProvenance(
            source_id=SOURCE_ID,
            repository=entry.repository if entry is not None else f"mlcommons/inference_results_{name}",
            commit=commit,
            committed_at=None,
            archive_sha256=None,
            captured_at=captured_at,
            stated_on=published_on or captured_at.date(),
            stated_on_basis="round" if published_on else "capture",
            evidence=Evidence.AUDITED,
            origin=origin,
        )
        chosen = [row.result for row in rows if row.origin == origin]
        tables.append(table_of(chosen, InferenceResult, provenance))
    return tables


def _completed(parsed: pa.Table, published: list[OrganiserRow]) -> tuple[pa.Table, int]:
    """The parsed rows with what their archive lacks and the organisers have; and how many borrow."""
    by_folder = {row.result.member_dir: row.result for row in published}
    records = parsed.to_pylist()
    count = 0
    for record in records:
        theirs = by_folder.get(record["member_dir"])
        if theirs is not None:
            borrowed = _borrow(record, theirs)
            record.update(borrowed)
            record["from_organisers"] = sorted(borrowed)
            count += bool(borrowed)
    return pa.Table.from_pylist(records, schema=SCHEMA), count


def _borrow(record: dict[str, Any], theirs: InferenceResult) -> dict[str, Any]:
    """Fields that the parsed row lacks. A figure is taken only where it is the summary's with more digits."""
    borrowed: dict[str, Any] = {}
    ours, official, printed = record["result"], theirs.result, record["result_summary"]
    if None not in (ours, official, printed) and record["result_detail"] is None and ours != official:
        sixth_digit = 10.0 ** (math.floor(math.log10(official)) - 5) if official else 0.0
        if abs(printed - official) <= _ROUNDING + sixth_digit / 2:
            borrowed["result"] = official
    if record["accuracy"] is None and theirs.accuracy is not None:
        borrowed |= {"accuracy": theirs.accuracy, "accuracy_met": theirs.accuracy_met,
                     "accuracy_raw": theirs.accuracy_raw}  # fmt: skip
    for name in ("power_w", "energy_j"):
        if record[name] is None and getattr(theirs, name) is not None:
            borrowed[name] = getattr(theirs, name)
            borrowed["has_power"] = True
    if not record["result_id"] and theirs.result_id:
        borrowed["result_id"] = theirs.result_id
    return borrowed


def _systems(lake: Lake, path: Path) -> pa.Table:
    """The lake's descriptions, and the committed ones of rounds that the lake does not hold."""
    tables = [pq.read_table(file).replace_schema_metadata(None) for file in lake.partitions("mlperf_systems")]
    parsed = pa.concat_tables(tables) if tables else SYSTEMS.empty_table()
    held = set(zip(parsed.column("suite").to_pylist(), parsed.column("round").to_pylist(), strict=True))
    if not path.exists():
        return parsed
    committed = pq.read_table(path).select(SYSTEMS.names).cast(SYSTEMS)
    kept = [(suite, name) not in held for suite, name in
            zip(committed.column("suite").to_pylist(), committed.column("round").to_pylist(), strict=True)]  # fmt: skip
    return pa.concat_tables([committed.filter(pa.array(kept, pa.bool_())), parsed])
