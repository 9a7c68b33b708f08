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
from dataclasses import replace
from typing import Any, Final

from pipelines.model.columns import common
from pipelines.model.mlperf import InferenceResult, MlperfSystem
from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.parse.mlperf.common.rows import Matcher, StandIn, StandInUnreadable, match_accelerator
from pipelines.parse.mlperf.common.system import Description
from pipelines.parse.mlperf.inference.layout import Role, result_place
from pipelines.parse.mlperf.inference.logs import Accuracy, judge
from pipelines.parse.mlperf.inference.result import identity
from pipelines.parse.mlperf.inference.rules import Benchmark, Version, category_of, reported_benchmark
from pipelines.parse.mlperf.inference.system import with_total
from pipelines.registry.mlperf import MlperfRules

POWER_UNITS: Final = ("Watts", "Joules", "millijoules")
_LOCATION: Final = re.compile(r"^(?:\./)?(.*?)(?:/performance/run_\d+)?/?$")
_METRIC: Final = re.compile(r"([A-Za-z0-9_]+): ([-\d.eE]+)")
_FILE: Final = re.compile(r"(v\d+\.\d+)(_summary_results|_sample|_rows)?\.(csv|json)(?:\.gz)?\Z")


def read_organisers(files: Mapping[str, bytes], names: Matcher, rules: MlperfRules) -> list[StandIn[InferenceResult]]:
    """All rows of these files by their names; a published summary leads, the checker's rows fill in what it lacks.

    Files of another name are passed over. Raises StandInUnreadable.
    """
    held: dict[tuple[str, str, str], StandIn[InferenceResult]] = {}
    for name in sorted(files, key=lambda name: (".json" not in name, name)):
        found = _FILE.fullmatch(name)
        if found is None:
            continue
        for row in _rows_of(name, files[name], RoundKind("inference", found[1]), names, rules):
            first = held.setdefault(row.key, row)
            held[row.key] = replace(first, result=_with_power_of(first.result, row.result))
    return list(held.values())


def _rows_of(
    name: str, data: bytes, kind: RoundKind, names: Matcher, rules: MlperfRules
) -> Iterator[StandIn[InferenceResult]]:
    data = gzip.decompress(data) if name.endswith(".gz") else data
    is_json = ".json" in name
    records = _from_json(data) if is_json else csv.DictReader(io.StringIO(data.decode("utf-8")))
    published = rules.round("inference", kind.round)
    is_published = is_json or (published is not None and published.has_summary)
    power: dict[str, Mapping[str, Any]] = {}
    rows: list[InferenceResult] = []
    for number, record in enumerate(records, start=1):
        try:
            if record.get("Units") in POWER_UNITS:
                power[_location(record)] = record
            else:
                rows.append(_with_own_power(_row(record, kind, names, rules), record))
        except (KeyError, ValueError) as error:
            raise StandInUnreadable(f"{name}: row {number}: {error!r}") from error
    for row in rows:
        measured = power.get(row.member_dir)
        if measured is not None:
            row = _with_measured(row, float(measured["Result"]), str(measured["Units"]))
        yield StandIn(row, "published summary" if is_published else "checker output")


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


def _row(record: Mapping[str, Any], kind: RoundKind, names: Matcher, rules: MlperfRules) -> InferenceResult:
    directory = _location(record)
    scenario = rules.word(kind.suite, "scenario", str(record["Scenario"]))
    benchmark = reported_benchmark(rules, str(record["MlperfModel"]))
    if benchmark is None or not benchmark.is_in(kind.version):
        raise ValueError(f"no benchmark {record['MlperfModel']!r} in {kind.round}")
    parts = directory.split("/")
    submitter_dir = parts[1] if len(parts) == 6 else str(record["Organization"])
    scenario_dir = parts[5] if len(parts) == 6 else str(record["Scenario"])
    place = result_place(Role.SUMMARY, str(record["Division"]), submitter_dir, str(record["Platform"]),
                         str(record["Model"]), scenario_dir)  # fmt: skip
    described = _described(record, kind, rules)
    system = described.row
    accuracy = _accuracy(record, benchmark, kind.version, scenario)
    inferred_from = _inferred_from(record, kind.version)
    return replace(
        identity(kind, place, described, benchmark, scenario),
        accelerator=match_accelerator(system.accelerator_raw, "", system.system_name, system.accelerators, names),
        result=float(record["Result"]),
        has_power=str(record.get("has_power", "")).lower() == "true",
        weight_type=_text(record.get("weight_data_types")),
        inferred=bool(inferred_from),
        inferred_from=inferred_from,
        n_runs=1,
        result_id=_text(record.get("ID")),
        member_dir=directory,
        **common(accuracy, InferenceResult),
    )


def _described(record: Mapping[str, Any], kind: RoundKind, rules: MlperfRules) -> Description:
    """The system as the row describes it."""
    status = str(record["Availability"])
    row = MlperfSystem(
        round=kind.round,
        suite=kind.suite,
        submitter_raw=str(record["Organization"]),
        availability=rules.word(kind.suite, "availability", status),
        system_name=_text(record.get("SystemName")),
        nodes=_count(record.get("number_of_nodes")),
        accelerators_per_node=_count(record.get("accelerators_per_node")),
        accelerator_raw=_text(record.get("accelerator_model_name")),
        host_processor=_text(record.get("host_processor_model_name")),
        framework=_text(record.get("framework")),
    )
    category = category_of(str(record.get("SystemType") or ""))
    notes = _text(record.get("notes"))
    return with_total(Description(row, availability_raw=status, category=category, system_notes=notes))


def _with_own_power(row: InferenceResult, record: Mapping[str, Any]) -> InferenceResult:
    """Power in columns of the row itself: the published tables, and v1.0, whose unit is known by the scenario."""
    if value := _number(record.get("Result_Power")):
        return _with_measured(row, value, str(record["Result_Power_Units"]))
    if value := _number(record.get("power")):
        return _with_measured(row, value, "Watts" if row.scenario in ("Offline", "Server") else "Joules")
    return row


def _with_power_of(row: InferenceResult, other: InferenceResult) -> InferenceResult:
    """The row with the power of another table's row for the same result, where it has none itself."""
    if row.has_power or not other.has_power:
        return row
    return replace(row, has_power=True, power_w=other.power_w, energy_j=other.energy_j)


def _with_measured(row: InferenceResult, value: float, unit: str) -> InferenceResult:
    """Watts, or energy in joules whatever its unit. Raises ValueError for another unit."""
    if unit not in POWER_UNITS:
        raise ValueError(f"power in {unit!r}")
    if unit == "Watts":
        return replace(row, has_power=True, power_w=value)
    return replace(row, has_power=True, energy_j=value / 1000 if unit == "millijoules" else value)


def _inferred_from(record: Mapping[str, Any], version: Version) -> str:
    """The checker's mark, where it can be believed: from v6.0 on it marks folders, not inference, and is left out."""
    mark = str(record.get("inferred", record.get("infered", "0")))
    return "another scenario" if mark == "1" and version < (6, 0) else ""


def _accuracy(record: Mapping[str, Any], benchmark: Benchmark, version: Version, scenario: str) -> Accuracy:
    text = _text(record.get("Accuracy"))
    wanted = benchmark.least(scenario, version)
    found = {name: float(value) for name, value in _METRIC.findall(text)}
    number = _number(text)
    if number is not None:
        found = {next(iter(wanted), "accuracy"): number}
    names = {name.lower(): name for name in wanted}
    accuracy = judge({names.get(name.lower(), name): value for name, value in found.items()}, wanted)
    return replace(accuracy, accuracy_raw=text)


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
