"""Epoch AI's machine-learning hardware: one row a chip, figures in plain units (FLOP/s, bytes, bytes/s, W)."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_epoch import HardwareSpec
from pipelines.parse.sources.epoch_files import all_rows, day, links
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by
from pipelines.problems import Reason

TABLES = ("hardware_specs",)

_REQUIRED: Final = ("Hardware name", "Manufacturer", "Release date", "Memory (bytes)", "TDP (W)", "Last modified")
# Maxima and ratios follow from other columns; clocks and buses are not asked for here.
_NOT_USED: Final = (
    "Max performance", "Energy efficiency", "Total processing performance (bit-OP/s)", "Price-performance", "ML OP/s",
    "ML models", "INT16 performance (OP/s)", "Base clock (MHz)", "Boost clock (MHz)", "Memory clock (MHz)",
    "Memory bus (bit)", "Tensor cores",
)  # fmt: skip
_LEAST_MEMORY: Final = 1e6  # bytes; a table in gigabytes would come out below
_LEAST_FLOPS: Final = 1e9


def parse(table: CapturedTable) -> MarketRows:
    """Chips of the table. Raises InputError where it is no such table."""
    reader = Reader(table)
    return reader.done(hardware_specs=all_rows(reader, _REQUIRED, partial(_chip, table), "chips"))


def _chip(table: CapturedTable, record: Record) -> HardwareSpec:
    """One row, stated on the day of its last change, else the capture's."""
    text = record.optional_text("Last modified")
    try:
        changed = dt.datetime.fromisoformat(text) if text else table.captured_at
    except ValueError:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Last modified' is {text[:60]!r}") from None
    return _CHIP.read(record, stated_on=changed.date())


def _at_least(record: Record, key: str, least: float) -> float | None:
    """A figure in plain units; one that is far too small is in another unit and refused."""
    value = record.optional_number(key)
    if value is not None and value < least:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{key!r} is {value:g}, at least {least:g} was expected")
    return value


_rate, _large = (
    partial(by, partial(_at_least, least=least)) for least in (_LEAST_FLOPS, _LEAST_MEMORY)
)  # fmt: skip
_CHIP: Final = Columns(
    HardwareSpec, _NOT_USED,
    tensor_fp16_flop_s=_rate("Tensor-FP16/BF16 performance (FLOP/s)"), fp8_flop_s=_rate("FP8 performance (FLOP/s)"),
    fp4_flop_s=_rate("FP4 performance (FLOP/s)"), fp64_flop_s=_rate("FP64 (double precision) performance (FLOP/s)"),
    fp32_flop_s=_rate("FP32 (single precision) performance (FLOP/s)"),
    tf32_flop_s=_rate("TF32 (TensorFloat-32) performance (FLOP/s)"),
    fp16_flop_s=_rate("FP16 (half precision) performance (FLOP/s)"), int8_op_s=_rate("INT8 performance (OP/s)"),
    int4_op_s=_rate("INT4 performance (OP/s)"), hardware_raw=by(Record.text, "Hardware name"),
    maker_raw="Manufacturer", kind="Type", released_on=by(day, "Release date"), price_usd="Release price (USD)",
    memory_bytes=_large("Memory (bytes)"), memory_bytes_s=_large("Memory bandwidth (byte/s)"),
    intranode_bytes_s=_large("Intranode bandwidth (byte/s)"), internode_bits_s=_large("Internode bandwidth (bit/s)"),
    tdp_w="TDP (W)", foundry="Foundry", process_nm="Process size (nm)", die_mm2="Die Size (mm^2)",
    transistors_m="Transistors (millions)", source_urls=by(links, "Link to datasheet", "Source for the price"),
    notes="Notes",
)  # fmt: skip
