"""Readings of documents by models that have not seen their repositories: what every figure is taken on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console

from pipelines.extract.link.linker import Linker, Proposal
from pipelines.extract.link.meaning import DATES, entry_of
from pipelines.extract.link.qualify import qualifiers_of
from pipelines.model.claim import CONFIDENT
from pipelines.training.fit import Case, fit, is_right, said, says
from pipelines.training.labels import folds_of


def held_out(cases: Sequence[Case], folds: int, inner: int = 3) -> Iterator[tuple[Case, list[Proposal]]]:
    """Each document with the readings of a model trained on the other folds' repositories."""
    fold_of = folds_of([case.source for case in cases], folds)
    for fold in range(folds):
        model = Linker(fit([c for c, f in zip(cases, fold_of, strict=True) if f != fold], f"fold {fold}", inner))
        for case in (c for c, f in zip(cases, fold_of, strict=True) if f == fold):
            yield case, model.link([item.place for item in case.items])


def held_out_rows(cases: Sequence[Case], folds: int, out: Console) -> list[dict[str, Any]]:
    """Prints the figures of all held-out readings; returns the readings as the scorer wants them."""
    rows: list[dict[str, Any]] = []
    found: list[tuple[float, bool]] = []
    labels = 0
    thresholds = (0.5, 0.7, 0.8, 0.9, CONFIDENT)
    matched: dict[float, int] = dict.fromkeys(thresholds, 0)
    for case, proposals in held_out(cases, folds):
        labels += len(case.source.labels)
        for proposal in proposals:
            rows.append(_row(case, proposal))
            found.append((proposal.confidence, is_right(case, proposal)))
        for threshold in thresholds:
            kept = [p for p in proposals if p.confidence >= threshold]
            matched[threshold] += sum(any(says(case, n, p) for p in kept) for n in range(len(case.source.labels)))
    for threshold in thresholds:
        kept_found = [right for confidence, right in found if confidence >= threshold]
        precision = sum(kept_found) / max(len(kept_found), 1)
        out.print(
            f"confidence >= {threshold:.2f}: {len(kept_found):5,} readings, precision {precision:.3f}, "
            f"recall {matched[threshold] / max(labels, 1):.3f}",
            markup=False,
        )
    table = calibration_table([c for c, _ in found], [r for _, r in found])
    for mean, share, count in table:
        out.print(f"said {mean:.2f}  was {share:.2f}  of {count:,}", markup=False)
    out.print(f"expected calibration error {calibration_error(table):.3f}", markup=False)
    return rows


def _row(case: Case, proposal: Proposal) -> dict[str, Any]:
    unit = "date" if proposal.metric in DATES else entry_of(proposal.metric).unit
    return {
        "doc": case.source.name, "subject": proposal.candidate.name, "metric": proposal.metric,
        "value": said(proposal.place, proposal.metric), "unit": unit, "confidence": round(proposal.confidence, 4),
        "qualifiers": {} if proposal.metric in DATES else qualifiers_of(proposal),
    }  # fmt: skip


def calibration_table(
    confidences: Sequence[float], right: Sequence[bool], bins: int = 10
) -> list[tuple[float, float, int]]:
    """Mean confidence, observed share and count of each filled tenth of the confidences."""
    found = []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        own = [i for i, c in enumerate(confidences) if low <= c < high or (number == bins - 1 and c == 1.0)]
        if own:
            mean = sum(confidences[i] for i in own) / len(own)
            found.append((mean, sum(right[i] for i in own) / len(own), len(own)))
    return found


def calibration_error(table: Sequence[tuple[float, float, int]]) -> float:
    """The expected calibration error: the mean distance of confidence and share, weighed by count."""
    total = sum(count for _, _, count in table) or 1
    return sum(abs(mean - share) * count for mean, share, count in table) / total
