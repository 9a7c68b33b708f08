"""Sentences of the field and what they claim: subject, metric, value, qualifiers; and what claims nothing."""

from __future__ import annotations

import datetime as dt
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.extract.extractor import GrammarExtractor
from pipelines.extract.output import value_of
from pipelines.model.claim import ExtractedClaim, Modality, Origin
from pipelines.parse.document import parse_document

STATED = dt.date(2025, 9, 1)
EXTRACTOR = GrammarExtractor()


def claims(text: str) -> list[ExtractedClaim]:
    document = parse_document(
        text.encode(), media_type=None, charset=None, url="note.md", captured_at=datetime(2026, 11, 20, tzinfo=UTC)
    )
    return EXTRACTOR.extract(document, Origin("note.md", "A publisher", STATED))


def said(text: str) -> set[tuple[str, str, object]]:
    return {(claim.subject, claim.metric, value_of(claim)) for claim in claims(text) if not claim.doubt}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The NVIDIA H100 SXM has 80 GB of HBM3 at 3.35 TB/s.",
            {("NVIDIA H100 SXM", "memory_capacity", 80.0), ("NVIDIA H100 SXM", "memory_bandwidth", 3.35)},
        ),
        (
            "The GB200 chip consumes 1200W per chip vs 700W for the H100.",
            {("NVIDIA GB200", "power", 1.2), ("NVIDIA H100", "power", 0.7)},
        ),
        (
            "Ironwood and Trainium3 offer 192 GB and 144 GB of HBM, respectively.",
            {("Google TPU v7", "memory_capacity", 192.0), ("AWS Trainium3", "memory_capacity", 144.0)},
        ),
        (
            "Blackwell Ultra and AMD's Instinct MI355X reached 1,400 watts.",
            {("NVIDIA Blackwell Ultra", "power", 1.4), ("AMD Instinct MI355X", "power", 1.4)},
        ),
        (
            "NVIDIA DGX B200 delivers 3X the training performance of DGX H100.",
            {("NVIDIA DGX B200", "speedup", 3.0)},
        ),
        (
            "AWS Trainium3 offers 40% better energy efficiency than Trainium2.",
            {("AWS Trainium3", "efficiency_gain", 1.4)},
        ),
        (
            "Intel Gaudi 3 was announced in April 2024 and shipped in Q3 2024.",
            {("Intel Gaudi 3", "announced_on", "2024-04"), ("Intel Gaudi 3", "available_from", "2024-Q3")},
        ),
        (
            "NVIDIA Rubin Ultra is due in the second half of next year.",
            {("NVIDIA Rubin Ultra", "available_from", "2026-H2")},
        ),
        (
            "NVIDIA renamed the Vera Rubin NVL144 to Vera Rubin NVL72.",
            {("NVIDIA Vera Rubin NVL144", "renamed_to", "NVIDIA Vera Rubin NVL72")},
        ),
        (
            "The NVIDIA Quantum-X Photonics switch has 144 ports at 800 Gb/s.",
            {
                ("NVIDIA Quantum-X Photonics", "port_count", 144.0),
                ("NVIDIA Quantum-X Photonics", "scale_out_bandwidth", 800.0),
            },
        ),
        ("CoreWeave charges $6.16 per GPU-hour for the H100.", {("NVIDIA H100", "gpu_hour_price", 6.16)}),
        ("Meta expects 2025 capital expenditures of $70 billion.", {("Meta", "capex", 7e10)}),
        ("xAI plans a 1 million GPU cluster.", {("xAI", "cluster_size", 1e6)}),
        ("El Capitan reached 1.742 exaflops on HPL.", {("El Capitan", "compute", 1742.0)}),
        ("Microsoft Maia 200 is built on TSMC N3P.", {("Microsoft Maia 200", "process_node", 3.0)}),
    ],
)  # fmt: skip
def test_what_a_sentence_claims(text: str, expected: set[tuple[str, str, object]]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "A Tesla Model S has a 100 kW motor, and the iPhone has 12 GB of memory.",
        "NVIDIA stock rose 3.2% to $142, giving it a market cap of $3.4 trillion.",
        "Llama 3.1 has 405 billion parameters and was trained on 15 trillion tokens.",
        "The data center sits next to a 1.2 GW nuclear plant.",
        "An NVIDIA H100 would need 2 kW if it ran at that clock.",
        "Imagine an NVIDIA B200 with 500 GB of HBM3e.",
        "The NVIDIA B200 does not have 288 GB of HBM3e.",
        "Is the NVIDIA H100 really 30x faster than the A100?",
        "The server has 2 TB of DDR5 memory, 30 TB of NVMe storage and PCIe at 128 GB/s.",
        "A typical AI rack draws 40 kW.",
        "The NVIDIA H100 has 132 SMs, 16,896 CUDA cores and 50 MB of L2 cache.",
        "Groq raised $750 million at a valuation of $6.9 billion.",
        "Grace Hopper retired at 79 with 3 medals.",
        "The NVIDIA B300 draws 200W more at peak.",
        "As accelerators have grown, often exceeding 1,000 watts, ABF has reached its limit.",
    ],
)
def test_what_claims_nothing(text: str) -> None:
    assert said(text) == set()


