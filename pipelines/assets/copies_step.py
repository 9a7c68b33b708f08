"""The work of finding copies, without Dagster: a sketch of each document, kept by source; pairs over all of them.

A document is sketched once. Only what is new is compared with the others; how the rest came out is kept.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pyarrow as pa

from pipelines.assets.lake_document import stated_on
from pipelines.assets.partition_step import Made, OfDocuments, Outcome, run_steps
from pipelines.frozen import frozen
from pipelines.lake import Lake, arrow_schema, code_version, digest, table_of
from pipelines.model.claim_row import CopyRow
from pipelines.repeats.copies import Comparison, Held, Sketch, sketch
from pipelines.settings import PROJECT_ROOT

EVERY_SOURCE = "all"  # the one partition of the copies

Row = TypeVar("Row")


@frozen
class Compared:
    """That a document was compared with all others, as one of this day."""

    document_id: str
    stated_on: dt.date


@cache
def sketch_version() -> str:
    """Changes when the sketches do, or what is made of them."""
    return code_version(PROJECT_ROOT / "pipelines" / "repeats", Path(__file__))


@dataclass(frozen=True)
class SketchesStep(OfDocuments):
    """The sketches of one source's documents, and apart from them what says which others they may repeat."""

    account: ClassVar[str] = "sketched"
    rows: ClassVar[Mapping[str, type]] = {"sketches": Sketch, "sketched": Held}
    key: ClassVar[str] = "document_id"
    told: ClassVar[tuple[str, ...]] = ("stated_on",)
    pool_from: ClassVar[int] = 200

    @property
    def code(self) -> str:
        return sketch_version()

    def items(self) -> Sequence[str]:
        return list(self._days)

    def is_reusable(self, told: Mapping[str, Any]) -> bool:
        """The day of a document may change with another capture."""
        return bool(self._days.get(told["document_id"]) == told["stated_on"])

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        rows: list[Any] = []
        if items:
            columns, chosen = ["document_id", "text"], ("document_id", items)
            rows = Lake(self.lake).read("documents", self.partition, columns, where=chosen).to_pylist()
        texts = {row["document_id"]: row["text"] for row in rows}
        sketches = [sketch(item, texts[item]) for item in items]
        held = (Held(s.document_id, self._days[s.document_id], s.word_bands, s.name_bands) for s in sketches)
        return {"sketches": table_of(sketches, Sketch), "sketched": table_of(held, Held)}

    @cached_property
    def _days(self) -> dict[str, dt.date]:
        return stated_on(Lake(self.lake), self.partition)


@dataclass(frozen=True)
class CopiesStep(OfDocuments):
    """Near-duplicates among the documents of all sources; any new document may be a copy of any other."""

    account: ClassVar[str] = "copies"
    rows: ClassVar[Mapping[str, type]] = {"compared": Compared, "copies": CopyRow}

    @property
    def code(self) -> str:
        return sketch_version()

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        lake = Lake(self.lake)
        held: dict[str, Held] = {}
        place: dict[str, str] = {}
        for name in lake.partitions("sketched"):
            for item in _rows(lake, "sketched", name, Held):
                known = held.get(item.document_id)
                if known is None or item.stated_on < known.stated_on:
                    held[item.document_id], place[item.document_id] = item, name
        before = self._before(lake)
        days = {name: item.stated_on for name, item in held.items()}
        same = {name for name, day in before.items() if days.get(name) == day}
        comparison = Comparison(held.values(), same, _rows(lake, "copies", self.partition, CopyRow) if before else [])
        now = {"document_id": list(days), "stated_on": list(days.values())}
        return {
            "copies": table_of(comparison.rows(lambda ids: _sketches(lake, ids, place)), CopyRow),
            "compared": pa.Table.from_pydict(now, schema=arrow_schema(Compared)),
        }

    def counts(self, made: Made) -> dict[str, Any]:
        return {"copies": made.count("copies")}

    def _before(self, lake: Lake) -> dict[str, dt.date]:
        """What was compared by this very code and its days, where the copies that stand are what came of it."""
        found = [lake.marks(table, self.partition) for table in self.rows]
        is_whole = all(marks is not None and marks.code == self.code for marks in found)
        is_one = len({marks.inputs for marks in found if marks is not None}) == 1
        if not is_whole or not is_one:
            return {}
        rows = lake.read("compared", self.partition, ["document_id", "stated_on"])
        return dict(zip(*(column.to_pylist() for column in rows.columns), strict=True))


def _rows(lake: Lake, table: str, partition: str, row_type: type[Row]) -> list[Row]:
    rows = lake.read(table, partition)
    columns = (rows.column(name).to_pylist() for name in arrow_schema(row_type).names)
    return [row_type(*values) for values in zip(*columns, strict=True)]


def _sketches(lake: Lake, ids: Collection[str], place: Mapping[str, str]) -> dict[str, Sketch]:
    """The sketches of these documents; `place` says the source of each."""
    by_source: dict[str, list[str]] = {}
    for document_id in ids:
        by_source.setdefault(place[document_id], []).append(document_id)
    found: dict[str, Sketch] = {}
    for name, wanted in by_source.items():
        for row in lake.read("sketches", name, where=("document_id", wanted)).to_pylist():
            found[row["document_id"]] = Sketch(**row | {"signs": tuple(row["signs"])})
    return found


def build_copies(lake: Path, workers: int = 1) -> Iterator[Outcome]:
    """Look for copies among all documents of the lake."""
    held = Lake(lake)
    made_of = {name: held.state("documents", name) for name in held.partitions("documents")}
    sketched = list(run_steps([SketchesStep(name, lake, made) for name, made in made_of.items()], lake, workers))
    yield from (outcome for outcome in sketched if outcome.error)
    yield from run_steps(
        [CopiesStep(EVERY_SOURCE, lake, digest(*(f"{name}:{made}" for name, made in made_of.items())))], lake, 1
    )
