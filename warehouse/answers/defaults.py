"""The figures that calculators start from: the claims that stand in the ledger, for a machine or by name.

A machine is an accelerator in the system that makes its scale-up domain. Nothing here knows how the file is opened:
whoever asks hands over a function that runs SQL, so that pages and the command line get the same figures.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any

from pipelines.frozen import frozen
from pipelines.units import UnknownUnit, in_unit
from warehouse.answers import Ask, formats
from warehouse.calculators.base.model import Calculator, InputOrigin, InputSpec, Lookup, OriginKind
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))
_IS_DERIVED = "derived: half of what is stated for both ways"


@frozen
class Machine:
    """Which subjects of the ledger a machine's figures are looked up under, the nearest first."""

    id: str
    name: str
    accelerator: tuple[str, ...]
    system: tuple[str, ...]


MACHINES = (
    Machine("h100-nvl8", "8 x NVIDIA H100 SXM", ("nvidia-h100-sxm5-80gb",), ("nvidia-hgx-h100",)),
    Machine("h200-nvl8", "8 x NVIDIA H200 SXM", ("nvidia-h200-sxm5-141gb",), ("nvidia-hgx-h200",)),
    Machine("b200-nvl8", "8 x NVIDIA B200 SXM", ("nvidia-b200-sxm-180gb", "nvidia-b200"), ("nvidia-hgx-b200",)),
    Machine("gb200-nvl72", "NVIDIA GB200 NVL72", ("nvidia-gb200", "nvidia-b200"), ("nvidia-gb200-nvl72",)),
    Machine("gb300-nvl72", "NVIDIA GB300 NVL72", ("nvidia-gb300",), ("nvidia-gb300-nvl72",)),
    Machine("vr-nvl72", "NVIDIA Vera Rubin NVL72", ("nvidia-rubin",), ("nvidia-vera-rubin-nvl72",)),
    Machine("mi300x-8", "8 x AMD MI300X", ("amd-instinct-mi300x",), ("amd-mi300x-platform",)),
    Machine("mi355x-8", "8 x AMD MI355X", ("amd-instinct-mi355x",), ("amd-mi355x-platform",)),
)


@frozen
class Cell:
    """A machine's figure: where it is looked up, its unit, and the qualifiers it must or should have."""

    is_system: bool
    metric: str
    unit: str
    must: tuple[tuple[str, str], ...] = ()
    rather: tuple[tuple[str, str], ...] = ()


_EACH = (("per", "accelerator"),)
CELLS: dict[str, Cell] = {
    "memory": Cell(False, "memory_capacity", "GB", _EACH, (("memory_basis", "usable"),)),
    "memory_bandwidth": Cell(False, "memory_bandwidth", "TB/s", _EACH),
    "compute_bf16": Cell(False, "compute", "PFLOP/s", (*_EACH, ("precision", "bf16"), ("sparsity", "dense"))),
    "compute_fp8": Cell(False, "compute", "PFLOP/s", (*_EACH, ("precision", "fp8"), ("sparsity", "dense"))),
    "compute_fp4": Cell(False, "compute", "PFLOP/s", (*_EACH, ("precision", "fp4"), ("sparsity", "dense"))),
    "scale_up": Cell(False, "scale_up_bandwidth", "GB/s", (*_EACH, ("direction", "one way"))),
    "scale_up_both": Cell(False, "scale_up_bandwidth", "GB/s", (*_EACH, ("direction", "both ways"))),
    "scale_out": Cell(False, "scale_out_bandwidth", "Gb/s", _EACH),
    "scale_out_system": Cell(True, "scale_out_bandwidth", "Gb/s", _EACH),
    "domain": Cell(True, "scale_up_domain_size", "count", (("counted_as", "package"),)),
    "rack_power": Cell(True, "power", "kW", (("per", "rack"),)),
    "liquid_share": Cell(True, "liquid_cooled_share", "%"),
    "all_in_power": Cell(False, "power", "kW", (*_EACH, ("power_basis", "all-in"))),
    "rent": Cell(False, "gpu_hour_price", "USD/h", (*_EACH, ("price_basis", "rented for three years"))),
}
INSTEAD = {"scale_up": ("scale_up_both", 0.5), "scale_out": ("scale_out_system", 1.0)}


@frozen
class Default:
    """A value to start from, in the input's unit, with what carries it; low and high where claims give a range."""

    value: float
    origin: InputOrigin
    low: float | None = None
    high: float | None = None


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
    cell = CELLS[name]
    subjects = machine.system if cell.is_system else machine.accelerator
    found = _best(known.of(subjects, cell.metric), cell.must, cell.rather)
    if found is not None:
        return _default(found, cell.unit, 1.0)
    other = INSTEAD.get(name)
    if other is None:
        return None
    cell = CELLS[other[0]]
    found = _best(known.of(machine.system if cell.is_system else machine.accelerator, cell.metric), cell.must, ())
    return None if found is None else _default(found, cell.unit, other[1])


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
    found = _best(known.of((lookup.subject_id,), lookup.metric), lookup.qualifiers, ())
    return None if found is None else _default(found, unit, 1.0)


def _best(
    claims: Sequence[Mapping[str, Any]], must: Sequence[tuple[str, str]], rather: Sequence[tuple[str, str]]
) -> Mapping[str, Any] | None:
    """The first claim with the qualifiers that must be; those with the ones it rather has go before, estimates last."""
    fitting = []
    for claim in claims:
        said = dict(zip(claim["keys"], claim["words"], strict=True))
        if all(said.get(key) == word for key, word in must) and not _is_apart(said, must):
            is_other = not all(said.get(key) == word for key, word in rather)
            fitting.append(((is_other, said.get("basis") == "estimated"), claim))
    return min(fitting, key=lambda pair: pair[0])[1] if fitting else None


def _is_apart(said: Mapping[str, str], must: Sequence[tuple[str, str]]) -> bool:
    """A part's power or an all-in one is not the thing's own, unless that was asked for."""
    asked = {key for key, _ in must}
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
