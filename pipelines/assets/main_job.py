"""The main job in this process: the same Dagster jobs that schedules run, for `rackledger run`, cron and tests."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from pipelines.assets.attempts import ATTEMPTS
from pipelines.assets.capture_step import CaptureListener
from pipelines.assets.captures import CAPTURE_JOB
from pipelines.assets.ledger import LEDGER
from pipelines.assets.mlperf import range_tags
from pipelines.assets.reading import CLAIMS, COPIES, DOCUMENTS, MARKET
from pipelines.assets.warehouse import table_key
from pipelines.dagster_home import prepare
from pipelines.definitions import BUILD_JOB, build_definitions, round_scopes
from pipelines.settings import Run, Settings
from pipelines.sources import load_sources
from warehouse.lineage import built_tables

QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


@dataclass(frozen=True, slots=True)
class PartitionRow:
    """One partition that a job went through: its asset and its counts by name."""

    asset: str
    partition: str
    counts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MainReport:
    """What a job made. `error` holds the first step's failure in words; then nothing was published."""

    is_success: bool
    seconds: float
    partitions: tuple[PartitionRow, ...] = ()
    tables: dict[str, int] = field(default_factory=dict)
    version: str = ""
    warnings: tuple[str, ...] = ()
    error: str = ""


def run_main_job(settings: Settings, run: Run, *, accept_shrink: bool = False) -> MainReport:
    """Parse what is new in the archive, build, check and publish. Recorded in the Dagster home below `data/`."""
    scopes = round_scopes(settings, load_sources(settings.sources))
    config = {"ops": {"warehouse": {"config": {"accept_shrink": accept_shrink}}}}
    # no round: no partition to ask
    selection = None if scopes else [COPIES, LEDGER, ATTEMPTS, *(table_key(table.name) for table in built_tables())]
    return _execute(BUILD_JOB, settings, run, scopes, config, CaptureListener(), selection)


def run_capture_job(settings: Settings, run: Run, only: list[str], listener: CaptureListener) -> MainReport:
    """Ask these sources (an empty list: none), archive their answers, read documents, claims and tables of all."""
    source_ids = [source.id for source in load_sources(settings.sources)]
    if not only:
        return _execute(CAPTURE_JOB, settings, run, source_ids, {}, listener, [DOCUMENTS, CLAIMS, MARKET])
    config = {"ops": {"archive__captures": {"config": {"only": only}}}}
    return _execute(CAPTURE_JOB, settings, run, source_ids, config, listener)


def records(settings: Settings) -> dg.DagsterInstance:
    """Dagster's own records, kept in its home below `data/`."""
    return dg.DagsterInstance.from_config(str(prepare(settings.dagster_home)))


def _execute(
    job_name: str,
    settings: Settings,
    run: Run,
    partitions: list[str],
    config: dict[str, Any],
    listener: CaptureListener,
    selection: list[dg.AssetKey] | None = None,
) -> MainReport:
    started = time.monotonic()
    job = build_definitions(settings, run, listener).resolve_job_def(job_name)
    with records(settings) as instance:
        result = job.execute_in_process(
            instance=instance,
            tags=range_tags(partitions) | {"rackledger/run_id": run.run_id},
            run_config=config | QUIET,
            asset_selection=selection,
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
