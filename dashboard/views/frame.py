"""The former place of the page frame; pages import it from `dashboard.components`."""

from __future__ import annotations

from dashboard.components.page import ledger_or_stop, version_line

__all__ = ["ledger_or_stop", "version_line"]
