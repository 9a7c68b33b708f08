"""The one loop of every partitioned step: what is unchanged is not made again, what is new joins what is held.

A partition is made of items (captures, documents). Its rows carry the key of their item, so rows that this very code
made of an item are taken over. New items at the end are written as a part of their own, which takes up the parts before
it that are not much larger: a partition stays a few files, and an item is written a few times whatever comes later.
Nothing here knows what is read.
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
from pipelines.lake import Lake, Part, arrow_schema, digest, read_rows, standing, table_of
from pipelines.problems import InputError, Problem, Reason
from pipelines.upkeep.worker import end_with_parent

FAILED = "failed-"
MADE = "made"  # the table whose partitions have no rows: their marks say of which inputs a step was made
TAKEN_UP = 4  # a part that has at most so many times the items of what comes is written with it
AT_ONCE = 256  # items that are read before their rows are written

_FILES = "files"
_NOTHING = pa.table({})


@frozen
class Outcome:
    """What became of one partition: counts by name, among them `read_now`; `error` says why it keeps its last state."""

    partition: str
    counts: Mapping[str, Any]
    error: str = ""


@frozen
class Made:
    """The tables of one partition as they stand."""

    lake: Lake
    partition: str

    def rows(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of a table."""
        return self.lake.read(table, self.partition, columns)

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return self.lake.count(table, self.partition)


class PartitionStep(ABC):
    """One partition of one step: what it is made of, and how its items are read.

    Subclasses are frozen dataclasses of plain values, for they travel into worker processes.
    """

    partition: str
    account: ClassVar[str]  # the table of its items
    key: ClassVar[str] = ""  # the column that names an item in every table of `schemas`; '' where all is made anew
    told: ClassVar[tuple[str, ...]] = ()  # more columns of the account that the rows of an item follow from
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
    def schemas(self) -> Mapping[str, pa.Schema]:
        """The tables that items give rows of, the account among them."""
        return {name: arrow_schema(row_type) for name, row_type in self.rows.items()}

    def items(self) -> Sequence[str]:
        """The keys of all items, in the order of their rows; none where all is read together."""
        return ()

    @abstractmethod
    def read(self, items: Sequence[str]) -> Mapping[str, pa.Table]:
        """The rows of these items, in the tables of `schemas`."""

    def listed(self) -> pa.Table:
        """The items in order with the columns `told` as they are now; one with others than before is read again."""
        return pa.table({self.key: pa.array(self.items(), pa.string())})

    def finish(self, made: Made) -> Mapping[str, pa.Table]:
        """Small tables that follow from the whole partition."""
        return {}

    def place(self, table: str) -> str:
        """The partition that a table of `finish` is written to: its own, unless another step writes there too."""
        return self.partition

    def counts(self, made: Made) -> dict[str, Any]:
        """What a report says of the partition."""
        return {name: made.count(name) for name in self.schemas}


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
    """Read what is new, write it beside what is held, and then what follows from the whole partition."""
    read_now = _take_in(step, lake) if step.key else _make_anew(step, lake, list(dict.fromkeys(step.items())))
    made = Made(lake, step.partition)
    counts = step.counts(made) | {"read_now": read_now}
    for name, rows in step.finish(made).items():
        lake.write(name, step.place(name), rows, inputs=step.inputs, code=step.code)
    told = {**counts, _FILES: _files(step, lake)}
    lake.write(MADE, _name(step), _NOTHING, inputs=step.inputs, code=step.code, counts=told)
    return Outcome(step.partition, counts)


def _make_anew(step: PartitionStep, lake: Lake, wanted: Sequence[str]) -> int:
    """Read everything; returns how many items that were."""
    read = step.read(wanted)
    for name, schema in step.schemas.items():
        lake.write(name, step.partition, read[name].cast(schema), inputs=step.inputs, code=step.code)
    return len(wanted)


def _take_in(step: PartitionStep, lake: Lake) -> int:
    """Read the items that are not held, and put their rows in place; returns how many items that were.

    What comes at the end is appended, some items at a time: a run that is killed has not read them in vain. Where an
    item goes, is to be read again or comes between others, the partition is written whole.
    """
    listed, parts = once(step.listed()), _in_line(step, lake)
    held = _account(step, lake, parts)
    is_other_code = not parts and bool(lake.parts(step.account, step.partition))
    if is_other_code or not _goes_on(held, listed):
        return _write_whole(step, lake, listed, held)
    new = listed.column(step.key).slice(len(held)).to_pylist()
    for some in _at_a_time(new) or ([[]] if not parts else []):
        parts = _append(step, lake, parts, some)
    return len(new)


def _goes_on(held: pa.Table, listed: pa.Table) -> bool:
    """Whether what is listed begins with what is held; compared as columns, for it is as long as the partition."""
    first = listed.slice(0, len(held))
    return all(first.column(name).equals(held.column(name)) for name in held.column_names)


def once(listed: pa.Table) -> pa.Table:
    """Each item where it is first named."""
    if pc.count_distinct(listed.column(0)).as_py() == len(listed):
        return listed
    items = listed.column(0).to_pylist()
    place = {item: place for place, item in reversed(list(enumerate(items)))}
    return listed.take(sorted(place.values()))


def _in_line(step: PartitionStep, lake: Lake) -> list[Part]:
    """The parts that all tables of a step have, of this very code and the same items.

    The others are left of a writer that was killed, or hold what other code made.
    """
    code = step.code
    found = [
        {
            (part, marks.inputs)
            for part in lake.parts(name, step.partition)
            if (marks := lake.marks(name, step.partition, part)) is not None and marks.code == code
        }
        for name in step.schemas
    ]
    return standing(part for part, _ in set.intersection(*found))


