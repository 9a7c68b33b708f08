"""Epoch AI's AI chip owners: chips by owner, type and quarter."""

from __future__ import annotations

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.parse.sources.epoch_chips import parse_chips

TABLES = ("chip_owners",)


def parse(table: CapturedTable) -> MarketRows:
    """The table's rows. Raises InputError where a file is no such table."""
    return parse_chips(table, "chip_owners", ("Owner",))
