"""The committed ledger: claims entered by hand, read from CSV through the checks of extracted ones."""

from pipelines.ledger.load import LedgerReport, load_ledger
from pipelines.ledger.mentions import ledger_mention

__all__ = ["LedgerReport", "ledger_mention", "load_ledger"]
