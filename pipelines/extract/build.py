"""Puts a claim together: value, plausibility, confidence; keeps one of several that say the same. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pipelines.extract.subjects import Mention
from pipelines.model.claim import ExtractedClaim, Method, Modality, Span
from pipelines.registry import load_registry
from pipelines.units import UnknownUnit, to_canonical

# Units that a metric is counted in when the text prints none of its own.
_IMPLIED = {"gpu_hour_price": "USD/h"}
# A table that gives one subject so many values of these is about configurations, not about the subject.
_CONFIGURED, _CONFIGURATIONS = frozenset({"accelerator_count", "scale_up_domain_size", "cpu_count"}), 3
_SAME = 0.01  # relative; a restatement within it says the same


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure as read, before it is brought to its metric's unit."""

    metric: str
    subject: Mention
    value: float
    unit: str
    value_at: Span
    context: Span
    printed: str
    qualifiers: Mapping[str, str]
    modality: Modality
    claimant: str
    is_attributed: bool
    confidence: float
    method: Method = Method.GRAMMAR
    is_illustrative: bool = False
    period: tuple[dt.date, dt.date] | None = None


def claim_of(reading: Reading) -> ExtractedClaim | None:
    """The claim; None when the unit is none of the metric's. An unbelievable value sets `doubt`."""
    metric = load_registry().metric(reading.metric)
    try:
        value = to_canonical(reading.value, _IMPLIED.get(metric.id, reading.unit or "count"), metric)
    except UnknownUnit:
        return None
    per = reading.qualifiers.get("per", "")
    kind = reading.subject.kind if reading.subject.kind != "product" else "accelerator"
    is_plausible = metric.is_plausible(value, kind, per)
    doubt = "" if is_plausible else f"{value:g} {metric.unit} is outside what is believable for {kind} per {per or '?'}"
    if reading.is_illustrative:
        doubt = doubt or "an example, no market figure"
    return ExtractedClaim(
        subject=reading.subject.name,
        subject_id=reading.subject.subject_id,
        subject_kind=reading.subject.kind,
        metric=metric.id,
        value=value,
        unit=metric.unit,
        value_at=reading.value_at,
        context=reading.context,
        printed=reading.printed,
        modality=reading.modality,
        claimant=reading.claimant,
        method=reading.method,
        confidence=round(reading.confidence if is_plausible else 0.2, 3),
        qualifiers=tuple(sorted((key, word) for key, word in reading.qualifiers.items() if word)),
        is_attributed=reading.is_attributed,
        is_illustrative=reading.is_illustrative,
        doubt=doubt,
        period_start=reading.period[0] if reading.period is not None else None,
        period_end=reading.period[1] if reading.period is not None else None,
    )


def distinct(claims: Iterable[ExtractedClaim]) -> list[ExtractedClaim]:
    """One claim per distinct subject, metric, value and qualifiers, the one that says most; in order of the text."""
    kept: dict[tuple[str, str], list[ExtractedClaim]] = {}
    for claim in claims:
        same = kept.setdefault((claim.subject, claim.metric), [])
        at = next((i for i, other in enumerate(same) if _is_same(claim, other)), None)
        if at is None:
            same.append(claim)
        elif _weight(claim) > _weight(same[at]):
            same[at] = replace(claim, modality=same[at].modality) if claim.method is same[at].method else claim
    claims_kept = [claim for same in kept.values() for claim in same if not _is_scratch(claim, same)]
    return sorted(claims_kept, key=lambda c: (c.value_at, c.metric, c.subject))


def _is_scratch(claim: ExtractedClaim, same: Sequence[ExtractedClaim]) -> bool:
    """SRAM is a chip's memory only where the chip has no other: beside HBM it is a cache."""
    kinds = [dict(c.qualifiers).get("memory_type", "") for c in same]
    own = dict(claim.qualifiers).get("memory_type", "")
    return (
        claim.metric == "memory_capacity" and own == "SRAM" and any(kind[:3] in ("HBM", "GDD", "LPD") for kind in kinds)
    )


def settled(claims: Sequence[ExtractedClaim]) -> list[ExtractedClaim]:
    """A table's claims without counts of machines that come out in many values for one subject: configurations."""
    values: dict[tuple[object, ...], set[float | None]] = {}
    for claim in claims:
        values.setdefault((claim.subject, claim.metric, claim.qualifiers), set()).add(claim.value)
    return [
        claim
        for claim in claims
        if claim.metric not in _CONFIGURED
        or len(values[claim.subject, claim.metric, claim.qualifiers]) < _CONFIGURATIONS
    ]


def _weight(claim: ExtractedClaim) -> tuple[bool, int, float]:
    stated = sum(word not in ("unstated", "") for _, word in claim.qualifiers)
    return (not claim.doubt, stated, claim.confidence)


def _is_same(one: ExtractedClaim, two: ExtractedClaim) -> bool:
    if one.value is None or two.value is None:
        return (one.period_start, one.period_end, one.value_text) == (two.period_start, two.period_end, two.value_text)
    if abs(one.value - two.value) > _SAME * max(abs(one.value), abs(two.value)):
        return False
    first, second = dict(one.qualifiers), dict(two.qualifiers)
    for name in (
        "precision",
        "sparsity",
        "per",
        "memory_type",
        "baseline",
        "workload",
        "part",
        "accelerator",
        "benchmark",
    ):
        left, right = first.get(name, "unstated"), second.get(name, "unstated")
        if left != right and "unstated" not in (left, right):
            return False
    return True
