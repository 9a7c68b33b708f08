"""A calculator is found by its file: two files, the module and its test, are all that a new one takes."""

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
from warehouse.calculators.base.model import Calculator, Part, figure, number

@dataclass(frozen=True, kw_only=True)
class Inputs:
    outage: float = number("Outage", "hour", 87.6, 0, 8_760)

@dataclass(frozen=True)
class Outputs:
    up: float = figure("Up", "%")
    parts: tuple[Part, ...] = ()

def calculate(inputs: Inputs) -> Outputs:
    up = 100 * (1 - inputs.outage / 8_760)
    return Outputs(up, (Part("Up", up, "hours of a year without outage"),))

CALCULATOR = Calculator(calculate, "Up time", "How much of a year is a service up?", headline="up",
    formula=("1 - outage / 8,760",), sources=(), lesson="")
'''


@pytest.fixture
def up_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "up_time.py").write_text(NEW, encoding="utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])


def test_each_id_is_the_name_of_its_module() -> None:
    assert [found.id for found in CALCULATORS.values()] == list(CALCULATORS)
    assert {"fit", "gpu-hour", "token-factory"} <= set(CALCULATORS)


@pytest.mark.usefixtures("up_time")
def test_a_new_module_is_a_new_calculator() -> None:
    found = CALCULATORS["up-time"]
    assert found.calculate(found.inputs()).up == pytest.approx(99)
    assert "up-time" in CliRunner().invoke(app, ["calc", "--help"]).stdout


def test_what_is_no_module_is_none() -> None:
    for name in ("base", "engine", "abacus"):
        with pytest.raises(KeyError):
            CALCULATORS[name]
