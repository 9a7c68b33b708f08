"""The id of a claim: a digest of what was said. Pure.

Left out on purpose: the registry's subject id, the evidence tag and how it was printed, so that merging two names of a
product, grading anew or a cosmetic reprint never renames a claim, while correcting a misreading does.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping

from pipelines.registry.names import name_key

_LENGTH = 20  # hex digits: 80 bits, a collision among 10^9 claims has a chance of about 4e-7


def qualifiers_json(qualifiers: Mapping[str, str]) -> str:
    """Qualifiers as a JSON object with sorted keys; empty values are left out."""
    return json.dumps({key: value for key, value in sorted(qualifiers.items()) if value}, ensure_ascii=False)


def claim_id(
    *, subject: str, metric: str, value: float | str | None, value_period: tuple[dt.date | None, dt.date | None],
    unit: str, qualifiers: Mapping[str, str], period: tuple[dt.date | None, dt.date | None], claimant: str,
) -> str:  # fmt: skip
    """The claim's id. `subject` is the name as the source writes it; case, spaces and punctuation do not matter."""
    cleaned = f"{value:.9g}" if isinstance(value, float | int) else (value or "")
    first, last, begin, end = (day.isoformat() if day else "" for day in (*value_period, *period))
    parts = (
        name_key(subject), metric, cleaned, first, last, unit, qualifiers_json(qualifiers), begin, end,
        name_key(claimant),
    )  # fmt: skip
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:_LENGTH]
