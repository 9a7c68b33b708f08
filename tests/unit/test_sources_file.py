"""The real sources.yaml: what it covers, that it obeys terms, and that an entry is all it takes to add a source."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from pipelines.commands import sources as command
from pipelines.commands.archive import BY_HAND
from pipelines.source_model import Group, Kind, Layer, Signal, Source, Status
from pipelines.sources import SourceCatalog, denied_by, load_sources, parse_sources

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "../shared"
REAL = ROOT / "sources.yaml"

ENTRY = (ROOT / "tests/fixtures/sources_yaml/entry.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def real() -> SourceCatalog:
    return load_sources(REAL)


def test_adding_a_source_that_a_parser_can_read_is_one_entry(tmp_path: Path, real: SourceCatalog) -> None:
    """The entry alone makes the source appear: it is read, checked and listed, and no code names such a source."""
    path = tmp_path / "sources.yaml"
    path.write_text(REAL.read_text(encoding="utf-8") + "\n" + ENTRY.split("\n", 1)[1], encoding="utf-8")
    assert [s.id for s in load_sources(path)] == [*(s.id for s in real), "example_feed"]
    listed = CliRunner().invoke(command.app, ["list", "--path", str(path), "--json"])
    assert listed.exit_code == 0, listed.output
    assert json.loads(listed.stdout)[-1]["id"] == "example_feed"

    # a publisher's name may stand in code for its own sake; documents of no source have one
    shared_parser = {s.id for s in real if s.parser != s.id} - {s.publisher for s in real} - {BY_HAND}
    named = {
        f"{file.relative_to(ROOT)}: {node.value}"
        for package in ("pipelines", "warehouse")
        for file in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in shared_parser
    }
    assert named == set()


def test_the_real_file_covers_the_market(real: SourceCatalog) -> None:
    fetched = [s for s in real if s.is_fetched]
    assert len(fetched) >= 60
    assert {signal for s in fetched for signal in s.signals} == set(get_args(Signal))
    assert {s.kind for s in fetched} == set(Kind)
    assert {s.group for s in fetched} == set(get_args(Group))
    assert {s.layer for s in fetched} == set(get_args(Layer))
    clouds = {s.layer for s in fetched if s.group == "cloud"}
    assert clouds == {"hyperscale", "neocloud", "enterprise"}
    for signal in get_args(Signal):
        assert len({s.publisher for s in fetched if signal in s.signals and s.status is Status.ACTIVE}) >= 3, signal


def test_the_real_file_obeys_terms(real: SourceCatalog) -> None:
    assert real.warnings() == ()
    assert not [s.id for s in real if s.is_local]
    for name in ("Vast.ai", "vastai", "RunPod", "runpod", "Shadeform", "Silicon Data"):
        assert denied_by(real.provider_denylist, name) is not None, name
    assert denied_by(real.provider_denylist, "Lambda") is None
    refused = ("sk_hynix_newsroom", "next_platform", "the_register", "blocks_and_files", "techpowerup")
    assert {real[i].status for i in refused} == {Status.SKIP}
    headlines = ("nvidia_newsroom", "nvidia_blog", "nvidia_developer_blog", "aws_news_blog", "semianalysis")
    assert all(real[i].link_only for i in headlines)
    denied = [
        d for s in real for url in s.urls if (d := denied_by(real.provider_denylist, url.split("/")[2])) is not None
    ]
    assert denied == []


def test_the_mlperf_sources_hold_every_round(real: SourceCatalog) -> None:
    training, inference = real["mlperf_training"], real["mlperf_inference"]
    assert (len(training.urls), len(inference.urls)) == (18, 14)
    branch = "https://github.com/mlcommons/{}/archive/refs/heads/{}.tar.gz"
    assert branch.format("training_results_v1.0", "master") in training.urls
    assert branch.format("training_results_v5.0", "main") in training.urls
    assert branch.format("training_results_v6.0", "main") in training.urls
    assert branch.format("hpc_results_v1.0", "master") in training.urls
    assert branch.format("inference_results_v2.1", "master") in inference.urls
    assert branch.format("inference_results_v6.1", "main") in inference.urls
    assert training.size_cap_bytes == 3_000_000_000
    assert set(training.allowed_hosts) == {"github.com", "codeload.github.com"}


@pytest.mark.skipif(not SHARED.exists(), reason="the shared reference folder is not beside the repository")
def test_round_branches_agree_with_the_reference(real: SourceCatalog) -> None:
    facts = json.loads((SHARED / "mlperf/inference/round_facts.json").read_text(encoding="utf-8"))
    urls = "\n".join(real["mlperf_inference"].urls)
    for name, fact in facts.items():
        assert f"inference_results_{name}/archive/refs/heads/{fact.get('branch', 'main')}.tar.gz" in urls
    lists = sorted(p.name for p in (SHARED / "market/top500/raw").glob("TOP500_*"))
    assert sorted(url.rsplit("/", 1)[1] for url in real["top500"].urls) == lists


def test_the_documentation_shows_every_field_and_an_entry_that_is_right() -> None:
    text = (ROOT / "docs/sources.md").read_text(encoding="utf-8")
    example = text.split("```yaml\n", 1)[1].split("```", 1)[0]
    assert [s.id for s in parse_sources("sources:\n" + example)] == ["example_newsroom"]
    named = set(re.findall(r"`([a-z_]+)`", text.split("## Fields", 1)[1]))
    shown = set(Source.model_fields) - {"id"}
    assert shown - named == set()
    for word in (*get_args(Group), *get_args(Layer), *get_args(Signal), *Kind):
        assert word in named, word
