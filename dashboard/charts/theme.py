"""Colours and shapes that stay the same on every page: a hue for each vendor, a shade and shape for each generation.

The hues are Okabe and Ito's, safe for colour-blind readers (jfly.uni-koeln.de/color); shapes are the second channel.
"""

from __future__ import annotations

import colorsys

import pandas as pd

VENDOR_HUES = {
    "nvidia": "#009E73",
    "amd": "#D55E00",
    "google": "#0072B2",
    "intel": "#56B4E9",
    "graphcore": "#CC79A7",
    "huawei": "#B8860B",
}
OTHER_HUE = "#7A7A7A"
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")


def shade(colour: str, step: int, steps: int) -> str:
    """A lighter or darker form of a hue: the newest generation is the darkest."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, _, saturation = colorsys.rgb_to_hls(red, green, blue)
    age = step / max(steps - 1, 1)
    hue = (hue + 0.1 * (age - 0.5)) % 1  # neighbours in hue too: shades alone lie too close where a vendor has eight
    rgb = colorsys.hls_to_rgb(hue, 0.64 - 0.28 * age, saturation * (0.5 + 0.3 * age))
    return "#" + "".join(f"{round(c * 255):02x}" for c in rgb)


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
