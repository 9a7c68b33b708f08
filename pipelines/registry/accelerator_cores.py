"""How the lists of supercomputers count accelerators, and what labels mean that the registry's names leave open.

Reads `accelerator_cores.yaml` and checks it against the accelerators and generations; nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence
from pipelines.registry.accelerators import UNKNOWN, AcceleratorNames
from pipelines.registry.entries import AcceleratorId, Entry, GenerationId
from pipelines.registry.load import HERE, committed_entries
from pipelines.registry.names import name_key
from pipelines.registry.read_yaml import RegistryError, read_model

FILE = HERE / "accelerator_cores.yaml"
Cores = Annotated[int, Field(strict=True, ge=1, le=100_000)]


class _Reference(Entry):
    said_by: str
    url: str
    evidence: Evidence
    basis: str


class _Model(Entry):
    model: AcceleratorId
    cores: Cores
    unit: str
    note: str = ""


class _Label(Entry):
    label: str
    accelerator: AcceleratorId | None = None
    generation: GenerationId | None = None
    cores: Cores | None = None
    note: str = ""


class _System(Entry):
    system: str
    cores: Cores
    note: str


class _File(Entry):
    reference: _Reference
    models: tuple[_Model, ...]
    labels: tuple[_Label, ...]
    systems: tuple[_System, ...]


@frozen
class AcceleratorCoresRow:
    """registry.accelerator_cores: the cores of one accelerator as the lists count, for a model, label or one system.

    A system's row goes before its label's, and that before its model's.
    """

    subject_kind: str  # 'model', 'label' or 'system'
    subject: str
    cores: int
    unit: str
    note: str
    said_by: str
    evidence: Evidence
    basis: str
    url: str


@frozen
class LabelMeaning:
    """What a printed label means: registry ids; no generation where it is not known."""

    accelerator: str
    generation: str | None
    vendor: str | None


@frozen
class ListLabels:
    """All of the file, checked, beside the registry's names."""

    cores: tuple[AcceleratorCoresRow, ...]
    labels: Mapping[str, tuple[str | None, str | None]]  # name key → (accelerator, generation)

    def meaning(self, label: str) -> LabelMeaning:
        """The accelerator and generation behind a label; the file's word goes before the registry's rules."""
        names = AcceleratorNames.load()
        own = self.labels.get(name_key(label))
        if own is not None and own[0] is not None:
            found = names.match(own[0])
            return LabelMeaning(own[0], found.generation, found.vendor)
        if own is not None:
            return LabelMeaning(UNKNOWN, own[1], _vendor_of(own[1]))
        match = names.match(label)
        is_known = match.accelerator_id != UNKNOWN or match.generation is not None
        return LabelMeaning(match.accelerator_id, match.generation, match.vendor if is_known else None)


def _vendor_of(generation: str | None) -> str | None:
    return next((entry.vendor for entry in committed_entries().generations if entry.id == generation), None)


def read_list_labels(path: Path = FILE) -> ListLabels:
    """Read and check the file; raises RegistryError for unknown or repeated ids."""
    found = read_model(path, _File, committed_entries().ids)
    subjects = [*(m.model for m in found.models), *(name_key(item.label) for item in found.labels)]
    subjects += [item.system for item in found.systems]
    repeated = sorted({subject for subject in subjects if subjects.count(subject) > 1})
    if repeated:
        raise RegistryError(f"{path.name}: given twice: {', '.join(repeated)}")
    return ListLabels(
        tuple(_cores(found)),
        {name_key(item.label): (item.accelerator, item.generation) for item in found.labels},
    )


def _cores(found: _File) -> list[AcceleratorCoresRow]:
    given = [("model", item.model, item.cores, item.unit, item.note) for item in found.models]
    given += [("label", item.label, item.cores, "", item.note) for item in found.labels if item.cores is not None]
    given += [("system", item.system, item.cores, "", item.note) for item in found.systems]
    said = found.reference
    return [AcceleratorCoresRow(*row, said.said_by, said.evidence, said.basis, said.url) for row in given]


@lru_cache(maxsize=1)
def load_list_labels() -> ListLabels:
    """The file that ships with the code, read and checked once."""
    return read_list_labels()
