"""Who speaks about what decides the tag."""

from __future__ import annotations

import dataclasses

from pipelines.claims.grade import Speaker, grade
from pipelines.model.claim import ExtractedClaim, Method, Modality, Span
from pipelines.model.evidence import Evidence

NVIDIA, PRESS, NOBODY = Speaker("nvidia"), Speaker("press"), Speaker("")
CLAIM = ExtractedClaim(
    subject="NVIDIA GB200 NVL72",
    subject_id="nvidia-gb200-nvl72",
    subject_kind="system",
    metric="power",
    value=120.0,
    unit="kW",
    value_at=Span(0, 3),
    context=Span(0, 10),
    printed="120 kW",
    modality=Modality.ANNOUNCED,
    claimant="",
    method=Method.READER,
    confidence=0.9,
)


def test_a_maker_about_its_own_product() -> None:
    tag, caveats = grade(CLAIM, publisher=NVIDIA, claimant=NVIDIA, makers={"nvidia"}, default=Evidence.REPORTED)
    assert (tag, caveats) == (Evidence.VENDOR, ("own_product",))


def test_the_press_relaying_the_maker() -> None:
    claim = dataclasses.replace(CLAIM, is_attributed=True, qualifiers=(("bound", "max"),))
    tag, caveats = grade(claim, publisher=PRESS, claimant=NVIDIA, makers={"nvidia"}, default=Evidence.REPORTED)
    assert (tag, caveats) == (Evidence.REPORTED, ("imprecise", "indirect", "own_product"))


def test_a_maker_about_somebody_elses_product_is_no_vendor_of_it() -> None:
    tag, _ = grade(CLAIM, publisher=Speaker("amd"), claimant=Speaker("amd"), makers={"nvidia"}, default=Evidence.VENDOR)
    assert tag is Evidence.REPORTED


def test_an_operator_about_its_own_machines() -> None:
    claim = dataclasses.replace(CLAIM, subject="Meta", subject_kind="organisation", metric="cluster_size")
    tag, _ = grade(
        claim, publisher=Speaker("meta"), claimant=Speaker("meta"), makers={"meta"}, default=Evidence.REPORTED
    )
    assert tag is Evidence.OPERATOR


def test_whoever_runs_a_site_is_its_operator_whatever_it_tells_of_it() -> None:
    claim = dataclasses.replace(CLAIM, subject="LUMI", subject_kind="site", metric="cpu_count")
    tag, _ = grade(
        claim, publisher=Speaker("lumi"), claimant=Speaker("lumi"), makers={"lumi"}, default=Evidence.OPERATOR
    )
    assert tag is Evidence.OPERATOR


def test_a_generated_page_stays_unverified_whoever_it_names() -> None:
    claim = dataclasses.replace(CLAIM, is_attributed=True)
    tag, _ = grade(claim, publisher=NOBODY, claimant=NVIDIA, makers={"nvidia"}, default=Evidence.UNVERIFIED)
    assert tag is Evidence.UNVERIFIED


def test_an_example_is_illustrative_even_from_the_maker() -> None:
    claim = dataclasses.replace(CLAIM, is_illustrative=True)
    tag, _ = grade(claim, publisher=NVIDIA, claimant=NVIDIA, makers={"nvidia"}, default=Evidence.VENDOR)
    assert tag is Evidence.ILLUSTRATIVE
