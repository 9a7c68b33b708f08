"""The wider forms in which people write: comparisons, genitives, shared units, wholes, events, several amounts."""

from __future__ import annotations

import datetime as dt
from datetime import UTC, datetime

import pytest

from pipelines.extract.extractor import GrammarExtractor
from pipelines.extract.output import value_of
from pipelines.model.claim import ExtractedClaim, Modality, Origin
from pipelines.parse.document import parse_document

STATED = dt.date(2026, 2, 1)
EXTRACTOR = GrammarExtractor()
Said = set[tuple[str, str, object]]


def claims(text: str) -> list[ExtractedClaim]:
    document = parse_document(
        text.encode(), media_type=None, charset=None, url="note.md", captured_at=datetime(2026, 11, 20, tzinfo=UTC)
    )
    found = EXTRACTOR.extract(document, Origin("note.md", "A publisher", STATED))
    return [claim for claim in found if not claim.doubt]


def said(text: str) -> Said:
    return {(claim.subject, claim.metric, value_of(claim)) for claim in claims(text)}


B200, H100, H200 = "NVIDIA B200", "NVIDIA H100", "NVIDIA H200"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The B200 carries 192 GB of HBM3e, 2.4x the H100's 80 GB.",
            {(B200, "memory_capacity", 192.0), (H100, "memory_capacity", 80.0)},
        ),
        (
            "The H200 has 141 GB of HBM3e, against 80 GB for the H100.",
            {(H200, "memory_capacity", 141.0), (H100, "memory_capacity", 80.0)},
        ),
        (
            "Trainium3 offers 144 GB, more than the H200's 141 GB.",
            {("AWS Trainium3", "memory_capacity", 144.0), (H200, "memory_capacity", 141.0)},
        ),
        ("Unlike the H100, the H200 carries 141 GB.", {(H200, "memory_capacity", 141.0)}),
        (
            "The H100 vs A100: 80 GB vs 40 GB of memory.",
            {(H100, "memory_capacity", 80.0), ("NVIDIA A100", "memory_capacity", 40.0)},
        ),
        (
            "The MI355X draws 1,400 W, twice the H100's 700 W.",
            {("AMD Instinct MI355X", "power", 1.4), (H100, "power", 0.7)},
        ),
        ("The B200 draws 1,000 W against 700 for the H100.", {(B200, "power", 1.0), (H100, "power", 0.7)}),
        (
            "With 8 TB/s, the B200's bandwidth is 67% higher than the H200's 4.8 TB/s.",
            {(B200, "memory_bandwidth", 8.0), (H200, "memory_bandwidth", 4.8)},
        ),
        (
            "The Ascend chip is not as fast as Nvidia's B200 chip (4.5 petaflops of FP8).",
            {(B200, "compute", 4.5)},
        ),
        (
            "The AI200 offers 10x the memory of an H100 (80 GB HBM3).",
            {(H100, "memory_capacity", 80.0)},
        ),
        ("The B100 is a lower-power variant of the B200 (700 W).", {("NVIDIA B100", "power", 0.7)}),
        (
            "GB200 NVL72 outshines the Ascend 910C with more on-chip memory (192 GB vs. 128 GB).",
            {("NVIDIA GB200 NVL72", "memory_capacity", 192.0), ("Huawei Ascend 910C", "memory_capacity", 128.0)},
        ),
    ],
)
def test_the_other_figure_of_a_comparison_is_of_the_other_machine(text: str, expected: Said) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The A100 comes with 40 or 80 GB of HBM2e.", {40.0, 80.0}),
        ("The H100 reaches 989 teraflops of dense BF16 and 1,979 with sparsity.", {0.989, 1.979}),
        ("The H100 reaches 989 TFLOPS FP16 (1979 FP8).", {0.989, 1.979}),
        ("In 2024 and 2025 the H200 kept its 141 GB of HBM3e.", {141.0}),
        ("Gaudi 3 carries 24 200 Gb/s Ethernet ports.", {200.0}),
    ],
)
def test_a_number_shares_its_neighbours_unit(text: str, expected: set[float]) -> None:
    assert {value for _, metric, value in said(text) if not metric.endswith(("_on", "_from"))} == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("An Ironwood pod holds 9,216 chips.", {("Google Ironwood pod", "accelerator_count", 9216.0)}),
        (
            "AMD's Helios rack pairs 72 MI450 GPUs with 31 TB of HBM4.",
            {("AMD Helios", "accelerator_count", 72.0), ("AMD Helios", "memory_capacity", 31000.0)},
        ),
        (
            "The DGX SuperPOD with GB200 provides 11.5 exaflops of FP4 compute.",
            {("NVIDIA DGX SuperPOD", "compute", 11500.0)},
        ),
        (
            "Each GB200 NVL72 contains more than 5,000 copper cables totalling two miles.",
            {("NVIDIA GB200 NVL72", "cable_count", 5000.0), ("NVIDIA GB200 NVL72", "cable_length", 3.218688)},
        ),
        (
            "The Larkspur supercomputer contains 1,024 H100 GPUs.",
            {("Larkspur", "accelerator_count", 1024.0)},
        ),
        ("A p5.48xlarge instance has eight H100 GPUs.", {("Amazon p5.48xlarge", "accelerator_count", 8.0)}),
        ("OCI's BM.GPU.H100.8 shape has eight H100 GPUs.", {("OCI BM.GPU.H100.8", "accelerator_count", 8.0)}),
        (
            "The a3-highgpu-8g machine type has 8 NVIDIA H100 GPUs.",
            {("Google Cloud a3-highgpu-8g", "accelerator_count", 8.0)},
        ),
        (
            "Standard_ND96isr_H100_v5 offers 8 H100 GPUs.",
            {("Azure Standard_ND96isr_H100_v5", "accelerator_count", 8.0)},
        ),
        ("Hyperion is a 2 GW campus that Meta is building.", {("Meta Hyperion", "site_power", 2000.0)}),
        ("Oracle committed to 131,072 MI355X GPUs.", {("Oracle", "cluster_size", 131072.0)}),
        ("The Tomahawk 6 switches 102.4 Tb/s.", {("Broadcom Tomahawk 6", "scale_out_bandwidth", 102400.0)}),
        ("The DGX H100 needs 10.2 kW and carries 2 TB of system memory.", {("NVIDIA DGX H100", "power", 10.2)}),
        ("The DGX B200 lists at $515,000.", {("NVIDIA DGX B200", "price", 515000.0)}),
        (
            "OpenAI signed up for 10 GW with Nvidia and 6 GW with AMD.",
            {("OpenAI", "site_power", 10000.0), ("OpenAI", "site_power", 6000.0)},
        ),
        (
            "On AWS a p6-b200.48xlarge with eight B200s costs $113.93 per hour.",
            {
                ("AWS p6-b200.48xlarge", "accelerator_count", 8.0),
                ("AWS p6-b200.48xlarge", "gpu_hour_price", 113.93),
            },
        ),
    ],
)
def test_wholes_and_their_parts(text: str, expected: Said) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At CES 2026 NVIDIA announced Vera Rubin.", {("NVIDIA Vera Rubin", "announced_on", "2026")}),
        ("In March 2025 NVIDIA announced Blackwell Ultra.", {("NVIDIA Blackwell Ultra", "announced_on", "2025-03")}),
        ("Meta expects to deploy MTIA 450 in early 2027.", {("Meta MTIA 450", "deployed_on", "2027-H1")}),
        ("Nvidia shipped over 1 million H100s in 2025.", {(H100, "units_shipped", 1e6)}),
        ("The project was announced in January 2025.", set()),
        (
            "Huawei will launch the Ascend 960 in the fourth quarter of 2027 and the Ascend 970 in the fourth quarter "
            "of 2028.",
            {("Huawei Ascend 960", "available_from", "2027-Q4"), ("Huawei Ascend 970", "available_from", "2028-Q4")},
        ),
        (
            "Qualcomm is announcing the AI200 (2026) and AI250 (2027) accelerators.",
            {("Qualcomm AI200", "available_from", "2026"), ("Qualcomm AI250", "available_from", "2027")},
        ),
        ("At GTC 2026 NVIDIA announced a licensing deal with Groq and brought its LPU.", set()),
    ],
)
def test_dates_beside_events_counts_and_verbs(text: str, expected: Said) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The HBM of an H100 costs about $1,200.",
        "On a 100,000-GPU cluster of xAI the mean time to failure would be 30 minutes.",
        "The H20 is 6.7x slower than the H100.",
        "A 1,024-GPU job of xAI ran for two weeks.",
        "NVIDIA took a $4.5 billion charge on inventory of the H20 in the first quarter.",
        "It takes five times more Ascend 910C chips to deliver twice the performance of the GB200 NVL72.",
        "Combined capital expenditures of Amazon, Meta and the other hyperscalers reach $650 billion.",
    ],
)
def test_what_is_no_figure_of_the_machine(text: str) -> None:
    assert said(text) == set()


