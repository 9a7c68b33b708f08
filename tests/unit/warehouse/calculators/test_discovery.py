"""A calculator is found by its file: its module, its card and its test are all that a new one takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import warehouse.calculators as package
from pipelines.cli import app
from warehouse.calculators import CALCULATORS

NEW = '''
"""How many nines a service of so many hours of outage has."""
from dataclasses import dataclass
from warehouse.calculators.base.model import DECLARED, Part, calculator, inputs

@inputs
class Inputs:
    outage: float = DECLARED

@dataclass(frozen=True)
class Outputs:
    up: float
    parts: tuple[Part, ...] = ()

def calculate(inputs: Inputs) -> Outputs:
    up = 100 * (1 - inputs.outage / 8_760)
    return Outputs(up, (Part("Up", up, "hours of a year without outage"),))

CALCULATOR = calculator(calculate)
'''
CARD = """
title: Up time
question: How much of a year is a service up?
headline: up
lesson: ""
inputs:
  outage: {label: Outage, unit: hour, default: 87.6, least: 0, most: 8760}
figures:
  up: [Up, "%"]
formula: [1 - outage / 8760]
"""


@pytest.fixture
def up_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "up_time.py").write_text(NEW, encoding="utf-8")
    (tmp_path / "up_time.yaml").write_text(CARD, encoding="utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])


def test_each_id_is_the_name_of_its_module() -> None:
    assert [found.id for found in CALCULATORS.values()] == list(CALCULATORS)
    assert {"fit", "gpu-hour", "token-factory"} <= set(CALCULATORS)


@pytest.mark.usefixtures("up_time")
def test_a_new_module_is_a_new_calculator() -> None:
    found = CALCULATORS["up-time"]
    assert found.calculate(found.inputs()).up == pytest.approx(99)
    assert "up-time" in CliRunner().invoke(app, ["calc", "--help"]).stdout


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("other_figure", "up: [Up", "down: [Down", "do not name the same"),
        ("unknown_word", "lesson:", "lessons:", "lessons"),
        ("unknown_unit", "unit: hour", "units: hour", "units"),
        ("no_question", "question:", "asks:", "question"),
    ],
)
def test_a_card_that_does_not_fit_its_module_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, says: str
) -> None:
    (tmp_path / f"{name}.py").write_text(NEW, encoding="utf-8")
    (tmp_path / f"{name}.yaml").write_text(CARD.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    with pytest.raises(ValueError, match=says):
        CALCULATORS[name.replace("_", "-")]


def test_what_is_no_module_is_none() -> None:
    for name in ("base", "engine", "abacus"):
        with pytest.raises(KeyError):
            CALCULATORS[name]
