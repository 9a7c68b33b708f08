"""Which round an archive holds, by its top folder, and what a member of it is. Knows no list of rounds, no layout."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple

from pipelines.problems import InputError, Reason

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
    def source_id(self) -> str:
        """The id in sources.yaml that the round's archive comes from."""
        return "mlperf_inference" if self.suite == "inference" else "mlperf_training"

    @property
    def version(self) -> tuple[int, int]:
        """The round's number, to compare rounds: v2.1 is (2, 1)."""
        major, minor = self.round.removeprefix("v").split(".")
        return int(major), int(minor)


def round_of(top_folder: str) -> RoundKind:
    """The round of an archive by its top folder; raises `InputError` where the name says none."""
    kind = recognise(top_folder)
    if kind is None:
        raise InputError(
            Reason.ROUND_UNKNOWN,
            top_folder,
            "the top folder names no MLPerf round such as training_results_v5.0 or inference_results_v5.1",
            "Give the archive that GitHub serves for a round's repository, unchanged.",
        )
    return kind


def recognise(top_folder: str) -> RoundKind | None:
    """The round of an archive by its top folder, or None where the name says none.

    GitHub names the folder `training_results_v5.0-main` or, by its API, `mlcommons-training_results_v5.0-06df425`.
    """
    found = _ROUND.search(top_folder)
    return None if found is None else RoundKind(found[1].lower(), f"v{int(found[2])}.{int(found[3])}")


SystemKey = tuple[str, str, str]  # division folder ('' where there is none), submitter's folder, system


class MemberPlace(NamedTuple):
    """What a member is, and whose.

    `directory` is the result's folder ('' where the member is no result's), `submitter_dir` the submitter's (for
    training v0.5 with the levels below it), `system` the system's folder or file name, `mode` 'strong', 'weak' or the
    scenario's folder, `run` the stem of the run's log or the run's folder.
    """

    role: Enum
    submitter_dir: str
    system: str = ""
    mode: str = ""
    benchmark_dir: str = ""
    directory: str = ""
    run: str = ""
    division: str = ""

    @property
    def owner(self) -> SystemKey:
        """The system that the member belongs to."""
        return self.division, self.submitter_dir, self.system
