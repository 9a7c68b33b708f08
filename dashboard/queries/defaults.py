"""What calculators and lessons ask: the figures that stand, once a version for all visitors."""

from __future__ import annotations

from dashboard.queries import Ledger, once
from warehouse.answers.defaults import Known, know
from warehouse.calculators import CALCULATORS


def known_figures(ledger: Ledger) -> Known:
    """The claims behind machines and calculators as known on the version's day."""
    return once(ledger, _known)


def _known(ledger: Ledger) -> Known:
    return know(ledger.records, ledger.built_at.date(), CALCULATORS.values())
