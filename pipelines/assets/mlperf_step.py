"""The work of one MLPerf round, without Dagster: a pack in, its partitions of the lake out. Runs in a process pool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pipelines.archive.pack import PackManifest
from pipelines.lake import Lake, code_version, table_of
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import TABLES, lake_folder
from pipelines.model.provenance import CaptureRow, RoundProvenance
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.problems import InputError, Problem
from pipelines.registry import load_registry
from pipelines.settings import PROJECT_ROOT


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """What one partition's step did; `error` is set where the pack could not be read at all."""

    scope: str
    results: int
    scored: int
    systems: int
    problems: int
    was_current: bool
    error: str = ""


@cache
def parser_version() -> str:
    """Changes when the parser, the row types or the registry change."""
    here = PROJECT_ROOT / "pipelines"
    tar_readers = [here / "parse" / f"{name}.py" for name in ("tarstream", "tarheader", "inflate")]
    return code_version(here / "parse" / "mlperf", *tar_readers, here / "model", here / "registry", Path(__file__))


def build_rounds(manifests: Iterable[PackManifest], archive: Path, lake: Path, workers: int) -> Iterator[RoundOutcome]:
    """Build the partitions of these rounds, several at a time; outcomes come in the order of the rounds."""
    pending = list(manifests)
    stale = [m for m in pending if not is_current(m, Lake(lake))]
    if len(stale) < 2 or workers == 1:
        for manifest in pending:
            yield build_round(manifest, archive, lake)
        return
    with ProcessPoolExecutor(min(workers, len(stale)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(build_round, pending, [archive] * len(pending), [lake] * len(pending))


def results_table(suite: str) -> str:
    """The table of a suite's results; written last: a partition is current only when this one is."""
    return "mlperf_inference" if suite == "inference" else "mlperf_training"


def is_current(manifest: PackManifest, lake: Lake) -> bool:
    folder = lake_folder(results_table(manifest.suite))
    return lake.is_current(folder, manifest.scope, inputs=manifest.inputs_hash, code=parser_version())


def build_round(manifest: PackManifest, archive: Path, lake_root: Path) -> RoundOutcome:
    """Parse one pack into the lake unless the lake has it already."""
    lake, registry = Lake(lake_root), load_registry()
    if is_current(manifest, lake):
        return _outcome_from_lake(manifest, lake)
    try:
        with (archive / manifest.pack_path).open("rb") as stream:
            rows = parse_round(
                stream, source_id=manifest.source_id, names=registry.accelerator_names, rules=registry.mlperf
            )
    except InputError as error:
        problem = Problem(manifest.source_id, manifest.scope, error.place, error.reason, error.detail, is_fatal=True)
        _write(lake, manifest, "problems", [*manifest.problems, problem], Problem)
        return RoundOutcome(manifest.scope, 0, 0, 0, 1 + len(manifest.problems), False, str(error))
    problems, provenance = [*manifest.problems, *rows.problems], provenance_of(manifest)
    _write(lake, manifest, "captures", [_capture_row(manifest)], CaptureRow)
    _write(lake, manifest, "problems", problems, Problem)
    for table, found in (("mlperf_systems", rows.systems), (results_table(manifest.suite), rows.results)):
        named = [replace(row, submitter=registry.submitter(row.submitter_named).name) for row in found]
        _write(lake, manifest, table, named, TABLES[table], provenance)
    return RoundOutcome(
        manifest.scope, len(rows.results), rows.scored, len(rows.systems), len(problems), was_current=False
    )


def _write(
    lake: Lake, manifest: PackManifest, table: str, rows: Sequence[Any], row_type: type, shared: object = None
) -> None:
    made = table_of(rows, row_type, shared)
    lake.write(lake_folder(table), manifest.scope, made, inputs=manifest.inputs_hash, code=parser_version())


def provenance_of(manifest: PackManifest) -> RoundProvenance:
    """The publication date is the registry's; for a round not known there, the commit's or the capture's."""
    known = load_registry().round(manifest.suite, manifest.round)
    committed_at = manifest.committed_at
    published_on = known.published_on if known else None
    stated_on = published_on or (committed_at or manifest.captured_at).date()
    return RoundProvenance(
        source_id=manifest.source_id,
        repository=manifest.repository,
        commit=manifest.commit,
        committed_at=committed_at,
        archive_sha256=manifest.archive_sha256,
        captured_at=manifest.captured_at,
        stated_on=stated_on,
        stated_on_basis="round" if published_on else "commit" if committed_at else "capture",
        evidence=Evidence.AUDITED,
        origin="archive",
    )


def _capture_row(manifest: PackManifest) -> CaptureRow:
    return CaptureRow(
        capture_id=f"{manifest.scope}-{manifest.archive_sha256[:16]}",
        source_id=manifest.source_id,
        scope=manifest.scope,
        kind="repository archive",
        url=manifest.url,
        captured_at=manifest.captured_at,
        sha256=manifest.archive_sha256,
        byte_count=manifest.archive_bytes,
        commit=manifest.commit,
        kept_as=manifest.pack_path,
        kept_members=manifest.members,
        kept_bytes=manifest.member_bytes,
    )


def _outcome_from_lake(manifest: PackManifest, lake: Lake) -> RoundOutcome:
    import pyarrow.parquet as pq

    scope, figure = manifest.scope, "result" if manifest.suite == "inference" else "score_minutes"
    results = lake.path(lake_folder(results_table(manifest.suite)), scope)
    scores = pq.read_table(results, columns=[figure]).column(0)
    systems = pq.read_metadata(lake.path(lake_folder("mlperf_systems"), scope)).num_rows
    problems = pq.read_metadata(lake.path("problems", scope)).num_rows
    return RoundOutcome(scope, len(scores), len(scores) - scores.null_count, systems, problems, True)
