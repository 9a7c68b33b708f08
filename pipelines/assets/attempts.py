"""The log of tries as a partition of the lake."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import dagster as dg
import pyarrow as pa

from pipelines.archive.attempts import FOLDER, read_attempts
from pipelines.assets.clock_step import report_ahead
from pipelines.assets.partition_step import Outcome, PartitionStep, run_steps
from pipelines.assets.reading import report
from pipelines.lake import code_version, digest, table_of
from pipelines.model.attempt import AttemptRow
from pipelines.settings import PROJECT_ROOT, Run, Settings

ATTEMPTS = dg.AssetKey(["lake", "attempts"])


def attempts_asset() -> dg.AssetsDefinition:
    """Every try to get what is at an address."""

    @dg.asset(
        key=ATTEMPTS,
        group_name="lake",
        kinds={"python", "parquet"},
        description="Every try of an address, failed ones too: how it ended, its status, its reason.",
    )
    def attempts(
        context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings], run: dg.ResourceParam[Run]
    ) -> None:
        report_ahead(settings.archive, settings.lake, run.run_at)
        report(context, [build_attempts(settings.archive, settings.lake)])

    return attempts


@dataclass(frozen=True)
class AttemptsStep(PartitionStep):
    """All logs below the archive; they are small and only grow."""

    account: ClassVar[str] = "attempts"
    rows: ClassVar[Mapping[str, type]] = {"attempts": AttemptRow}

    archive: Path
    partition: str = "log"

    @property
    def inputs(self) -> str:
        logs = sorted((self.archive / FOLDER).glob("*.jsonl"))
        return digest(*(f"{path.name} {path.stat().st_size}" for path in logs))

    @property
    def code(self) -> str:
        here = PROJECT_ROOT / "pipelines"
        return code_version(here / "archive" / "attempts.py", here / "model" / "attempt.py", Path(__file__))

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        return {"attempts": table_of(read_attempts(self.archive), AttemptRow)}


def build_attempts(archive: Path, lake: Path) -> Outcome:
    """Write the lake's table of tries where a log has grown."""
    (outcome,) = run_steps([AttemptsStep(archive)], lake, 1)
    return outcome
