"""What was put right, by whose page it belongs on: by persons, and between the published versions at hand."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import duckdb

from dashboard.queries import Ledger, once
from pipelines.settings import current_settings
from warehouse.answers.corrections import Correction, between, of_reading, pairs
from warehouse.answers.questions import SQL as QUESTIONS

_log = logging.getLogger(__name__)


def put_right(ledger: Ledger, family: str, ids: Sequence[str]) -> list[Correction]:
    """What was put right of a thing with its variants, an organisation or a benchmark, the newest first."""
    found = [one for one in once(ledger, all_known) if one.family == family and one.subject_id in ids]
    return sorted(found, key=lambda one: one.day, reverse=True)


def all_known(ledger: Ledger) -> list[Correction]:
    """Everything, up to the version itself: what a later one put right is told by that one."""
    readings = ledger.records(QUESTIONS["corrected"], {"as_of": ledger.built_at.date()})
    return [*map(of_reading, readings), *compared(ledger)]


def compared(ledger: Ledger) -> list[Correction]:
    """What stood otherwise in a version of before, of those that are kept."""
    versions = [pair for pair in pairs(current_settings().published) if pair[1].name <= ledger.version]
    found: list[Correction] = []
    for older, newer in versions:
        try:
            found += between(older, newer)
        except duckdb.Error:  # a former version may go, or be torn, while it is read: pages do without it
            _log.warning("versions %s and %s cannot be compared", older.name, newer.name)
    return found
