"""Metric cards: their words found in prose and heads, the lexicon behind them, and mistakes named by line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from pipelines.extract.values import find_values, unit_of_label
from pipelines.registry import RegistryError, load_registry
from pipelines.registry.lexicon import Lexicon, Thing, load_lexicon
from pipelines.registry.load import HERE, read_entries
from pipelines.registry.metric_words import MetricWords
from pipelines.registry.phrases import Phrases
from pipelines.registry.unit_table import read_unit_table

CARDS = load_registry().metrics()
WORDS = MetricWords(CARDS)
MARTS = Path(__file__).parents[3] / "warehouse/marts"


@pytest.mark.parametrize(
    ("label", "metric"),
    [
        ("HBM3e bandwidth (TB/s)", "memory_bandwidth"),
        ("Memory Capacity", "memory_capacity"),
        ("NVLink domain size", "scale_up_domain_size"),
        ("GPUs per rack", "accelerator_count"),
        ("FP8 dense", "compute"),
        ("TDP (W)", "power"),
        ("晶体管数量", "transistor_count"),
        ("Year deployed", "deployed_on"),
    ],
)
def test_a_head_names_its_metric(label: str, metric: str) -> None:
    assert {hit.metric for hit in WORDS.in_head(label) if not hit.is_against} == {metric}


def test_longer_words_hide_the_shorter_and_may_point_away() -> None:
    (hit,) = (hit for hit in WORDS.in_prose("over NVLink-C2C") if hit.metric == "scale_up_bandwidth")
    assert (hit.is_against, hit.start, hit.end) == (True, 5, 15)


def test_phrases_know_plurals_open_endings_and_gaps() -> None:
    phrases = Phrases([("compute tray", "tray"), ("HBM*", "memory"), ("tray", "part"), ("per watt", "watt")])
    found = [(hit.names, hit.start, hit.end) for hit in phrases.find("18 Compute-Trays, HBM3e, a tray per watt")]
    assert found == [(("tray",), 3, 16), (("memory",), 18, 23), (("part",), 27, 31), (("watt",), 32, 40)]
    assert list(phrases.find("computer traysful")) == []


def test_the_marts_that_ask_for_a_metric_are_those_of_its_card() -> None:
    asked = {
        card.id: {re.sub(r"^\d+_", "", path.stem) for path in MARTS.glob("*.sql") if f"'{card.id}'" in path.read_text()}
        for card in CARDS
    }
    assert {card.id: set(card.charted) for card in CARDS} == asked


def test_things_are_found_in_singular_plural_and_any_case() -> None:
    lexicon = load_lexicon()
    things = [lexicon.thing(word) for word in ("GPUs", "Cabinet", "compute trays", "switches", "data center", "qubit")]
    assert [thing.id if thing else "" for thing in things] == ["accelerator", "rack", "tray", "switch", "site", ""]


def test_a_word_of_two_things_is_refused() -> None:
    with pytest.raises(ValueError, match="sled: 'blade' is also blade's"):
        Lexicon((Thing(id="blade", per="board", words=("blade",)), Thing(id="sled", per="node", words=("blade",))))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in HERE.glob("*.yaml"):
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("tolerance: 0.02", "tolerence: 0.02", "compute: tolerence: Extra inputs are not permitted (line {})"),
        ("- {per: die, low: 0.00001, high: 150}", "- {per: die, low: none, high: 150}", "compute: ranges.0.low: "),
        ("counts: [die, accelerator, chip]", "counts: [dice]", "no things of the lexicon: ['dice'] (line {})"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_card_is_named_with_its_line(folder: Path, right: str, wrong: str, message: str) -> None:
    path = folder / "metrics.yaml"
    text = path.read_text(encoding="utf-8")
    line = text[: text.index(right)].count("\n") + 1
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(RegistryError) as error:
        read_entries(folder)
    assert message.format(line) in str(error.value)
    assert f"(line {line})" in str(error.value)


def test_a_spelling_of_two_units_is_refused(folder: Path) -> None:
    path = folder / "units.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("loose: [psi]", "loose: [psi, kw]"), encoding="utf-8")
    with pytest.raises(RegistryError, match="'kw' is also 'kW'"):
        read_unit_table(folder)


NEW_CARD = """
  - id: coolant_flow
    title: Flow of coolant
    kind: quantity
    unit: L/min
    tolerance: 0.05
    requires: [per]
    owners: [system]
    prose: [coolant, coolant flow, flow rate]
    heads: [coolant flow, flow]
    ranges:
      - {low: 0.1, high: 100000}
"""


def test_a_new_metric_is_one_file(folder: Path) -> None:
    path = folder / "metrics.yaml"
    path.write_text(path.read_text(encoding="utf-8") + NEW_CARD, encoding="utf-8")
    cards = read_entries(folder).metrics
    card, words = cards[-1], MetricWords(cards)
    sentence = "Each cabinet needs a coolant flow of 130 liters per minute."
    (value,) = (value for value in find_values(sentence) if value.in_metric(card))
    assert (value.in_metric(card), value.dimension) == ((130, 130), "flow")
    assert "coolant_flow" in {hit.metric for hit in words.in_prose(sentence)}
    head = "Coolant flow (LPM)"
    assert find_values("130")[0].in_metric(card, unit=unit_of_label(head)) == (130, 130)
    assert [hit.metric for hit in words.in_head(head)] == ["coolant_flow"]
