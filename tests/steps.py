"""`python -m tests.steps`: the build as a deployment runs it, its steps in the processes that the settings ask for.

Each step's process makes the code location for itself, from the environment alone. Prints the number of processes.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the job; exit code 1 where a step failed."""
    # here, for the processes that read documents load this module again, and need none of it
    import dagster as dg
    from dagster._core.definitions.reconstruct import ReconstructableRepository

    from pipelines.assets.warehouse import BUILD_JOB
    from pipelines.dagster_home import prepare
    from pipelines.main_job import QUIET
    from pipelines.settings import PROJECT_ROOT, Settings

    location = ReconstructableRepository.for_module("pipelines.definitions", "defs", str(PROJECT_ROOT))
    with (
        dg.DagsterInstance.from_config(str(prepare(Settings().dagster_home))) as instance,
        dg.execute_job(location.get_reconstructable_job(BUILD_JOB), instance, run_config=QUIET) as result,
    ):
        used = {event.pid for event in result.all_events if event.event_type_value == "STEP_START"}
        sys.stdout.write(f"{len(used)}\n")
    raise SystemExit(not result.success)


if __name__ == "__main__":
    main()
