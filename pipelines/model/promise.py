"""What organisations did and promised, as it is committed: events of adoption, statements about milestones. Shapes."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from typing import Literal

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


# stages of a product, system or site; statements are compared within one stage only
MilestoneKind = Literal[
    "announced", "design_complete", "sampling", "qualification", "specification", "production", "launch",
    "first_shipments", "volume_shipments", "general_availability", "construction", "delivery", "installed", "energised",
    "in_service", "user_access", "complete", "inauguration", "programme",
]  # fmt: skip


class PromiseModality(StrEnum):
    """What a statement does to its milestone."""

    PROMISED = "promised"
    REVISED = "revised"
    CONFIRMED = "confirmed"
    ACTUAL = "actual"
    DELAYED_REPORT = "delayed_report"
    DENIED = "denied"
    CANCELLED = "cancelled"


@frozen
class PromiseRow:
    """facts.promises as it is committed: one statement.

    `period_start` is empty where only a latest day is said ('by the end of 2026'), `period_end` where only an earliest
    one is; both are empty where a statement names no date. `is_own_word`: the claimant answers for the milestone.
    Where the page's date is not known `stated_on` is empty and `stated_not_after` bounds it.
    """

    ref: str
    subject: str
    subject_id: str
    subject_kind: str
    party_id: str
    milestone: MilestoneKind
    variant: str
    modality: PromiseModality
    period_start: dt.date | None
    period_end: dt.date | None
    claimant: str
    claimant_id: str | None
    is_own_word: bool
    is_disputed: bool
    superseded_by: str | None
    printed_by: str
    printed_by_kind: str
    evidence: Evidence
    stated_on: dt.date | None
    stated_on_precision: str | None
    stated_not_after: dt.date
    read_on: dt.date
    url: str
    other_urls: tuple[str, ...]
