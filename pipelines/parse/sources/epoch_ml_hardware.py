"""Epoch AI's machine-learning hardware: one row a chip, figures in plain units (FLOP/s, bytes, bytes/s, W)."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_epoch import HardwareSpec
from pipelines.parse.sources.epoch_files import csv_tables, day, links
from pipelines.parse.sources.records import FieldProblem, Reader, Record, read_csv, refuse
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
_RATES: Final = {
    "tensor_fp16_flop_s": "Tensor-FP16/BF16 performance (FLOP/s)",
    "fp8_flop_s": "FP8 performance (FLOP/s)",
    "fp4_flop_s": "FP4 performance (FLOP/s)",
    "fp64_flop_s": "FP64 (double precision) performance (FLOP/s)",
    "fp32_flop_s": "FP32 (single precision) performance (FLOP/s)",
    "tf32_flop_s": "TF32 (TensorFloat-32) performance (FLOP/s)",
    "fp16_flop_s": "FP16 (half precision) performance (FLOP/s)",
    "int8_op_s": "INT8 performance (OP/s)",
    "int4_op_s": "INT4 performance (OP/s)",
}


def parse(table: CapturedTable) -> MarketRows:
    """Chips of the table. Raises InputError where it is no such table."""
    reader = Reader(table)
    files = (read_csv(file, _REQUIRED) for _, file in csv_tables(table))
    found = [row for file in files for row in reader.rows(file, partial(_chip, table))]
    if not found:
        raise refuse(table, "a header without chips")
    return reader.done(hardware_specs=found)


def _chip(table: CapturedTable, record: Record) -> HardwareSpec:
    record.ignore(*_NOT_USED)
    rates = {field: _at_least(record, key, _LEAST_FLOPS) for field, key in _RATES.items()}
    return HardwareSpec(
        stated_on=_changed_on(table, record),
        hardware_raw=record.text("Hardware name"),
        maker_raw=record.optional_text("Manufacturer"),
        kind=record.optional_text("Type"),
        released_on=day(record, "Release date"),
        price_usd=record.optional_number("Release price (USD)"),
        **rates,
        memory_bytes=_at_least(record, "Memory (bytes)", _LEAST_MEMORY),
        memory_bytes_s=_at_least(record, "Memory bandwidth (byte/s)", _LEAST_MEMORY),
        intranode_bytes_s=_at_least(record, "Intranode bandwidth (byte/s)", _LEAST_MEMORY),
        internode_bits_s=_at_least(record, "Internode bandwidth (bit/s)", _LEAST_MEMORY),
        tdp_w=record.optional_number("TDP (W)"),
        foundry=record.optional_text("Foundry"),
        process_nm=record.optional_number("Process size (nm)"),
        die_mm2=record.optional_number("Die Size (mm^2)"),
        transistors_m=record.optional_number("Transistors (millions)"),
        source_urls=links(record.optional_text("Link to datasheet"), record.optional_text("Source for the price")),
        notes=record.optional_text("Notes"),
    )


def _at_least(record: Record, key: str, least: float) -> float | None:
    """A figure in plain units; one that is far too small is in another unit and refused."""
    value = record.optional_number(key)
    if value is not None and value < least:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{key!r} is {value:g}, at least {least:g} was expected")
    return value


def _changed_on(table: CapturedTable, record: Record) -> dt.date:
    """The day of the row's last change, else the capture's."""
    text = record.optional_text("Last modified")
    if not text:
        return table.captured_at.date()
    try:
        return dt.datetime.fromisoformat(text).date()
    except ValueError:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Last modified' is {text[:60]!r}") from None
