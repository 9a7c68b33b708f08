"""Raw accelerator names: every known spelling to its entry, new spellings by rule, nothing by guess."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.registry import MIXED, NONE, UNKNOWN, AcceleratorMatch, AcceleratorNames, load_registry
from pipelines.registry.entries import AcceleratorEntry, VariantEntry
from pipelines.registry.load import accelerator_ids

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "../shared"
NAMES = AcceleratorNames.load()
ENTRIES = load_registry().entries.accelerators
IDS = frozenset(accelerator_ids(load_registry().entries))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


COMMITTED = [(row["raw_name"], row["system_name"], row["accelerator_id"]) for row in _rows(HERE / "names.csv")]
EXPECTED = {(raw, system): accelerator_id for raw, system, accelerator_id in COMMITTED}


@pytest.mark.parametrize(("raw", "system", "expected"), COMMITTED)
def test_a_known_spelling_maps_to_its_entry(raw: str, system: str, expected: str) -> None:
    assert NAMES.match(raw, system).accelerator_id == expected


def test_the_committed_expectations_name_entries_that_exist() -> None:
    assert {expected for _, _, expected in COMMITTED} - IDS == {NONE, UNKNOWN, MIXED}


@pytest.mark.parametrize(
    ("file", "column"),
    [
        ("training/accelerators.csv", "raw_name"),
        ("inference/accelerators_distinct.csv", "raw_name"),
        ("inference/accelerators.csv", "accelerator_model_name"),
    ],
)
def test_every_name_of_the_rounds_maps_as_listed(file: str, column: str) -> None:
    path = SHARED / "mlperf" / file
    if not path.is_file():
        pytest.skip(f"reference file {file} is not beside the repository; names.csv covers the same names")
    found = {row[column]: NAMES.match(row[column]).accelerator_id for row in _rows(path)}
    assert found == {raw: EXPECTED[raw, ""] for raw in found}


def test_every_training_result_has_an_accelerator_or_none() -> None:
    path = SHARED / "facts" / "mlperf_training_scores.csv"
    if not path.is_file():
        pytest.skip("reference file mlperf_training_scores.csv is not beside the repository; names.csv covers it")
    matches = [NAMES.match(row["accelerator"], row["system"]) for row in _rows(path)]
    assert [match for match in matches if match.how == "unknown" or match.accelerator_id == "google-tpu"] == []
    assert all(match.generation is not None for match in matches if match.how != "none")


MATCHES = [
    ("NVIDIA H100-SXM-80GB", AcceleratorMatch(
        "NVIDIA H100-SXM-80GB", "nvidia-h100-sxm5-80gb", "nvidia", "nvidia-hopper", 80, "SXM5", "rule")),
    ("NVIDIA H100 80GB HBM3", AcceleratorMatch(
        "NVIDIA H100 80GB HBM3", "nvidia-h100-sxm5-80gb", "nvidia", "nvidia-hopper", 80, "SXM5", "alias")),
    ("N/A", AcceleratorMatch("N/A", NONE, None, None, None, None, "none")),
    ("NVIDIA Blackwell GPU", AcceleratorMatch(
        "NVIDIA Blackwell GPU", UNKNOWN, "nvidia", "nvidia-blackwell", None, None, "unknown")),
    ("NVIDIA B300-SXM-288GB", AcceleratorMatch(
        "NVIDIA B300-SXM-288GB", "nvidia-b300", "nvidia", "nvidia-blackwell-ultra", None, None, "rule")),
    ("AMD Instinct MI355X 512GB", AcceleratorMatch(
        "AMD Instinct MI355X 512GB", "amd-instinct-mi355x", "amd", "amd-cdna4", None, "OAM", "rule")),
    ("AMD Instinct MI325X (x16), AMD Instinct MI355X (x8)", AcceleratorMatch(
        "AMD Instinct MI325X (x16), AMD Instinct MI355X (x8)", MIXED, "amd", None, None, None, "rule",
        ("amd-instinct-mi325x", "amd-instinct-mi355x"))),
    ("RAGE 128", AcceleratorMatch("RAGE 128", UNKNOWN, None, None, None, None, "unknown")),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), MATCHES, ids=[raw for raw, _ in MATCHES])
def test_the_whole_answer(raw: str, expected: AcceleratorMatch) -> None:
    assert NAMES.match(raw) == expected


def test_a_tpu_needs_the_name_of_its_system() -> None:
    assert NAMES.match("TPU", "tpu-v4-128-TF").accelerator_id == "google-tpu-v4"
    assert NAMES.match("TPU", "tpu-v4-128-TF").how == "context"
    assert NAMES.match("TPU", "dgxa100_n8").accelerator_id == "google-tpu"
    assert NAMES.match("TPU").generation is None


def test_a_system_name_never_overrides_a_named_model() -> None:
    assert NAMES.match("NVIDIA A100", "tpu-v4-128").accelerator_id == "nvidia-a100"
    assert NAMES.match("NVIDIA A100", "8xH100-SXM-80GB").accelerator_id == "nvidia-a100"


def _spelled(entry: AcceleratorEntry, variant: VariantEntry | None) -> Iterator[tuple[str, str]]:
    part: AcceleratorEntry | VariantEntry = entry if variant is None else variant
    memory = "" if part.memory_gb is None else f" {part.memory_gb:g}GB"
    form = part.form_factor if part.form_factor in {"SXM2", "SXM3", "SXM4", "SXM5", "SXM", "PCIe", "NVL", "OAM"} else ""
    for token in entry.tokens:
        for raw in (f"{token} {form}{memory}", f"{token}-{form}-{memory.strip()}", f"{token}{memory} {form} (rev 2)"):
            if not entry.needs_vendor or "rev" not in raw:
                yield raw, part.id


SPELLED = [
    pair
    for entry in ENTRIES
    if not entry.needs_system
    for variant in (None, *entry.variants)
    for pair in _spelled(entry, variant)
]


def test_model_memory_and_form_in_any_order_give_their_own_entry() -> None:
    assert [
        (raw, own, NAMES.match(raw).accelerator_id) for raw, own in SPELLED if NAMES.match(raw).accelerator_id != own
    ] == []


@given(st.sampled_from(SPELLED), st.sampled_from(["CTS", "(400W)", "HBM3E DLC", "-02", "Rev B", "(1x1g.10gb MIG)"]))
def test_words_that_say_nothing_change_nothing(spelled: tuple[str, str], noise: str) -> None:
    raw, _ = spelled
    plain = NAMES.match(raw)
    noisy = NAMES.match(f"{raw} {noise}")
    assert noisy.accelerator_id in {plain.accelerator_id, UNKNOWN}
    if noisy.accelerator_id == UNKNOWN:
        assert plain.accelerator_id in {entry.id for entry in ENTRIES if entry.needs_vendor}


@given(st.text(max_size=80), st.text(max_size=30))
def test_any_text_gives_an_answer_that_keeps_it(raw: str, system: str) -> None:
    match = NAMES.match(raw, system)
    assert match.raw == raw
    assert match.accelerator_id in IDS | {NONE, UNKNOWN, MIXED}
    assert (match.how == "unknown") == (match.accelerator_id == UNKNOWN)


@given(st.sampled_from([entry for entry in ENTRIES if entry.vendor == "nvidia"]))
def test_another_makers_word_refuses_the_model(entry: AcceleratorEntry) -> None:
    assert NAMES.match(f"Qualcomm {entry.tokens[0]} card").accelerator_id == UNKNOWN or entry.tokens[0].startswith(
        ("Quadro", "GeForce", "RTX", "GTX", "TITAN", "Jetson")
    )


def test_pairs_that_were_judged_different_stay_different() -> None:
    pairs = [
        ("H100 PCIe", "H100 SXM"),
        ("NVIDIA H100-NVL-94GB", "NVIDIA H100-PCIe-80GB"),
        ("NVIDIA B200-SXM-180GB", "NVIDIA GB200"),
        ("NVIDIA B300-SXM-270GB", "NVIDIA GB300"),
        ("NVIDIA GH200 Grace Hopper Superchip 96GB", "NVIDIA GH200 Grace Hopper Superchip 144GB"),
        ("AMD Instinct MI350X", "AMD Instinct MI355X"),
        ("NVIDIA L40", "NVIDIA L40S"),
        ("NVIDIA A10", "NVIDIA A10G"),
        ("NVIDIA Rubin", "NVIDIA Rubin Ultra"),
        ("Quadro RTX 6000", "RTX 6000 Ada"),
        ("Furiosa Renegade", "FuriosaAI RNGD"),
    ]
    assert [pair for pair in pairs if NAMES.match(pair[0]).accelerator_id == NAMES.match(pair[1]).accelerator_id] == []


def test_one_machine_under_two_names_is_one_entry() -> None:
    assert NAMES.match("Vera Rubin NVL144").accelerator_id == NAMES.match("Vera Rubin NVL72").accelerator_id


def test_a_name_that_nobody_knows_stays_unknown() -> None:
    names = ["NPU 3.0", "NVIDIA H100", "N/A", "Wunderchip 9"]
    assert [name for name in names if NAMES.match(name).accelerator_id == UNKNOWN] == ["NPU 3.0", "Wunderchip 9"]
