"""Names in running text: longest match, context for homonyms, and what looks like a product and is none."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder
from pipelines.registry.names import tokens_of
from pipelines.registry.spellings import Spelling

FINDER = NameFinder.load()
SHARED = Path(__file__).parents[3] / "../shared"


def _found(text: str, context: str = "") -> list[tuple[str, str]]:
    return [(text[hit.start : hit.end], hit.name) for hit in FINDER.find(text, context)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("an H100 PCIe beside an H100 SXM5", [("H100 PCIe", "NVIDIA H100 PCIe"), ("H100 SXM5", "NVIDIA H100 SXM5")]),
        ("A100 (80GB PCIe) cards", [("A100 (80GB PCIe)", "NVIDIA A100 PCIe")]),
        ("8xH100 nodes", [("H100", "NVIDIA H100")]),
        ("two H100s and an H200's memory", [("H100s", "NVIDIA H100"), ("H200", "NVIDIA H200")]),
        ("GB200-NVL72 racks", [("GB200-NVL72", "NVIDIA GB200 NVL72")]),
        ("gb300 nvl72", [("gb300 nvl72", "NVIDIA GB300 NVL72")]),
        ("MI300X, not MI300A", [("MI300X", "AMD Instinct MI300X"), ("MI300A", "AMD Instinct MI300A")]),
        ("MI3000 is no product", []),
        ("the NVL72", [("NVL72", "NVIDIA NVL72")]),
        ("Vera Rubin NVL144", [("Vera Rubin NVL144", "NVIDIA Vera Rubin NVL144")]),
        ("VR NVL72 racks", [("VR NVL72", "NVIDIA Vera Rubin NVL72")]),
        ("NVIDIA® ConnectX®-9 SuperNIC™", [("NVIDIA® ConnectX®-9 SuperNIC", "NVIDIA ConnectX-9 SuperNIC")]),
        ("Intel(R) Gaudi(R) 3 AI accelerator", [("Intel(R) Gaudi(R) 3", "Intel Gaudi 3")]),
        ("NVLink 5.0 and NVLink 5", [("NVLink 5.0", "NVIDIA NVLink 5"), ("NVLink 5", "NVIDIA NVLink 5")]),
        ("Rubin Ultra and Rubin CPX", [("Rubin Ultra", "NVIDIA Rubin Ultra"), ("Rubin CPX", "NVIDIA Rubin CPX")]),
        ("Nvidia hopper", [("Nvidia hopper", "NVIDIA Hopper")]),
        ("Ironwood TPU pods", [("Ironwood TPU", "Google TPU v7")]),
        ("the Frontier supercomputer and frontier models", [("Frontier", "Frontier")]),
        ("H100/H200 systems", [("H100", "NVIDIA H100"), ("H200", "NVIDIA H200")]),
        ("CloudMatrix384 with Ascend 910C", [
            ("CloudMatrix384", "Huawei CloudMatrix 384"), ("Ascend 910C", "Huawei Ascend 910C"),
        ]),
    ],
)  # fmt: skip
def test_names_in_sentences_of_the_field(text: str, expected: list[tuple[str, str]]) -> None:
    assert _found(text, "accelerators and racks") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Take the B200 bus line to the airport.",
        "The A100 motorway in Berlin is closed.",
        "Vera Rubin was an astronomer; she was born in 1928.",
        "Grace Hopper was an admiral and wrote the first compiler.",
        "The Vera C. Rubin Observatory has a large telescope.",
        "A meta-analysis of Meta-analysis methods",
        "an apple pie, an oracle, and the rapids of the river",
        "He met the titan of the movie industry; Titan the movie",
        "The L4 motorway and the T4 terminal",
        "Spectrum of light, quantum of solace, eagle and frontier",
    ],
)
def test_the_same_words_elsewhere_are_no_names(text: str) -> None:
    assert _found(text) == []


def test_a_process_is_no_card() -> None:
    assert [name for name, _ in _found("TSMC's N2 is in production and A16 follows.", "GPU roadmap")] == ["TSMC"]
    assert ("A16", "NVIDIA A16") in _found("Each node has four A16 GPUs.", "GPU roadmap")


def test_the_words_around_decide() -> None:
    assert _found("Blackwell ships in volume.") == []
    assert _found("Blackwell ships in volume.", "GPU roadmap") == [("Blackwell", "NVIDIA Blackwell")]
    assert _found("Blackwell GPUs ship in volume.") == [("Blackwell", "NVIDIA Blackwell")]


def test_a_form_factor_leads_to_the_variant() -> None:
    hits = FINDER.find("H100 PCIe and H100 SXM5")
    assert [hit.subject_id for hit in hits] == ["nvidia-h100-pcie-80gb", "nvidia-h100-sxm5"]


def test_a_version_that_goes_on_after_the_v_is_another_name() -> None:
    assert _found("The TITAN V GPU has 12 GB.") == [("TITAN V", "NVIDIA TITAN V")]
    assert "NVIDIA TITAN V" not in dict(_found("The Titan v.1 accelerator has 32 GB.")).values()


def test_what_looks_like_a_product_and_is_unknown() -> None:
    text = "The NVIDIA Zeta9000 beside an H100, FP8 on HBM3E in Q3 2026, and the QX77 accelerator."
    assert [(item.text, item.maker_id) for item in FINDER.products(text)] == [("Zeta9000", "nvidia"), ("QX77", "")]


def test_every_name_of_the_collected_claims_is_known() -> None:
    path = SHARED / "facts" / "seed_entities.csv"
    if not path.is_file():
        pytest.skip("reference file seed_entities.csv is not beside the repository")
    with path.open(encoding="utf-8", newline="") as stream:
        names = [row["name"] for row in csv.DictReader(stream) if row["kind"] not in ("person", "memory")]
    assert [name for name in names if [found for found, _ in _found(name, "GPU rack")] != [name]] == []


@pytest.mark.parametrize(
    "name",
    ["GB200 NVL72", "Kyber NVL576", "Dell IR7000", "Quantum-X Photonics switch", "Vera CPU", "DGX Spark", "QM3400",
     "Cray EX4000", "EX154n", "xAI Colossus", "Crusoe", "Topograph", "Run:ai", "ComputeDomains", "RTX 4090", "JUPITER",
     "NVLink Switch 7", "BlueField-3", "Transformer Engine", "CoreWeave", "KAUST", "SCADA", "NVRx"],
)  # fmt: skip
def test_names_that_claims_are_about(name: str) -> None:
    hits = FINDER.find(name, "GPU rack")
    assert hits
    assert hits[0].start == 0


WORDS = ["Zor", "Mak", "Tel", "Ras"]
NAMES = [f"{word} {number}" for word in WORDS for number in range(2600)]
MADE = NameFinder(
    load_registry().entries, [Spelling(name, f"made-{index}", name, "system", "") for index, name in enumerate(NAMES)]
)


@given(st.lists(st.sampled_from([*NAMES[::37], "and", "of", "-", "Mak", "12", ",", "s"]), max_size=12))
def test_ten_thousand_names_are_found_as_a_naive_matcher_finds_them(pieces: list[str]) -> None:
    text = " ".join(pieces)
    made = [hit for hit in MADE.find(text) if hit.subject_id.startswith("made-")]
    assert [(hit.start, hit.end) for hit in made] == _naive(text)


def _naive(text: str) -> list[tuple[int, int]]:
    """Every pair of a known word and a number below the limit, read token by token."""
    tokens = tokens_of(text)
    found: list[tuple[int, int]] = []
    index = 0
    while index + 1 < len(tokens):
        word, number = tokens[index], tokens[index + 1]
        is_name = word.key.title() in WORDS and number.key.isdecimal() and number.key == str(int(number.key))
        joined = number.start - word.end <= 6
        if is_name and joined and int(number.key) < 2600:
            found.append((word.start, number.end))
            index += 2
        else:
            index += 1
    return found
