"""Rows that stand in for results whose archive is not at hand: read from tables that others made of a round."""

from __future__ import annotations

from typing import Generic, TypeVar

from pipelines.frozen import frozen
from pipelines.model.mlperf import MlperfResult

R = TypeVar("R", bound=MlperfResult)


class StandInUnreadable(Exception):
    """A table of results is not as expected; names file, row and field."""


@frozen
class StandIn(Generic[R]):
    """One result as another table has it, and which: 'computed table', 'published summary' or 'checker output'."""

    result: R
    origin: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same result as a parsed one: suite, round and folder."""
        return self.result.suite, self.result.round, self.result.member_dir
