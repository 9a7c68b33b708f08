"""Rows of the market tables, what goes into their parsers, and where their rows came from.

A parser gets one captured table and gives typed rows by lake table. Labels and figures are the publisher's own; which
accelerator and organisation they mean is the registry's to say later. Epoch AI's tables are in `market_epoch`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from enum import StrEnum

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence
from pipelines.problems import Problem


@frozen
class CapturedTable:
    """One captured body with its lineage, as a parser gets it."""

    source_id: str
    url: str
    captured_at: dt.datetime  # UTC
    sha256: str
    media_type: str
    data: bytes


@frozen
class MarketRows:
    """Rows of one captured table by lake table, what was odd, and which of its fields nobody read.

    `unread` names fields that are neither used nor ignored by name.
    """

    rows: Mapping[str, Sequence[object]]
    problems: tuple[Problem, ...] = ()
    unread: tuple[str, ...] = ()


@frozen
class MarketProvenance:
    """Where the rows of one captured table came from; repeated on every row in the lake."""

    source_id: str
    url: str
    captured_at: dt.datetime  # UTC
    capture_id: str
    payload_sha256: str
    evidence: Evidence


@frozen
class MarketCapture:
    """How one capture of a market table was read: the account that nothing was dropped in silence.

    `rows` counts the rows kept in all lake tables, `denied` those of owners who forbid collection, `unread` names the
    input fields that nobody read. `problem` is the reason where the whole input could not be read, else ''.
    """

    capture_id: str
    source_id: str
    url: str
    captured_at: dt.datetime  # UTC
    payload_sha256: str
    rows: int
    denied: int
    denied_names: tuple[str, ...]
    problems: int
    unread: tuple[str, ...]
    problem: str


class PriceType(StrEnum):
    """What is paid for. Prices of two types are never put into one figure."""

    ON_DEMAND = "on_demand"
    SPOT = "spot"  # may be taken away
    RESERVED = "reserved"  # for a term, see `term_months`
    SERVERLESS = "serverless"  # paid by use on the platform's machines
    COMMUNITY = "community"  # hosts of third parties on a marketplace
    INFERENCE = "inference"  # one accelerator for inference, as the provider lists it beside whole instances
    UNPRICED = "unpriced"  # listed without a price


class PricePer(StrEnum):
    """What one printed price buys for an hour."""

    ACCELERATOR = "accelerator"
    INSTANCE = "instance"
    NOTHING = ""  # no price is printed


@frozen(kw_only=True)
class CloudOffer:
    """One offer as one look at one price list showed it.

    `scope` names what one look covers whole (a provider of the feed, an accelerator's page, or '' for the whole
    feed): an offer missing from the next look of its scope has ended. `accelerators` is the count of one instance,
    None where it is not given or not credible. `memory_gb` is of one accelerator, as printed.
    """

    stated_on: dt.date  # day on which the source saw the offer
    scope: str
    looked_at: dt.datetime  # UTC
    provider: str
    offered_as: str = ""  # instance type, or '' where the feed has none
    accelerator_raw: str
    accelerators: int | None = None
    memory_gb: float | None = None
    vcpus: float | None = None
    ram_gb: float | None = None
    region: str = ""
    price_type: PriceType
    price_type_raw: str = ""
    term_months: int | None = None
    price: float | None = None
    price_per: PricePer
    currency: str = "USD"
    offer_url: str = ""  # the provider's own page, where the feed names it
    caveats: tuple[str, ...] = ()


@frozen
class CloudLook:
    """One look of a source at one scope, also where it found nothing.

    `is_fresh` is False where the source could not look and carried older offers forward; then nothing was seen,
    and `looked_at` is the last look that worked.
    """

    stated_on: dt.date
    scope: str
    looked_at: dt.datetime  # UTC
    offers: int  # offers in the input for this scope, with those not kept
    is_fresh: bool


@frozen
class FilingFigure:
    """One figure of one company for one period in one filing.

    A later filing that repeats a period gives another row: restatements stay visible. `segment` is 'total' or the
    part of the business that the filing names. `stated_on` is the day of filing; where only its due day is known,
    `stated_on_basis` says so. `fiscal_year` and `fiscal_period` are those of the filing, not of the period.
    """

    stated_on: dt.date
    stated_on_basis: str  # 'filed' or 'due'
    company_raw: str
    cik: int
    metric: str  # 'capex' or 'revenue'
    concept: str  # the filing's own name for the figure, such as us-gaap:Revenues
    segment: str
    period_start: dt.date
    period_end: dt.date
    value: float
    currency: str
    form: str  # '10-Q', '10-K', ...
    accession: str  # '' where it is not known
    fiscal_year: int | None
    fiscal_period: str  # 'Q1', 'FY', ...
    filing_url: str
    caveats: tuple[str, ...] = ()


@frozen
class InferencexRun:
    """One run as the benchmark's API gives it.

    Throughputs are tokens per second and GPU: `total` is all tokens over all GPUs; with `is_disaggregated` the input
    rate is per prefill GPU and the output rate per decode GPU, so the two do not add up to the total. Latencies are
    seconds, interactivity is tokens per second and user. `run_type` is 'single_turn' unless the row says otherwise.
    """

    stated_on: dt.date  # day of the run
    model: str  # display name, as asked for in the URL
    model_key: str
    hardware_raw: str
    framework: str
    image: str
    precision: str  # of the weights
    speculation: str  # 'none', 'mtp', ...
    run_type: str
    is_disaggregated: bool
    is_multinode: bool
    input_tokens: int | None
    output_tokens: int | None
    concurrency: int
    prefill_tensor_parallel: int | None
    prefill_expert_parallel: int | None
    prefill_workers: int | None
    prefill_gpus: int | None
    has_prefill_attention_parallel: bool | None
    decode_tensor_parallel: int | None
    decode_expert_parallel: int | None
    decode_workers: int | None
    decode_gpus: int | None
    has_decode_attention_parallel: bool | None
    total_tokens_per_s_per_gpu: float | None
    input_tokens_per_s_per_gpu: float | None
    output_tokens_per_s_per_gpu: float | None
    median_ttft_s: float | None
    p99_ttft_s: float | None
    median_tpot_s: float | None
    p99_tpot_s: float | None
    median_itl_s: float | None
    p99_itl_s: float | None
    median_e2e_s: float | None
    p99_e2e_s: float | None
    median_tokens_per_s_per_user: float | None
    p99_tokens_per_s_per_user: float | None
    gpu_power_w: float | None
    joules_per_output_token: float | None
    is_power_valid: bool | None
    run_url: str
    caveats: tuple[str, ...] = ()


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
