"""Where things stand in a training or HPC round: a member's path says what it is and which result it belongs to.

Paths are those below the archive's top folder. The layouts since v0.6 are anchored at the submitter's folder, because
submitters' code holds look-alikes (`<submitter>/benchmarks/.../systems/x.json`). Nothing here reads a member.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from pipelines.parse.mlperf.common.kind import MemberPlace

_V05: Final = re.compile(r"v\d+(?:\.\d+)+/")  # v0.5 holds everything in a folder 'v0.5.0'
_POWER_LOG: Final = re.compile(r"(?:node|sw)_[^/]*\.txt\Z")
_TABLES: Final = ("strong", "weak")


class Role(Enum):
    """What a member is to a round."""

    SYSTEM = "a system description"
    ENTRY = "a system description of v0.5"
    SUBMISSION = "who submitted, v0.5"
    LOG = "a run's log"
    SCALING = "the scaling factor of a result"
    POWER = "a power log"
    STRAY_LOG = "a log that is no run's by its place or name: beside the benchmarks' folders, or not result_*.txt"
    NESTED_LOG = "a log below a benchmark's folder"


def place_of(path: str) -> MemberPlace | None:
    """What the member at a path is, or None where it is none of the parser's business."""
    if "/results/" not in path and "/systems/" not in path and not path.endswith("/submission.json"):
        return None
    if _V05.match(path):
        return _place_v05(path)
    parts = path.split("/")
    if len(parts) == 2 and parts[1] == "submission.json":
        return MemberPlace(Role.SUBMISSION, parts[0])
    if len(parts) == 3 and parts[1] == "systems":
        return _system(parts)
    if len(parts) >= 4 and parts[1] == "results":
        return _result(parts[0], parts[2], parts[3:], "/".join(parts[:3]))
    return None


def _system(parts: list[str]) -> MemberPlace | None:
    name = parts[2]
    if not name.endswith(".json") or name.startswith("."):
        return None
    return MemberPlace(Role.SYSTEM, parts[0], system=name.removesuffix(".json"))


def _place_v05(path: str) -> MemberPlace | None:
    parts = path.split("/")
    if parts[-1] == "submission.json" and "results" not in parts:
        return MemberPlace(Role.SUBMISSION, "/".join(parts[1:-1]))
    if "results" not in parts[2:5]:
        return None
    at = parts.index("results", 2)
    submitter_dir, below = "/".join(parts[1:at]), parts[at + 1 :]
    if len(below) == 2 and below[1] == "entry.json":
        return MemberPlace(Role.ENTRY, submitter_dir, system=below[0])
    if len(below) < 2:
        return None
    return _result(submitter_dir, below[0], below[1:], "/".join(parts[: at + 2]))


def _result(submitter_dir: str, system: str, below: list[str], directory: str) -> MemberPlace | None:
    """A member under `results/<system>/`; `below` are the parts after it."""
    table = "strong"
    if below[0] in _TABLES and len(below) > 1:
        table = below[0]
        directory = f"{directory}/{table}"
        below = below[1:]
    name = below[-1]
    if len(below) == 1:
        return MemberPlace(Role.STRAY_LOG, submitter_dir, system, table, "", directory, name) if is_log(name) else None
    benchmark_dir = below[0]
    directory = f"{directory}/{benchmark_dir}"
    place = MemberPlace(Role.LOG, submitter_dir, system, table, benchmark_dir, directory, name.rpartition(".")[0])
    if len(below) == 2:
        if is_log(name):
            return place
        if name == "scaling.json":
            return place._replace(role=Role.SCALING, run="")
        return place._replace(role=Role.STRAY_LOG, run=name) if name.endswith(".log") else None
    if len(below) == 4 and below[1] == "power" and _POWER_LOG.match(name):
        return place._replace(role=Role.POWER, run=below[2])
    if is_log(name) and below[1] != "power":
        return place._replace(role=Role.NESTED_LOG, directory=f"{directory}/{'/'.join(below[1:-1])}", run=name)
    return None


def is_log(name: str) -> bool:
    """Whether a file's name is that of a run's log: MLCommons' tool counts `result_*.txt` only."""
    return name.startswith("result_") and name.endswith(".txt")
