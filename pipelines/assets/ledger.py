"""The committed ledger as a partition of the lake: claims entered by hand stand beside those that were read."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

import hashlib
from pathlib import Path

import dagster as dg

from pipelines.lake import Lake, code_version, table_of
from pipelines.ledger import load_ledger
from pipelines.model.claim_row import MentionRow
from pipelines.problems import Problem
from pipelines.settings import PROJECT_ROOT, Settings

LEDGER = dg.AssetKey(["lake", "ledger"])
PARTITION = "ledger"


def ledger_asset() -> dg.AssetsDefinition:
    """The mentions and refused rows of the committed ledger."""

    @dg.asset(
        key=LEDGER,
        group_name="lake",
        kinds={"python", "parquet"},
        automation_condition=dg.AutomationCondition.eager(),
        description="Claims entered by hand, read through the checks of extracted ones.",
    )
    def ledger(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        context.add_output_metadata({"read_again": build_ledger(settings.facts / "ledger", settings.lake)})

    return ledger


def build_ledger(folder: Path, lake_root: Path) -> bool:
    """Write the ledger's partitions of `mentions` and `problems`; False where they stand already."""
    lake, files = Lake(lake_root), sorted(folder.glob("*.csv"))
    inputs = hashlib.sha256(b"".join(f.name.encode() + b"\0" + f.read_bytes() for f in files)).hexdigest()[:16]
    here = PROJECT_ROOT / "pipelines"
    places = (here / "ledger", here / "registry", here / "extract", here / "model", here / "units.py", Path(__file__))
    code = code_version(*places)
    if lake.is_current("mentions", PARTITION, inputs=inputs, code=code):
        return False
    report = load_ledger(folder)
    lake.write("problems", PARTITION, table_of(report.problems, Problem), inputs=inputs, code=code)
    lake.write("mentions", PARTITION, table_of(report.rows, MentionRow), inputs=inputs, code=code)
    return True
