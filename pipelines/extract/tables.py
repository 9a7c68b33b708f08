"""Claims from a table: each figure with its product, metric, unit and qualifiers from the labels over it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pipelines.extract.build import Reading, claim_of
from pipelines.extract.table_cells import CellValue, read_cell
from pipelines.extract.table_frame import Axis, Figure
from pipelines.extract.table_ground import Ground, ground_of
from pipelines.extract.table_labels import Label, read_label, topic_above
from pipelines.extract.table_qualify import OF_PERIODS, fiscal_month, period_of, qualifiers
from pipelines.extract.table_whom import WHOLES, counted, whom
from pipelines.extract.values.periods import find_periods
from pipelines.model.claim import ExtractedClaim, Method, Modality, Origin
from pipelines.model.document import Block, Document, Table
from pipelines.registry.mentions import NameFinder

_DATES = frozenset({"announced_on", "available_from", "deployed_on", "production_from"})
_RATIO = re.compile(r"\s*(?:~|≈)?(?P<value>\d+(?:\.\d+)?)\s?[x×]\s*", re.IGNORECASE)
# a year or quarter as a label says nothing of what is given for it: '2024', '2026E', 'Q3 FY26'
_PERIOD = re.compile(
    r"(?:FY|CY)? ?(?:19|20)\d\d ?(?:E|F|A|est\.?)?|Q[1-4] ?(?:FY|CY)?\d{2,4}|[1-4]Q\d\d", re.IGNORECASE
)
_DOLLARS = re.compile(r"\s*(?:US)?\$ ?\d{1,3}(?:\.\d+)?(?!\d)(?! ?(?:[kKMB]|million|billion)\b)")
_PER_WATT = re.compile(r"\b(?:per|/) ?(?:W|watt|MW|joule|dollar|\$)|\befficien|\bTCO\b|cost per", re.IGNORECASE)
_MARK = re.compile(r"[*†‡§]+|\[\^?\w+\]|[¹²³⁴⁵⁶⁷⁸⁹]")


def table_claims(
    document: Document, table: Table, origin: Origin, finder: NameFinder, block: Block | None = None
) -> list[ExtractedClaim]:
    """The claims of one table of a document; `block` is the table's own block, looked for when it is not given."""
    at = block or next((b for b in document.blocks if b.table is not None and document.tables[b.table] is table), None)
    reader = _Reader(ground_of(document, table, origin, finder, at))
    return [claim for figure in reader.ground.frame.figures() for claim in reader.claims(figure)]


