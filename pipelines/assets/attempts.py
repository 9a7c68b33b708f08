"""The log of tries as a partition of the lake a month, without Dagster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from pipelines.archive.attempts import logs_by_month, read_log, size_of
from pipelines.assets.partition_step import Outcome, PartitionStep, run_steps
from pipelines.lake import Lake, code_version, table_of
from pipelines.model.attempt import AttemptRow
from pipelines.settings import PROJECT_ROOT


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