def test_amounts_of_several_makers_share_their_words() -> None:
    text = "Amazon set its 2026 capex at about $200 billion, Alphabet at $175 to $185 billion and Meta at $115 billion."
    assert said(text) == {
        ("Amazon", "capex", 2e11),
        ("Alphabet", "capex", 1.75e11),
        ("Alphabet", "capex", 1.85e11),
        ("Meta", "capex", 1.15e11),
    }


def test_each_amount_has_its_own_year_and_firmness() -> None:
    text = "Meta spent $72 billion on capital expenditures in 2025 and expects $115 billion in 2026."
    found = {dict(claim.qualifiers)["period"]: claim.modality for claim in claims(text)}
    assert found == {"2025": Modality.ANNOUNCED, "2026": Modality.EXPECTED}


def test_a_comparison_does_not_take_over_the_text() -> None:
    text = (
        "# AMD Instinct MI355X\n\nIt carries 288 GB of HBM3E, half as much again as the B200's 192 GB. Peak FP4 "
        "throughput is 10.1 petaflops. The previous MI300X had 192 GB and 5.3 TB/s. It costs $20,000."
    )
    owners = {(metric, value): subject for subject, metric, value in said(text)}
    assert owners[("compute", 10.1)] == owners[("price", 20000.0)] == "AMD Instinct MI355X"
    assert owners[("memory_bandwidth", 5.3)] == "AMD Instinct MI300X"


