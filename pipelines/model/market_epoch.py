"""Rows of Epoch AI's tables: chips by owner and quarter, sites with their timelines, clusters, hardware.

Labels, units and figures are the publisher's own (CC BY 4.0); names are matched with the registry later.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pipelines.frozen import frozen


class ChipMeasure(StrEnum):
    """Whether a figure is what came in one quarter or all up to its end."""

    QUARTER = "quarter"
    CUMULATIVE = "cumulative"


@frozen
class ChipQuantity:
    """Chips of one type (or of one maker, type '') in one period: median with the 5th and 95th percentile.

    `dataset` is the publisher's file; two files may give the same owner with another meaning of 'Other', which
    `excludes` tells. `h100e` counts H100 equivalents, `tdp_mw` the chips' design power alone.
    """

    stated_on: dt.date  # the estimate's own date, else the capture's
    dataset: str
    maker_raw: str
    owner_raw: str  # '' in the tables of sales
    excludes: tuple[str, ...]  # whom an owner 'Other' leaves out
    chip_raw: str
    measure: ChipMeasure
    is_fiscal: bool  # quarters of the maker's fiscal year
    period_start: dt.date
    period_end: dt.date
    units: float | None
    units_low: float | None
    units_high: float | None
    h100e: float | None
    h100e_low: float | None
    h100e_high: float | None
    tdp_mw: float | None
    tdp_mw_low: float | None
    tdp_mw_high: float | None
    notes: str


@frozen
class Site:
    """One data centre as the table held it on the day of the capture. `owners` keep their certainty, as printed."""

    stated_on: dt.date
    site: str
    owners: tuple[str, ...]
    owner_certainty: tuple[str, ...]  # confident, likely, speculative or ''
    users: tuple[str, ...]
    user_certainty: tuple[str, ...]
    project: str
    country: str
    address: str
    h100e: float | None
    power_mw: float | None
    capital_cost_usd_bn: float | None  # US dollars of 2025
    investors: str
    construction_companies: str
    energy_companies: str
    source_urls: tuple[str, ...]


@frozen
class SiteMilestone:
    """The state of one data centre from one day on; a day after `stated_on` was planned when it was said."""

    stated_on: dt.date
    site: str
    milestone_on: dt.date
    status: str
    buildings: float | None
    it_power_mw: float | None
    power_mw: float | None
    h100e: float | None
    capital_cost_usd_bn: float | None
    compute_cost_usd_bn: float | None
    construction_cost_usd_bn: float | None
    operating_cost_usd_bn: float | None  # a year
    water_mgd: float | None  # million gallons a day


@frozen
class GpuCluster:
    """One cluster as the table held it. `occurrence` tells apart rows of one name (many are anonymous)."""

    stated_on: dt.date
    cluster: str
    occurrence: int
    status: str
    certainty: str
    is_single: str
    owner_raw: str
    users: tuple[str, ...]
    country: str
    sector: str
    location: str
    chip_raw: str
    chips: int | None
    second_chip_raw: str
    second_chips: int | None
    total_chips: int | None
    h100e: float | None
    power_mw: float | None
    reported_power_mw: float | None
    calculated_power_mw: float | None
    cost_usd: float | None
    operational_on: dt.date | None
    operational_note: str
    decommissioned: str
    builds_upon: str
    superseded_by: str
    is_possible_duplicate: bool
    possible_duplicate_of: str
    is_in_standard_analysis: bool
    source_urls: tuple[str, ...]


@frozen
class HardwareSpec:
    """One chip's figures as printed: operations a second, bytes, bytes a second, bits a second, watts, nanometres."""

    stated_on: dt.date  # last change of the row
    hardware_raw: str
    maker_raw: str
    kind: str
    released_on: dt.date | None
    price_usd: float | None
    tensor_fp16_flop_s: float | None
    fp8_flop_s: float | None
    fp4_flop_s: float | None
    fp64_flop_s: float | None
    fp32_flop_s: float | None
    tf32_flop_s: float | None
    fp16_flop_s: float | None
    int8_op_s: float | None
    int4_op_s: float | None
    memory_bytes: float | None
    memory_bytes_s: float | None
    intranode_bytes_s: float | None
    internode_bits_s: float | None
    tdp_w: float | None
    foundry: str
    process_nm: float | None
    die_mm2: float | None
    transistors_m: float | None
    source_urls: tuple[str, ...]
    notes: str
