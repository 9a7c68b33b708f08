"""Metric cards: the marts that ask for them, the lexicon behind them, and mistakes named by line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from pipelines.registry import RegistryError, load_registry
from pipelines.registry.load import HERE, read_entries
from pipelines.registry.metric_entries import Lexicon, Thing, load_lexicon
from pipelines.units import read_unit_table

CARDS = load_registry().metrics()
MARTS = Path(__file__).parents[3] / "warehouse/marts"


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
        (
            "tolerance: 0.02", "tolerence: 0.02",
            "line {}: metrics.0.tolerence (compute): expected a field of the schema (is 'tolerance' meant?)",
        ),
        (
            "- {per: die, low: 0.00001, high: 150}", "- {per: die, low: none, high: 150}",
            "line {}: metrics.0.ranges.1.low (compute): expected a valid number",
        ),
        ("counts: [die, accelerator, chip]", "counts: [dice]", "expected things of the lexicon, and dice is none"),
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
    assert f"line {line}: " in str(error.value)


def test_a_spelling_of_two_units_is_refused(folder: Path) -> None:
    path = folder / "units.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("loose: [psi]", "loose: [psi, kw]"), encoding="utf-8")
    with pytest.raises(RegistryError, match="'kw' is also 'kW'"):
        read_unit_table(folder)
