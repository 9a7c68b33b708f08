"""The log of tries as a partition of the lake."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import dagster as dg
import pyarrow as pa

from pipelines.archive.attempts import logs_by_month, read_log, size_of
from pipelines.assets.clock_step import report_ahead
from pipelines.assets.partition_step import Outcome, PartitionStep, run_steps
from pipelines.assets.reading import report
from pipelines.lake import Lake, code_version, table_of
from pipelines.model.attempt import AttemptRow
from pipelines.remote import working_copy
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
        with working_copy(settings):
            report_ahead(settings.archive, settings.lake, run.run_at)
            report(context, build_attempts(settings.archive, settings.lake))

    return attempts


@dataclass(frozen=True)
class AttemptsStep(PartitionStep):
    """The logs of one month: those of months that are over do not change any more."""

    account: ClassVar[str] = "attempts"
    rows: ClassVar[Mapping[str, type]] = {"attempts": AttemptRow}

    partition: str
    logs: tuple[Path, ...]

    @property
    def inputs(self) -> str:
        return size_of(self.logs)

    @property
    def code(self) -> str:
        here = PROJECT_ROOT / "pipelines"
        return code_version(here / "archive" / "attempts.py", here / "model" / "attempt.py", Path(__file__))

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        return {"attempts": table_of((row for path in self.logs for row in read_log(path)), AttemptRow)}


def build_attempts(archive: Path, lake: Path) -> Iterator[Outcome]:
    """Write the lake's table of tries for the months whose logs have grown."""
    steps = [AttemptsStep(month or "other", tuple(logs)) for month, logs in logs_by_month(archive).items()]
    for gone in {*Lake(lake).partitions("attempts")} - {step.partition for step in steps}:
        Lake(lake).drop("attempts", gone)
    return run_steps(steps, lake, 1)
