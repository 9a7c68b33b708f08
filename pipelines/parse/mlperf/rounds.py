"""Any MLPerf round: the archive's top folder says which suite reads it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, BinaryIO, Final

from pipelines.parse.inflate import DEFAULT, Limits
from pipelines.parse.mlperf.common.kind import recognise, round_of
from pipelines.parse.mlperf.common.rows import Matcher, RoundRows, Suite
from pipelines.parse.mlperf.inference.result import INFERENCE
from pipelines.parse.mlperf.training.result import TRAINING
from pipelines.parse.tarstream import Guard, TarReader, unbounded
from pipelines.registry.mlperf import MlperfRules

SUITES: Final[Mapping[str, Suite[Any, Any]]] = {"training": TRAINING, "hpc": TRAINING, "inference": INFERENCE}


def suite_of(top_folder: str) -> Suite[Any, Any]:
    """The suite of an archive by its top folder; training where the name says none."""
    kind = recognise(top_folder)
    return TRAINING if kind is None else SUITES[kind.suite]


def parse_round(
    stream: BinaryIO,
    *,
    names: Matcher,
    rules: MlperfRules,
    source_id: str = "",
    limits: Limits = DEFAULT,
    guard: Guard = unbounded,
) -> RoundRows[Any]:
    """Parse a round's repository archive, or a pack of its needed members, in one pass.

    `source_id` is the round's own where none is given; `guard` bounds the reading of one member, and raises InputError
    where it takes too much. Raises `InputError` when nothing can be read or the top folder
    names no round; anything less is a `Problem`, and the rest of the round is kept.
    """
    reader = TarReader(stream, limits=limits, source_id=source_id)
    reader.guard = guard
    members = iter(reader)
    first = next(members, None)
    kind = round_of(reader.top_folder)
    whole = members if first is None else chain((first,), members)
    return SUITES[kind.suite].rows(reader, whole, kind, source_id=source_id or kind.source_id, names=names, rules=rules)
