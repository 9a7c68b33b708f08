"""SQL of the pages on density and roadmap, as known on a day."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from dashboard.queries import Ledger

_FIGURE = """{0}.claim_id, {0}.claimant, {0}.evidence::VARCHAR AS evidence, {0}.stated_on, {0}.source_id, {0}.url,
    {0}.caveats, {0}.modality"""


def density(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """What racks, nodes and pods take and hold, claimed and derived, as known on a day."""
    return ledger.frame(
        f"""SELECT system_id, system_id || '|' || metric || '|' || coalesce(per, '') || '|' || coalesce(claim_id,
               'derived')
                   AS row_key, s.name AS system, d.system AS system_as_said, d.vendor, v.name AS vendor_name,
                   d.generation,
                   d.system_kind, d.accelerators, d.dies, d.metric, m.title AS metric_title, d.per, d.counted_as,
                   d.value,
                   d.value_low, d.value_high, d.unit, d.bound, d.is_measured, d.is_derived, d.formula, d.input_ids,
                   d.available_start, d.available_end, d.available_basis, d.topic, d.arithmetic, {_FIGURE.format("d")}
            FROM marts.density_as_of(?) AS d
            JOIN registry.systems AS s USING (system_id)
            LEFT JOIN registry.organisations AS v ON v.organisation_id = d.vendor
            LEFT JOIN registry.metrics AS m ON m.metric_id = d.metric
            ORDER BY d.available_start NULLS LAST, s.name, d.metric, d.per, d.stated_on""",  # noqa: S608 - constants
        (day,),
    )


def density_trend(ledger: Ledger) -> pd.DataFrame:
    """The fitted lines, all knowledge of this version."""
    return ledger.frame("SELECT * FROM marts.density_trend ORDER BY metric, per")


def roadmap(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Every statement on a milestone as known on a day."""
    return ledger.frame(
        f"""SELECT r.subject_key, r.subject_id, r.subject, r.subject_kind, r.milestone, r.vendor, v.name AS vendor_name,
                   r.generation, r.promised_start, r.promised_end, r.is_actual, r.statement, r.is_revision,
                   r.shift_days,
                   r.printed, r.note, {_FIGURE.format("r")}
            FROM marts.roadmap_as_of(?) AS r
            LEFT JOIN registry.organisations AS v ON v.organisation_id = r.vendor
            ORDER BY r.vendor NULLS LAST, r.subject, r.milestone, r.statement""",  # noqa: S608 - constants
        (day,),
    )


def slips(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """First promise, latest promise and actual of each milestone as known on a day."""
    return ledger.frame(
        """SELECT s.*, coalesce(s.actual_claim_id, s.latest_claim_id, s.first_claim_id) AS claim_id,
               v.name AS vendor_name,
                  coalesce(s.actual_evidence, s.latest_evidence, s.first_evidence)::VARCHAR AS evidence,
                  coalesce(s.actual_url, s.latest_url, s.first_url) AS url,
                  coalesce(s.actual_stated_on, s.latest_stated_on, s.first_stated_on) AS stated_on
           FROM marts.slips_as_of(?) AS s LEFT JOIN registry.organisations AS v ON v.organisation_id = s.vendor
           ORDER BY s.vendor NULLS LAST, s.slip_days DESC NULLS LAST, s.subject, s.milestone""",
        (day,),
    )


def slips_by_vendor(ledger: Ledger) -> pd.DataFrame:
    """Distribution of slips by vendor."""
    return ledger.frame(
        """SELECT s.*, v.name AS vendor_name FROM marts.slips_by_vendor AS s
           LEFT JOIN registry.organisations AS v ON v.organisation_id = s.vendor ORDER BY s.measured DESC, s.vendor"""
    )


def per_die(ledger: Ledger) -> pd.DataFrame:
    """Dies, rate and memory per die, by generation; only models with a figure by a claim."""
    return ledger.frame(
        """SELECT p.* EXCLUDE (evidence, stated_on, url), v.name AS vendor_name,
                  coalesce(p.dense_fp4_claim_id, p.memory_claim_id, p.dies_claim_id) AS claim_id,
                  c.evidence::VARCHAR AS evidence, c.stated_on, c.source_id, c.url
           FROM marts.per_die AS p
           JOIN evidence.claims AS c
             ON c.claim_id = coalesce(p.dense_fp4_claim_id, p.memory_claim_id, p.dies_claim_id)
           LEFT JOIN registry.organisations AS v ON v.organisation_id = p.vendor
           ORDER BY p.vendor, p.released_start NULLS LAST, p.ordinal, p.name"""
    )


def first_day(ledger: Ledger) -> dt.date:
    """The first day on which anything about a roadmap was stated."""
    frame = ledger.frame("SELECT min(stated_on) AS day FROM marts.roadmap")
    value: Any = frame["day"].iloc[0]
    return value.date() if not pd.isna(value) else dt.date(2018, 1, 1)


def cooling_limits(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Limits of cooling that somebody states, in kW per rack: claims on power with the qualifier `limit`."""
    return ledger.frame(
        """SELECT value, qualifiers['limit'] || ' (' || claimant || ')' AS label, claim_id,
               evidence::VARCHAR AS evidence,
                  stated_on, source_id, url
           FROM evidence.claims
           WHERE metric = 'power' AND qualifiers['limit'] IS NOT NULL AND value IS NOT NULL AND stated_on <= ?
           ORDER BY value""",
        (day,),
    )
