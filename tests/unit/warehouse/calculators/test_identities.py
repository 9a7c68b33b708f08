"""What must hold of every calculator, whatever goes in: parts add up, units fit, answers move the right way."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import pint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.calculators import CALCULATORS, fit, optics, reliability
from warehouse.calculators.base import engine
from warehouse.calculators.base.model import Calculator, InputSpec, OriginKind
from warehouse.calculators.base.quantity import q, to

# which way the headline goes when an input rises: +1 never falls, -1 never rises
MONOTONE: dict[str, dict[str, int]] = {
    "gpu-hour": {
        "capital": 1,
        "life": -1,
        "interest": 1,
        "electricity": 1,
        "utilisation": -1,
        "staff": 1,
        "residual": -1,
    },
    "training": {"parameters": 1, "tokens": 1, "peak": -1, "mfu": -1, "rent": 1, "overhead": 1, "unit_mtti": -1},
    "serving": {"rent": 1, "utilisation": -1, "bandwidth": -1, "peak": -1, "input_tokens": 1},
    "rack": {"site": 1, "pue": -1, "rack": -1, "other": -1},
    "optics": {"accelerators": 1, "pluggable": 1, "ports": 1, "radix": -1},
    "fit": {"parameters": 1, "context": 1, "batch": 1, "layers": 1},
    "reliability": {"unit_mtti": 1, "accelerators": -1, "checkpoint": -1, "restart": -1},
    "token-factory": {"rate": 1, "price": 1, "site": 1, "sold": 1},
}
MAY_FALL = {"saved", "saved_share"}  # a co-packaged port may be typed in as the larger one
DIRECTIONS = [(name, field, sign) for name, signs in MONOTONE.items() for field, sign in signs.items()]


def _value(spec: InputSpec) -> st.SearchStrategy[Any]:
    if spec.options:
        return st.sampled_from(spec.options)
    if spec.whole:
        return st.integers(int(spec.least), int(min(spec.most, max(spec.least * 1_000, 10_000))))
    low = max(spec.least, 1e-6) if spec.least >= 0 else spec.least
    logs = st.floats(math.log(low), math.log(spec.most), allow_nan=False)
    return logs.map(lambda x: min(spec.most, max(spec.least, math.exp(x))))


def _inputs(calculator: Calculator[Any, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({name: _value(spec) for name, spec in calculator.specs().items()})


@pytest.mark.parametrize("name", CALCULATORS)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_parts_add_up_and_every_answer_is_a_number(name: str, data: st.DataObject) -> None:
    calculator = CALCULATORS[name]
    given_values = data.draw(_inputs(calculator))
    try:
        outputs = calculator.calculate(engine.read(calculator, given_values))
    except engine.InputError as error:
        refused = error.name
    else:
        refused = ""
    if refused:
        assert refused in calculator.specs()
        return
    total = getattr(outputs, calculator.total)
    size = sum(abs(part.value) for part in outputs.parts) or 1
    assert abs(sum(part.value for part in outputs.parts) - total) <= 1e-9 * size
    for field in calculator.figures():
        value = getattr(outputs, field)
        assert isinstance(value, str) or (not math.isnan(value) and (value >= 0 or field in MAY_FALL)), field


@pytest.mark.parametrize(("name", "field", "sign"), DIRECTIONS, ids=lambda value: str(value))
@given(factor=st.floats(1.01, 3))
@settings(max_examples=25, deadline=None)
def test_the_answer_rises_and_falls_as_it_should(name: str, field: str, sign: int, factor: float) -> None:
    calculator = CALCULATORS[name]
    spec, base = calculator.specs()[field], engine.read(calculator, {})
    more = min(spec.most, float(getattr(base, field)) * factor or factor)
    more = math.ceil(more) if spec.whole else more
    raised = engine.read(calculator, {field: more})
    before, after = (engine.headline(calculator, calculator.calculate(each)) for each in (base, raised))
    assert sign * (after - before) >= -1e-9 * abs(before)


@pytest.mark.parametrize("name", CALCULATORS)
def test_every_default_is_believable_and_says_where_it_is_from(name: str) -> None:
    calculator = CALCULATORS[name]
    engine.read(calculator, calculator.defaults())
    for field, spec in calculator.specs().items():
        if spec.options:
            continue
        assert spec.unit, field
        assert spec.least < spec.most
        if spec.low is not None:
            assert spec.high is not None
            assert spec.least <= spec.low <= float(calculator.defaults()[field]) <= spec.high <= spec.most
        if spec.origin.kind is OriginKind.CITED:
            assert spec.origin.url.startswith("https://"), field
            assert len(spec.origin.stated_on) == 10
            assert spec.origin.evidence
    assert calculator.headline in calculator.figures()
    assert calculator.total in calculator.figures()
    assert calculator.formula
    assert all(source.url.startswith("https://") for source in calculator.sources)


@pytest.mark.parametrize("name", CALCULATORS)
def test_the_same_answer_from_python_as_from_texts(name: str) -> None:
    calculator = CALCULATORS[name]
    plain = calculator.inputs()
    texts = {field: str(value) for field, value in calculator.defaults().items()}
    assert asdict(engine.read(calculator, texts)) == asdict(plain)


def test_a_wrong_dimension_raises() -> None:
    with pytest.raises(pint.DimensionalityError):
        to(q(3, "USD/hour") * q(2, "hour"), "kilowatt")
    with pytest.raises(pint.DimensionalityError):
        to(q(1, "kilowatt") / q(1, "litre"), "litre/minute")


@given(st.integers(1, 10_000_000), st.integers(4, 4_096))
def test_a_fat_tree_carries_its_ports(ends: int, radix: int) -> None:
    try:
        tiers = optics.fat_tree_levels(ends, radix)
    except engine.InputError:
        assert ends > 2 * (radix / 2) ** optics.MOST_TIERS
        return
    carried = radix if tiers == 1 else 2 * (radix / 2) ** tiers
    assert ends <= carried
    if tiers > 1:
        fewer = radix if tiers == 2 else 2 * (radix / 2) ** (tiers - 1)
        assert ends > fewer


@given(st.floats(0.01, 100), st.floats(0, 100), st.floats(1, 1e6))
def test_useful_time_is_a_share_and_near_its_best_at_dalys_interval(
    checkpoint: float, restart: float, mtti: float
) -> None:
    best = reliability.daly_interval(checkpoint, mtti)
    if best <= 0:
        return
    at_best = reliability.goodput(best, checkpoint, restart, mtti)
    assert 0 <= at_best <= 1
    if checkpoint < mtti / 20:
        for factor in (0.5, 2):
            assert reliability.goodput(best * factor, checkpoint, restart, mtti) <= at_best + 1e-12


@given(st.integers(1, 200_000), st.sampled_from([8, 72, 144]))
def test_levels_are_in_order(accelerators: int, domain: int) -> None:
    order = list(fit.Level)
    assert order.index(fit.level_of(accelerators, domain)) <= order.index(fit.level_of(accelerators + 1, domain))
