"""The committed ledger as a partition of the lake: claims entered by hand stand beside those that were read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from pipelines.assets.partition_step import Outcome, PartitionStep, run_steps
from pipelines.lake import code_version, table_of
from pipelines.ledger import load_ledger
from pipelines.ledger.read_claims import load_read
from pipelines.model.claim_row import MentionRow
from pipelines.problems import Problem
from pipelines.settings import PROJECT_ROOT


@dataclass(frozen=True)
class LedgerStep(PartitionStep):
    """All rows of the ledger and of what was read; one changed row is cheaper read with all others than looked for."""

    account: ClassVar[str] = "mentions"
    rows: ClassVar[Mapping[str, type]] = {"mentions": MentionRow, "problems": Problem}

    folder: Path
    partition: str = "ledger"

    @property
    def inputs(self) -> str:
        return code_version(*sorted(self.folder.glob("*.csv")), *sorted(self.read_folder.glob("*.csv")))

    @property
    def read_folder(self) -> Path:
        """Where the readings of texts that are not here are kept."""
        return self.folder.parent / "read"

    @property
    def code(self) -> str:
        here = PROJECT_ROOT / "pipelines"
        places = ("ledger", "registry", "claims", "extract", "model", "units.py")
        return code_version(*(here / place for place in places), Path(__file__))

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        typed, found = load_ledger(self.folder), load_read(self.read_folder)
        return {
            "mentions": table_of((*typed.rows, *found.rows), MentionRow),
            "problems": table_of((*typed.problems, *found.problems), Problem),
        }


def build_ledger(folder: Path, lake: Path) -> Outcome:
    """Write the ledger's partitions of `mentions` and `problems`, where its files or the code changed."""
    (outcome,) = run_steps([LedgerStep(folder)], lake, 1)
    return outcome
