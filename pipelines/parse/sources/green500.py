"""Green500: the list of energy-efficient supercomputers, in the form of TOP500's."""

from __future__ import annotations

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.parse.sources.top500 import parse_list

TABLES = ("green500",)


def parse(table: CapturedTable) -> MarketRows:
    """The systems of one list. Raises InputError where it is no such list."""
    return parse_list(table, "green500", "TOP500 Rank")
