"""What Dagster starts by the clock: asking the sources that are due, and building where an input changed."""

from collections.abc import Callable

import dagster as dg

from pipelines.assets.captures import CAPTURE_JOB
from pipelines.assets.due import sources_to_ask
from pipelines.assets.warehouse import BUILD_JOB, build_config
from pipelines.remote import fetch
from pipelines.settings import Settings, mint_run
from pipelines.sources import load_sources
from pipelines.upkeep import manifest

Tick = Callable[[Settings], dg.RunRequest | dg.SkipReason]


def schedules(settings: Settings) -> list[dg.ScheduleDefinition]:
    """Hourly each, and running from the start only where the settings say so."""
    return [
        _hourly(settings, CAPTURE_JOB, 7, _ask, "Asks the sources that are due; where none is, no run starts."),
        _hourly(settings, BUILD_JOB, 52, _build, "Reads, builds and publishes where an input changed."),
    ]


def _hourly(settings: Settings, job: str, minute: int, tick: Tick, says: str) -> dg.ScheduleDefinition:
    return dg.ScheduleDefinition(
        name=f"{job}_hourly",
        job_name=job,
        cron_schedule=f"{minute} * * * *",
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.RUNNING if settings.schedules else dg.DefaultScheduleStatus.STOPPED,
        description=says,
        execution_fn=lambda _: tick(settings),
    )


def _ask(settings: Settings) -> dg.RunRequest | dg.SkipReason:
    fetch(settings)
    due = [source.id for source in sources_to_ask(load_sources(settings.sources), settings, mint_run())]
    if not due:
        return dg.SkipReason("no source is due")
    return dg.RunRequest(run_config={"ops": {"archive__captures": {"config": {"only": due}}}})


def _build(settings: Settings) -> dg.RunRequest | dg.SkipReason:
    fetch(settings)
    inputs = manifest.inputs_of(settings)
    changed = manifest.changed_since_last_run(settings, inputs)
    if not changed:
        return dg.SkipReason("nothing changed since the last publication")
    return dg.RunRequest(run_config=build_config(inputs), tags={"rackledger/changed": ", ".join(changed)})
