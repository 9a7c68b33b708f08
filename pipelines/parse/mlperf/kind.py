"""Recognises which MLPerf round an archive holds from the name of its top folder. Knows no list of rounds."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_ROUND: Final = re.compile(r"(training|hpc|inference)_results_v(\d+)\.(\d+)(?![\d.])", re.IGNORECASE)


class RoundKind(NamedTuple):
    """A suite ('training', 'hpc' or 'inference') and a round such as 'v5.0'."""

    suite: str
    round: str

    @property
    def key(self) -> str:
        """The partition key, such as 'training-v5.0'."""
        return f"{self.suite}-{self.round}"

    @property
    def version(self) -> tuple[int, int]:
        """The round's number, to compare rounds: v2.1 is (2, 1)."""
        major, minor = self.round.removeprefix("v").split(".")
        return int(major), int(minor)


def recognise(top_folder: str) -> RoundKind | None:
    """The round of an archive by its top folder, or None where the name says none.

    GitHub names the folder `training_results_v5.0-main` or, by its API, `mlcommons-training_results_v5.0-06df425`.
    """
    found = _ROUND.search(top_folder)
    return None if found is None else RoundKind(found[1].lower(), f"v{int(found[2])}.{int(found[3])}")
