"""The main job in this process: the same Dagster job that schedules run, for `rackledger run`, cron and tests."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from pipelines.dagster_home import prepare
from pipelines.definitions import MAIN_JOB, build_definitions, round_scopes
from pipelines.settings import Run, Settings

RANGE_START, RANGE_END = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"


@dataclass(frozen=True, slots=True)
class PartitionRow:
    """One partition that the job went through: its state and its counts by name."""

    asset: str
    partition: str
    counts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MainReport:
    """What the job made. `error` holds the first step's failure in words; then nothing was published."""

    is_success: bool
    seconds: float
    partitions: tuple[PartitionRow, ...] = ()
    tables: dict[str, int] = field(default_factory=dict)
    version: str = ""
    warnings: tuple[str, ...] = ()
    error: str = ""


def run_main_job(settings: Settings, run: Run, *, accept_shrink: bool = False) -> MainReport:
    """Run every asset over every partition, in one run, recorded in the Dagster home below `data/`."""
    started = time.monotonic()
    home = prepare(settings.dagster_home)
    scopes = round_scopes(settings)
    job = build_definitions(settings, run).resolve_job_def(MAIN_JOB)
    with dg.DagsterInstance.from_config(str(home)) as instance:
        result = job.execute_in_process(
            instance=instance,
            tags={RANGE_START: scopes[0], RANGE_END: scopes[-1], "rackledger/run_id": run.run_id},
            run_config={
                "ops": {"warehouse": {"config": {"accept_shrink": accept_shrink}}},
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
            raise_on_error=False,
        )
    return _report(result, time.monotonic() - started)


def _report(result: dg.ExecuteInProcessResult, seconds: float) -> MainReport:
    partitions: list[PartitionRow] = []
    tables: dict[str, int] = {}
    version, error = "", ""
    for event in result.all_events:
        if event.event_type_value == "ASSET_MATERIALIZATION" and event.asset_key is not None:
            metadata = {name: value.value for name, value in event.materialization.metadata.items()}
            if event.partition is not None:
                partitions.append(PartitionRow("/".join(event.asset_key.path), event.partition, metadata))
            elif "rows" in metadata:
                tables[".".join(event.asset_key.path)] = int(str(metadata["rows"]))
                version = str(metadata["version"])
        elif event.event_type_value == "STEP_FAILURE" and not error:
            error = _failure_text(event)
    made = tuple(sorted((p for p in partitions if p.counts), key=lambda p: p.partition))
    return MainReport(result.success, seconds, made, tables, version, _warnings(result), error)


def _failure_text(event: dg.DagsterEvent) -> str:
    failure = event.step_failure_data
    if failure.user_failure_data is not None and failure.user_failure_data.description:
        return failure.user_failure_data.description
    cause = failure.error
    while cause is not None and cause.cause is not None:
        cause = cause.cause
    return cause.message.strip() if cause is not None else str(event.message)


def _warnings(result: dg.ExecuteInProcessResult) -> tuple[str, ...]:
    found = []
    for check in result.get_asset_check_evaluations():
        if not check.passed:
            rows, examples = (check.metadata[name].value for name in ("offending_rows", "examples"))
            found.append(f"{check.check_name}: {rows} rows, e.g. {str(examples).splitlines()[0]}")
    return tuple(found)
