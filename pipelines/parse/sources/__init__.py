"""Parsers of market tables, one a source or family, each in its publisher's own format.

A parser is `parse(CapturedTable) -> MarketRows`; pure. It raises InputError where the structure is not the known one
and names one odd record as a Problem while the rest goes on. `PARSERS` finds it by the `parser` of sources.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_cloud import CloudLook, CloudOffer
from pipelines.model.market_epoch import ChipQuantity, GpuCluster, HardwareSpec, Site, SiteMilestone
from pipelines.model.market_filings import FilingFigure
from pipelines.model.market_inferencex import InferencexRun
from pipelines.model.market_lists import ListEntry
from pipelines.parse.sources import (
    coreweave_price_copies,
    epoch_chips,
    epoch_data_centers,
    epoch_gpu_clusters,
    epoch_ml_hardware,
    gpuhunt_catalog,
    gpurentalprices,
    inferencex,
    nvidia_datacenter_split,
    price_of_compute,
    sec_company_facts,
    skypilot_catalog,
    top500,
)


@dataclass(frozen=True, slots=True)
class MarketParser:
    """A parser and the lake tables that it fills, with the class of their rows."""

    parse: Callable[[CapturedTable], MarketRows]
    tables: Mapping[str, type]


_CLOUD: Mapping[str, type] = {"cloud_offers": CloudOffer, "cloud_looks": CloudLook}
_FILINGS: Mapping[str, type] = {"filings": FilingFigure}

PARSERS: Mapping[str, MarketParser] = {
    "coreweave_price_copies": MarketParser(coreweave_price_copies.parse, _CLOUD),
    "epoch_chip_owners": MarketParser(epoch_chips.parse_owners, {"chip_owners": ChipQuantity}),
    "epoch_chip_sales": MarketParser(epoch_chips.parse_sales, {"chip_sales": ChipQuantity}),
    "epoch_data_centers": MarketParser(epoch_data_centers.parse, {"sites": Site, "site_timeline": SiteMilestone}),
    "epoch_gpu_clusters": MarketParser(epoch_gpu_clusters.parse, {"clusters": GpuCluster}),
    "epoch_ml_hardware": MarketParser(epoch_ml_hardware.parse, {"hardware_specs": HardwareSpec}),
    "green500": MarketParser(top500.parse_green500, {"green500": ListEntry}),
    "gpuhunt_catalog": MarketParser(gpuhunt_catalog.parse, _CLOUD),
    "gpurentalprices": MarketParser(gpurentalprices.parse, _CLOUD),
    "inferencex": MarketParser(inferencex.parse, {"inferencex": InferencexRun}),
    "nvidia_datacenter_split": MarketParser(nvidia_datacenter_split.parse, _FILINGS),
    "price_of_compute": MarketParser(price_of_compute.parse, _CLOUD),
    "sec_company_facts": MarketParser(sec_company_facts.parse, _FILINGS),
    "skypilot_catalog": MarketParser(skypilot_catalog.parse, _CLOUD),
    "top500": MarketParser(top500.parse_top500, {"top500": ListEntry}),
}

MARKET_TABLES: Mapping[str, type] = {
    name: row_type for _, parser in sorted(PARSERS.items()) for name, row_type in parser.tables.items()
}
