"""The main job in this process: the same Dagster jobs that schedules run, for `rackledger run`, cron and tests."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import dagster as dg

from pipelines.assets.capture_step import CaptureListener
from pipelines.assets.captures import CAPTURE_JOB
from pipelines.assets.lake_assets import PARTITIONS
from pipelines.assets.warehouse import BUILD_JOB, FOUND, build_config, published_tables
from pipelines.dagster_home import prepare
from pipelines.definitions import build_definitions
from pipelines.frozen import frozen
from pipelines.settings import Run, Settings

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@frozen
class PartitionRow:
    """One partition that a job went through: its asset and its counts by name."""

    asset: str
    partition: str
    counts: dict[str, Any]


@frozen
class MainReport:
    """What a job made. `error` holds the first step's failure in words; then nothing was published."""

    is_success: bool
    seconds: float
    partitions: tuple[PartitionRow, ...] = ()
    tables: dict[str, int] = field(default_factory=dict)
    version: str = ""
    warnings: tuple[str, ...] = ()
    error: str = ""

    def rows_of(self, asset: str) -> list[PartitionRow]:
        """The partitions of one asset."""
        return [row for row in self.partitions if row.asset == asset]


def run_main_job(
    settings: Settings,
    run: Run,
    *,
    accept_shrink: bool = False,
    is_full: bool = False,
    inputs: Mapping[str, str] | None = None,
) -> MainReport:
    """Read what is new in the archive, build, check and publish. Recorded in the Dagster home below `data/`.

    `inputs` (of `manifest.inputs_of`) are noted as those of the published file when all of it could be read.
    """
    config = build_config(inputs or {}, accept_shrink=accept_shrink, is_full=is_full)
    report = _execute(BUILD_JOB, settings, run, config)
    if not report.is_success:
        return report
    version, tables = published_tables(settings)
    return replace(report, tables=tables, version=version)


def run_capture_job(settings: Settings, run: Run, only: list[str], listener: CaptureListener) -> MainReport:
    """Ask these sources and archive their answers."""
    config = {"ops": {"archive__captures": {"config": {"only": only}}}}
    return _execute(CAPTURE_JOB, settings, run, config, listener)


def records(settings: Settings) -> dg.DagsterInstance:
    """Dagster's own records, kept in its home below `data/`."""
    return dg.DagsterInstance.from_config(str(prepare(settings.dagster_home)))


def _execute(
    job_name: str, settings: Settings, run: Run, config: dict[str, Any], listener: CaptureListener | None = None
) -> MainReport:
    started = time.monotonic()
    job = build_definitions(settings, run, listener).resolve_job_def(job_name)
    with records(settings) as instance:
        result = job.execute_in_process(
            instance=instance,
            tags={"rackledger/run_id": run.run_id},
            run_config=config | QUIET,
            raise_on_error=False,
        )
    return _report(result, time.monotonic() - started)


def _report(result: dg.ExecuteInProcessResult, seconds: float) -> MainReport:
    partitions: list[PartitionRow] = []
    error = ""
    for event in result.all_events:
        if event.event_type_value == "ASSET_MATERIALIZATION" and event.asset_key is not None:
            metadata = {name: value.value for name, value in event.materialization.metadata.items()}
            if PARTITIONS in metadata:
                asset = "/".join(event.asset_key.path)
                made: dict[str, dict[str, Any]] = metadata[PARTITIONS]  # type: ignore[assignment]
                partitions += [PartitionRow(asset, name, counts) for name, counts in sorted(made.items())]
        elif event.event_type_value == "STEP_FAILURE" and not error:
            error = _failure_text(event)
    return MainReport(result.success, seconds, tuple(partitions), warnings=_warnings(result), error=error)


def _failure_text(event: dg.DagsterEvent) -> str:
    failure = event.step_failure_data
    if failure.user_failure_data is not None and failure.user_failure_data.description:
        return failure.user_failure_data.description
    cause = failure.error
    while cause is not None and cause.cause is not None:
        cause = cause.cause
    return cause.message.strip() if cause is not None else str(event.message)


def _warnings(result: dg.ExecuteInProcessResult) -> tuple[str, ...]:
    broken = (check.metadata[FOUND].value for check in result.get_asset_check_evaluations() if not check.passed)
    return tuple(str(words) for found in broken if isinstance(found, list) for words in found)
