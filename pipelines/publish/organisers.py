"""The organisers' own rows of inference rounds: their checker's CSV or their published summary, read into typed rows.

They stand in for rounds whose archive is not at hand, and lend single fields to rows whose archive is a part of the
round. Units and the `inferred` mark come from this project's rules: the official labels are wrong in places.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pipelines.model.mlperf import InferenceResult
from pipelines.parse.mlperf.inference import rules, targets
from pipelines.parse.mlperf.inference.accuracy import Accuracy, judge
from pipelines.parse.mlperf.inference.layout import Place, Role
from pipelines.parse.mlperf.inference.result import identity
from pipelines.parse.mlperf.inference.rounds import match_accelerator
from pipelines.parse.mlperf.inference.system import Description, total_accelerators
from pipelines.parse.mlperf.kind import RoundKind
from pipelines.registry import AcceleratorNames, load_registry

POWER_UNITS: Final = ("Watts", "Joules", "millijoules")
_LOCATION: Final = re.compile(r"^(?:\./)?(.*?)(?:/performance/run_\d+)?/?$")
_METRIC: Final = re.compile(r"([A-Za-z0-9_]+): ([-\d.eE]+)")
_FILE: Final = re.compile(r"(v\d+\.\d+)(_summary_results|_sample|_rows)?\.(csv|json)(?:\.gz)?\Z")
# Whose rows a file holds: rounds whose CSV is what MLCommons published, not a run of its checker.
_PUBLISHED: Final = frozenset({"v3.1", "v4.0", "v6.0", "v6.1"})


class OrganisersUnreadable(Exception):
    """A file of the organisers' rows is not as expected; names file, row and field."""


@dataclass(frozen=True, slots=True)
class OrganiserRow:
    """One row as the organisers have it, and where it is from: 'published summary' or 'checker output'."""

    result: InferenceResult
    origin: str


def read_organisers(folder: Path) -> dict[str, list[OrganiserRow]]:
    """All rows of a folder by round; a published summary leads, the checker's rows fill in what it lacks.

    Raises OrganisersUnreadable.
    """
    rounds: dict[str, dict[str, OrganiserRow]] = {}
    for path in sorted(folder.iterdir(), key=lambda path: (".json" not in path.name, path.name)):
        found = _FILE.fullmatch(path.name)
        if found is None:
            continue
        rows = rounds.setdefault(found[1], {})
        for row in _rows_of(path, RoundKind("inference", found[1]), is_json=found[3] == "json"):
            held = rows.setdefault(row.result.member_dir, row)
            if row.result.has_power and not held.result.has_power:
                rows[row.result.member_dir] = replace(held, result=_with_power_of(held.result, row.result))
    return {name: [rows[key] for key in sorted(rows)] for name, rows in rounds.items()}


def _rows_of(path: Path, kind: RoundKind, *, is_json: bool) -> Iterator[OrganiserRow]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    records = _from_json(data) if is_json else csv.DictReader(io.StringIO(data.decode("utf-8")))
    origin = "published summary" if is_json or kind.round in _PUBLISHED else "checker output"
    names = AcceleratorNames.load()
    power: dict[str, Mapping[str, Any]] = {}
    rows: list[InferenceResult] = []
    for number, record in enumerate(records, start=1):
        try:
            if record.get("Units") in POWER_UNITS:
                power[_location(record)] = record
            else:
                rows.append(_with_own_power(_row(record, kind, names), record))
        except (KeyError, ValueError) as error:
            raise OrganisersUnreadable(f"{path.name}: row {number}: {error!r}") from error
    for row in rows:
        yield OrganiserRow(_with_power(row, power.get(row.member_dir)), origin)


def _from_json(data: bytes) -> Iterable[dict[str, Any]]:
    """The published summary in the names of the checker's CSV."""
    for record in json.loads(data):
        yield record | {
            "Organization": record["Submitter"],
            "Division": record["Category"],
            "SystemType": record["Suite"],
            "SystemName": record["System"],
            "Model": record["UsedModel"],
            "MlperfModel": record["Model"],
            "Result": record["Performance_Result"],
            "Result_Power": record.get("Power_Result"),
            "Result_Power_Units": record.get("Power_Units"),
            "number_of_nodes": record["Nodes"],
            "host_processor_model_name": record["Processor"],
            "accelerator_model_name": record.get("Accelerator", ""),
            "accelerators_per_node": record.get("a#") or 0,
            "framework": record.get("Software", ""),
            "notes": record.get("Notes", ""),
        }


def _location(record: Mapping[str, Any]) -> str:
    """The result's folder; the newest sample says only what it is made of."""
    if record.get("Location"):
        found = _LOCATION.match(str(record["Location"]))
        return found[1] if found else str(record["Location"])
    parts = (record["Division"], record["Organization"], "results", record["Platform"], record["Model"],
             record["Scenario"])  # fmt: skip
    return "/".join(map(str, parts))


