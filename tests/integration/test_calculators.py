"""The calculators with the committed ledger behind them: defaults are claims, and the command line gives the same."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import Settings
from warehouse.answers.defaults import CELLS, MACHINES, Default, Known, Machine, defaults, know, machine_cell
from warehouse.calculators import CALCULATORS
from warehouse.calculators.base import engine
from warehouse.calculators.base.model import OriginKind
from warehouse.read import Warehouse

RUNNER = CliRunner()
BY_ID = {machine.id: machine for machine in MACHINES}
TODAY = dt.date(2026, 11, 21)


@pytest.fixture(scope="module")
def known(market: Warehouse) -> Known:
    return know(lambda sql, values: market.rows(sql, list(values)), TODAY, CALCULATORS.values())


def cell(known: Known, machine: str, name: str) -> Default:
    found = machine_cell(known, BY_ID[machine], name)
    assert found is not None
    return found


@pytest.mark.parametrize("name", CALCULATORS)
def test_what_is_typed_as_a_default_is_what_the_ledger_says(known: Known, name: str) -> None:
    calculator = CALCULATORS[name]
    machine: Machine | None = BY_ID.get(calculator.machine)
    words = {field: spec.options[0] for field, spec in calculator.specs().items() if spec.options}
    found = defaults(known, calculator, machine, words)
    wanted = {field for field, spec in calculator.specs().items() if spec.cell or spec.lookup}
    assert set(found) == wanted, "a default that the ledger should give is missing"
    for field, default in found.items():
        assert default.value == pytest.approx(calculator.defaults()[field], rel=1e-6), field
        assert default.origin.kind is OriginKind.LEDGER
        assert default.origin.claim_id
        assert default.origin.evidence
        assert default.origin.stated_on


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.id)
def test_every_machine_has_what_a_fit_needs(known: Known, machine: Machine) -> None:
    for name in ("memory", "memory_bandwidth", "domain", "scale_up"):
        assert machine_cell(known, machine, name) is not None, name


def test_usable_memory_goes_before_nominal(known: Known) -> None:
    assert cell(known, "gb300-nvl72", "memory").value == 278


def test_half_of_both_ways_is_derived_and_says_so(known: Known) -> None:
    found = cell(known, "vr-nvl72", "scale_up")
    assert found.value == pytest.approx(1_800)
    assert found.origin.evidence == "derived"
    assert "both ways" in found.origin.says


def test_a_power_with_its_share_of_the_site_is_no_power_of_the_rack(known: Known) -> None:
    assert cell(known, "gb200-nvl72", "rack_power").value == 120
    assert cell(known, "gb200-nvl72", "all_in_power").value == pytest.approx(2.1)


def test_what_nobody_stated_is_not_made_up(known: Known) -> None:
    assert machine_cell(known, BY_ID["h100-nvl8"], "compute_fp4") is None
    assert machine_cell(known, BY_ID["vr-nvl72"], "rent") is None


def test_before_anything_was_stated_there_is_nothing(market: Warehouse) -> None:
    early = know(lambda sql, values: market.rows(sql, list(values)), dt.date(2020, 1, 1), CALCULATORS.values())
    assert [name for name in CELLS if machine_cell(early, BY_ID["gb300-nvl72"], name)] == []


@pytest.fixture
def published(settings: Settings, market: Warehouse) -> Settings:
    settings.warehouse.parent.mkdir(parents=True, exist_ok=True)
    settings.warehouse.symlink_to(market.path)
    return settings


def test_the_command_knows_every_calculator() -> None:
    listed = RUNNER.invoke(app, ["calc", "--help"])
    assert all(name in listed.stdout for name in CALCULATORS)


@pytest.mark.parametrize("name", CALCULATORS)
def test_help_names_inputs_units_and_formula(name: str) -> None:
    text = RUNNER.invoke(app, ["calc", name, "--help"], env={"COLUMNS": "200"}).stdout
    calculator = CALCULATORS[name]
    for field, spec in calculator.specs().items():
        assert f"--{field.replace('_', '-')}" in text
        assert spec.options or f"[{spec.unit}]" in text
    assert calculator.formula[0] in text


def test_the_command_takes_the_ledgers_figures(published: Settings) -> None:
    result = RUNNER.invoke(app, ["calc", "fit", "--machine", "gb200-nvl72", "-f", "json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["inputs"]["memory"]["value"] == 186
    assert found["inputs"]["memory"]["from"].startswith("ledger, reported, ")
    assert found["inputs"]["context"]["from"].startswith("assumption")
    assert found["figures"]["level"]["value"] == "one 8-way node"
    assert sum(part["value"] for part in found["parts"]) == pytest.approx(found["figures"]["need"]["value"])


def test_a_range_makes_the_answer_a_range(published: Settings) -> None:
    result = RUNNER.invoke(app, ["calc", "rack", "--site", "5..10..20", "-f", "json"])
    found = json.loads(result.stdout)
    assert found["inputs"]["site"] == {"value": 10, "unit": "MW", "from": "yours"}
    assert found["spread"]["low"] < found["spread"]["typical"] < found["spread"]["high"]
    assert "site" in found["spread"]["ranged"]


def test_a_single_value_is_certain(published: Settings) -> None:
    found = json.loads(RUNNER.invoke(app, ["calc", "gpu-hour", "--life", "4", "-f", "json"]).stdout)
    assert "life" not in found["spread"]["ranged"]
    assert "capital" in found["spread"]["ranged"]


def test_the_breakdown_as_csv(published: Settings) -> None:
    rows = list(csv.DictReader(io.StringIO(RUNNER.invoke(app, ["calc", "optics", "-f", "csv"]).stdout)))
    assert {row["kind"] for row in rows} == {"input", "figure", "part"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["gpu-hour", "--life", "x"], "--life: Life: expected a number in year"),
        (["fit", "--machine", "abacus"], "--machine: expected one of h100-nvl8"),
        (["fit", "--as-of", "soon"], "--as-of: expected a day"),
        (["serving", "--precision", "bf16"], "--accelerators"),
        (["rack", "--site", "20..5"], "rising order"),
    ],
)
def test_mistakes_are_named(published: Settings, arguments: list[str], says: str) -> None:
    result = RUNNER.invoke(app, ["calc", *arguments])
    assert result.exit_code == 2
    assert says in result.stderr.replace("\n", " ")


def test_without_a_warehouse_the_built_in_values_serve(settings: Settings) -> None:
    result = RUNNER.invoke(app, ["calc", "token-factory", "-f", "json"])
    assert result.exit_code == 0
    assert "Without the ledger's figures" in result.stderr
    calculator = CALCULATORS["token-factory"]
    assert json.loads(result.stdout)["figures"]["revenue"]["value"] == pytest.approx(
        engine.headline(calculator, calculator.calculate(calculator.inputs()))
    )
