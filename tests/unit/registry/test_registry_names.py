"""Normalisation of names: what is one key, what are two, and that it settles at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.registry.names import name_key, name_tokens


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


@given(st.text(max_size=60))
def test_tokens_of_any_text_are_words(text: str) -> None:
    assert all(token and not token.isspace() for token in name_tokens(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Intel(R) Gaudi(R) 2 AI Accelerator", "intel® gaudi® 2 ai accelerator"),
        ("Gaudi2", "GAUDI-2"),
        ("NVIDIA A100-SXM4-80GB (400W)", "Nvidia A100 SXM4 80 GB(400 W)"),
        ("Intel® Nervana™ Neural Network Processor", "Intel Nervana Neural Network Processor"),
        ("A100", "Ａ１００"),
    ],
)
def test_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A100-SXM4-40GB", "A100-SXM-440GB"),
        ("H100 PCIe", "H100 SXM"),
        ("B200", "GB200"),
        ("Cloud AI 100 DM.2", "Cloud AI 100 DM.2e"),
        ("TPU v5e", "TPU v5p"),
    ],
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_the_key_keeps_runs_of_digits_apart() -> None:
    assert name_key("NVIDIA H100-SXM5-80GB") == "nvidiah 100 sxm 5 80 gb"
