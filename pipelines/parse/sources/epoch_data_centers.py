"""Epoch AI's frontier data centres: a table of sites, and a table of their milestones with days still to come."""

from __future__ import annotations

from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_epoch import Site, SiteMilestone
from pipelines.parse.sources.epoch_files import csv_tables, links, names, required_day
from pipelines.parse.sources.records import Reader, Record, read_csv, refuse

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
    is_zip = table.data.startswith(b"PK")
    for name, file in csv_tables(table):
        if "timeline" in name:
            milestones += reader.rows(read_csv(file, _MILESTONES), partial(_milestone, table))
        elif name.startswith("data_centers"):
            sites += reader.rows(read_csv(file, _SITES), partial(_site, table))
        elif not is_zip:
            raise refuse(table, f"{name[:80]!r} is neither the table of data centres nor that of their timelines")
    if not sites and not milestones:
        raise refuse(table, "neither sites nor milestones")
    return reader.done(sites=sites, site_timeline=milestones)


def _site(table: CapturedTable, record: Record) -> Site:
    record.ignore(*_SITES_NOT_USED)
    owners, owner_certainty = names(record, "Owner")
    users, user_certainty = names(record, "Users")
    project, _ = names(record, "Project")
    return Site(
        stated_on=table.captured_at.date(),
        site=record.text("Name"),
        owners=owners,
        owner_certainty=owner_certainty,
        users=users,
        user_certainty=user_certainty,
        project=", ".join(project),
        country=record.optional_text("Country"),
        address=record.optional_text("Address"),
        h100e=record.optional_number("Current H100 equivalents"),
        power_mw=record.optional_within("Current power (MW)", 0, _MOST_MW),
        capital_cost_usd_bn=record.optional_number("Current total capital cost (2025 USD billions)"),
        investors=record.optional_text("Investors"),
        construction_companies=record.optional_text("Construction companies"),
        energy_companies=record.optional_text("Energy companies"),
        source_urls=links(record.optional_text("Selected Sources")),
    )


def _milestone(table: CapturedTable, record: Record) -> SiteMilestone:
    record.ignore(*_MILESTONES_NOT_USED)
    return SiteMilestone(
        stated_on=table.captured_at.date(),
        site=record.text("Data center"),
        milestone_on=required_day(record, "Date"),
        status=record.optional_text("Construction status"),
        buildings=record.optional_number("Buildings operational"),
        it_power_mw=record.optional_within("IT power (MW)", 0, _MOST_MW),
        power_mw=record.optional_within("Power (MW)", 0, _MOST_MW),
        h100e=record.optional_number("H100 equivalents"),
        capital_cost_usd_bn=record.optional_number("Total capital cost (2025 USD billions)"),
        compute_cost_usd_bn=record.optional_number("Compute cost (2025 USD billions)"),
        construction_cost_usd_bn=record.optional_number("Construction cost (2025 USD billions)"),
        operating_cost_usd_bn=record.optional_number("Annual operating cost (2025 USD billions)"),
        water_mgd=record.optional_number("Water use (MGD)"),
    )
