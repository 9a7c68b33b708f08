"""Readings of documents by models that have not seen their repositories: what every figure is taken on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from pipelines.extract.link.meaning import DATES, entry_of
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import qualifiers_of
from pipelines.model.claim import CLEAR, CONFIDENT, TOLD
from pipelines.training.agreement import EXTRA, MISSING, OTHER, SAME, agreement
from pipelines.training.cases import Case, is_right, said, says
from pipelines.training.labels import same_value

THRESHOLDS = (0.5, TOLD, 0.7, 0.8, 0.9, CONFIDENT)
_TABLES = "tab-"  # names of documents tell their kind


@dataclass(slots=True)
class Reading:
    """A case with its held-out proposals; `says` holds the labels that each says, `false` whether it is wrong."""

    case: Case
    proposals: list[Proposal]
    says: list[list[int]] = field(init=False)
    false: list[bool] = field(init=False)

    def __post_init__(self) -> None:
        labels = range(len(self.case.source.labels))
        self.says = [[n for n in labels if says(self.case, n, p)] for p in self.proposals]
        self.false = [
            not found and not self._is_borderline(p) for found, p in zip(self.says, self.proposals, strict=True)
        ]

    def _is_borderline(self, proposal: Proposal) -> bool:
        value = said(proposal.place, proposal.metric)
        return any(same_value(label, proposal.metric, value) for label in self.case.source.borderline)

    def count(self, least: float) -> tuple[int, int, int]:
        """Labels said, wrong readings, and all labels, of readings as sure as `least`; restatements count no way."""
        is_clear = any(proposal.confidence >= CLEAR for proposal in self.proposals)
        kept = [at for at, p in enumerate(self.proposals) if p.confidence >= least and (is_clear or least < TOLD)]
        owner: dict[int, int] = {}

        def place(at: int, tried: set[int]) -> bool:
            for label in self.says[at]:
                if label not in tried:
                    tried.add(label)
                    if label not in owner or place(owner[label], tried):
                        owner[label] = at
                        return True
            return False

        said_labels = sum(place(at, set()) for at in kept)
        wrong = {self._fact(at) for at in kept if self.false[at]}
        return said_labels, len(wrong), len(self.case.source.labels)

    def _fact(self, at: int) -> tuple[str, ...]:
        """What a reading says, by which its repetitions are known."""
        proposal = self.proposals[at]
        value = str(said(proposal.place, proposal.metric))
        return proposal.candidate.name, proposal.metric, value, *map(str, _qualifiers(proposal).items())


def figures(readings: Sequence[Reading], least: float) -> tuple[float, float]:
    """Precision and recall of the readings as sure as `least`."""
    said_, wrong, labels = (sum(part) for part in zip(*(each.count(least) for each in readings), strict=True))
    return said_ / max(said_ + wrong, 1), said_ / max(labels, 1)


def held_out_rows(readings: Sequence[Reading], newer: set[str], out: Console) -> list[dict[str, Any]]:
    """Prints the table of all held-out readings and returns them as rows; `newer` names the last folder's files."""
    groups: dict[str, Callable[[str], bool]] = {
        "last folder": newer.__contains__, "all": lambda _: True, "tables": lambda name: name.startswith(_TABLES),
    }  # fmt: skip
    parts = {name: [each for each in readings if holds(each.case.source.name)] for name, holds in groups.items()}
    out.print("told from | " + " | ".join(f"{name}: precision / recall" for name in parts), markup=False)
    for least in THRESHOLDS:
        cells = [f"{precision:.3f} / {recall:.3f}" for precision, recall in (figures(p, least) for p in parts.values())]
        out.print(f"{least:.2f} | " + " | ".join(cells), markup=False)
    _print_calibration(readings, out)
    _print_per(readings, out)
    _print_qualifiers(readings, out)
    silent = [each for each in readings if not each.case.source.labels]
    for least in THRESHOLDS:
        loud = [each.case.source.name for each in silent if each.count(least)[1]]
        out.print(f"documents without labels: {len(loud)} of {len(silent)} speak from {least:.2f} {loud}", markup=False)
    return [_row(each.case, proposal) for each in readings for proposal in each.proposals]


def _print_calibration(readings: Sequence[Reading], out: Console) -> None:
    found = [
        (proposal.confidence, is_right(each.case, proposal))
        for each in readings
        for proposal, says_, false in zip(each.proposals, each.says, each.false, strict=True)
        if says_ or false
    ]
    table = calibration_table([c for c, _ in found], [r for _, r in found])
    for mean, share, count in table:
        out.print(f"said {mean:.2f}  was {share:.2f}  of {count:,}", markup=False)
    out.print(f"expected calibration error {calibration_error(table):.3f}", markup=False)


def _print_per(readings: Sequence[Reading], out: Console) -> None:
    """How often what a told reading is per is what its label says, of labels that say it."""
    agree = [
        any(_qualifiers(proposal).get("per") == per for per in pers)
        for each in readings
        for proposal, labels in zip(each.proposals, each.says, strict=True)
        if proposal.confidence >= TOLD and (pers := {each.case.source.labels[n].per for n in labels} - {""})
    ]
    out.print(f"per as the label says: {sum(agree):,} of {len(agree):,}", markup=False)


def _print_qualifiers(readings: Sequence[Reading], out: Console) -> None:
    """How many told readings say a qualifier as their label does, lack it, have one more, or say another."""
    for name, found in agreement((each.case, each.proposals) for each in readings).items():
        counts = ", ".join(f"{found[kind]:,} {kind}" for kind in (SAME, MISSING, EXTRA, OTHER))
        out.print(f"{name} against the label: {counts}", markup=False)


def _row(case: Case, proposal: Proposal) -> dict[str, Any]:
    unit = "date" if proposal.metric in DATES else entry_of(proposal.metric).unit
    return {
        "doc": case.source.name, "subject": proposal.candidate.name, "metric": proposal.metric,
        "value": said(proposal.place, proposal.metric), "unit": unit, "confidence": round(proposal.confidence, 4),
        "qualifiers": _qualifiers(proposal),
    }  # fmt: skip


def _qualifiers(proposal: Proposal) -> dict[str, str]:
    return {} if proposal.metric in DATES else qualifiers_of(proposal)


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
