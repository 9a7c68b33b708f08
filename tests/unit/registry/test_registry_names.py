"""Normalisation of names: what is one key, what are two, and that it settles at once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.registry.names import lowered, name_key, name_tokens, tokens_of


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


@given(st.text(max_size=60))
def test_all_but_spaces_and_marks_is_in_one_token(text: str) -> None:
    tokens = tokens_of(text)
    assert all(one.end <= two.start for one, two in pairwise(tokens))
    outside = [sign for at, sign in enumerate(text) if not any(token.start <= at < token.end for token in tokens)]
    assert all(sign.isspace() or sign in "®™©-‐‑‒–_\u00ad\u200b()rctmRCTM" for sign in outside)


def test_marks_and_spaces_are_no_tokens_and_a_sign_of_counts_is_one() -> None:
    assert [token.key for token in tokens_of("8xH100(TM) Gaudi® 2_x, 昇腾X3")] == [
        "8", "x", "h", "100", "gaudi", "2", "x", ",", "昇", "腾", "x", "3",
    ]  # fmt: skip


@given(st.text(max_size=60))
def test_small_letters_stand_where_the_large_ones_stood(text: str) -> None:
    assert len(lowered(text)) == len(text)


def test_the_turkish_letters_are_an_i() -> None:
    assert lowered("İLK ÇEYREK ı") == "ilk çeyrek i"
