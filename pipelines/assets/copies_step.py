"""The work of finding copies, without Dagster: a sketch of each document, kept by source; pairs over all of them.

A document is sketched once. Only what is new is compared with the others; how the rest came out is kept.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.assets.lake_document import stated_on
from pipelines.assets.partition_step import Made, OfDocuments, Outcome, once, run_steps
from pipelines.frozen import frozen
from pipelines.lake import Lake, arrow_schema, code_version, digest, table_of
from pipelines.model.claim_row import CopyRow
from pipelines.repeats.copies import Comparison, Documents, Held, Sketch, sketch
from pipelines.settings import PROJECT_ROOT

EVERY_SOURCE = "all"  # the one partition of the copies


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
        ids: list[str] = self._days.column("document_id").to_pylist()
        return ids

    def listed(self) -> pa.Table:
        """The day of a document may change with another capture."""
        return self._days

    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        rows: list[Any] = []
        if items:
            columns, where = ["document_id", "text"], ("document_id", items)
            rows = Lake(self.lake).read("documents", self.partition, columns, where=where).to_pylist()
        texts = {row["document_id"]: row["text"] for row in rows}
        sketches = [sketch(item, texts[item]) for item in items]
        chosen = self._days.filter(pc.is_in(self._days.column("document_id"), pa.array(items, pa.string())))
        days = dict(zip(*(column.to_pylist() for column in chosen.columns), strict=True))
        held = (Held(s.document_id, days[s.document_id], s.word_bands, s.name_bands) for s in sketches)
        return {"sketches": table_of(sketches, Sketch), "sketched": table_of(held, Held)}

    @cached_property
    def _days(self) -> pa.Table:
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
        held, before = _held(lake), self._before(lake)
        ids = held.column("document_id").to_pylist()
        days = dict(zip(ids, _numbered(held.column("stated_on")), strict=True))
        same = {name for name, day in before.items() if days.get(name) == day}
        bands = (held.column(name).to_pylist() for name in ("word_bands", "name_bands"))
        known = lake.read("copies", self.partition) if before else arrow_schema(CopyRow).empty_table()
        names, origins = (known.column(name).to_pylist() for name in ("document_id", "origin_document_id"))
        comparison = Comparison(Documents(ids, *bands), same, dict(zip(names, origins, strict=True)))
        place = dict(zip(ids, held.column("partition").to_pylist(), strict=True))
        found = table_of(comparison.rows(lambda ids: _sketches(lake, ids, place)), CopyRow)
        stands = known.filter(pa.array([name in comparison.stands for name in names], pa.bool_()))
        return {
            "copies": pa.concat_tables([stands, found]).sort_by("document_id"),
            "compared": held.select(arrow_schema(Compared).names),
        }

    def counts(self, made: Made) -> dict[str, Any]:
        return {"copies": made.count("copies")}

    def _before(self, lake: Lake) -> dict[str, int]:
        """What was compared by this very code and its days, where the copies that stand are what came of it."""
        found = [lake.marks(table, self.partition) for table in self.rows]
        is_whole = all(marks is not None and marks.code == self.code for marks in found)
        is_one = len({marks.inputs for marks in found if marks is not None}) == 1
        if not is_whole or not is_one:
            return {}
        rows = lake.read("compared", self.partition, ["document_id", "stated_on"])
        return dict(zip(rows.column(0).to_pylist(), _numbered(rows.column(1)), strict=True))


def _held(lake: Lake) -> pa.Table:
    """What tells of each document which others it may repeat, in the order of their days and ids, with its source.

    Of a document that several sources hold the oldest day counts.
    """
    tables = [arrow_schema(Held).empty_table().append_column("partition", pa.array([], pa.string()))]
    for name in lake.partitions("sketched"):
        rows = lake.read("sketched", name)
        tables.append(rows.append_column("partition", pa.array([name] * len(rows), pa.string())))
    order = [(name, "ascending") for name in ("stated_on", "document_id", "partition")]
    return once(pa.concat_tables(tables).sort_by(order))


def _numbered(days: pa.ChunkedArray) -> list[int]:
    """Days as numbers: ten times as quick to make as dates."""
    numbers: list[int] = days.cast(pa.int32()).to_pylist()
    return numbers


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
