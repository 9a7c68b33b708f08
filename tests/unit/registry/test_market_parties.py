"""Kinds of sellers and filers: each an organisation of the registry, none twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.registry import load_registry
from pipelines.registry.market_names import PARTIES, load_market_parties, read_market_parties
from pipelines.registry.read_yaml import RegistryError


def test_the_committed_file_names_known_organisations() -> None:
    parties = load_market_parties()
    classes = {row.organisation_id: row.provider_class for row in parties.provider_classes}
    assert (classes["google"], classes["coreweave"], classes["spheron"], classes["modal"], classes["ovh"]) == (
        "hyperscaler", "neocloud", "marketplace", "platform", "generalist",
    )  # fmt: skip
    assert {row.cik: row.organisation_id for row in parties.filers}[1045810] == "nvidia"
    named = [*classes, *(row.organisation_id for row in parties.filers)]
    assert [name for name in named if load_registry().organisation(name) is None] == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "hyperscaler: [aws,",
            "hyperscaler: [no-such-cloud,",
            "hyperscaler.0: expected an id of organisations; found 'no-such-cloud'",
        ),
        ("hyperscaler: [aws,", "hyperscaler: [coreweave,", "given twice: coreweave"),
        ("reference: price-monitor-tiers", "reference: hearsay", "expected an id of references; found 'hearsay'"),
        ("1045810: nvidia", "1045810: nobody", "filers.1045810: expected an id of organisations; found 'nobody'"),
        ("feed_names:", "feed_nicknames:", "feed_nicknames"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "market_parties.yaml"
    path.write_text(PARTIES.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RegistryError, match=message):
        read_market_parties(path)
