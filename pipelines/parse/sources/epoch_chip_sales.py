"""Epoch AI's AI chip sales: chips sold, by maker, type and quarter."""

from __future__ import annotations

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.parse.sources.epoch_chips import parse_chips

TABLES = ("chip_sales",)


def parse(table: CapturedTable) -> MarketRows:
    """The table's rows. Raises InputError where a file is no such table."""
    return parse_chips(table, "chip_sales")
