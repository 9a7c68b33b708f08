"""What a member of a round's archive is, and whose; the layouts of the suites tell it from the member's path."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

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
