"""Colours, inks and shapes that stay the same on every page, read from one file (`palette.yaml`).

A chart is drawn in the colours of a light ground. On a dark one the page's style sheet turns each into its other
(`dark_style`), so that a chart is made once and follows the reader's theme at once. Shapes are the second channel.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt
import pandas as pd

from dashboard.palette import palette_file
from pipelines.model.evidence import Evidence

FONT = "Source Sans"
_CHARTS = ':is([data-testid="stVegaLiteChart"],.still)'
OTHER_LABEL = "CPU only or not known"


def ink(name: str) -> str:
    """An ink by name, as on light ground. Raises KeyError."""
    return str(palette_file()["inks"][name][0])


def ink_pair(name: str) -> tuple[str, str]:
    """An ink or a colour of the page by name, on light and on dark ground. Raises KeyError."""
    file = palette_file()
    light, dark = (file["inks"] | file["page"])[name]
    return str(light), str(dark)


def other_colour() -> str:
    """The grey of everybody without a colour of his own."""
    return str(palette_file()["other"][0])


def generation_colour(generation: object) -> str:
    """A generation's colour by id; grey for those that have none."""
    return str(palette_file()["generations"].get(generation, palette_file()["other"])[0])


def colour_of(shade: str) -> str:
    """The colour of a generation, a maker or a numbered series (`series-0`); grey for everything else."""
    name, _, place = shade.partition("-")
    if name == "series" and place.isdigit():
        return series_colours()[min(int(place), len(palette_file()["series"]) - 1)]
    file = palette_file()
    return str((file["generations"] | file["makers"]).get(shade, file["other"])[0])


def series_colours() -> list[str]:
    """Colours of series that are neither makers nor generations; the last is grey, for the rest."""
    return [str(pair[0]) for pair in palette_file()["series"]]


def pairs() -> list[tuple[str, str]]:
    """Every colour as (on light, on dark)."""
    file = palette_file()
    groups = (file["makers"], file["makers_text"], file["generations"], file["inks"])
    found = [*(pair for group in groups for pair in group.values()), file["other"], *file["series"]]
    return [(str(light), str(dark)) for light, dark in found]


def dark_style() -> str:
    """CSS that gives each colour of a chart its other one on dark ground, by the page's own `color-scheme`."""
    rules = [
        f'{_CHARTS} [{part}="{light}"]{{{part}:light-dark({light},{dark})}}'
        for light, dark in dict(pairs()).items()
        for part in ("fill", "stroke")
    ]
    return "".join(rules)


def configuration() -> dict[str, Any]:
    """What every chart shares: font, inks of axes and grid, no frame."""
    return {"background": "transparent", "font": FONT} | {
        part: {name: ink(value) if name.lower().endswith("color") else value for name, value in look.items()}
        for part, look in palette_file()["look"].items()
    }


def legend(columns: int = 2) -> alt.Legend:
    """A legend below the chart, so that a phone's width is the chart's; for shapes, where labels cannot stand."""
    return alt.Legend(title=None, orient="bottom", columns=columns, labelLimit=220, symbolSize=90)


def maker_scale(*, is_text: bool = False) -> alt.Scale:
    """Every maker with his colour and grey for the rest, the same on every chart; text in a hue is a little darker."""
    file = palette_file()
    colours = {maker: pair[0] for maker, pair in file["makers"].items()} | {"other": file["other"][0]}
    if is_text:
        colours |= {maker: pair[0] for maker, pair in file["makers_text"].items()}
    return alt.Scale(domain=list(colours), range=list(colours.values()))


def maker_or_other(makers: pd.Series[str]) -> pd.Series[str]:
    """Ids of makers with a colour; 'other' for all the rest and for nobody."""
    return makers.where(makers.isin(set(palette_file()["makers"])), "other")


def by_maker(field: str, *, is_text: bool = False) -> alt.Color:
    """Colour by a column of `maker_or_other`, without a legend: marks are labelled."""
    return alt.Color(f"{field}:N", scale=maker_scale(is_text=is_text), legend=None)


def by_evidence(shown: Iterable[str] = tuple(Evidence), *, columns: int = 2) -> alt.Shape:
    """Shape encoding for the tag, the same on every chart; where colour is taken by vendor or layer.

    The legend names only the tags that are `shown`.
    """
    tags = [tag.value for tag in Evidence if tag in set(shown)]
    scale = alt.Scale(domain=tags, range=[Evidence(tag).shape for tag in tags])
    return alt.Shape("evidence:N", scale=scale, legend=legend(columns))


def label_of(vendor_name: str, name: str) -> str:
    """'NVIDIA Hopper'."""
    return f"{vendor_name} {name}"


def label_generations(frame: pd.DataFrame, generations: pd.DataFrame) -> pd.DataFrame:
    """A copy of the frame with `generation_name` beside `generation`."""
    names = {str(row.generation): label_of(str(row.vendor_name), str(row.name)) for row in generations.itertuples()}
    return frame.assign(generation_name=[names.get(str(value), OTHER_LABEL) for value in frame["generation"]])
