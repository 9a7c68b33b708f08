"""What a chart says about itself, and the words made from it: alt text and citation. Pure."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

import altair as alt
import pandas as pd

from dashboard.columns import split_label
from pipelines.frozen import frozen
from warehouse.answers import formats

LICENCE = (
    "CC BY 4.0 (creativecommons.org/licenses/by/4.0) for the compilation; each source's own terms hold for its rows"
)
Drawn = alt.Chart | alt.LayerChart
EMPTY = "No figure fits these choices. Remove one of them, or choose a later date."
FIGURES_TOLD, WORDS_TOLD = 4, 6
_ID = re.compile(r"[a-z][a-z0-9_]*")


@frozen
class ChartMeta:
    """A chart's own words.

    `id` names files, the anchor and widgets: lower case with underscores, never changed once published. `title` says
    the finding or the question, `subtitle` what one mark is, with units. `columns` maps a column of the frame to
    'Label [unit]', in the order of the table view; the download holds all columns. `lesson` is a lesson's id.
    `empty` says why nothing is drawn and what to do. `caveats` and `footnotes` also go into the download.
    """

    id: str
    title: str
    subtitle: str
    how_to_read: str
    columns: Mapping[str, str] = field(default_factory=dict)
    lesson: str = ""
    as_of: dt.date | None = None
    footnotes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    empty: str = EMPTY
    licence: str = LICENCE

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"a chart's id is lower case with underscores, not {self.id!r}")

    def label(self, column: str) -> tuple[str, str]:
        """A column's label and unit."""
        return split_label(self.columns.get(column, column))


def with_data(chart: Any, put: Callable[[pd.DataFrame], Any]) -> Any:
    """The chart with what is made of each of its frames in the frame's place."""
    if isinstance(getattr(chart, "data", None), pd.DataFrame):
        chart.data = put(chart.data)
    if isinstance(chart, alt.LayerChart):
        chart.layer = [with_data(inner, put) for inner in chart.layer]
    return chart


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as JSON has them; days are ISO."""
    text = frame.to_json(orient="records", date_format="iso", default_handler=str, double_precision=15)
    rows: list[dict[str, Any]] = json.loads(text)
    return rows


def alt_text(meta: ChartMeta, frame: pd.DataFrame, source_line: str) -> str:
    """What the chart shows, for those who do not see it: number of marks, ranges of figures, groups, evidence."""
    parts = [f"Chart: {meta.title}. {meta.subtitle}", f"{len(frame):,} marks"]
    told = [name for name in meta.columns if name in frame.columns]
    figures = [name for name in told if _is_measured(frame[name])][:FIGURES_TOLD]
    parts += [_range(meta, frame, name) for name in figures]
    words = [name for name in told if name not in figures and _is_group(frame[name])]
    parts += [_groups(meta, frame, name) for name in words[:2]]
    text = ". ".join(part.rstrip(".") for part in [*parts, source_line] if part)
    return f"{text}."


def _is_measured(column: pd.Series) -> bool:
    is_figure = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    return bool((is_figure or pd.api.types.is_datetime64_any_dtype(column)) and column.notna().any())


def _is_group(column: pd.Series) -> bool:
    return all(isinstance(value, str) for value in column) and bool(1 < column.nunique() <= 4 * WORDS_TOLD)


def _range(meta: ChartMeta, frame: pd.DataFrame, name: str) -> str:
    label, unit = meta.label(name)
    low, high = frame[name].min(), frame[name].max()
    if pd.api.types.is_datetime64_any_dtype(frame[name]):
        return f"{label} from {formats.day(low)} to {formats.day(high)}"
    shown = [formats.quantity(float(value), unit) for value in (low, high)]
    return f"{label} {shown[0]}" if shown[0] == shown[1] else f"{label} from {shown[0]} to {shown[1]}"


def _groups(meta: ChartMeta, frame: pd.DataFrame, name: str) -> str:
    counts = frame[name].value_counts()
    named = ", ".join(f"{group} ({count})" for group, count in counts.head(WORDS_TOLD).items())
    more = f" and {len(counts) - WORDS_TOLD} more" if len(counts) > WORDS_TOLD else ""
    return f"{meta.label(name)[0]}: {named}{more}"


def signature(meta: ChartMeta, built_on: dt.date) -> str:
    """Name, day of knowledge and licence: the right end of a chart's foot."""
    known = formats.day_words(meta.as_of or built_on)
    return f"rackledger · as known on {known} · {meta.licence.partition(' (')[0]}"


@frozen
class Citation:
    """A view as others cite it: `plain` in one sentence, `bibtex` as an entry."""

    plain: str
    bibtex: str


def cite(meta: ChartMeta, version: str, built_on: dt.date, address: str) -> Citation:
    """The citation of a chart of one published version; `address` is the page with its state."""
    day = formats.day(built_on)
    known = f", as known on {formats.day(meta.as_of)}" if meta.as_of else ""
    plain = f"rackledger, “{meta.title}”{known}, version {version} of {day}, {address}"
    key = re.sub(r"[^a-z0-9]+", "-", f"rackledger-{meta.id}-{version[:8]}".lower())
    bibtex = (
        f"@misc{{{key},\n"
        f"  title = {{{_tex(meta.title)}}},\n"
        "  author = {{rackledger}},\n"
        f"  year = {{{built_on:%Y}}},\n"
        f"  note = {{Version {version} of {day}{known}}},\n"
        f"  howpublished = {{\\url{{{address}}}}}\n"
        "}\n"
    )
    return Citation(plain, bibtex)


def _tex(text: str) -> str:
    """Text for BibTeX: characters that TeX would act on are escaped."""
    named = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(named.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in text)
