"""Epoch AI's frontier data centres: a table of sites, and a table of their milestones with days still to come."""

from __future__ import annotations

from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_epoch import Site, SiteMilestone
from pipelines.parse.sources.epoch_files import certainties, csv_tables, links, names, required_day
from pipelines.parse.sources.records import Columns, Reader, Record, by, read_csv, refuse

TABLES = ("sites", "site_timeline")

_SITES: Final = ("Name", "Owner", "Current H100 equivalents", "Current power (MW)")
_MILESTONES: Final = ("Data center", "Date", "Power (MW)", "H100 equivalents")
_SITES_NOT_USED: Final = ("Notes", "Calculations sheet")
# The operations a second restate the H100 equivalents; the other two repeat the site's row.
_MILESTONES_NOT_USED: Final = (
    "Performance (8-bit OP/s)", "Current H100 equivalents (from Data center)", "Thumbnail",
)  # fmt: skip
_MOST_MW: Final = 20_000.0


def parse(table: CapturedTable) -> MarketRows:
    """Sites or milestones, by the header; both from a ZIP. Raises InputError where a file is neither.

    A ZIP's further tables (cooling towers, chillers) are not read.
    """
    sites: list[Site] = []
    milestones: list[SiteMilestone] = []
    reader = Reader(table)
    is_zip, stated_on = table.data.startswith(b"PK"), table.captured_at.date()
    for name, file in csv_tables(table):
        if "timeline" in name:
            milestones += reader.rows(read_csv(file, _MILESTONES), partial(_MILESTONE.read, stated_on=stated_on))
        elif name.startswith("data_centers"):
            sites += reader.rows(read_csv(file, _SITES), partial(_SITE.read, stated_on=stated_on))
        elif not is_zip:
            raise refuse(table, f"{name[:80]!r} is neither the table of data centres nor that of their timelines")
    if not sites and not milestones:
        raise refuse(table, "neither sites nor milestones")
    return reader.done(sites=sites, site_timeline=milestones)


_SITE: Final = Columns(
    Site, _SITES_NOT_USED,
    owners=by(names, "Owner"), owner_certainty=by(certainties, "Owner"), users=by(names, "Users"),
    user_certainty=by(certainties, "Users"), project=lambda record: ", ".join(names(record, "Project")),
    site=by(Record.text, "Name"), country="Country", address="Address", h100e="Current H100 equivalents",
    power_mw=by(Record.optional_within, "Current power (MW)", 0, _MOST_MW),
    capital_cost_usd_bn="Current total capital cost (2025 USD billions)", investors="Investors",
    construction_companies="Construction companies", energy_companies="Energy companies",
    source_urls=by(links, "Selected Sources"),
)  # fmt: skip
_MILESTONE: Final = Columns(
    SiteMilestone, _MILESTONES_NOT_USED,
    site=by(Record.text, "Data center"), milestone_on=by(required_day, "Date"), status="Construction status",
    buildings="Buildings operational", it_power_mw=by(Record.optional_within, "IT power (MW)", 0, _MOST_MW),
    power_mw=by(Record.optional_within, "Power (MW)", 0, _MOST_MW), h100e="H100 equivalents",
    capital_cost_usd_bn="Total capital cost (2025 USD billions)",
    compute_cost_usd_bn="Compute cost (2025 USD billions)",
    construction_cost_usd_bn="Construction cost (2025 USD billions)",
    operating_cost_usd_bn="Annual operating cost (2025 USD billions)", water_mgd="Water use (MGD)",
)  # fmt: skip
