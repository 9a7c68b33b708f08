"""What the published file knows of its own sources: newest captures, claims given, names that match nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from warehouse.answers import Ask

_CAPTURES = "SELECT source_id, epoch_us(max(captured_at)) AS micros FROM evidence.captures GROUP BY source_id"
_CLAIMS = "SELECT source_id, count(*) AS n FROM evidence.claims GROUP BY source_id"
_UNMATCHED = "SELECT name, occurrences, documents, examples FROM evidence.unmatched"


def newest_captures(ask: Ask) -> dict[str, dt.datetime]:
    """The newest capture of each source, in UTC."""
    rows = ask(_CAPTURES, ())
    return {str(row["source_id"]): dt.datetime.fromtimestamp(row["micros"] / 1e6, dt.UTC) for row in rows}


def claims_given(ask: Ask) -> dict[str, int]:
    """How many claims each source gave."""
    return {str(row["source_id"]): int(row["n"]) for row in ask(_CLAIMS, ())}


def unmatched_names(ask: Ask) -> Sequence[Mapping[str, Any]]:
    """Names that look like products and match nothing in the registry, with places where they stand."""
    return ask(_UNMATCHED, ())
