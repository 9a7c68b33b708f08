"""A partition whose items are words, for tests of the loop that all steps share. Here so that workers can import it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from pipelines.assets.partition_step import Made, PartitionStep
from pipelines.frozen import frozen
from pipelines.lake import arrow_schema, digest, table_of


@frozen
class Letter:
    """One letter of a word, and the process that read it."""

    word: str
    letter: str
    process: int


@frozen
class Word:
    """The account: one row a word, and nothing told of it."""

    word: str
    told: str = ""


@dataclass(frozen=True)
class WordsStep(PartitionStep):
    """Spells words; each word that is read is noted as a line of `log`, and the word 'bad' cannot be read."""

    account: ClassVar[str] = "words"
    key: ClassVar[str] = "word"
    told: ClassVar[tuple[str, ...]] = ("told",)
    pool_from: ClassVar[int] = 3

    partition: str
    words: tuple[str, ...]
    log: Path
    version: str = "1"
    again: tuple[str, ...] = ()  # words that are to be read again

    @property
    def inputs(self) -> str:
        return digest(*self.words)

    @property
    def code(self) -> str:
        return self.version

    @property
    def schemas(self) -> Mapping[str, pa.Schema]:
        return {"letters": arrow_schema(Letter), "words": arrow_schema(Word)}

    def items(self) -> Sequence[str]:
        return self.words

    def listed(self) -> pa.Table:
        schema = arrow_schema(Word)
        return pa.table(
            {"word": self.words, "told": ["anew" if word in self.again else "" for word in self.words]}, schema
        )

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        if "bad" in items:
            raise ValueError("no such word")
        with self.log.open("a") as file:
            file.writelines(f"{word}\n" for word in items)
        letters = [Letter(word, letter, os.getpid()) for word in items for letter in word]
        return {"letters": table_of(letters, Letter), "words": table_of(map(Word, items), Word)}

    def finish(self, made: Made) -> Mapping[str, pa.Table]:
        return {"spelled": made.rows("letters", ["letter"])}
