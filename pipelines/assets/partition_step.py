"""The one loop of every partitioned step: what is unchanged is not made again, what is new joins what is held.

A partition is made of items (captures, documents). Its rows carry the key of their item, so rows that this very code
made of an item are taken over. Nothing here knows what is read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import current_process, get_context
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.frozen import frozen
from pipelines.lake import Lake, arrow_schema, table_of
from pipelines.problems import InputError, Problem, Reason
from pipelines.upkeep.orphans import end_with_parent

FAILED = "failed-"


@frozen
class Outcome:
    """What became of one partition: counts by name, among them `read_now`; `error` says why it keeps its last state."""

    partition: str
    counts: Mapping[str, Any]
    error: str = ""


class PartitionStep(ABC):
    """One partition of one step: what it is made of, and how its items are read.

    Subclasses are frozen dataclasses of plain values, for they travel into worker processes.
    """

    partition: str
    account: ClassVar[str]  # the table of its items
    key: ClassVar[str] = ""  # the column that names an item in every table of `schemas`; '' where all is made anew
    rows: ClassVar[Mapping[str, type]] = {}  # the row types of its tables, where they are the same for every partition
    pool_from: ClassVar[int] = 1  # items to read; below, starting processes takes longer than reading

    @property
    def source_id(self) -> str:
        """The source whose problem it is when the partition cannot be made."""
        return self.partition

    @property
    @abstractmethod
    def inputs(self) -> str:
        """Changes when the partition is to be made again."""

    @property
    @abstractmethod
    def code(self) -> str:
        """Changes when the same items may give other rows: code, and settings of the source that shape its rows."""

    @property
    def last(self) -> str:
        """The table that is written last: a partition is current only when this one is."""
        return self.account

    @property
    def schemas(self) -> Mapping[str, pa.Schema]:
        """The tables that items give rows of, the account among them."""
        return {name: arrow_schema(row_type) for name, row_type in self.rows.items()}

    def items(self) -> Sequence[str]:
        """The keys of all items, in the order of their rows; none where all is read together."""
        return ()

    @abstractmethod
    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        """The rows of these items, in the tables of `schemas`."""

    def reusable(self, account: pa.Table) -> set[str]:
        """The items whose rows may be taken over, by the account of what is held."""
        return set(account.column(self.key).to_pylist())

    def finish(self, tables: Mapping[str, pa.Table]) -> Mapping[str, pa.Table]:
        """Tables that follow from the whole partition, and tables of `schemas` put right by it."""
        return {}

    def place(self, table: str) -> str:
        """The partition that a table is written to: its own, unless another step of the source writes there too."""
        return self.partition

    def counts(self, tables: Mapping[str, pa.Table]) -> dict[str, Any]:
        """What a report says of the partition."""
        return {name: table.num_rows for name, table in tables.items()}


@dataclass(frozen=True)
class OfDocuments(PartitionStep):
    """A step whose partition is made from documents of the lake."""

    partition: str
    lake: Path
    documents: str  # what the partition of documents was made from

    @property
    def inputs(self) -> str:
        return self.documents


def run_steps(steps: Iterable[PartitionStep], lake: Path, workers: int) -> Iterator[Outcome]:
    """Make the partitions that are not current, several at a time where that pays; outcomes in the order of steps.

    A partition that fails keeps its last state, is named in the table of problems, and stops no other.
    """
    ordered = list(steps)
    held = [_held(step, Lake(lake)) for step in ordered]
    stale = [step for step, outcome in zip(ordered, held, strict=True) if outcome is None]
    may_pool = workers > 1 and not current_process().daemon  # a worker of Dask may start no processes of its own
    is_pooled = may_pool and len(stale) > 1 and sum(len(s.items()) for s in stale) >= stale[0].pool_from
    if not is_pooled:
        yield from (outcome or attempt(step, lake) for step, outcome in zip(ordered, held, strict=True))
        return
    processes = min(workers, len(stale))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=end_with_parent) as pool:
        made = pool.map(partial(attempt, lake=lake), stale)
        yield from (outcome or next(made) for outcome in held)


def attempt(step: PartitionStep, lake: Path) -> Outcome:
    """Make one partition, or say why it could not be made."""
    home, failed = Lake(lake), f"{FAILED}{step.account}-{step.partition}"
    try:
        outcome = make(step, home)
    except Exception as error:  # noqa: BLE001 - whatever one partition meets must not stop the others
        place, reason, why = step.account, Reason.PARTITION_FAILED, f"{type(error).__name__}: {error}"
        if isinstance(error, InputError):  # the input is at fault, not the reading: it says where
            place, reason, why = error.place, error.reason, error.detail
        problem = Problem(step.source_id, step.partition, place, reason, why, is_fatal=True)
        home.write("problems", failed, table_of([problem], Problem), inputs="", code="")
        return Outcome(step.partition, {}, why)
    home.drop("problems", failed)
    return outcome


def make(step: PartitionStep, lake: Lake) -> Outcome:
    """Read what is new, put it beside what is held, and write what may have changed."""
    wanted = list(dict.fromkeys(step.items()))
    held, is_all = _reusable(step, lake, set(wanted))
    known = dict.fromkeys(held[step.account].column(step.key).to_pylist() if held else ())
    new = [item for item in wanted if item not in known]
    read = step.read(new)
    tables = {
        name: _in_order(step.key, wanted, [part[name].cast(schema) for part in (held, read) if name in part])
        for name, schema in step.schemas.items()
    }
    finished = step.finish(tables)
    counts = step.counts({**tables, **finished}) | {"read_now": len(new)}
    if is_all and list(known) == wanted:  # the tables of the same items stand: only what follows from more is written
        tables = {name: rows for name, rows in tables.items() if name == step.last}
    tables |= finished
    for name in sorted(tables, key=lambda name: name == step.last):
        lake.write(name, step.place(name), tables[name], inputs=step.inputs, code=step.code, counts=counts)
    return Outcome(step.partition, counts)


def failed_partitions(lake: Path) -> list[str]:
    """The partitions that could not be made when last tried; the next run tries them again."""
    return [path.stem for path in Lake(lake).partitions("problems") if path.stem.startswith(FAILED)]


def forget(lake: Path, tables: Iterable[str], partition: str) -> None:
    """Remove the partitions of a source that is not read so (any more)."""
    for table in tables:
        Lake(lake).drop(table, partition)


def _held(step: PartitionStep, lake: Lake) -> Outcome | None:
    """The outcome of a partition that is current; None where it is to be made."""
    marks = lake.marks(step.last, step.partition)
    if marks is None or (marks.inputs, marks.code) != (step.inputs, step.code):
        return None
    if not all(lake.path(name, step.partition).exists() for name in step.schemas):
        return None
    return Outcome(step.partition, {**marks.counts, "read_now": 0})


def _reusable(step: PartitionStep, lake: Lake, wanted: set[str]) -> tuple[dict[str, pa.Table], bool]:
    """Rows of the wanted items that this very code has read, and whether they are all that is held.

    Nothing where a table of them is missing or another's.
    """
    found = [lake.marks(name, step.partition) for name in step.schemas] if step.key else []
    if not found or any(marks is None or marks.code != step.code for marks in found):
        return {}, False
    keys = pa.array(sorted(step.reusable(lake.read(step.account, step.partition)) & wanted), pa.string())
    held = {name: lake.read(name, step.partition) for name in step.schemas}
    kept = {name: rows.filter(pc.is_in(rows.column(step.key), keys)) for name, rows in held.items()}
    return kept, all(kept[name].num_rows == rows.num_rows for name, rows in held.items())


def _in_order(key: str, wanted: Sequence[str], parts: Sequence[pa.Table]) -> pa.Table:
    """The parts as one table, its rows in the order of their items: a partition made in steps is as made at once."""
    rows = pa.concat_tables(parts)
    if not key or len(parts) == 1:
        return rows
    place = pc.index_in(rows.column(key), value_set=pa.array(wanted, pa.string()))
    order = pc.sort_indices(place)
    return rows if order.equals(pa.array(range(len(rows)), pa.uint64())) else rows.take(order)
