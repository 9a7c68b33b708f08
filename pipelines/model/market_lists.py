"""Rows of the lists of supercomputers: one system as one list printed it, and the counts that may be published.

Labels and figures are the publisher's own. Which accelerator a label means and how many 'accelerator cores' make one
accelerator is the registry's to say later.
"""

from __future__ import annotations

import datetime as dt

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence


@frozen
class ListEntry:
    """One system on one list. Rates are LINPACK's, in TFLOP/s of 64 bit; `efficiency` is in GFLOP/s per watt.

    `stated_on` is the last day of the list's month, or the day of the capture where that is earlier: the exact day is
    not printed. `other_rank` is the rank on the other list (Green500 prints the TOP500 rank).
    """

    stated_on: dt.date
    list_number: int
    list_month: dt.date  # first day of the list's month
    rank: int
    other_rank: int | None
    previous_rank: int | None
    first_list: int | None
    system_id: str
    site_id: str
    name: str
    computer: str
    site: str
    manufacturer: str
    country: str
    continent: str
    segment: str
    year: int | None
    total_cores: int | None
    accelerator_raw: str
    accelerator_cores: int | None
    processor: str
    interconnect: str
    system_model: str
    rmax_tflops: float
    rpeak_tflops: float | None
    hpcg_tflops: float | None
    power_kw: float | None
    power_source: str
    efficiency: float | None
    power_quality_level: int | None  # Green500 only


@frozen
class Top500Aggregate:
    """Counts and sums over the systems of one list that share layer, segment, generation and part of the world.

    Sums cover only the systems that state the quantity; how many did stands beside each. `payload_sha256` is the digest
    of the list's file that they were made from.
    """

    stated_on: dt.date
    list_number: int
    list_month: dt.date
    layer: str
    segment: str
    vendor: str
    generation: str
    country_group: str
    systems: int
    systems_with_accelerators: int
    accelerators: int
    systems_with_power: int
    power_kw: float
    accelerators_with_power: int
    rmax_tflops: float
    systems_with_hpcg: int
    hpcg_tflops: float
    evidence: Evidence
    source_id: str
    url: str
    capture_id: str
    payload_sha256: str
