"""Where things stand in an inference round: a member's path says what it is and which result it belongs to.

Paths are those below the archive's top folder: `<division>/<submitter>/{systems,measurements,results}/…`. Scenario
and `performance` folders come in any case. Nothing here reads a member.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from pipelines.parse.mlperf.common.kind import MemberPlace

DIVISIONS: Final = ("closed", "open", "network")
LARGEST_LOG: Final = 64 << 20  # detail and power logs beyond this are not read; real ones end below 40 MB

_RESULT_FILES: Final = ("mlperf_log_summary.txt", "mlperf_log_detail.txt", "spl.txt", "accuracy.txt", "client.json",
                        "server.json", "result_summary.json", "accuracy_results.json", "measurements.json")  # fmt: skip


class Role(Enum):
    """What a member is to a round."""

    SYSTEM = "a system description"
    DESIGN_POWER = "a system's design power"
    MAPPING = "which benchmark a submitter's model stands for"
    MEASUREMENT = "data types of a result"
    SUMMARY = "a performance run's summary"
    DETAIL = "a performance run's detail log"
    SAMPLES = "a power run's watt samples"
    METER = "a power run's session, by client or server"
    ACCURACY = "the accuracy of a result"
    SERVED = "a performance run of the form without LoadGen logs"
    SERVED_ACCURACY = "accuracy of the form without LoadGen logs"
    STRAY = "a summary where no result's summary belongs"


def place_of(path: str) -> MemberPlace | None:
    """What the member at a path is, or None where it is none of the parser's business."""
    if not path.startswith(DIVISIONS):
        return None
    parts = path.split("/")
    if len(parts) < 3 or parts[0] not in DIVISIONS:
        return None
    branch = parts[2]
    if branch == "results":
        return _result(parts)
    if branch == "systems":
        return _system(parts)
    if branch == "measurements":
        return _measurement(parts)
    if branch == "model_mapping.json" and len(parts) == 3:
        return MemberPlace(Role.MAPPING, parts[1], division=parts[0])
    return None


def _system(parts: list[str]) -> MemberPlace | None:
    if len(parts) != 4 or parts[3].startswith("."):
        return None
    stem, _, suffix = parts[3].rpartition(".")
    if suffix == "json":
        return MemberPlace(Role.SYSTEM, parts[1], stem, division=parts[0])
    if suffix in ("yaml", "yml") and stem.endswith("_power"):
        return MemberPlace(Role.DESIGN_POWER, parts[1], stem.removesuffix("_power"), division=parts[0])
    return None


def result_place(
    role: Role, division: str, submitter_dir: str, system: str, benchmark_dir: str, scenario_dir: str
) -> MemberPlace:
    """The place of a member of one result."""
    directory = f"{division}/{submitter_dir}/results/{system}/{benchmark_dir}/{scenario_dir}"
    return MemberPlace(role, submitter_dir, system, scenario_dir, benchmark_dir, directory, division=division)


def _measurement(parts: list[str]) -> MemberPlace | None:
    if len(parts) != 7 or not parts[6].endswith(".json") or not parts[6].startswith(parts[3]):
        return None
    return result_place(Role.MEASUREMENT, parts[0], parts[1], *parts[3:6])


def _result(parts: list[str]) -> MemberPlace | None:
    """A member under `results/<system>/<benchmark>/<scenario>/`."""
    name = parts[-1]
    if len(parts) < 7 or name not in _RESULT_FILES:
        return None
    place = result_place(Role.STRAY, parts[0], parts[1], *parts[3:6])
    below = parts[6:-1]
    if not below:
        return place._replace(role=Role.MEASUREMENT) if name == "measurements.json" else None
    kind = below[0].lower()
    if kind == "accuracy":
        return _accuracy(place, below, name)
    if kind == "performance":
        return _performance(place, below[1:], name)
    is_compliance = kind.startswith("test")
    return place if name == "mlperf_log_summary.txt" and "performance" in below and not is_compliance else None


def _accuracy(place: MemberPlace, below: list[str], name: str) -> MemberPlace | None:
    if len(below) != 1:
        return None
    if name == "accuracy.txt":
        return place._replace(role=Role.ACCURACY)
    return place._replace(role=Role.SERVED_ACCURACY) if name == "accuracy_results.json" else None


_IN_RUN: Final = {
    "mlperf_log_summary.txt": Role.SUMMARY,
    "mlperf_log_detail.txt": Role.DETAIL,
    "spl.txt": Role.SAMPLES,
    "result_summary.json": Role.SERVED,
}


def _performance(place: MemberPlace, below: list[str], name: str) -> MemberPlace | None:
    """A member of `performance/`, `performance/run_N/` or `performance/power/`; ranging runs are left alone."""
    run = below[0] if below else ""
    if len(below) > 1 or run == "ranging":
        return None
    if run == "power":
        return place._replace(role=Role.METER, run=name) if name in ("client.json", "server.json") else None
    role = _IN_RUN.get(name)
    return None if role is None else place._replace(role=role, run=run)
