"""Submitters, rounds and benchmarks by the words of the results, and the rows for the warehouse."""

from __future__ import annotations

import csv
import dataclasses
import datetime as dt
from pathlib import Path

import pytest

from pipelines.model.evidence import Evidence
from pipelines.registry import load_registry, registry_rows

REGISTRY = load_registry()
SHARED = Path(__file__).parents[3] / "../shared"


def _column(path: Path, *columns: str) -> list[tuple[str, ...]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return [tuple(row[column] for column in columns) for row in csv.DictReader(stream)]


@pytest.mark.parametrize(
    ("raw", "name", "parts"),
    [
        ("NVIDIA", "NVIDIA", ("nvidia",)),
        ("smc-ac-power", "Sustainable Metal Cloud", ("sustainable-metal-cloud",)),
        ("Sustainable Metal Cloud", "Sustainable Metal Cloud", ("sustainable-metal-cloud",)),
        ("CoreWeave + IBM + NVIDIA", "CoreWeave + IBM + NVIDIA", ("coreweave", "ibm", "nvidia")),
        ("IBM+CoreWeave+NVIDIA", "CoreWeave + IBM + NVIDIA", ("coreweave", "ibm", "nvidia")),
        ("NVIDIA_CoreWeave", "CoreWeave + NVIDIA", ("coreweave", "nvidia")),
        ("RedHat-Supermicro", "Red Hat + Supermicro", ("red-hat", "supermicro")),
        ("Supermicro_RedHat", "Red Hat + Supermicro", ("red-hat", "supermicro")),
        ("Red_Hat", "Red Hat", ("red-hat",)),
        ("Red_Hat+Dell", "Dell + Red Hat", ("dell", "red-hat")),
        ("Intel-HabanaLabs", "Intel Habana Labs", ("intel-habana",)),
        ("HabanaLabs", "Intel Habana Labs", ("intel-habana",)),
        ("Fujitsu/RIKEN", "Fujitsu + RIKEN", ("fujitsu", "riken")),
        ("PCL & PKU", "Peking University + Peng Cheng Laboratory", ("pku", "pcl")),
        ("Quanta_Cloud_Technology", "QCT", ("qct",)),
        ("University-of-Florida", "University of Florida", ("university-of-florida",)),
        ("google/cloud_v2.8/gnmt-tpuv2-8", "Google", ("google",)),
        ("Datacrunch", "Verda", ("verda",)),
        ("Unheard-of Cloud", "Unheard-of Cloud", ()),
        ("NVIDIA+Unheard", "NVIDIA+Unheard", ()),
        ("", "", ()),
    ],
)
def test_a_submitter_has_one_name_and_keeps_its_parts(raw: str, name: str, parts: tuple[str, ...]) -> None:
    submitter = REGISTRY.submitter(raw)
    assert (submitter.raw, submitter.name, submitter.parts) == (raw, name, parts)
    assert submitter.is_known == bool(parts)


@pytest.mark.parametrize("file", ["mlperf/training/accelerators.csv", "mlperf/inference/accelerators.csv"])
def test_every_submitter_of_the_rounds_is_known(file: str) -> None:
    path = SHARED / file
    if not path.is_file():
        pytest.skip(f"reference file {file} is not beside the repository")
    names = {raw for (raw,) in _column(path, "submitter")}
    assert sorted(raw for raw in names if not REGISTRY.submitter(raw).is_known) == []


@pytest.mark.parametrize(
    ("suite", "round_name", "directory", "expected"),
    [
        ("training", "v1.1", "ssd", "ssd"),
        ("training", "v2.0", "ssd", "retinanet"),
        ("training", "v4.1", "ssd", "retinanet"),
        ("training", "v5.0", "retinanet", "retinanet"),
        ("training", "v0.6", "mask", "maskrcnn"),
        ("training", "v4.0", "gnn", "rgat"),
        ("training", "v5.1", "rgat", "rgat"),
        ("training", "v9.0", "llama31_405b", "llama31_405b"),
        ("hpc", "v3.0", "openfold", "openfold"),
        ("inference", "v2.0", "ssd-resnet34", "ssd-large"),
        ("inference", "v3.0", "ssd-resnet34", "retinanet"),
        ("inference", "v5.1", "llama2-70b-99.9", "llama2-70b"),
        ("inference", "v5.0", "llama2-70b-interactive-99", "llama2-70b-interactive"),
        ("inference", "v6.0", "yolo-95", "yolo"),
        ("inference", "v5.1", "llama3_1-405b", "llama3.1-405b"),
        ("inference", "v0.5", "resnet50", "resnet"),
    ],
)
def test_a_directory_means_its_rounds_benchmark(suite: str, round_name: str, directory: str, expected: str) -> None:
    benchmark = REGISTRY.benchmark(suite, round_name, directory)
    assert benchmark is not None
    assert benchmark.id == expected


def test_an_unknown_benchmark_is_none() -> None:
    assert REGISTRY.benchmark("training", "v5.1", "alphago") is None
    assert REGISTRY.benchmark("hpc", "v3.0", "resnet") is None
    assert REGISTRY.benchmark("inference", "v1.0", "mobilenet") is None


def test_rounds_are_found_with_and_without_v() -> None:
    found = REGISTRY.round("training", "v5.0")
    assert found is REGISTRY.round("training", "5.0")
    assert found is not None
    assert (found.published_on, found.repository, found.branch) == (
        dt.date(2025, 6, 4),
        "mlcommons/training_results_v5.0",
        "main",
    )
    assert REGISTRY.round("inference", "v6.1") is not None
    assert REGISTRY.round("inference", "v6.1").published_on is None  # type: ignore[union-attr]
    assert REGISTRY.round("training", "v9.9") is None


def test_rounds_count_by_suite() -> None:
    suites = [entry.suite for entry in REGISTRY.entries.rounds]
    assert {suite: suites.count(suite) for suite in suites} == {"training": 14, "hpc": 4, "inference": 14}


def test_every_result_has_its_round_and_benchmark() -> None:
    path = SHARED / "facts" / "mlperf_training_scores.csv"
    if not path.is_file():
        pytest.skip("reference file mlperf_training_scores.csv is not beside the repository")
    missing = set()
    for archive, directory in _column(path, "round", "benchmark"):
        suite, _, round_name = archive.partition("_results_")
        if REGISTRY.round(suite, round_name) is None or (
            directory and not REGISTRY.benchmark(suite, round_name, directory)
        ):
            missing.add((archive, directory))
    assert missing == set()


def test_rows_have_unique_keys_and_resolve() -> None:
    rows = registry_rows()
    assert list(rows) == [
        "organisations",
        "organisation_layers",
        "generations",
        "accelerators",
        "systems",
        "system_parts",
        "system_names",
        "mlperf_rounds",
        "mlperf_benchmarks",
        "metrics",
        "metric_ranges",
        "cpus",
        "networks",
        "software",
        "sites",
        "aliases",
    ]
    accelerators = rows["accelerators"]
    ids = {row.accelerator_id for row in accelerators}
    assert len(ids) == len(accelerators)
    assert all(row.model_id in ids for row in accelerators)
    assert all(row.first_available_url for row in accelerators if row.first_available_on is not None)


def test_a_row_in_full() -> None:
    row = next(row for row in registry_rows()["accelerators"] if row.accelerator_id == "nvidia-h100-nvl-94gb")
    assert dataclasses.asdict(row) == {
        "accelerator_id": "nvidia-h100-nvl-94gb",
        "model_id": "nvidia-h100",
        "vendor_id": "nvidia",
        "generation_id": "nvidia-hopper",
        "predecessor_id": "nvidia-a100",
        "name": "NVIDIA H100 NVL 94GB",
        "model": "H100",
        "kind": "gpu",
        "memory_gb": 94,
        "memory_type": "HBM3",
        "form_factor": "NVL",
        "dies_per_package": 1,
        "counted_as": "package",
        "counting_note": "",
        "first_available_on": dt.date(2024, 3, 14),
        "first_available_precision": "day",
        "first_available_said_by": "Epoch AI",
        "first_available_evidence": Evidence.REPORTED,
        "first_available_basis": "release date in Epoch AI's table of machine learning hardware (CC BY 4.0)",
        "first_available_url": "https://epoch.ai/data/ml_hardware.csv",
    }


def test_a_round_row_in_full() -> None:
    row = next(row for row in registry_rows()["mlperf_rounds"] if row.round == "v6.0")
    assert dataclasses.asdict(row) == {
        "suite": "training",
        "round": "v6.0",
        "published_on": dt.date(2026, 6, 16),
        "published_precision": "day",
        "evidence": Evidence.OPERATOR,
        "said_by": "MLCommons",
        "basis": "release of 2026-06-16",
        "url": "https://mlcommons.org/2026/06/mlperf-training-v6-0-results",
        "repository": "mlcommons/training_results_v6.0",
        "branch": "main",
        "note": "",
    }


def test_a_renamed_machine_is_found_by_either_name() -> None:
    machine = REGISTRY.system("Vera Rubin NVL144")
    assert machine is not None
    assert machine is REGISTRY.system("NVIDIA Vera Rubin NVL72")
    assert machine is REGISTRY.system("VR-NVL72")
    assert (machine.id, machine.scale_up_domain) == ("nvidia-vera-rubin-nvl72", 72)
    bare = REGISTRY.system("NVL144")  # Kyber bears the number too
    assert bare is not None
    assert bare.id == "nvidia-nvl144"
    assert REGISTRY.system("Cray X-MP") is None


def test_the_names_of_a_machine_follow_one_another() -> None:
    names = registry_rows()["system_names"]
    assert [
        (row.name, row.valid_from, row.valid_to) for row in names if row.system_id == "nvidia-vera-rubin-nvl72"
    ] == [
        ("Vera Rubin NVL144", dt.date(2025, 3, 18), dt.date(2026, 1, 4)),
        ("Vera Rubin NVL72", dt.date(2026, 1, 5), None),
    ]
    assert {row.system_id for row in names} == {system.id for system in REGISTRY.entries.systems}


def test_a_rack_holds_what_its_maker_counts() -> None:
    parts = registry_rows()["system_parts"]
    assert [(row.part_kind, row.part, row.count) for row in parts if row.system_id == "nvidia-gb300-nvl72"] == [
        ("accelerator", "nvidia-gb300", 72),
        ("cpu", "NVIDIA Grace", 36),
    ]