def test_what_a_whole_does_is_per_whole() -> None:
    text = "TPU 8t has 12.6 petaflops of FP4; a superpod connects 9,600 chips and reaches 121 exaflops."
    per = {(claim.metric, claim.value): dict(claim.qualifiers)["per"] for claim in claims(text)}
    assert per == {("compute", 12.6): "gpu", ("accelerator_count", 9600.0): "pod", ("compute", 121000.0): "pod"}


def test_a_list_line_speaks_of_what_it_names() -> None:
    text = (
        "# Vera Rubin NVL72\n\n- Vera CPU: 88 cores. Total transistor count: 227 billion.\n"
        "- ConnectX-9: Supports 800 Gb/s Ethernet. Contains 23 billion transistors."
    )
    owners = {value: subject for subject, metric, value in said(text) if metric == "transistor_count"}
    assert owners == {227.0: "NVIDIA Vera", 23.0: "NVIDIA ConnectX-9 SuperNIC"}


def test_each_chip_is_the_chip_that_was_named() -> None:
    text = "Project Rainier of AWS runs on the Trainium2 chip. Each chip provides 1.3 petaflops."
    assert ("AWS Trainium2", "compute", 1.3) in said(text)


def test_a_facility_is_not_the_product_of_the_title() -> None:
    text = "# NVIDIA DGX B300\n\nThe deployment integrates 1,016 NVIDIA Blackwell Ultra GPUs."
    assert said(text) == set()


def test_a_fronted_baseline_is_the_baseline() -> None:
    (gain,) = claims("Compared with the H100, the B200 is 4 times faster in inference.")
    assert (gain.subject, dict(gain.qualifiers)["baseline"]) == (B200, H100)


def test_lines_of_a_roadmap_begin_with_their_dates() -> None:
    lines = "\n\n- March 2024: Blackwell announced at GTC\n- 2H 2026: Vera Rubin NVL144\n- 2028: Feynman\n"
    assert said(f"# Timeline{lines}") == {
        ("NVIDIA Blackwell", "announced_on", "2024-03"),
        ("NVIDIA Vera Rubin NVL144", "available_from", "2026-H2"),
        ("NVIDIA Feynman", "available_from", "2028"),
    }
    assert said(f"# Reading list{lines}") == {("NVIDIA Blackwell", "announced_on", "2024-03")}


def test_an_answer_is_read_with_its_question() -> None:
    assert said("How much power does a GB200 NVL72 rack use? About 120 kW.") == {("NVIDIA GB200 NVL72", "power", 120.0)}
    assert said("Does a GB200 NVL72 rack use 120 kW?") == set()


def test_a_key_says_what_is_counted() -> None:
    text = "# GB300 NVL72\n\n- Accelerators: 72 × Blackwell Ultra\n- CPUs: 36 × Grace\n"
    assert said(text) == {("NVIDIA GB300 NVL72", "accelerator_count", 72.0), ("NVIDIA GB300 NVL72", "cpu_count", 36.0)}


def test_a_rack_whose_parts_share_its_memory() -> None:
    text = (
        "# GB300 NVL72\n\n- Within each rack, 72 GPUs and 36 Grace CPUs share 37 TB of fast memory over NVLink "
        "Switches with 130 TB/s of intra-rack bandwidth.\n"
    )
    rack = "NVIDIA GB300 NVL72"
    assert said(text) == {
        (rack, "accelerator_count", 72.0),
        (rack, "cpu_count", 36.0),
        (rack, "memory_capacity", 37000.0),
        (rack, "scale_up_bandwidth", 130.0),
    }


def test_pods_in_general_are_pods_of_the_chip_at_hand() -> None:
    text = "# TPU 8t\n\n- Superpods scale to 9,600 chips, delivering 2 petabytes of shared HBM and 121 exaflops.\n"
    per = {(claim.subject, claim.metric, claim.value): claim.qualifier("per") for claim in claims(text)}
    assert per == {
        ("Google TPU 8t", "accelerator_count", 9600.0): "pod",
        ("Google TPU 8t", "memory_capacity", 2e6): "pod",
        ("Google TPU 8t", "compute", 121000.0): "pod",
    }
