"""The YAML: every reference resolves, no alias has two owners, and a mistake is reported with its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipelines.registry import AcceleratorNames, RegistryError, load_registry
from pipelines.registry.accelerators import entry_spellings
from pipelines.registry.load import HERE, accelerator_ids, read_entries
from pipelines.registry.names import name_key

ENTRIES = load_registry().entries


def test_no_alias_belongs_to_two_entries() -> None:
    owners: dict[str, set[str]] = {}
    for entry in ENTRIES.accelerators:
        for accelerator_id, spelling in entry_spellings(entry):
            owners.setdefault(name_key(spelling), set()).add(accelerator_id)
    assert {key: ids for key, ids in owners.items() if len(ids) > 1} == {}


def test_every_entry_can_be_found_by_its_id_and_name() -> None:
    names = AcceleratorNames(ENTRIES)
    wrong = [
        (spelling, own)
        for entry in ENTRIES.accelerators
        if not entry.needs_system
        for own, spelling in entry_spellings(entry)
        if names.match(spelling).accelerator_id != own
    ]
    assert wrong == []


def test_predecessors_end_somewhere() -> None:
    for table in (ENTRIES.generations, ENTRIES.accelerators):
        before = {entry.id: entry.predecessor for entry in table}
        for start in before:
            seen = [start]
            while (previous := before.get(seen[-1])) is not None:
                assert previous not in seen, f"{start} comes round again at {previous}"
                seen.append(previous)


def test_ordinals_follow_predecessors_along_a_line() -> None:
    by_id = {entry.id: entry for entry in ENTRIES.generations}
    for entry in ENTRIES.generations:
        previous = by_id[entry.predecessor] if entry.predecessor else None
        if previous is not None and previous.line == entry.line:
            assert previous.ordinal + 1 == entry.ordinal, entry.id
            assert previous.vendor == entry.vendor, entry.id


def test_an_accelerator_belongs_to_its_makers_generation() -> None:
    vendors = {entry.id: entry.vendor for entry in ENTRIES.generations}
    assert [e.id for e in ENTRIES.accelerators if e.generation and vendors[e.generation] != e.vendor] == []


def test_ids_begin_with_their_maker() -> None:
    assert [e.id for e in ENTRIES.accelerators if not e.id.startswith(f"{e.vendor}-") and e.id != "hailo-8"] == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in HERE.glob("*.yaml"):
        shutil.copy(path, tmp_path)
    return tmp_path


MISTAKES = [
    (
        "accelerators_google.yaml",
        "memory_gb: 95",
        "memory_gb: lots",
        "accelerators_google.yaml: line 11: accelerators.7.memory_gb (google-tpu-v5p): expected a valid number, unable "
        "to parse string as a number; found 'lots'",
    ),
    (
        "accelerators_google.yaml",
        "memory_gb: 95",
        "memory_bg: 95",
        "accelerators_google.yaml: line 11: accelerators.7.memory_bg (google-tpu-v5p): expected a field of the schema "
        "(is 'memory_gb' meant?); found unknown field 'memory_bg'",
    ),
    (
        "accelerators_google.yaml",
        "generation: google-tpu-v7,",
        "generation: google-tpu-v77,",
        "accelerators_google.yaml: line 13: accelerators.9.generation (google-tpu-v7): expected an id of generations; "
        "found 'google-tpu-v77'",
    ),
    (
        "generations.yaml",
        "{id: google-tpu-v2, vendor: google",
        "{id: google-tpu-v2, vendor: gogle",
        "generations.yaml: line 47: generations.38.vendor (google-tpu-v2): expected an id of organisations; "
        "found 'gogle'",
    ),
    (
        "mlperf_rounds.yaml",
        "published: 2018-12-12",
        "published: 2018-13-12",
        "mlperf_rounds.yaml: line 4: rounds.0.published: expected a value that exists (month must be in 1..12); found "
        "2018-13-12",
    ),
    (
        "mlperf_rounds.yaml",
        "suite: training, round: v0.6",
        "suite: training, round: v0.5",
        "mlperf_rounds.yaml: line 5: rounds.1 (training/v0.5): expected each id once; found 'training/v0.5', also in "
        "mlperf_rounds.yaml line 4",
    ),
    (
        "systems.yaml",
        "{accelerator: nvidia-gb200, count: 72}",
        "{accelerator: nvidia-gb200, cpu: NVIDIA Grace, count: 72}",
        "systems.yaml: line 11: systems.0.parts.0 (nvidia-gb200-nvl72): expected either an accelerator or a cpu; found "
        "{'accelerator': 'nvidia-gb200', 'cpu': 'NVIDIA Grace', 'count': 72}",
    ),
    (
        "systems.yaml",
        "{accelerator: nvidia-gb200, count: 72}",
        "{accelerator: nvidia-gb2000, count: 72}",
        "systems.yaml: line 11: systems.0.parts.0.accelerator (nvidia-gb200-nvl72): expected an id of accelerators; "
        "found 'nvidia-gb2000'",
    ),
    (
        "organisations.yaml",
        "parent: intel,",
        "parent: intel, parent: intel,",
        "organisations.yaml: line 8: organisations.3.parent: expected each key once; found also on line 8",
    ),
    (
        "references.yaml",
        "references:",
        "reference:",
        "references.yaml: line 2: reference: expected a section of the registry (is 'references' meant?); "
        "found unknown section 'reference'",
    ),
]


@pytest.mark.parametrize(("file", "right", "wrong", "message"), MISTAKES, ids=[m[3] for m in MISTAKES])
def test_a_mistake_names_its_place(folder: Path, file: str, right: str, wrong: str, message: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert right in text
    (folder / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(RegistryError) as error:
        read_entries(folder)
    assert str(error.value) == message


def test_a_file_that_is_no_yaml_is_named(folder: Path) -> None:
    (folder / "generations.yaml").write_text("generations: [", encoding="utf-8")
    with pytest.raises(RegistryError, match=r"^generations\.yaml: line 1: expected well-formed YAML; found "):
        read_entries(folder)


def test_an_alias_taken_twice_is_refused(folder: Path) -> None:
    path = folder / "accelerators_intel.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("aliases: [Goya]", "aliases: [Goya, NVIDIA T4]"), encoding="utf-8")
    with pytest.raises(RegistryError) as error:
        AcceleratorNames(read_entries(folder))
    assert str(error.value) == "accelerators: nvidia-t4: alias 'nvidia-t4' is also intel-goya's"


def test_ids_are_unique() -> None:
    ids = list(accelerator_ids(ENTRIES))
    assert len(ids) == len(set(ids))
