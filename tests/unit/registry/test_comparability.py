"""What must not be compared is refused, with the rule."""

from __future__ import annotations

import pytest

from pipelines.registry import load_registry
from pipelines.registry.comparability import (
    Compared,
    _file,
    compare,
    rounds_compare,
    rules,
)

LLAMA = Compared("mlperf", "inference", "v4.1", "llama2-70b", "Offline")


def test_mlperf_and_inferencex_never_share_an_axis() -> None:
    verdict = compare([LLAMA, Compared("inferencex", benchmark="llama2-70b")])
    assert not verdict.is_allowed
    assert verdict.refusal.startswith("Not comparable. MLPerf results may be compared only with other MLPerf results")
    assert "MLPerf_Results_Messaging_Guidelines" in verdict.refusal


def test_a_vendors_claim_is_no_partner_of_an_mlperf_figure() -> None:
    assert "only with other MLPerf results" in compare([LLAMA, Compared("claim")]).refusal


@pytest.mark.parametrize(
    ("suite", "benchmark", "one", "other", "allowed"),
    [
        ("training", "resnet", "v0.5", "v0.6", False),
        ("training", "resnet", "v0.7", "v4.0", True),
        ("training", "bert", "v0.7", "v1.0", False),
        ("training", "bert", "v4.1", "v1.0", True),
        ("training", "rnnt", "v1.0", "v1.1", False),
        ("training", "minigo", "v0.6", "v0.7", False),
        ("training", "unheard_of", "v4.0", "v4.1", None),
        ("inference", "llama2-70b", "v4.0", "v6.0", True),
        ("inference", "llama2-70b", "v6.0", "v6.1", None),
        ("inference", "3d-unet", "v0.7", "v0.7", True),
        ("hpc", "cosmoflow", "v1.0", "v2.0", False),
    ],
)
def test_rounds(suite: str, benchmark: str, one: str, other: str, allowed: bool | None) -> None:
    assert rounds_compare(suite, benchmark, one, other) is allowed
    assert rounds_compare(suite, benchmark, other, one) is allowed


def test_multistream_changed_in_v2_0() -> None:
    assert rounds_compare("inference", "resnet", "v1.1", "v2.0", "MultiStream") is False
    assert rounds_compare("inference", "resnet", "v1.1", "v2.0", "Offline") is True


def test_an_incompatible_pair_of_versions_is_refused_with_the_table() -> None:
    one, other = (Compared("mlperf", "training", v, "resnet") for v in ("v0.5", "v0.7"))
    assert "MLPerf Compatibility Table" in compare([one, other]).refusal


def test_a_pair_that_the_table_does_not_know_is_allowed_and_said() -> None:
    notes = compare([Compared("mlperf", "inference", v, "deepseek-r1", "Offline") for v in ("v6.0", "v6.1")]).notes
    assert notes == (
        "MLCommons' compatibility table does not say whether v6.0 and v6.1 may be compared for deepseek-r1",
    )


def test_scenarios_and_power() -> None:
    server = Compared("mlperf", "inference", "v4.1", "llama2-70b", "Server")
    assert compare([LLAMA, server]).rule is not None
    rated = Compared("mlperf", "inference", "v4.1", "llama2-70b", "Offline", power_basis="rated")
    assert "never a rated power such as TDP" in compare([rated]).refusal
    with_power, without = (
        Compared("mlperf", "inference", "v4.1", "llama2-70b", "Offline", has_power_run=has) for has in (True, False)
    )
    assert not compare([with_power, without]).is_allowed


def test_unlike_prices_are_refused_and_like_ones_are_not() -> None:
    spot, demand = Compared("price", series="a/spot"), Compared("price", series="a/on-demand")
    assert not compare([spot, demand]).is_allowed
    assert compare([spot, spot]).is_allowed


def test_every_benchmark_of_the_table_is_in_the_registry() -> None:
    known = {(entry.suite, entry.id) for entry in load_registry().entries.benchmarks}
    named = {(suite, name) for suite, versions in _file().versions.items() for name in versions.benchmarks}
    assert named <= known
    assert len({entry.id for entry in rules()}) == len(rules())
