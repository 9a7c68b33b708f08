"""Colours stand out on light and dark, and no two vendors or layers look alike."""

from __future__ import annotations

import pytest

from dashboard.charts import theme
from pipelines.model.evidence import Evidence

WHITE, DARK = 1.0, 0.0091  # luminance of the two grounds


def parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


@pytest.mark.parametrize("vendor", theme.VENDOR_HUES)
def test_every_shade_of_a_generation_has_contrast_on_both_grounds(vendor: str) -> None:
    for step in range(8):
        found = theme.luminance(parts(theme.shade(theme.VENDOR_HUES[vendor], step, 8)))
        assert contrast(found, WHITE) >= 3
        assert contrast(found, DARK) >= 3


def test_a_newer_generation_is_darker() -> None:
    found = [theme.luminance(parts(theme.shade("#009E73", step, 5))) for step in range(5)]
    assert found == sorted(found, reverse=True)


def test_vendors_layers_and_tags_have_shapes_of_their_own() -> None:
    assert len(set(theme.VENDOR_HUES.values())) == len(set(theme.VENDOR_SHAPES.values())) == len(theme.VENDOR_HUES)
    assert set(theme.VENDOR_SHAPES) == set(theme.VENDOR_HUES)
    assert len(set(theme.LAYER_HUES.values())) == len(set(theme.LAYER_SHAPES.values())) == 5
    assert len({tag.mark.split()[1] for tag in Evidence}) == len({tag.shape for tag in Evidence}) == len(Evidence)
