"""Every table of the lake, once: the classes whose fields are its columns, and what becomes of its rows.

A parser says by name which of these it fills; the warehouse stages them, and committed facts have the same columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pipelines.frozen import frozen
from pipelines.model.attempt import AttemptRow
from pipelines.model.claim_row import CopyRow, MentionRow, UnmatchedRow
from pipelines.model.document import DocumentRow
from pipelines.model.market import (
    CloudLook,
    CloudOffer,
    FilingFigure,
    InferencexRun,
    ListEntry,
    MarketCapture,
    MarketProvenance,
    Top500Aggregate,
)
from pipelines.model.market_epoch import ChipQuantity, GpuCluster, HardwareSpec, Site, SiteMilestone
from pipelines.model.mlperf import InferenceResult, MlperfSystem, TrainingResult
from pipelines.model.provenance import CaptureRow, RoundProvenance
from pipelines.problems import Problem


@frozen
class LakeTable:
    """A table's row classes, laid side by side.

    `has_facts`: rows may come from committed facts too. `is_open`: its licence lets this repository keep rows of
    captures. `grows` with every capture, so it may not fit into memory.
    """

    row_types: tuple[type, ...]
    has_facts: bool = False
    is_open: bool = False
    grows: bool = False

    @property
    def row_type(self) -> type:
        """The class of what a parser gives; the others say where it came from."""
        return self.row_types[0]

    @property
    def is_market(self) -> bool:
        """Whether parsers of market tables fill it."""
        return MarketProvenance in self.row_types


def _round(row_type: type) -> LakeTable:
    return LakeTable((row_type, RoundProvenance), has_facts=True)


def _market(row_type: type, *, is_open: bool = True) -> LakeTable:
    return LakeTable((row_type, MarketProvenance), has_facts=True, is_open=is_open, grows=True)


LAKE_TABLES: Mapping[str, LakeTable] = MappingProxyType(
    {
        "mlperf_training": _round(TrainingResult),
        "mlperf_systems": _round(MlperfSystem),
        "mlperf_inference": _round(InferenceResult),
        "problems": LakeTable((Problem,)),
        "captures": LakeTable((CaptureRow,)),
        "attempts": LakeTable((AttemptRow,), grows=True),
        "documents": LakeTable((DocumentRow,), grows=True),
        "mentions": LakeTable((MentionRow,), grows=True),
        "unmatched": LakeTable((UnmatchedRow,)),
        "copies": LakeTable((CopyRow,)),
        "market_captures": LakeTable((MarketCapture,)),
        "chip_owners": _market(ChipQuantity),
        "chip_sales": _market(ChipQuantity),
        "cloud_looks": _market(CloudLook),
        "cloud_offers": _market(CloudOffer),
        "clusters": _market(GpuCluster),
        "filings": _market(FilingFigure),
        "green500": _market(ListEntry, is_open=False),
        "hardware_specs": _market(HardwareSpec),
        "inferencex": _market(InferencexRun),
        "site_timeline": _market(SiteMilestone),
        "sites": _market(Site),
        "top500": _market(ListEntry, is_open=False),
        # committed only: the lists stay with readers, their sums may be published
        "top500_aggregates": LakeTable((Top500Aggregate,), has_facts=True),
    }
)

MARKET_TABLES: Mapping[str, type] = MappingProxyType(
    {name: table.row_type for name, table in LAKE_TABLES.items() if table.is_market}
)
