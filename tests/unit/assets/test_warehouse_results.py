"""What a build's checks say to Dagster: what refuses is an error, and a loss that is meant is a warning."""

from __future__ import annotations

from collections import defaultdict

import dagster as dg
import pytest

from pipelines.assets.warehouse import _results
from warehouse.build import BuildReport
from warehouse.checks import Check, CheckResult

COVERAGE = Check("marts_coverage", "marts.stratification", "error", "no mart loses rows", True, "")


@pytest.mark.parametrize(
    ("is_meant", "severity"), [(False, dg.AssetCheckSeverity.ERROR), (True, dg.AssetCheckSeverity.WARN)]
)
def test_a_loss_that_is_meant_does_not_end_the_run_that_published_it(
    is_meant: bool, severity: dg.AssetCheckSeverity
) -> None:
    lost = CheckResult(COVERAGE, 1, ("300 rows before, 12 now",), is_meant=is_meant)
    assert lost.blocks is not is_meant
    report = BuildReport("v", "h", True, defaultdict(int), (lost,), 0)
    told = [item for item in _results(report) if isinstance(item, dg.AssetCheckResult)]
    assert [(item.passed, item.severity) for item in told] == [(False, severity)]
