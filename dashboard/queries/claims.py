"""SQL of the pages on claims: search, one claim with its mentions and rivals, conflicts and their sides."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row, one_of

MOST = 2_000
_QUALIFIERS = """array_to_string(
    list_transform(map_entries(c.qualifiers), lambda entry: entry.key || ' ' || entry.value), ', ')"""
_CLAIM = f"""
    c.claim_id, c.subject, c.subject_id, c.subject_key, c.subject_kind, c.metric, m.title AS metric_title, c.value,
    c.value_text, c.value_start, c.value_end, c.value_low, c.value_high, c.unit, {_QUALIFIERS} AS qualifiers,
    c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx, c.topic, c.modality, c.claimant, c.claimant_id,
    c.evidence::VARCHAR AS evidence, c.stated_on, c.stated_on_precision, c.last_stated_on, c.period_start, c.period_end,
    c.mentions, c.documents, c.claimants, c.is_copied, c.caveats, c.arithmetic, c.printed, c.method, c.confidence,
    c.source_id, c.url, c.note"""


def search(
    ledger: Ledger,
    words: str,
    day: dt.date,
    *,
    metrics: Sequence[str] = (),
    claimants: Sequence[str] = (),
    tags: Sequence[str] = (),
) -> pd.DataFrame:
    """Claims stated by a day that hold every word in subject, claimant, metric or text; newest first, at most 2,000."""
    found = [f"%{word.lower()}%" for word in words.split()]
    like = " AND ".join(
        "lower(concat_ws(' ', c.subject, c.claimant, c.metric, m.title, c.value_text, c.printed)) LIKE ?" for _ in found
    )
    return ledger.frame(
        f"""SELECT {_CLAIM} FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
            WHERE c.stated_on <= ? AND {like or "true"}
              AND (len(?::VARCHAR[]) = 0 OR c.metric IN (SELECT unnest(?::VARCHAR[])))
              AND (len(?::VARCHAR[]) = 0 OR c.claimant IN (SELECT unnest(?::VARCHAR[])))
              AND (len(?::VARCHAR[]) = 0 OR c.evidence::VARCHAR IN (SELECT unnest(?::VARCHAR[])))
            ORDER BY c.stated_on DESC, c.subject, c.metric, c.claim_id LIMIT {MOST}""",  # noqa: S608 - parts are constants
        (day, *found, *one_of(metrics), *one_of(claimants), *one_of(tags)),
    )


def options(ledger: Ledger) -> dict[str, pd.DataFrame]:
    """What the filters offer: metrics with titles, claimants and tags, the most frequent first."""
    return {
        "metric": ledger.frame(
            """SELECT c.metric, any_value(m.title) AS title, count(*) AS n FROM evidence.claims AS c
               LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric GROUP BY c.metric ORDER BY n DESC, c.metric"""
        ),
        "claimant": ledger.frame(
            "SELECT claimant, count(*) AS n FROM evidence.claims GROUP BY claimant ORDER BY n DESC, claimant LIMIT 300"
        ),
        "evidence": ledger.frame(
            """SELECT evidence::VARCHAR AS evidence, count(*) AS n FROM evidence.claims AS c
               GROUP BY ALL ORDER BY min(c.evidence)"""
        ),
    }


def claim(ledger: Ledger, claim_id: str) -> dict[str, Any] | None:
    """One claim; None when this version does not hold it."""
    frame = ledger.frame(
        f"""SELECT {_CLAIM} FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
            WHERE c.claim_id = ?""",  # noqa: S608 - parts are constants
        (claim_id,),
    )
    return None if frame.empty else first_row(frame)


def mentions(ledger: Ledger, claim_id: str) -> pd.DataFrame:
    """The places that carry a claim."""
    return ledger.frame(
        """SELECT claim_id, publisher, stated_on, printed, locator, locator_start, locator_end, context_start,
                  context_end, method, extractor, confidence, is_copied, document_id, source_id, ref, origin_ref, url,
                  evidence::VARCHAR AS evidence, note
           FROM evidence.mentions WHERE claim_id = ? ORDER BY is_copied, stated_on, document_id NULLS FIRST, locator""",
        (claim_id,),
    )


def history(ledger: Ledger, subject_key: str, metric: str) -> pd.DataFrame:
    """Everything said about a subject and metric, oldest first."""
    return ledger.frame(
        f"""SELECT {_CLAIM} FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
            WHERE c.subject_key = ? AND c.metric = ? ORDER BY c.stated_on, c.evidence, c.claim_id""",  # noqa: S608
        (subject_key, metric),
    )


def history_of(ledger: Ledger, subject_id: str, metric: str) -> pd.DataFrame:
    """Everything said about a thing of the registry and a metric, strongest evidence first."""
    return ledger.frame(
        f"""SELECT {_CLAIM} FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
            WHERE c.subject_id = ? AND c.metric = ? ORDER BY c.evidence, c.stated_on DESC, c.claim_id""",  # noqa: S608
        (subject_id, metric),
    )


def arithmetic(ledger: Ledger, claim_id: str) -> pd.DataFrame:
    """Checks of a claim against its parts."""
    return ledger.frame(
        "SELECT rule, formula, stated, verdict FROM evidence.arithmetic WHERE claim_id = ? ORDER BY rule", (claim_id,)
    )


def conflicts(ledger: Ledger, claim_id: str = "") -> pd.DataFrame:
    """All sets of rival values, the widest first; of one claim, those it takes part in."""
    return ledger.frame(
        """SELECT k.conflict_id, k.subject, k.subject_id, k.metric, m.title AS metric_title, k.unit, k.per, k.kind,
                  k.claims, k.claimants, k.low, k.high, k.ratio, k.earliest, k.latest, k.opened_on,
                  k.likely_cause, k.causes, k.resolved_claim_id AS claim_id, r.value, r.value_start, r.value_end,
                  r.evidence::VARCHAR AS evidence,
                  r.stated_on, r.source_id, r.url
           FROM evidence.conflicts AS k
           JOIN evidence.claims AS r ON r.claim_id = k.resolved_claim_id
           LEFT JOIN registry.metrics AS m ON m.metric_id = k.metric
           WHERE ? = ''
              OR k.conflict_id IN (SELECT s.conflict_id FROM evidence.conflict_sides AS s WHERE s.claim_id = ?)
           ORDER BY k.kind, k.ratio DESC NULLS LAST, k.subject, k.conflict_id""",
        (claim_id, claim_id),
    )


def sides(ledger: Ledger, conflict_id: str) -> pd.DataFrame:
    """The claims of one conflict in the order of the rule."""
    return ledger.frame(
        f"""SELECT s.place, s.is_resolved, {_CLAIM}
            FROM evidence.conflict_sides AS s JOIN evidence.claims AS c USING (claim_id)
            LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
            WHERE s.conflict_id = ? ORDER BY s.place""",  # noqa: S608 - parts are constants
        (conflict_id,),
    )
