"""How filters narrow the results of both MLPerf suites."""

from __future__ import annotations

from dataclasses import asdict

from pipelines.frozen import frozen


@frozen
class Narrowed:
    """What the filters have chosen; empty tuples mean 'all'."""

    rounds: tuple[str, ...] = ()
    divisions: tuple[str, ...] = ()
    availabilities: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()
    generations: tuple[str, ...] = ()

    def asked(self) -> dict[str, tuple[str, ...]]:
        """The parameters of the conditions on round, division, availability, submitter and generation."""
        return asdict(self)


ALL = Narrowed()
