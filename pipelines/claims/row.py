"""An extracted claim as the row that the lake keeps: identity, grade, dates and locator put together. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelines.claims.arithmetic import Check
from pipelines.claims.grade import grade
from pipelines.claims.identity import claim_id, qualifiers_json
from pipelines.claims.speakers import Speakers
from pipelines.model.claim import CONFIDENT, ExtractedClaim, Extractor, Modality
from pipelines.model.claim_row import MentionRow
from pipelines.model.columns import common
from pipelines.model.evidence import Evidence
from pipelines.registry import load_registry
from pipelines.registry.entries import last_day
from pipelines.registry.printers import allowed_tag, printed_by

_BUILT_IN = frozenset({
    "accelerator_count", "cpu_count", "core_count", "die_count", "part_count", "port_count", "transistor_count",
    "process_node", "memory_capacity", "scale_up_domain_size", "rack_widths", "weight",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Carrier:
    """The document that carries claims, and how it was captured; `stated_on` is its date where it names one."""

    document_id: str
    source_id: str
    url: str
    publisher: str
    evidence: Evidence  # the source's tag
    stated_on: dt.date | None
    stated_on_precision: str
    stated_not_after: dt.date | None  # where the document names no date
    read_on: dt.date
    printed_by: str
    first_seen: dt.datetime | None  # None where only the facts read of it are at hand


def mention_row(
    claim: ExtractedClaim, carrier: Carrier, extractor: Extractor, speakers: Speakers, checks: Sequence[Check] = ()
) -> MentionRow:
    """The row of one claim in one document; `checks` are the sums that the document does itself."""
    check = next((c for c in checks if c.start <= claim.value_at.start < c.end), None)
    publisher = speakers.speaker(carrier.publisher)
    claimant_name = claim.claimant or carrier.publisher
    claimant = speakers.speaker(claimant_name)
    makers = speakers.makers(claim.subject_id, claim.subject)
    tag, caveats = grade(claim, publisher=publisher, claimant=claimant, makers=makers, default=carrier.evidence)
    tag = allowed_tag(tag, claimant_name, printed_by(carrier.url, carrier.printed_by, ""))
    is_date = claim.value is None and not claim.value_text
    period = (claim.period_start, claim.period_end)
    value_period, held = (period, (None, None)) if is_date else ((None, None), period)
    qualifiers = _in_ledger_words(claim.qualifiers)
    # what the row has in common with the claim and its document is passed on; what follows from both comes last
    read = common(claim, MentionRow) | common(carrier, MentionRow)
    own = {
        "claim_id": claim_id(
            subject=claim.subject, metric=claim.metric,
            value=claim.value if claim.value is not None else claim.value_text, value_period=value_period,
            unit=claim.unit, qualifiers=qualifiers, period=held, claimant=claimant_name,
        ),
        "value_start": value_period[0], "value_end": value_period[1], "qualifiers": qualifiers_json(qualifiers),
        "modality": _firmness(claim, carrier.stated_on), "claimant": claimant_name,
        "claimant_id": claimant.organisation_id, "evidence": tag, "period_start": held[0], "period_end": held[1],
        "caveats": caveats, "doubt": claim.doubt or _hesitation(claim),
        "locator": f"characters {claim.value_at.start}-{claim.value_at.end}",
        "locator_start": claim.value_at.start, "locator_end": claim.value_at.end,
        "context_start": claim.context.start, "context_end": claim.context.end,
        "extractor": extractor.name, "extractor_version": extractor.version,
        "arithmetic": check.verdict if check is not None else "", "formula": check.formula if check is not None else "",
    }  # fmt: skip
    return MentionRow(**read | own)


def _firmness(claim: ExtractedClaim, stated_on: dt.date | None) -> Modality:
    """How firm the claim is, held against what its metric is and whether its subject was on sale when it was said."""
    entry = load_registry().accelerator(claim.subject_id)
    dated = None if entry is None else entry.first_available
    is_on_sale = dated is not None and stated_on is not None and last_day(dated.date) < stated_on
    names_benchmark = claim.qualifier("benchmark") not in ("", "unstated")
    return fitting(claim.modality, claim.metric, names_benchmark=names_benchmark, is_on_sale=is_on_sale)


def fitting(modality: Modality, metric: str, *, names_benchmark: bool, is_on_sale: bool) -> Modality:
    """The firmness of a sentence as far as it can be that of a figure of `metric`.

    An announcement is one whatever stands around it. Only what runs can be measured: a count or a size is none of
    that, and a rate is only where its benchmark is named. What a thing on sale has is expected no more.
    """
    cannot_be = metric in _BUILT_IN or (metric == "compute" and not names_benchmark)
    is_unmeasured = modality is Modality.MEASURED and cannot_be
    is_over = modality is Modality.EXPECTED and metric in _BUILT_IN and is_on_sale
    return Modality.ANNOUNCED if metric == "announced_on" or is_unmeasured or is_over else modality


def _in_ledger_words(qualifiers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Qualifiers as the committed ledger spells them, so that one thing said is one claim however it was read."""
    said = dict(qualifiers)
    if said.get("per") == "gpu":
        said["per"] = "accelerator"
    if said.get("memory_type", "").upper().startswith("HBM"):
        said["memory_type"] = said["memory_type"].upper().replace("HBM2E", "HBM2e").replace("HBM3E", "HBM3e")
    if said.get("approx") == "true":
        said["approx"] = "yes"
    if "direction" in said:
        said["direction"] = said["direction"].replace("-", " ")
    return said


def _hesitation(claim: ExtractedClaim) -> str:
    """Why a reading is only a candidate; empty where it is none."""
    return "" if claim.state != "candidate" else f"a candidate: confidence {claim.confidence:.2f}, wanted {CONFIDENT}"
