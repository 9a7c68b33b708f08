"""MLPerf as the registry knows it: which benchmark a name means in a round, and what submitters' words mean.

Answers from the entries in memory; what a suite makes of an entry is the business of its parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pipelines.model.mlperf import UNKNOWN
from pipelines.registry.load import Entries
from pipelines.registry.mlperf_entries import BenchmarkEntry, DirectoryEntry, FamilyEntry, RoundEntry
from pipelines.registry.names import name_key

_TARGET = re.compile(r"-9\d(\.\d+)?$")  # accuracy class at the end of an inference benchmark's directory


@lru_cache(maxsize=256)
def round_number(round_name: str) -> tuple[int, ...]:
    """'v0.7' as (0, 7), so that rounds compare in order; raises ValueError for anything else."""
    return tuple(int(part) for part in round_name.removeprefix("v").split("."))


def covers(dated: DirectoryEntry | FamilyEntry, number: tuple[int, ...]) -> bool:
    """Whether what holds from a first to a last round holds in this one."""
    return (dated.first is None or round_number(dated.first) <= number) and (
        dated.last is None or number <= round_number(dated.last)
    )


class MlperfRules:
    """Rounds, benchmarks and words of all suites; immutable."""

    def __init__(self, entries: Entries) -> None:
        self.benchmarks = entries.benchmarks
        self.families = entries.families
        self._rounds: dict[tuple[str, str], RoundEntry] = {(e.suite, e.round): e for e in entries.rounds}
        self._directories: dict[tuple[str, str], list[tuple[BenchmarkEntry, DirectoryEntry]]] = {}
        for entry in entries.benchmarks:
            for named in entry.directories:
                self._directories.setdefault((entry.suite, name_key(named.name)), []).append((entry, named))
        self._words: dict[tuple[str, str, str], str] = {
            (suite, word.field, _plain(spelling)): word.means
            for word in entries.words
            for suite in word.suites
            for spelling in word.spellings
        }

    def round(self, suite: str, round_name: str) -> RoundEntry | None:
        """The round of a suite ('training', 'hpc', 'inference'), with or without the leading v."""
        return self._rounds.get((suite, f"v{round_name.removeprefix('v')}"))

    def word(self, suite: str, field: str, raw: str) -> str:
        """What a word means as availability, division or scenario; 'unknown' for one that no table knows."""
        return self._words.get((suite, field, _plain(raw)), UNKNOWN)

    def named(self, suite: str, round_name: str, directory: str) -> Iterator[tuple[BenchmarkEntry, DirectoryEntry]]:
        """The benchmarks that a directory name means in a round, with the entry of that name; exact spellings first."""
        number = round_number(round_name)
        for key in (name_key(directory), name_key(_TARGET.sub("", directory.strip()))):
            known = self._directories.get((suite, key), ())
            for entry, named in sorted(known, key=lambda pair: pair[1].name != directory):
                if covers(named, number):
                    yield entry, named

    def benchmark(self, suite: str, round_name: str, directory: str) -> BenchmarkEntry | None:
        """The benchmark that a directory name means in a round; accuracy classes such as '-99.9' are no part of it."""
        return next((entry for entry, _ in self.named(suite, round_name, directory)), None)


def _plain(word: str) -> str:
    return "".join(word.lower().split())