def _account(step: PartitionStep, lake: Lake, parts: Iterable[Part]) -> pa.Table:
    """What these parts of the account tell of their items."""
    names = [step.key, *step.told]
    files = (read_rows(lake.path(step.account, step.partition, part), names) for part in parts)
    return pa.concat_tables([step.schemas[step.account].empty_table().select(names), *files])


def _write_whole(step: PartitionStep, lake: Lake, listed: pa.Table, held: pa.Table) -> int:
    """Write a partition as one part, of what is held and told as it is now and what is new; returns how much is new."""
    now = dict(_told(listed))
    usable = {item for item, told in _told(held) if item in now and now[item] == told}
    new = [item for item in now if item not in usable]
    read, keys = step.read(new), pa.array(sorted(usable), pa.string())
    tables = {name: [read[name].cast(schema)] for name, schema in step.schemas.items()}
    parts = _in_line(step, lake) if usable else []
    for name, found in tables.items():
        rows = [read_rows(lake.path(name, step.partition, part)) for part in parts]
        found += [each.filter(pc.is_in(each.column(step.key), keys)) for each in rows]
    end = max(part.last for name in tables for part in lake.parts(name, step.partition)) + 1
    ordered = {name: _in_order(step.key, list(now), found) for name, found in tables.items()}
    _put(step, lake, Part(0, end), ordered)
    return len(new)


def _told(items: pa.Table) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each item with what is told of it."""
    for item, *told in zip(*(column.to_pylist() for column in items.columns), strict=True):
        yield item, tuple(told)


def _append(step: PartitionStep, lake: Lake, parts: Sequence[Part], items: Sequence[str]) -> list[Part]:
    """Read these items and write them as a part at the end; returns the parts that stand then."""
    read, kept, count = step.read(items), list(parts), len(items)
    while kept and (size := _size(step, lake, kept[-1])) <= TAKEN_UP * count:
        kept.pop()
        count += size
    joined, end = parts[len(kept) :], parts[-1].last + 1 if parts else 0
    tables = {
        name: pa.concat_tables(
            [*(read_rows(lake.path(name, step.partition, part)) for part in joined), read[name].cast(schema)]
        )
        for name, schema in step.schemas.items()
    }
    for name in tables:  # what a killed writer left of the write that comes now
        lake.drop(name, step.partition, kept=parts)
    part = Part(joined[0].first if joined else end, end)
    _put(step, lake, part, tables)
    return [*kept, part]


def _size(step: PartitionStep, lake: Lake, part: Part) -> int:
    """How many items a part has."""
    marks = lake.marks(step.account, step.partition, part)
    return marks.counts["items"] if marks is not None else 0


def _put(step: PartitionStep, lake: Lake, part: Part, tables: Mapping[str, pa.Table]) -> None:
    """Write one part of every table, the account last, and remove what it takes the place of.

    A part says which items it is made of, so that parts of one write are known in every table.
    """
    account = tables[step.account].select([step.key, *step.told])
    made_of = digest(*(str(value) for column in account.columns for value in column.to_pylist()))
    counts = {"items": account.num_rows}
    for name in sorted(tables, key=lambda name: name == step.account):
        lake.write(name, step.partition, tables[name], inputs=made_of, code=step.code, counts=counts, part=part)
    for name in tables:
        lake.drop(name, step.partition, kept=standing(lake.parts(name, step.partition)))


def _at_a_time(items: Sequence[str]) -> list[Sequence[str]]:
    return [items[start : start + AT_ONCE] for start in range(0, len(items), AT_ONCE)]


def failed_partitions(lake: Path) -> list[str]:
    """The partitions that could not be made when last tried; the next run tries them again."""
    return [name for name in Lake(lake).partitions("problems") if name.startswith(FAILED)]


def forget(lake: Path, tables: Iterable[str], partition: str) -> None:
    """Remove the partitions of a source that is not read so (any more)."""
    for table in tables:
        Lake(lake).drop(table, partition)


def _held(step: PartitionStep, lake: Lake) -> Outcome | None:
    """The outcome of a partition that is current; None where it is to be made."""
    marks = lake.marks(MADE, _name(step))
    if marks is None or (marks.inputs, marks.code) != (step.inputs, step.code):
        return None
    counts = dict(marks.counts)
    return Outcome(step.partition, counts | {"read_now": 0}) if counts.pop(_FILES) == _files(step, lake) else None


def _name(step: PartitionStep) -> str:
    """The partition that says of which inputs a step's tables were made."""
    return f"{step.account}-{step.partition}"


def _files(step: PartitionStep, lake: Lake) -> list[str]:
    """The files of a step's tables."""
    return [f"{name}{part}" for name in sorted(step.schemas) for part in lake.parts(name, step.partition)]


def _in_order(key: str, wanted: Sequence[str], parts: Sequence[pa.Table]) -> pa.Table:
    """The parts as one table, its rows in the order of their items: a partition made in steps is as made at once."""
    rows = pa.concat_tables(parts)
    if not key or len(parts) == 1:
        return rows
    place = pc.index_in(rows.column(key), value_set=pa.array(wanted, pa.string()))
    order = pc.sort_indices(place)
    return rows if order.equals(pa.array(range(len(rows)), pa.uint64())) else rows.take(order)