def _row(record: Mapping[str, Any], kind: RoundKind, names: AcceleratorNames) -> InferenceResult:
    version, directory = kind.version, _location(record)
    scenario = rules.scenario_of(str(record["Scenario"]))
    benchmark = rules.REPORT_NAMES.get(str(record["MlperfModel"]), str(record["MlperfModel"]))
    if not rules.is_benchmark(benchmark, version):
        raise ValueError(f"no benchmark {benchmark!r} in {kind.round}")
    parts = directory.split("/")
    place = Place(
        Role.SUMMARY,
        division=str(record["Division"]),
        submitter_dir=parts[1] if len(parts) == 6 else str(record["Organization"]),
        system=str(record["Platform"]),
        benchmark_dir=str(record["Model"]),
        scenario_dir=parts[5] if len(parts) == 6 else str(record["Scenario"]),
    )
    described = _described(record)
    accuracy = _accuracy(record, benchmark, version, scenario)
    inferred_from = _inferred_from(record, version)
    raw, total = described.accelerator_raw, described.accelerators
    return replace(
        identity(kind.round, place, described, benchmark, scenario),
        submitter=load_registry().submitter(place.submitter_dir).name,
        accelerator=match_accelerator(raw, "", described.system_name, total, names),
        result=float(record["Result"]),
        percentile=rules.percentile_of(benchmark, scenario, version),
        accuracy=accuracy.value,
        accuracy_metric=accuracy.metric,
        accuracy_target=accuracy.target,
        accuracy_met=accuracy.is_met,
        accuracy_raw=_text(record.get("Accuracy")),
        has_power=str(record.get("has_power", "")).lower() == "true",
        weight_type=_text(record.get("weight_data_types")),
        inferred=bool(inferred_from),
        inferred_from=inferred_from,
        n_runs=1,
        result_id=_text(record.get("ID")),
        member_dir=directory,
    )


def _described(record: Mapping[str, Any]) -> Description:
    """The system as the row describes it."""
    raw = _text(record.get("accelerator_model_name"))
    nodes, per_node = _count(record.get("number_of_nodes")), _count(record.get("accelerators_per_node"))
    per_node = 0 if per_node is None and not raw else per_node
    total, basis = total_accelerators(raw, nodes, per_node)
    kind, status = str(record.get("SystemType") or ""), str(record["Availability"])
    return Description(
        submitter=str(record["Organization"]),
        category=rules.category_of(kind),
        availability=rules.availability_of(status),
        availability_raw=status,
        system_name=_text(record.get("SystemName")),
        nodes=nodes,
        accelerators_per_node=per_node,
        accelerators=total,
        total_basis=basis,
        accelerator_raw=raw,
        host_processor=_text(record.get("host_processor_model_name")),
        framework=_text(record.get("framework")),
        notes_raw=_text(record.get("notes")),
    )


def _with_power(row: InferenceResult, power: Mapping[str, Any] | None) -> InferenceResult:
    """Watts or energy of the same result's power row."""
    return row if power is None else _with_measured(row, float(power["Result"]), str(power["Units"]))


def _with_own_power(row: InferenceResult, record: Mapping[str, Any]) -> InferenceResult:
    """Power in columns of the row itself: the published tables, and v1.0, whose unit is known by the scenario."""
    value = _number(record.get("Result_Power"))
    if value:
        return _with_measured(row, value, str(record["Result_Power_Units"]))
    value = _number(record.get("power"))
    if value:
        return _with_measured(row, value, "Watts" if row.scenario in ("Offline", "Server") else "Joules")
    return row


def _with_power_of(row: InferenceResult, other: InferenceResult) -> InferenceResult:
    return replace(row, has_power=True, power_w=other.power_w, energy_j=other.energy_j)


def _with_measured(row: InferenceResult, value: float, unit: str) -> InferenceResult:
    """Watts, or energy in joules whatever its unit. Raises ValueError for another unit."""
    if unit not in POWER_UNITS:
        raise ValueError(f"power in {unit!r}")
    if unit == "Watts":
        return replace(row, has_power=True, power_w=value)
    return replace(row, has_power=True, energy_j=value / 1000 if unit == "millijoules" else value)


def _inferred_from(record: Mapping[str, Any], version: rules.Version) -> str:
    """The checker's mark, where it can be believed: from v6.0 on it marks folders, not inference, and is left out."""
    mark = str(record.get("inferred", record.get("infered", "0")))
    return "another scenario" if mark == "1" and version < (6, 0) else ""


def _accuracy(record: Mapping[str, Any], benchmark: str, version: rules.Version, scenario: str) -> Accuracy:
    text = _text(record.get("Accuracy"))
    wanted = targets.targets_of(benchmark, version, scenario)
    found = {name: float(value) for name, value in _METRIC.findall(text)}
    number = _number(text)
    if number is not None:
        found = {wanted[0].metric if wanted else "accuracy": number}
    names = {name.lower(): name for name in (target.metric for target in wanted)}
    return judge({names.get(name.lower(), name): value for name, value in found.items()}, wanted)


def _text(value: Any) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return "" if text in ("N/A", "None", "nan", "-") else text


def _number(value: Any) -> float | None:
    try:
        return None if value in (None, "") else float(value)
    except ValueError:
        return None


def _count(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None
