"""Colours and shapes that stay the same on every page: a hue for each vendor and layer, a shade for each generation.

Vendors have Okabe and Ito's hues (jfly.uni-koeln.de/color), market layers Paul Tol's 'bright' ones
(personal.sron.nl/~pault): both safe for colour-blind readers, on light and dark. Shapes are the second channel.
"""

from __future__ import annotations

import colorsys
from collections.abc import Iterable

import altair as alt
import pandas as pd

from pipelines.model.evidence import Evidence

VENDOR_HUES = {
    "nvidia": "#009E73",
    "amd": "#D55E00",
    "google": "#0072B2",
    "intel": "#56B4E9",
    "graphcore": "#CC79A7",
    "huawei": "#B8860B",
}
VENDOR_SHAPES = {
    "nvidia": "circle",
    "amd": "square",
    "google": "triangle-up",
    "intel": "diamond",
    "graphcore": "cross",
    "huawei": "triangle-down",
}
LAYERS = ("hyperscale", "neocloud", "enterprise", "science", "vendor")
LAYER_HUES = {
    "hyperscale": "#4477AA",
    "neocloud": "#EE6677",
    "enterprise": "#228833",
    "science": "#AA3377",
    "vendor": "#CCBB44",
}
LAYER_SHAPES = dict(zip(LAYERS, ("circle", "square", "triangle-up", "diamond", "cross"), strict=True))
OTHER_HUE = "#7A7A7A"
LIGHTEST, DARKEST = 0.29, 0.14
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")


def legend(columns: int = 2) -> alt.Legend:
    """A legend below the chart, so that a phone's width is the chart's."""
    return alt.Legend(title=None, orient="bottom", columns=columns, labelLimit=220, symbolSize=90)


def by_vendor(field: str, shown: list[str]) -> tuple[alt.Color, alt.Shape]:
    """Colour and shape encodings for a column of vendor ids."""
    return _encodings(field, sorted(shown), VENDOR_HUES, VENDOR_SHAPES)


def by_layer(field: str, shown: list[str]) -> tuple[alt.Color, alt.Shape]:
    """Colour and shape encodings for a column of market layers, in the order of the market."""
    ordered = [layer for layer in LAYERS if layer in shown] + sorted(set(shown) - set(LAYERS))
    return _encodings(field, ordered, LAYER_HUES, LAYER_SHAPES)


def by_evidence(field: str = "evidence", shown: Iterable[str] = tuple(Evidence)) -> alt.Shape:
    """Shape encoding for the tag, the same on every chart; where colour is taken by vendor or layer.

    The legend names only the tags that are `shown`.
    """
    tags = [tag.value for tag in Evidence if tag in set(shown)]
    scale = alt.Scale(domain=tags, range=[Evidence(tag).shape for tag in tags])
    return alt.Shape(f"{field}:N", scale=scale, legend=legend(2))


def _encodings(
    field: str, shown: list[str], hues: dict[str, str], shapes: dict[str, str]
) -> tuple[alt.Color, alt.Shape]:
    colours = [hues.get(name, OTHER_HUE) for name in shown]
    marks = [shapes.get(name, "circle") for name in shown]
    return (
        alt.Color(f"{field}:N", scale=alt.Scale(domain=shown, range=colours), legend=legend()),
        alt.Shape(f"{field}:N", scale=alt.Scale(domain=shown, range=marks), legend=legend()),
    )


def shade(colour: str, step: int, steps: int) -> str:
    """A form of a hue for a generation: the newest is the darkest, and all stand out from a white and a black ground.

    Contrast of 3:1 against both (WCAG 2.2, 1.4.11) leaves luminances from about 0.13 to 0.30; neighbours differ in hue
    too, since shades alone lie too close where a vendor has eight.
    """
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, _, saturation = colorsys.rgb_to_hls(red, green, blue)
    age = step / max(steps - 1, 1)
    hue = (hue + 0.14 * (age - 0.5)) % 1
    wanted = LIGHTEST - (LIGHTEST - DARKEST) * age
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        rgb = colorsys.hls_to_rgb(hue, middle, saturation * (0.6 + 0.3 * age))
        low, high = (middle, high) if luminance(rgb) < wanted else (low, middle)
    return "#" + "".join(f"{round(c * 255):02x}" for c in rgb)


def luminance(rgb: tuple[float, float, float]) -> float:
    """Relative luminance of sRGB parts from 0 to 1 (WCAG 2.2)."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def palette(generations: pd.DataFrame, shown: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Labels, colours and shapes for the generations shown, in the order of vendor and age.

    `generations` has generation, vendor, vendor_name, name, ordinal, for all that have results: so a generation keeps
    its shade and shape whatever is filtered. Those not in it (CPU-only systems) are grey.
    """
    labels: list[str] = []
    colours: list[str] = []
    shapes: list[str] = []
    for vendor, group in generations.sort_values(["vendor", "ordinal"]).groupby("vendor", sort=True):
        for step, row in enumerate(group.itertuples()):
            if row.generation not in shown:
                continue
            labels.append(label_of(str(row.vendor_name), str(row.name)))
            colours.append(shade(VENDOR_HUES.get(str(vendor), OTHER_HUE), step, len(group)))
            shapes.append(SHAPES[step % len(SHAPES)])
    if set(shown) - set(generations["generation"]):
        labels.append(OTHER_LABEL)
        colours.append(OTHER_HUE)
        shapes.append("circle")
    return labels, colours, shapes


OTHER_LABEL = "CPU only or not known"


def label_of(vendor_name: str, name: str) -> str:
    """'NVIDIA Hopper'."""
    return f"{vendor_name} {name}"


def label_generations(frame: pd.DataFrame, generations: pd.DataFrame) -> pd.DataFrame:
    """A copy of the frame with `generation_name` beside `generation`."""
    names = {str(row.generation): label_of(str(row.vendor_name), str(row.name)) for row in generations.itertuples()}
    return frame.assign(generation_name=[names.get(str(value), OTHER_LABEL) for value in frame["generation"]])
