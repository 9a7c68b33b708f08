"""A candidate as others gave it, for tests of reviews and of their command."""

from __future__ import annotations

PROMISE = {
    "id": "X1",
    "subject": "AMD Instinct MI350X",
    "maker": "AMD",
    "metric": "available_from",
    "value": "2025-H2",
    "qualifiers": "milestone=launch",
    "modality": "promised",
    "claimant": "AMD",
    "printed_by": "gaya.one",
    "printed_by_kind": "press",
    "stated_on": "2024-10-12",
    "url": "https://gaya.one/2024/10/12/mi350",
}
