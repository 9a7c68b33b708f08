"""One event of an organisation with a generation of accelerators: planned, delivered, offered, used. Shapes only."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence


class AdoptionKind(StrEnum):
    """What happened; only the last five show that the organisation had the generation."""

    PLAN = "plan"
    PREVIEW = "preview"
    DELIVERY = "delivery"
    BENCHMARK = "benchmark"
    GENERAL_AVAILABILITY = "general availability"
    IN_SERVICE = "in service"
    TRAINING_RUN = "training run"
    RETIRED = "retired"


@frozen
class AdoptionRow:
    """facts.adoption as it is committed: one event of one organisation, as one page tells it.

    `on_low` is empty where only a latest day is known ('known by'), `on_high` where only an earliest one is.
    """

    ref: str
    organisation_id: str
    generation_id: str
    accelerator: str
    system: str
    kind: AdoptionKind
    on_low: dt.date | None
    on_high: dt.date | None
    accelerators: int | None
    claimant: str
    printed_by: str
    printed_by_kind: str
    evidence: Evidence
    stated_on: dt.date | None
    stated_not_after: dt.date
    read_on: dt.date
    url: str
    other_urls: tuple[str, ...]
