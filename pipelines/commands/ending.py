"""The last lines of a run: what is new, what failed and why, what to do, where to look; and the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipelines.alarm import sound
from pipelines.commands import EXIT_FAILED, EXIT_SOURCES_FAIL
from pipelines.commands.terminal import messages, out
from pipelines.settings import Settings

if TYPE_CHECKING:
    from warehouse.answers.health import Health


def published_health(settings: Settings) -> Health | None:
    """What the published file says of its sources; None where there is none, or one of an older program."""
    import duckdb

    from warehouse.answers.health import health
    from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

    try:
        with Warehouse(settings.warehouse) as warehouse:
            return health(warehouse.rows)
    except (WarehouseMissing, WarehouseUnreadable, duckdb.Error):
        return None


def close(settings: Settings, new: str, *, is_quiet: bool = False) -> int:
    """Say how a run ended that published, tell the operator's address, and return the exit code."""
    state = published_health(settings)
    wrong = state.words if state is not None else []
    lines = [new, *wrong]
    if state is not None and wrong:
        lines.append(_to_do(state))
    lines.append("look: `make dashboard` (page Sources), `rackledger doctor`, `rackledger sql 'FROM meta.tables'`")
    if not is_quiet:
        for line in lines:
            out.print(line, markup=False, soft_wrap=True)
    is_well = state is None or state.is_well
    if messages.is_json:
        messages.tell("info" if is_well else "warning", new, event="published", is_well=is_well, wrong=wrong)
    return _close(settings, state)


def unchanged(settings: Settings) -> int:
    """Tell the operator's address, where it heard of a refusal, that it is over; the exit code of what stands."""
    return _close(settings, published_health(settings))


def refused(settings: Settings, why: str) -> int:
    """Tell the operator's address that nothing was published; the exit code of it."""
    _tell(settings, "refused", why.splitlines(), [], is_well=False)
    return EXIT_FAILED


def _close(settings: Settings, state: Health | None) -> int:
    is_well, wrong = (state.is_well, state.words) if state is not None else (True, [])
    _tell(settings, "published", [], wrong, is_well=is_well and not wrong)
    return 0 if is_well else EXIT_SOURCES_FAIL


def _to_do(state: Health) -> str:
    steps = []
    if state.failing:
        steps.append("mend the address in sources.yaml, or set `status: skip` with the reason")
    if state.aside:
        steps.append("`rackledger quarantine list`, then `show`, `release` or `drop` an id")
    return "do: " + "; ".join(steps)


def _tell(settings: Settings, outcome: str, says: Sequence[str], wrong: Sequence[str], *, is_well: bool) -> None:
    message = {"outcome": outcome, "says": list(says), "wrong": list(wrong)}
    error = sound(settings.alarm_url, message, settings.data / "alarm.txt", is_well=is_well)
    if error:
        messages.print(error, markup=False, style="yellow")
