"""Words of the field that say nothing of their own: what speaks of hardware, and what is no name. Read once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from pipelines.registry.entries import Entry
from pipelines.registry.read_yaml import HERE, read_model


class FieldWords(Entry):
    """The words of `field_words.yaml`, which says what each list is for."""

    hardware_words: tuple[str, ...]
    lower_case_too: tuple[str, ...]
    no_machine: frozenset[str]
    no_product: frozenset[str]
    no_label: frozenset[str]
    legal_forms: frozenset[str]
    no_owner: frozenset[str]
    no_part_of_a_name: frozenset[str]
    tickers: Mapping[str, str]
    rented_as: Mapping[str, str]
    after_nouns: frozenset[str]
    of_english: frozenset[str]
    of_comma_writers: frozenset[str]


@lru_cache(maxsize=1)
def load_field_words() -> FieldWords:
    """The words that ship with the code; raises `RegistryError` for a mistake in the file."""
    return read_model(HERE / "field_words.yaml", FieldWords)
