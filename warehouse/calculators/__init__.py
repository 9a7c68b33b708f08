"""Calculators: pure functions over typed inputs, one a module that holds a `CALCULATOR`. `base` is what they share.

A new calculator is its module, the card beside it and its test: command line and dashboard find it here.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any

from warehouse.calculators.base.model import Calculator


class _Found(Mapping[str, Calculator[Any, Any]]):
    """All calculators by id, which is the module's name with dashes; each loads when it is asked for."""

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(each.name.replace("_", "-") for each in pkgutil.iter_modules(__path__) if not each.ispkg))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __getitem__(self, name: str) -> Calculator[Any, Any]:
        if name not in list(iter(self)):
            raise KeyError(name)
        found: Calculator[Any, Any] = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").CALCULATOR
        return found


CALCULATORS: Mapping[str, Calculator[Any, Any]] = _Found()
