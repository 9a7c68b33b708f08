"""Formulas of TeX in running text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.parse.assemble import clean
from pipelines.parse.formulas import without_formulas
from tests.scene_kit import markdown


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"$80\,\text{GB}$ at $3.35~\mathrm{TB/s}$", "80 GB at 3.35 TB/s"),
        (r"$\approx 989 \times 10^{12}$ FLOP/s", "≈989 ×10^12 FLOP/s"),
        (r"\(1{,}400\ \text{W}\), \[\frac{1}{2}\]", "1,400 W, 1/2"),
        (r"$\sim 50\%$ of it", "~50% of it"),
        ("$5 and $6 and $7", "$5 and $6 and $7"),
        (r"$2.49 an hour, $\text{cheap}$", "$2.49 an hour, cheap"),
        (r"a \$5 bill, C:\temp\new", r"a \$5 bill, C:\temp\new"),
        ("$x$ and $y$", "$x$ and $y$"),  # no figure is written so
    ],
)
def test_a_formula_is_plain_words(text: str, plain: str) -> None:
    assert without_formulas(text) == plain


def test_a_page_of_any_format_has_none() -> None:
    assert markdown(r"The card has $80\,\text{GB}$ of it." + "\n").text == "The card has 80 GB of it."


@given(st.text(alphabet=r"$\{}^(),~ 8atextmhrm", max_size=300))
def test_any_text_is_read_and_only_gets_shorter(text: str) -> None:
    assert len(clean(text)) <= len(text)
