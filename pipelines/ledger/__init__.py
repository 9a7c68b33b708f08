"""The committed ledger: claims entered by hand, read from CSV through the checks of extracted ones."""

from pipelines.ledger.row import LedgerReport, load_ledger

__all__ = ["LedgerReport", "load_ledger"]
