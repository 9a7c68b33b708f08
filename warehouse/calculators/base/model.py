"""What a calculator is made of: typed inputs with units and origins, a typed answer whose parts add up. Pure.

A calculator module holds a frozen dataclass of inputs (each field made by `number` or `choice`), one of outputs (each
field made by `figure`), one pure function from the first to the second, and a `CALCULATOR` that names them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, fields
from enum import StrEnum
from functools import cache
from typing import Any, Generic, TypeVar, cast, get_type_hints

from pipelines.frozen import frozen

I = TypeVar("I")  # noqa: E741
O = TypeVar("O")  # noqa: E741

INPUT, OUTPUT = "input", "output"


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


def cited(says: str, url: str, stated_on: str, evidence: str) -> InputOrigin:
    """An origin outside the ledger: what the source says, where, when, with which evidence tag."""
    return InputOrigin(OriginKind.CITED, says, url, stated_on, evidence)


@frozen
class Lookup:
    """The claim of the ledger that a default is taken from: subject, metric, and qualifiers that must be stated so."""

    subject_id: str
    metric: str
    qualifiers: tuple[tuple[str, str], ...] = ()


@frozen
class InputSpec:
    """One input: unit, believable bounds (inclusive), and the range that is uncertain when nobody says otherwise.

    `cell` names a figure of the chosen machine, `lookup` a claim: either gives the default when the ledger has it.
    """

    label: str
    unit: str
    least: float
    most: float
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


@frozen
class Part:
    """One line of the 'why this number': the parts of a calculator add up to its headline."""

    label: str
    value: float
    why: str


@frozen
class Reference:
    """Where a formula comes from."""

    says: str
    url: str


@cache
def _types(calculate: Callable[..., Any]) -> dict[str, Any]:
    return get_type_hints(calculate)


@frozen
class Calculator(Generic[I, O]):
    """A calculator: its id is the name of its module, its inputs and outputs are those of `calculate`.

    `headline` names the output that answers the question, `total` the one that the parts add up to where that is
    another. `machine` is the one whose figures its defaults are.
    """

    calculate: Callable[[I], O]
    title: str
    question: str
    headline: str
    formula: tuple[str, ...]
    sources: tuple[Reference, ...]
    lesson: str
    total: str = ""
    machine: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.total or self.headline)

    @property
    def id(self) -> str:
        """The module's name with dashes."""
        return self.calculate.__module__.rpartition(".")[2].replace("_", "-")

    @property
    def inputs(self) -> type[I]:
        """The class of the inputs."""
        return cast(type[I], _types(self.calculate)["inputs"])

    @property
    def outputs(self) -> type[O]:
        """The class of the answer."""
        return cast(type[O], _types(self.calculate)["return"])

    def specs(self) -> dict[str, InputSpec]:
        """Input fields in order."""
        return {item.name: item.metadata[INPUT] for item in fields(self.inputs)}  # type: ignore[arg-type]

    def figures(self) -> dict[str, OutputSpec]:
        """Output fields in order, without the parts."""
        found = fields(self.outputs)  # type: ignore[arg-type]
        return {item.name: item.metadata[OUTPUT] for item in found if OUTPUT in item.metadata}

    def defaults(self) -> dict[str, float | str]:
        """The value of each input when neither ledger nor reader says otherwise."""
        return {item.name: item.default for item in fields(self.inputs)}  # type: ignore[arg-type, misc]


def number(
    label: str,
    unit: str,
    default: float,
    least: float,
    most: float,
    *,
    between: tuple[float, float] | None = None,
    whole: bool = False,
    help: str = "",
    origin: InputOrigin = ASSUMED,
    lookup: Lookup | None = None,
    cell: str = "",
) -> Any:
    """An input field that holds a number; `between` is the uncertain range around the default."""
    low, high = between or (None, None)
    spec = InputSpec(label, unit, least, most, low, high, whole, help, origin, lookup, cell)
    return field(default=default, metadata={INPUT: spec})


def choice(label: str, options: Sequence[str], *, help: str = "") -> Any:
    """An input field that holds one of some words; the first is the default."""
    return field(default=options[0], metadata={INPUT: InputSpec(label, "", 0, 0, help=help, options=tuple(options))})


def figure(label: str, unit: str, *, help: str = "") -> Any:
    """An output field."""
    return field(metadata={OUTPUT: OutputSpec(label, unit, help)})
