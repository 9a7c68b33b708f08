"""Whose page an address is, and the table of tags."""

from __future__ import annotations

import pytest

from pipelines.model.evidence import Evidence
from pipelines.registry.printers import allowed_tag, domain_owner, printed_by, tag_of


@pytest.mark.parametrize(
    ("url", "owner"),
    [
        ("https://docs.nvidia.com/dgx/a", "nvidia"),
        ("https://github.com/ROCm/ROCm/blob/x/y.md", "amd"),
        ("https://github.com/somebody/x", None),
        ("https://notnvidia.com/a", None),
        ("https://nvidia.com.example.org/a", None),
        ("https://www.theregister.com/2026/01/01/x/", "the-register"),
    ],
)
def test_the_domain_says_whose_page_it_is(url: str, owner: str | None) -> None:
    found = domain_owner(url)
    assert (found.id if found else None) == owner


@pytest.mark.parametrize(
    ("url", "kind", "claimant", "makers", "tag"),
    [
        ("https://docs.nvidia.com/x", "maker", "NVIDIA", {"nvidia"}, "vendor"),
        ("https://docs.nvidia.com/x", "maker", "NVIDIA", {"amd"}, "reported"),  # on another's product
        ("https://docs.nvidia.com/x", "maker", "AMD", {"amd"}, "reported"),  # a relay of AMD's word
        ("https://dev.to/x", "maker", "NVIDIA", {"nvidia"}, "unverified"),
        ("https://www.hpcwire.com/x", "press", "NVIDIA", {"nvidia"}, "reported"),
        ("https://newsletter.semianalysis.com/p/x", "analyst", "SemiAnalysis", {"nvidia"}, "estimated"),
        ("https://newsletter.semianalysis.com/p/x", "analyst", "NVIDIA", {"nvidia"}, "reported"),
        ("https://www.coreweave.com/blog/x", "operator", "CoreWeave", {"nvidia"}, "operator"),
        ("https://www.sec.gov/x", "filing", "SEC", set(), "audited"),
        ("https://azure.microsoft.com/x", "maker", "Microsoft Azure", {"microsoft"}, "vendor"),  # one house
        ("https://somewhere.example/x", "maker", "NVIDIA", {"nvidia"}, "reported"),
    ],
)
def test_a_tag_follows_from_who_asserts_it_on_whose_page(
    url: str, kind: str, claimant: str, makers: set[str], tag: str
) -> None:
    assert tag_of(claimant, printed_by(url, "Some page", kind), makers=makers) == tag


def test_a_site_is_run_and_not_sold() -> None:
    page = printed_by("https://docs.lumi-supercomputer.eu/hardware/lumig/", "LUMI", "operator")
    assert tag_of("LUMI consortium", page, makers={"lumi"}, is_run=True) is Evidence.OPERATOR
    assert tag_of("NVIDIA", page, makers={"lumi"}, is_run=True) is Evidence.REPORTED


def test_what_an_author_saw_is_his_on_his_own_page_and_told_elsewhere() -> None:
    own = printed_by("https://blog.glennklockwood.com/a", "Glenn K. Lockwood", "")
    assert allowed_tag(Evidence.OBSERVED, "Glenn K. Lockwood", own) is Evidence.OBSERVED
    assert allowed_tag(Evidence.OBSERVED, "NVIDIA", own) is Evidence.REPORTED
    assert allowed_tag(Evidence.ESTIMATED, "Epoch AI", printed_by("https://a.example/b", "A", "")) is Evidence.REPORTED
