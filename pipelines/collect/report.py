"""What a collection did: a row a source, and one line on the network. Frozen values; the running count is a `Tally`."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from pipelines.frozen import frozen
from pipelines.model.attempt import AttemptRow, Outcome
from pipelines.model.columns import common
from pipelines.problems import Fault, Problem, Reason


@frozen
class CollectedSource:
    """One source's part of a collection, counted in addresses.

    `fetched` answers brought bytes that were not held, `new` of them from addresses never held before; `unchanged`
    answers were 304 or the very bytes that are held. `gone` ones were 404 or 410: kept as evidence, and failures too.
    `bytes` are of bodies as sent, `notes` what was left out by rule, `attempts` a row for each address tried.
    """

    source_id: str
    fetched: int
    unchanged: int
    new: int
    refused: int
    failures: tuple[Fault, ...]
    bytes: int
    seconds: float
    is_skipped: bool = False
    notes: tuple[str, ...] = ()
    attempts: tuple[AttemptRow, ...] = ()

    @property
    def failed(self) -> int:
        return len(self.failures)

    @property
    def why(self) -> str:
        """The reasons of what failed, each once, most frequent first."""
        reasons = [failure.reason.value for failure in self.failures]
        return ", ".join(sorted(set(reasons), key=lambda reason: (-reasons.count(reason), reason)))


@frozen
class CollectReport:
    """A whole collection. `line` is empty unless there was no network."""

    rows: tuple[CollectedSource, ...]
    has_network: bool
    seconds: float
    line: str = ""

    def row(self, source_id: str) -> CollectedSource:
        """A source's row; KeyError when there is none."""
        for row in self.rows:
            if row.source_id == source_id:
                return row
        raise KeyError(source_id)

    def problems(self) -> tuple[Problem, ...]:
        """Every failure as a row for the table of problems."""
        return tuple(
            Problem(row.source_id, row.source_id, failure.place, failure.reason, failure.detail, is_fatal=True)
            for row in self.rows
            for failure in row.failures
        )


@dataclass(slots=True)
class Tally:
    """A source's row while it is being made."""

    source_id: str
    items_left: int
    fetched: int = 0
    unchanged: int = 0
    new: int = 0
    refused: int = 0
    bytes: int = 0
    seconds: float = 0.0
    failures: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    attempts: list[AttemptRow] = field(default_factory=list)

    def fail(self, url: str, reason: Reason, detail: str) -> None:
        """Count an address that gave nothing; one that robots.txt disallows counts as refused."""
        if reason == Reason.ROBOTS_DISALLOWED:
            self.refused += 1
        else:
            self.failures.append(Fault(url, reason, detail))

    def break_off(self, url: str, at: datetime, detail: str) -> None:
        """Count what ended by a fault of ours, as a failure and as a try."""
        self.fail(url, Reason.COLLECT_BROKE_OFF, detail)
        reason = Reason.COLLECT_BROKE_OFF.value
        self.attempts.append(
            AttemptRow(self.source_id, url, at, Outcome.FAILED, None, 0, reason, detail, is_entry=True, run_id="")
        )

    def row(self) -> CollectedSource:
        """The row as it stands."""
        lists = {name: tuple(getattr(self, name)) for name in ("failures", "notes", "attempts")}
        return CollectedSource(**common(self, CollectedSource) | lists | {"seconds": round(self.seconds, 3)})
