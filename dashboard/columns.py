"""What a column is called and in which unit it stands, once for tables, tooltips and downloads.

`columns.yaml` holds the labels; the unit is that of the tables (what `meta.columns` says), and stands beside a label
only where no table has the column or a page shows it in another. A label is 'Label [unit]'. What is special to one view
is given by it: `columns("subject url", subject="Product")`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import altair as alt
import yaml

from warehouse.dictionary import column_units

FORMATS = {"count": ",d", "packages": ",d", "days": ",.0f", "USD/h": "$,.2f", "USD": "$,.4s", "%": ".0f"}
NUMBERS = ",.4~r"  # decimal at any size: 250,000 and 0.15
DAYS = "%Y-%m-%d"
DATES = ("_on", "_at", "_start", "_end")


@lru_cache(maxsize=1)
def labels() -> dict[str, str]:
    """The label of each column by its name."""
    found: dict[str, str] = yaml.safe_load(Path(__file__).with_name("columns.yaml").read_text(encoding="utf-8"))
    units = column_units()
    return {
        name: f"{label} [{units[name]}]" if units.get(name) and " [" not in label else label
        for name, label in found.items()
    }


def columns(names: str, **special: str) -> dict[str, str]:
    """Columns in order with their labels. Raises KeyError for a column without one."""
    return {name: special.get(name) or labels()[name] for name in names.split()}


def split_label(label: str) -> tuple[str, str]:
    """'Label [unit]' as label and unit, '' for none."""
    text, bracket, unit = label.partition(" [")
    return text, unit.removesuffix("]") if bracket else ""


def tips(names: str, **special: str) -> list[alt.Tooltip]:
    """Tooltips of a chart: days by the column's name, figures by their unit, everything else as words."""
    return [_tip(name, label) for name, label in columns(names, **special).items()]


def _tip(name: str, label: str) -> alt.Tooltip:
    text, unit = split_label(label)
    if name.endswith(DATES):
        return alt.Tooltip(f"{name}:T", title=text, format=DAYS)
    if not unit:
        return alt.Tooltip(f"{name}:N", title=text)
    title = text if FORMATS.get(unit) == ",d" else f"{text} ({unit})"
    return alt.Tooltip(f"{name}:Q", title=title, format=FORMATS.get(unit, NUMBERS))
