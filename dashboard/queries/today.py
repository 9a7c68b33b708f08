"""SQL of the first page: what is new since a day, and a few figures that sum up."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row


def new_claims(ledger: Ledger, since: dt.date) -> pd.DataFrame:
    """Claims first stated since a day, newest first."""
    return ledger.frame(
        """SELECT c.claim_id, c.subject, c.metric, coalesce(m.title, c.metric) AS metric_title, c.value, c.value_text,
                  c.value_start, c.value_end, c.value_low, c.value_high, c.unit, c.qualifiers['bound'] AS bound,
                  c.qualifiers['approx'] AS approx, c.period_start, c.period_end, c.claimant,
                  c.evidence::VARCHAR AS evidence, c.stated_on, c.source_id, c.url
           FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
           WHERE c.stated_on >= ? AND NOT c.is_copied AND c.evidence <> 'illustrative'
           ORDER BY c.stated_on DESC, c.evidence, c.subject, c.metric LIMIT 500""",
        (since,),
    )


def new_rounds(ledger: Ledger, since: dt.date) -> pd.DataFrame:
    """Benchmark rounds published since a day."""
    return ledger.frame(
        """SELECT suite, round, stated_on, count(*) AS n_results, count(DISTINCT submitter) AS n_submitters,
                  min(evidence)::VARCHAR AS evidence, any_value(source_id) AS source_id, min(url) AS url
           FROM (SELECT suite, round, stated_on, submitter, evidence, source_id, url FROM facts.mlperf_training
                 UNION ALL SELECT suite, round, stated_on, submitter, evidence, source_id,
                 url FROM facts.mlperf_inference)
           WHERE stated_on >= ? GROUP BY suite, round, stated_on ORDER BY stated_on DESC, suite""",
        (since,),
    )


def revisions(ledger: Ledger, since: dt.date) -> pd.DataFrame:
    """Promises moved since a day."""
    return ledger.frame(
        """SELECT r.subject, r.milestone, r.promised_start, r.promised_end, r.shift_days, r.claimant, r.claim_id,
                  r.evidence::VARCHAR AS evidence, r.stated_on, r.source_id, r.url
           FROM marts.roadmap AS r WHERE r.is_revision AND r.stated_on >= ?
           ORDER BY r.stated_on DESC, r.subject""",
        (since,),
    )


def renames(ledger: Ledger, since: dt.date) -> pd.DataFrame:
    """Systems that took another name since a day."""
    return ledger.frame(
        """SELECT n.name, n.valid_from AS stated_on, n.said_by, s.name AS system, n.evidence::VARCHAR AS evidence, n.url
           FROM registry.system_names AS n JOIN registry.systems AS s USING (system_id)
           WHERE n.valid_from >= ? ORDER BY n.valid_from DESC""",
        (since,),
    )


def conflicts_opened(ledger: Ledger, since: dt.date) -> pd.DataFrame:
    """Conflicts whose second side was stated since a day."""
    return ledger.frame(
        """SELECT k.conflict_id, k.subject, coalesce(m.title, k.metric) AS metric_title, k.ratio, k.likely_cause,
               k.claims,
                  k.opened_on AS stated_on, k.resolved_claim_id AS claim_id, r.evidence::VARCHAR AS evidence,
                  r.source_id,
                  r.url
           FROM evidence.conflicts AS k JOIN evidence.claims AS r ON r.claim_id = k.resolved_claim_id
           LEFT JOIN registry.metrics AS m ON m.metric_id = k.metric
           WHERE k.opened_on >= ? ORDER BY k.opened_on DESC, k.subject""",
        (since,),
    )


def price_moves(ledger: Ledger, since: dt.date) -> pd.DataFrame:
    """Median on-demand prices by source: the first day since a day against the last, thin panels left out."""
    return ledger.frame(
        """WITH held AS (
               SELECT p.accelerator_model, coalesce(a.name, p.accelerator_model) AS name, p.source_id, p.period_start,
                      p.median_usd_per_gpu_hour AS median, p.n_providers, p.evidence::VARCHAR AS evidence, p.url
               FROM marts.prices AS p LEFT JOIN registry.accelerators AS a ON a.accelerator_id = p.accelerator_model
               WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND p.layer = 'all' AND p.price_type =
               'on_demand'
                 AND NOT p.is_thin AND p.period_start >= ?)
           SELECT accelerator_model, name, source_id, min(period_start) AS from_on, max(period_start) AS stated_on,
                  arg_min(median, period_start) AS from_usd, arg_max(median, period_start) AS to_usd,
                  to_usd / from_usd - 1 AS change, arg_max(n_providers, period_start) AS n_providers,
                  arg_max(evidence, period_start) AS evidence, arg_max(url, period_start) AS url
           FROM held GROUP BY accelerator_model, name, source_id
           HAVING min(period_start) < max(period_start) AND abs(to_usd / from_usd - 1) >= 0.005
           ORDER BY abs(to_usd / from_usd - 1) DESC, name LIMIT 40""",
        (since,),
    )


def headline(ledger: Ledger) -> dict[str, Any]:
    """A few figures for the tiles, each with what leads to its evidence."""
    return first_row(
        ledger.frame(
            """SELECT
               (SELECT count(*) FROM evidence.claims) AS claims,
               (SELECT count(DISTINCT claimant_key) FROM evidence.claims) AS claimants,
               (SELECT count(*) FROM evidence.conflicts) AS conflicts,
               (SELECT count(*) FROM facts.mlperf_training) + (SELECT count(*) FROM facts.mlperf_inference) AS results,
               (SELECT max(stated_on) FROM evidence.claims) AS last_stated_on"""
        )
    )


def densest(ledger: Ledger) -> pd.DataFrame:
    """The largest power per rack that is shipping or measured, and the largest that is announced; each a claim."""
    return ledger.frame(
        """SELECT CASE WHEN modality IN ('shipping', 'deployed',
               'measured') THEN 'running' ELSE 'announced' END AS state,
                  s.name AS system, d.value, d.unit, d.claim_id, d.evidence::VARCHAR AS evidence, d.stated_on,
                  d.source_id,
                  d.url
           FROM marts.density AS d JOIN registry.systems AS s USING (system_id)
           WHERE d.metric = 'power' AND d.per = 'rack' AND NOT d.is_derived AND d.bound IS NULL
           QUALIFY row_number() OVER (PARTITION BY state ORDER BY d.value DESC, d.evidence, d.stated_on DESC) = 1"""
    )


def hour_price(ledger: Ledger, model: str) -> pd.DataFrame:
    """The newest on-demand median of an accelerator that is not thin, by the source with most providers."""
    return ledger.frame(
        """SELECT p.median_usd_per_gpu_hour AS value, p.period_start AS stated_on, p.source_id, p.n_providers,
                  p.evidence::VARCHAR AS evidence, p.url
           FROM marts.prices AS p
           WHERE p.period = 'day' AND p.accelerator_grain = 'model' AND p.layer = 'all' AND p.price_type = 'on_demand'
             AND NOT p.is_thin AND p.accelerator_model = ?
           ORDER BY p.period_start DESC, p.n_providers DESC LIMIT 1""",
        (model,),
    )
