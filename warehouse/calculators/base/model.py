"""What a calculator is made of: typed inputs with units and origins, a typed answer whose parts add up.

A calculator is a module and the card of the same name beside it. The card (YAML) declares each input with its unit,
bounds and default, each figure of the answer with its unit, and the words around them. The module holds a class of
inputs, one of outputs, one pure function from the first to the second, and `CALCULATOR = calculator(calculate)`. An
input that means the same in several calculators stands in `shared.yaml`; a card names it, and says only what differs.
But for the cards nothing is read here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, dataclass_transform, get_type_hints

import yaml
from pydantic import BaseModel, ConfigDict, Field

from pipelines.frozen import frozen

I = TypeVar("I")  # noqa: E741
O = TypeVar("O")  # noqa: E741
T = TypeVar("T")

DECLARED: Any = ...  # stands in a class of inputs for the default that the card declares


class OriginKind(StrEnum):
    """Where a default comes from. Only the first two are evidence."""

    LEDGER = "ledger"
    CITED = "cited"
    ASSUMPTION = "assumption"
    YOURS = "yours"


@frozen
class InputOrigin:
    """Where a number comes from: for the ledger the claim, for a citation the page, its day and its evidence tag."""

    kind: OriginKind
    says: str = ""
    url: str = ""
    stated_on: str = ""
    evidence: str = ""
    claim_id: str = ""

    def words(self, *, with_address: bool = True) -> str:
        """'ledger, vendor, 2025-03-18, NVIDIA GB200, NVIDIA, https://…': what is known, in one line."""
        address = (self.url, self.claim_id) if with_address else ()
        parts = (self.kind.value, self.evidence, self.stated_on, self.says, *address)
        return ", ".join(part for part in parts if part)


ASSUMED = InputOrigin(OriginKind.ASSUMPTION, "no sourced value is known; a round number to start from")
YOURS = InputOrigin(OriginKind.YOURS)


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Lookup(_Strict):
    """The claim of the ledger that a default is taken from: subject, metric, and qualifiers that must be stated so."""

    subject_id: str
    metric: str
    qualifiers: dict[str, str] = {}


class InputSpec(_Strict):
    """One input: unit, believable bounds (inclusive), and the range that is uncertain when nobody says otherwise.

    `cell` names a figure of the chosen machine, `lookup` a claim: either gives the default when the ledger has it. Of
    `options`, where an input is one of some words, the first is the default.
    """

    label: str
    unit: str = ""
    default: int | float | str = ""
    least: float = 0
    most: float = 0
    low: float | None = None
    high: float | None = None
    whole: bool = False
    help: str = ""
    origin: InputOrigin = ASSUMED
    lookup: Lookup | None = None
    cell: str = ""
    options: tuple[str, ...] = ()


@frozen
class OutputSpec:
    """One figure of the answer: its label and unit."""

    label: str
    unit: str
    help: str = ""


class Reference(_Strict):
    """Where a formula comes from."""

    says: str
    url: str


@frozen
class Part:
    """One line of the 'why this number': the parts of a calculator add up to its headline."""

    label: str
    value: float
    why: str


@cache
def card(module: str) -> dict[str, Any]:
    """What the card beside a module says, with its inputs and figures read. Raises ValueError for what none may say."""
    own, shared = _read(Path(str(sys.modules[module].__file__)).with_suffix(".yaml")), shared_card()
    return {
        **own,
        "inputs": {
            name: _input({**shared["inputs"].get(name, {}), **entry}, shared["cited"])
            for name, entry in own["inputs"].items()
        },
        "figures": {name: OutputSpec(*told) for name, told in own["figures"].items()},
    }


@cache
def shared_card() -> dict[str, Any]:
    """What several calculators share: inputs, who is cited for them, shapes of models."""
    return _read(Path(__file__).parent.with_name("shared.yaml"))


def _read(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return loaded


def _input(entry: dict[str, Any], pages: Mapping[str, Any]) -> InputSpec:
    if entry.get("options"):
        entry["default"] = entry["options"][0]
    if said := entry.get("origin"):
        entry["origin"] = cited(said if isinstance(said, dict) else pages[said])
    return InputSpec.model_validate(entry)


def cited(page: Mapping[str, str]) -> InputOrigin:
    """An origin outside the ledger: what the source says, where, when, with which evidence tag."""
    return InputOrigin(OriginKind.CITED, **page)


def options(module: str, name: str) -> tuple[str, ...]:
    """The words that an input may be, as the card lists them."""
    spec: InputSpec = card(module)["inputs"][name]
    return spec.options


@dataclass_transform(frozen_default=True, kw_only_default=True)
def inputs(cls: type[T]) -> type[T]:
    """A class of inputs: each field starts from the default that the card declares."""
    for name in cls.__annotations__:
        setattr(cls, name, card(cls.__module__)["inputs"][name].default)
    return frozen(kw_only=True)(cls)


class Calculator(_Strict, Generic[I, O]):
    """A calculator: its id is the name of its module, its inputs and outputs are those of `calculate`.

    `headline` names the output that answers the question, `total` the one that the parts add up to where that is
    another. `machine` is the one whose figures its defaults are.
    """

    calculate: Callable[[I], O]
    title: str
    question: str
    headline: str
    total: str = Field(default_factory=lambda told: str(told["headline"]))
    machine: str = ""
    lesson: str
    declared_inputs: dict[str, InputSpec] = Field(alias="inputs")
    declared_figures: dict[str, OutputSpec] = Field(alias="figures")
    formula: tuple[str, ...]
    sources: tuple[Reference, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The module's name with dashes."""
        return self.calculate.__module__.rpartition(".")[2].replace("_", "-")

    @property
    def inputs(self) -> type[I]:
        """The class of the inputs."""
        return cast(type[I], get_type_hints(self.calculate)["inputs"])

    def specs(self) -> dict[str, InputSpec]:
        """The inputs in order."""
        return self.declared_inputs

    def figures(self) -> dict[str, OutputSpec]:
        """The figures of the answer in order."""
        return self.declared_figures

    def defaults(self) -> dict[str, float | str]:
        """The value of each input when neither ledger nor reader says otherwise."""
        return {name: spec.default for name, spec in self.declared_inputs.items()}


def calculator(calculate: Callable[[I], O]) -> Calculator[I, O]:
    """The calculator of a function and the card beside it. Raises ValueError where their names differ."""
    made = Calculator[I, O].model_validate({"calculate": calculate, **card(calculate.__module__)})
    hints = get_type_hints(calculate)
    for declared, cls in ((made.specs(), hints["inputs"]), (made.figures(), hints["return"])):
        if list(declared) != [each.name for each in fields(cls) if each.name != "parts"]:
            raise ValueError(f"{made.id}: the card and {cls.__name__} do not name the same")
    return made
