"""Calculators: pure functions over typed inputs. The list of them, and nothing else."""

from __future__ import annotations

from typing import Any

from dashboard.calculators import fit, gpu_hour, optics, rack, reliability, serving, token_factory, training
from dashboard.calculators.model import Calculator

CALCULATORS: dict[str, Calculator[Any, Any]] = {
    module.CALCULATOR.id: module.CALCULATOR
    for module in (gpu_hour, training, serving, rack, optics, fit, reliability, token_factory)
}