def test_qualifiers() -> None:
    found = {claim.value: claim for claim in claims("NVIDIA GB300: 15/5 PFLOPs at FP4(dense)/FP16 per GPU.")}
    assert dict(found[15.0].qualifiers) == {"per": "gpu", "precision": "fp4", "sparsity": "dense"}
    assert dict(found[5.0].qualifiers) == {"per": "gpu", "precision": "fp16", "sparsity": "unstated"}


def test_a_range_is_two_claims_at_their_own_digits() -> None:
    text = "The NVIDIA GB200 NVL72 draws about 120-132 kW per rack."
    low, high = claims(text)
    assert [(c.value, c.qualifier("bound"), c.qualifier("approx")) for c in (low, high)] == [
        (120.0, "low", "true"),
        (132.0, "high", "true"),
    ]
    assert [text[c.value_at.start : c.value_at.end] for c in (low, high)] == ["120", "132"]


def test_the_subject_comes_from_pronoun_list_and_heading() -> None:
    text = (
        "# Notes\n\nThe AMD Instinct MI300X is a big part. It carries 192 GB of HBM3.\n\n"
        "- NVIDIA H200\n  - 141 GB HBM3e\n\n## Google TPU v6e\n\n- Memory: 32 GB of HBM\n"
    )
    assert said(text) == {
        ("AMD Instinct MI300X", "memory_capacity", 192.0),
        ("NVIDIA H200", "memory_capacity", 141.0),
        ("Google TPU v6e", "memory_capacity", 32.0),
    }


def test_claimant_and_modality() -> None:
    (claim,) = claims("According to NVIDIA, the Rubin CPX will deliver 30 PFLOPS of NVFP4.")
    assert (claim.claimant, claim.is_attributed, claim.modality) == ("NVIDIA", True, Modality.EXPECTED)
    (claim,) = claims("The NVIDIA H100 has 80 GB of HBM3.")
    assert (claim.claimant, claim.is_attributed, claim.modality) == ("A publisher", False, Modality.ANNOUNCED)


def test_an_unbelievable_value_is_kept_for_review() -> None:
    (claim,) = claims("The NVIDIA H100 has a TDP of 900 kW.")
    assert claim.doubt == "900 kW is outside what is believable for accelerator per gpu"
    assert claim.confidence == 0.2


def test_the_same_said_twice_is_one_claim() -> None:
    text = "The NVIDIA H100 draws 700 W. Yes, the NVIDIA H100 draws 0.7 kW.\n"
    assert [claim.value for claim in claims(text)] == [0.7]


_WORDS = (
    "NVIDIA H100 GB200 NVL72 has 192 GB HBM3e at 8 TB/s and 700 W per GPU vs than 3x faster $2 billio"
    "n in 2026 . , ( ) : -"
)
_PIECES = st.sampled_from([*_WORDS.split(" "), "announced", "each", "up to", "if", "not", "1.2 GW", "OpenAI", "rack"])


@settings(max_examples=60, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=60).map(" ".join))
def test_no_text_breaks_it_and_spans_lie_inside(text: str) -> None:
    document = parse_document(
        f"x {text}".encode(),
        media_type=None,
        charset=None,
        url="note.md",
        captured_at=datetime(2026, 11, 20, tzinfo=UTC),
    )
    for claim in EXTRACTOR.extract(document, Origin("note.md", "", STATED)):
        assert 0 <= claim.context.start <= claim.value_at.start < claim.value_at.end <= len(document.text)


@pytest.mark.parametrize("piece", ["1", "[(", "GB/s ", "5 kW ", "NVIDIA H100 ", "up to ", "vs ", "in 2026 ", "and "])
def test_hostile_text_is_read_to_its_end(piece: str) -> None:
    text = "x " + piece * 5000 + "\n\nThe NVIDIA H100 has 80 GB of HBM3.\n"
    assert ("NVIDIA H100", "memory_capacity", 80.0) in said(text)