class _Reader:
    """Turns a table's figures into claims."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._labels: dict[tuple[tuple[str, ...], tuple[str, ...]], Label] = {}

    def claims(self, figure: Figure) -> Iterator[ExtractedClaim]:
        """The claims of one cell."""
        label = self._label(figure)
        if figure.compared is not None:
            yield from self._compared(figure, label, figure.compared)
        elif label.topic in _DATES:
            yield from self._dated(figure, label)
        else:
            yield from self._figures(figure, label)

    def _label(self, figure: Figure) -> Label:
        around = (*figure.sections, *self.ground.frame.around.headings[:1])
        key = (figure.labels, around)
        if key not in self._labels:
            label = read_label(figure.labels, around)
            is_period = label.topic == "" and _PERIOD.fullmatch(label.text) is not None
            above = topic_above(self.ground.frame.around.zones) if is_period else ""
            self._labels[key] = replace(label, topic=above) if above else label
        return self._labels[key]

    def _figures(self, figure: Figure, label: Label) -> Iterator[ExtractedClaim]:
        text = self.ground.text(figure)
        if label.topic == "" and self.ground.is_hourly and _DOLLARS.match(text) is not None:
            label = replace(label, topic="gpu_hour_price")
        for value in read_cell(text, label, self.ground.unit):
            named = counted(self.ground, text, value)
            found = whom(self.ground, figure.axis, value, label)
            if named is None or found is None:
                continue
            axis, extra = found
            said = {**value.qualifiers, **named}
            whole = replace(value, qualifiers=said)
            claim = self._claim(figure, label, whole, axis, extra)
            if claim is not None:
                yield claim

    def _claim(
        self, figure: Figure, label: Label, value: CellValue, axis: Axis, extra: dict[str, str]
    ) -> ExtractedClaim | None:
        ground = self.ground
        metric = _metric(axis, value)
        claim = claim_of(
            Reading(
                metric=metric, subject=axis.subject, value=value.value, unit=value.unit,
                value_at=ground.span(figure, value.digits.start, value.digits.end), context=ground.context(figure),
                printed=ground.text(figure)[value.printed.start : value.printed.end],
                qualifiers={**qualifiers(ground, figure, label, value, axis), **extra},
                modality=self._modality(axis, metric), claimant=ground.origin.publisher, is_attributed=False,
                confidence=_confidence(figure, label), method=Method.TABLE, is_illustrative=ground.is_example,
            )
        )  # fmt: skip
        if claim is not None and value.qualifiers.get("unit"):
            claim = replace(claim, caveats=("unit_unclear",), confidence=round(claim.confidence - 0.2, 3))
        period = period_of(ground, figure) if metric in OF_PERIODS else None
        if claim is None or period is None:
            return claim
        return replace(claim, period_start=period.first, period_end=period.last)

    def _modality(self, axis: Axis, metric: str) -> Modality:
        if metric == "mtti" or (metric == "compute" and self.ground.is_measured):
            return Modality.MEASURED
        if self.ground.is_promised:
            return Modality.EXPECTED
        is_whole = axis.subject.kind in ("site", "organisation") and metric in WHOLES
        return Modality.DEPLOYED if is_whole else Modality.ANNOUNCED

    def _compared(self, figure: Figure, label: Label, baseline: Axis) -> Iterator[ExtractedClaim]:
        """'2x' in a column that compares two products: a speed, or an efficiency where the row says so."""
        ground = self.ground
        match = _RATIO.fullmatch(ground.text(figure))
        is_gain = _PER_WATT.search(label.text) is not None
        is_named = label.topic in ("", "train_time", "token_rate", "compute") or is_gain
        if match is None or not is_named or not label.text:
            return
        is_peak = label.topic == "compute" and (label.unit is not None or bool(label.precision))
        claim = claim_of(
            Reading(
                metric="efficiency_gain" if is_gain else "speedup", subject=figure.axis.subject,
                value=float(match["value"]), unit="x", value_at=ground.span(figure, *match.span("value")),
                context=ground.context(figure), printed=match[0].strip(),
                qualifiers={
                    "baseline": baseline.subject.name,
                    "workload": "peak compute" if is_peak else label.text,
                    "precision": "/".join(label.precision),
                },
                modality=Modality.ANNOUNCED, claimant=ground.origin.publisher, is_attributed=False, confidence=0.8,
                method=Method.TABLE, is_illustrative=ground.is_example,
            )
        )  # fmt: skip
        if claim is not None:
            yield claim

    def _dated(self, figure: Figure, label: Label) -> Iterator[ExtractedClaim]:
        ground, subject = self.ground, figure.axis.subject
        text = ground.text(figure)
        masked = _MARK.sub(lambda match: " " * len(match[0]), text)
        published = ground.origin.published_on
        periods = find_periods(masked, published, fiscal_month(subject.vendor_id))
        if len(periods) != 1 or subject.kind in ("cpu", "network"):
            return
        period = periods[0]
        is_ahead = published is not None and period.last > published
        modality = Modality.DEPLOYED if label.topic == "deployed_on" else Modality.ANNOUNCED
        yield ExtractedClaim(
            subject=subject.name, subject_id=subject.subject_id, subject_kind=subject.kind, metric=label.topic,
            value=None, unit="date", value_at=ground.span(figure, period.start, period.end),
            context=ground.context(figure), printed=text[period.start : period.end],
            modality=Modality.EXPECTED if is_ahead else modality, claimant=ground.origin.publisher,
            method=Method.TABLE, confidence=0.8, period_start=period.first, period_end=period.last,
        )  # fmt: skip


def _metric(axis: Axis, value: CellValue) -> str:
    """Megawatts of a cluster or an organisation are the power of a site; components of a site are its accelerators."""
    is_site = axis.subject.kind == "site"
    if value.metric == "cluster_size" and is_site:
        return "accelerator_count"
    is_large = value.unit in ("MW", "GW", "TW")
    is_whole = is_site or axis.subject.kind == "organisation"
    return "site_power" if value.metric == "power" and is_large and is_whole else value.metric


def _confidence(figure: Figure, label: Label) -> float:
    known = 0.9 if figure.axis.subject.subject_id else 0.75
    return known - 0.1 if label.topic == "compute" and label.unit is None else known
