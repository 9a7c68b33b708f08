"""The work of one MLPerf round, without Dagster: a pack in, its partitions of the lake out. Runs in a process pool."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from pipelines.archive.pack import PackManifest, PackStore
from pipelines.lake import Lake, code_version, table_of
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import InferenceResult, MlperfSystem, TrainingResult
from pipelines.model.provenance import CaptureRow, RoundProvenance
from pipelines.parse.mlperf.inference.rounds import InferenceRows, parse_inference
from pipelines.parse.mlperf.training import RoundRows, parse_round
from pipelines.problems import InputError, Problem
from pipelines.registry import load_registry
from pipelines.registry.accelerators import AcceleratorNames
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


def last_table(suite: str) -> str:
    """The table of a suite's results; written last: a partition is current only when this one is."""
    return "mlperf_inference" if suite == "inference" else "mlperf_training"


def is_current(manifest: PackManifest, lake: Lake) -> bool:
    return lake.is_current(
        last_table(manifest.suite), manifest.scope, inputs=manifest.inputs_hash, code=parser_version()
    )


def build_round(manifest: PackManifest, archive: Path, lake_root: Path) -> RoundOutcome:
    """Parse one pack into the lake unless the lake has it already."""
    lake = Lake(lake_root)
    if is_current(manifest, lake):
        return _outcome_from_lake(manifest, lake)
    try:
        with (archive / manifest.pack_path).open("rb") as stream:
            rows = _parse(stream, manifest)
    except InputError as error:
        problem = Problem(manifest.source_id, manifest.scope, error.place, error.reason, error.detail, is_fatal=True)
        _write(lake, manifest, "problems", table_of([*manifest.problems, problem], Problem))
        return RoundOutcome(manifest.scope, 0, 0, 0, 1 + len(manifest.problems), False, str(error))
    problems = [*manifest.problems, *rows.problems]
    _write(lake, manifest, "captures", table_of([_capture_row(manifest)], CaptureRow))
    _write(lake, manifest, "problems", table_of(problems, Problem))
    _write_rows(lake, manifest, rows)
    return RoundOutcome(
        manifest.scope, len(rows.results), rows.scored, len(rows.systems), len(problems), was_current=False
    )


def _parse(stream: BinaryIO, manifest: PackManifest) -> RoundRows | InferenceRows:
    parse = parse_inference if manifest.suite == "inference" else parse_round
    return parse(stream, source_id=manifest.source_id, names=AcceleratorNames.load())


def _write_rows(lake: Lake, manifest: PackManifest, rows: RoundRows | InferenceRows) -> None:
    provenance = provenance_of(manifest)
    systems = [replace(row, submitter=_submitter_name(row)) for row in rows.systems]
    _write(lake, manifest, "mlperf_systems", table_of(systems, MlperfSystem, provenance))
    if isinstance(rows, InferenceRows):
        inferences = [replace(row, submitter=_submitter_name(row)) for row in rows.results]
        table = table_of(inferences, InferenceResult, provenance)
    else:
        results = [replace(row, submitter=_submitter_name(row)) for row in rows.results]
        table = table_of(results, TrainingResult, provenance)
    _write(lake, manifest, last_table(manifest.suite), table)


def _submitter_name(row: MlperfSystem | TrainingResult | InferenceResult) -> str:
    """One spelling for one submitter, or one set of partners, over all rounds.

    In Inference the folder says who submitted: descriptions are often copied from a partner's.
    """
    raw = row.submitter_dir if row.suite == "inference" else row.submitter_raw or row.submitter_dir
    return load_registry().submitter(raw).name


def _write(lake: Lake, manifest: PackManifest, table: str, rows: pa.Table) -> None:
    lake.write(table, manifest.scope, rows, inputs=manifest.inputs_hash, code=parser_version())


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
    scores = pq.read_table(lake.path(last_table(manifest.suite), scope), columns=[figure]).column(0)
    systems = pq.read_metadata(lake.path("mlperf_systems", scope)).num_rows
    problems = pq.read_metadata(lake.path("problems", scope)).num_rows
    return RoundOutcome(scope, len(scores), len(scores) - scores.null_count, systems, problems, True)


def latest_packs(archive: Path) -> list[PackManifest]:
    """The newest pack of every round."""
    return PackStore(archive).latest()
