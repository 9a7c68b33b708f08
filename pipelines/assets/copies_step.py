"""The work of finding copies, without Dagster: a sketch of each document, kept by source; pairs over all of them.

A document is sketched once. Comparing the sketches of all documents takes a small part of the time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from pipelines.assets.lake_document import stated_on
from pipelines.assets.partition_step import OfDocuments, Outcome, run_steps
from pipelines.extract.copies import Sketch, find_copies, sketch
from pipelines.lake import Lake, code_version, digest, table_of
from pipelines.model.claim_row import CopyRow
from pipelines.settings import PROJECT_ROOT

EVERY_SOURCE = "all"  # the one partition of the copies


@cache
def sketch_version() -> str:
    """Changes when the sketches do, or what is made of them."""
    return code_version(PROJECT_ROOT / "pipelines" / "extract" / "copies.py", Path(__file__))


@dataclass(frozen=True)
class SketchesStep(OfDocuments):
    """The sketches of one source's documents."""

    account: ClassVar[str] = "sketches"
    rows: ClassVar[Mapping[str, type]] = {"sketches": Sketch}
    key: ClassVar[str] = "document_id"
    pool_from: ClassVar[int] = 200

    @property
    def code(self) -> str:
        return sketch_version()

    def items(self) -> Sequence[str]:
        ids = Lake(self.lake).read("documents", self.partition, ["document_id"]).column("document_id").to_pylist()
        return [document_id for document_id in ids if document_id]

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        rows: list[Any] = []
        if items:
            columns, chosen = ["document_id", "text"], ("document_id", items)
            rows = Lake(self.lake).read("documents", self.partition, columns, where=chosen).to_pylist()
        texts = {row["document_id"]: row["text"] for row in rows}
        return {self.account: table_of((sketch(item, texts[item]) for item in items), Sketch)}


@dataclass(frozen=True)
class CopiesStep(OfDocuments):
    """Near-duplicates among the documents of all sources; any new document may be a copy of any other."""

    account: ClassVar[str] = "copies"
    rows: ClassVar[Mapping[str, type]] = {"copies": CopyRow}

    @property
    def code(self) -> str:
        return sketch_version()

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        lake = Lake(self.lake)
        names = [path.stem for path in lake.partitions("documents")]
        found: dict[str, Sketch] = {}
        days: dict[str, dt.date] = {}
        for name in names:
            found |= {row["document_id"]: _sketch(row) for row in lake.read("sketches", name).to_pylist()}
            for document_id, day in stated_on(lake, name).items():
                days[document_id] = min(day, days.get(document_id, day))
        return {"copies": table_of(find_copies(found, days), CopyRow)}


def _sketch(row: dict[str, Any]) -> Sketch:
    return Sketch(row["document_id"], row["words"], row["names"], tuple(row["signs"]))


def build_copies(lake: Path, workers: int = 1) -> Iterator[Outcome]:
    """Look for copies among all documents of the lake."""
    held = Lake(lake)
    marks = {path.stem: held.marks("documents", path.stem) for path in held.partitions("documents")}
    made_of = {name: digest(found.inputs, found.code) for name, found in marks.items() if found is not None}
    sketched = list(run_steps([SketchesStep(name, lake, made) for name, made in made_of.items()], lake, workers))
    yield from (outcome for outcome in sketched if outcome.error)
    yield from run_steps(
        [CopiesStep(EVERY_SOURCE, lake, digest(*(f"{name}:{made}" for name, made in made_of.items())))], lake, 1
    )
