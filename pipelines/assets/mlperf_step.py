"""The work of one MLPerf round, without Dagster: a pack in, its partitions of the lake out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from pipelines.archive.pack import PackManifest
from pipelines.assets.partition_step import Made, Outcome, PartitionStep, run_steps
from pipelines.lake import arrow_schema, code_version, table_of
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import TABLES, lake_folder
from pipelines.model.provenance import CaptureRow, RoundProvenance
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.problems import Problem
from pipelines.registry import load_registry
from pipelines.settings import PROJECT_ROOT
from pipelines.upkeep.worker import budget

_FIGURES = {"mlperf_training": "score_minutes", "mlperf_inference": "result"}


@cache
def parser_version() -> str:
    """Changes when the parser, the row types or the registry change."""
    here = PROJECT_ROOT / "pipelines"
    tar_readers = [here / "parse" / f"{name}.py" for name in ("tarstream", "inflate")]
    return code_version(here / "parse" / "mlperf", *tar_readers, here / "model", here / "registry", Path(__file__))


@dataclass(frozen=True)
class RoundStep(PartitionStep):
    """The results and systems of one round, read from its pack. A pack is one item, made anew as a whole."""

    account: ClassVar[str] = "captures"
    pool_from: ClassVar[int] = 2

    partition: str
    manifest: PackManifest
    archive: Path

    @property
    def source_id(self) -> str:
        return self.manifest.source_id

    @property
    def inputs(self) -> str:
        return self.manifest.inputs_hash

    @property
    def code(self) -> str:
        return parser_version()

    @property
    def results(self) -> str:
        """The table of its suite's results."""
        return "mlperf_inference" if self.manifest.suite == "inference" else "mlperf_training"

    @property
    def schemas(self) -> Mapping[str, pa.Schema]:
        rows = {name: arrow_schema(TABLES[name], RoundProvenance) for name in ("mlperf_systems", self.results)}
        found = {lake_folder(name): schema for name, schema in rows.items()}
        return found | {"problems": arrow_schema(Problem), self.account: arrow_schema(CaptureRow)}

    def items(self) -> Sequence[str]:
        return [self.partition]

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        registry, provenance = load_registry(), provenance_of(self.manifest)
        with (self.archive / self.manifest.pack_path).open("rb") as stream:
            rows = parse_round(
                stream, source_id=self.source_id, names=registry.accelerator_names, rules=registry.mlperf, guard=budget
            )
        tables = {
            "problems": table_of([*self.manifest.problems, *rows.problems], Problem),
            self.account: table_of([_capture_row(self.manifest)], CaptureRow),
        }
        for name, found in (("mlperf_systems", rows.systems), (self.results, rows.results)):
            named = [replace(row, submitter=registry.submitter(row.submitter_named).name) for row in found]
            tables[lake_folder(name)] = table_of(named, TABLES[name], provenance)
        return tables

    def counts(self, made: Made) -> dict[str, int]:
        figures = made.rows(lake_folder(self.results), [_FIGURES[self.results]]).column(0)
        return {
            "results": len(figures),
            "scored": len(figures) - figures.null_count,
            "systems": made.count(lake_folder("mlperf_systems")),
            "problems": made.count("problems"),
        }


def build_rounds(manifests: Iterable[PackManifest], archive: Path, lake: Path, workers: int) -> Iterator[Outcome]:
    """Build the partitions of these rounds, several at a time; outcomes come in the order of the rounds."""
    return run_steps([RoundStep(pack.scope, pack, archive) for pack in manifests], lake, workers)


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
