"""The figures that calculators start from: the claims that stand in the ledger, for a machine or by name.

A machine is an accelerator in the system that makes its scale-up domain. Nothing here knows how the file is opened:
whoever asks hands over a function that runs SQL, so that pages and the command line get the same figures.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict

from pipelines.frozen import frozen
from pipelines.units import UnknownUnit, in_unit
from warehouse.answers import Ask, formats
from warehouse.calculators.base.model import Calculator, InputOrigin, InputSpec, Lookup, OriginKind
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))
_IS_DERIVED = "derived: half of what is stated for both ways"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Machine(_Strict):
    """Which subjects of the ledger a machine's figures are looked up under, the nearest first."""

    id: str
    name: str
    accelerator: tuple[str, ...]
    system: tuple[str, ...]


class Instead(_Strict):
    """Another figure that may stand for one, and the factor between them."""

    cell: str
    times: float


class Cell(_Strict):
    """A machine's figure: where it is looked up, its unit, and the qualifiers it must or should have."""

    of: Literal["accelerator", "system"]
    metric: str
    unit: str
    must: dict[str, str] = {}
    rather: dict[str, str] = {}
    instead: Instead | None = None

    def subjects(self, machine: Machine) -> tuple[str, ...]:
        """Under whom it is looked up."""
        return machine.system if self.of == "system" else machine.accelerator


_DECLARED = yaml.load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
MACHINES = tuple(Machine(id=name, **entry) for name, entry in _DECLARED["machines"].items())
CELLS = {name: Cell(**entry) for name, entry in _DECLARED["cells"].items()}


@frozen
class Default:
    """A value to start from, in the input's unit, with what carries it."""

    value: float
    origin: InputOrigin


@frozen
class Known:
    """What the ledger knows on a day: the claims of some subjects."""

    claims: Sequence[Mapping[str, Any]]
    _by: dict[tuple[str, str], list[Mapping[str, Any]]] = field(default_factory=dict)

    def of(self, subjects: Iterable[str], metric: str) -> list[Mapping[str, Any]]:
        """The claims on a metric, those of the first subject first, strongest evidence first in each."""
        if not self._by:
            for claim in self.claims:
                for key in {claim["subject_id"], claim["subject"]}:
                    self._by.setdefault((str(key), str(claim["metric"])), []).append(claim)
        return [claim for subject in subjects for claim in self._by.get((subject, metric), [])]


def know(ask: Ask, day: dt.date | None, calculators: Iterable[Calculator[Any, Any]]) -> Known:
    """Ask once for everything that machines and the calculators' look-ups need; without a day, as of the build."""
    subjects = {name for machine in MACHINES for name in (*machine.accelerator, *machine.system)}
    for calculator in calculators:
        subjects |= {spec.lookup.subject_id for spec in calculator.specs().values() if spec.lookup}
    known_on = day or ask(SQL["built"], ())[0]["built_on"]
    return Known(ask(SQL["claims"], (known_on, sorted(subjects))))


def machine_cell(known: Known, machine: Machine, name: str) -> Default | None:
    """A figure of a machine, None where no claim gives it."""
    cell, factor = CELLS[name], 1.0
    found = _best(known.of(cell.subjects(machine), cell.metric), cell.must, cell.rather)
    if found is None and (other := cell.instead) is not None:
        cell, factor = CELLS[other.cell], other.times
        found = _best(known.of(cell.subjects(machine), cell.metric), cell.must, cell.rather)
    return None if found is None else _default(found, cell.unit, factor)


def defaults(
    known: Known, calculator: Calculator[Any, Any], machine: Machine | None, chosen: Mapping[str, str]
) -> dict[str, Default]:
    """The defaults that the ledger gives the inputs of a calculator; `chosen` are its words, such as the precision."""
    found = {}
    for name, spec in calculator.specs().items():
        default = _of_input(known, spec, machine, chosen)
        if default is not None and spec.least <= default.value <= spec.most:
            found[name] = default
    return found


def _of_input(known: Known, spec: InputSpec, machine: Machine | None, chosen: Mapping[str, str]) -> Default | None:
    if spec.cell and machine is not None:
        cell = f"compute_{chosen.get('precision', 'bf16')}" if spec.cell == "compute" else spec.cell
        return machine_cell(known, machine, cell)
    return look_up(known, spec.lookup, spec.unit) if spec.lookup else None


def look_up(known: Known, lookup: Lookup, unit: str) -> Default | None:
    """The claim that stands for a look-up, in a unit."""
    found = _best(known.of((lookup.subject_id,), lookup.metric), lookup.qualifiers, {})
    return None if found is None else _default(found, unit, 1.0)


def _best(
    claims: Sequence[Mapping[str, Any]], must: Mapping[str, str], rather: Mapping[str, str]
) -> Mapping[str, Any] | None:
    """The first claim with the qualifiers that must be; those with the ones it rather has go before, estimates last."""
    fitting = []
    for claim in claims:
        said = dict(zip(claim["keys"], claim["words"], strict=True))
        if must.items() <= said.items() and not _is_apart(said, must):
            is_other = not rather.items() <= said.items()
            fitting.append(((is_other, said.get("basis") == "estimated"), claim))
    return min(fitting, key=lambda pair: pair[0])[1] if fitting else None


def _is_apart(said: Mapping[str, str], asked: Collection[str]) -> bool:
    """A part's power or an all-in one is not the thing's own, unless that was asked for."""
    is_limit = said.get("basis") == "design limit" and "basis" not in asked
    return is_limit or any(key in said and key not in asked for key in ("part", "power_basis", "price_basis"))


def _default(claim: Mapping[str, Any], unit: str, factor: float) -> Default:
    value = float(claim["value"])
    with suppress(UnknownUnit):  # 'tokens/s/MW' and the like hold in their unit what the claim holds as a qualifier
        value = in_unit(value, str(claim["unit"]), unit)
    says = f"{claim['subject']}, {claim['claimant']}"
    origin = InputOrigin(
        OriginKind.LEDGER,
        says if factor == 1 else f"{says}; {_IS_DERIVED}",
        str(claim["url"]),
        formats.day(claim["stated_on"]) or "undated",
        str(claim["evidence"]) if factor == 1 else "derived",
        str(claim["claim_id"]),
    )
    return Default(value * factor, origin)
