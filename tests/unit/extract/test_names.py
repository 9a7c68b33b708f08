"""Named things of a text: known ones, their variants, and names with a tail that is another thing's."""

from __future__ import annotations

import pytest

from pipelines.extract.names.mentions import find_mentions
from pipelines.registry.mentions import NameFinder

FINDER = NameFinder.load()


def named(text: str) -> list[tuple[str, bool]]:
    """The names of a text with whether the registry knows them."""
    return [(m.name, bool(m.subject_id)) for m in find_mentions(text, FINDER) if m.kind != "organisation"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Microsoft's Maia 2 accelerator arrives later", "Microsoft Maia 2"),
        ("the Google TPU v6 doubles it", "Google TPU v6"),
        ("a Cerebras WSE-3 Turbo wafer", "Cerebras WSE-3 Turbo"),
    ],
)
def test_a_known_name_with_an_unread_tail_is_another_unknown_name(text: str, name: str) -> None:
    assert (name, False) in named(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The NVIDIA H100 draws 700 W", "NVIDIA H100"),
        ("each NVIDIA H200 141 GB card", "NVIDIA H200"),
        ("AMD Instinct MI300X in 2 nodes", "AMD Instinct MI300X"),
    ],
)
def test_a_number_with_its_own_unit_is_no_tail(text: str, name: str) -> None:
    assert (name, True) in named(text)


def test_kinds_of_memory_are_named_too() -> None:
    kinds = {m.name: m.kind for m in find_mentions("A stack of HBM3E holds 36 GB, one of Micron HBM4 48 GB.", FINDER)}
    assert kinds["HBM3E"] == "memory"
    assert kinds["Micron HBM4"] == "memory"
