"""Every chart of every page with its first choices, made as the pages make it, for places without a session."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pandas as pd

from dashboard.components import images
from dashboard.components.card import all_columns, collected_cards
from dashboard.components.figure import ChartMeta
from dashboard.components.prepared import Prepared
from dashboard.components.tables import LEADS, cell_words, cells_of, in_order
from dashboard.navigation import charts
from dashboard.queries import Ledger
from pipelines.frozen import frozen
from warehouse.answers import formats
from warehouse.answers.plain_html import Outside, Picture, Table

ROWS_SHOWN = 500


@frozen(eq=False)
class KnownCard:
    """A card: the address of its page in the dashboard, its chart with its rows, its words."""

    page: str
    prepared: Prepared
    meta: ChartMeta

    @property
    def id(self) -> str:
        """The chart's id: names files and addresses."""
        return self.meta.id

    @property
    def rows(self) -> pd.DataFrame:
        """The rows behind the chart."""
        return self.prepared.source.behind

    @property
    def sizes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Width and height of its two layouts."""
        least = self.prepared.least_height
        return images.screen_sizes(self.prepared.heights or (least, least))

    def made_of(self) -> str:
        """A digest of what the chart shows: the same for the same rows, whatever the version."""
        digest = hashlib.blake2b(self.prepared.spec.encode(), digest_size=20)
        for name, rows in sorted(self.prepared.rows.items()):
            digest.update(name.encode())
            digest.update(rows)
        return digest.hexdigest()

    def dated(self) -> str:
        """Name, day of the newest statement, and terms; not the day of the build, which changes without the rows."""
        stated = pd.to_datetime(self.rows["stated_on"]) if "stated_on" in self.rows.columns else pd.Series([pd.NaT])
        day = stated.max()
        newest = "undated" if pd.isna(day) else f"newest statement {formats.day_words(day)}"
        return f"rackledger · {newest} · {self.meta.licence}"

    def foot(self) -> tuple[str, ...]:
        """What stands below the chart."""
        return (self.prepared.line, *self.meta.footnotes, *self.meta.caveats, self.dated())

    def picture(self, paths: tuple[str, str]) -> Picture:
        """The chart as an image for a page."""
        return Picture(paths, self.sizes, self.prepared.alt, self.foot())

    def table(self) -> Table:
        """Its rows as the page's table shows them; ids that lead to pages of the dashboard are left as text."""
        more = f", the first {ROWS_SHOWN:,}; the files hold all" if len(self.rows) > ROWS_SHOWN else ""
        title = f"{len(self.rows):,} rows behind the chart{more}"
        return table_of(title, self.rows.head(ROWS_SHOWN), all_columns(self.meta))


def table_of(title: str, rows: pd.DataFrame, labels: Mapping[str, str]) -> Table:
    """Rows with these columns as a plain page shows them; ids that lead to pages of the dashboard are left as text."""
    names = in_order([name for name in labels if name in rows.columns])
    shown = rows[names]
    kept = shown[[name for name in names if name in LEADS]]
    cells = cells_of(shown).assign(**{str(name): kept[name] for name in kept.columns})
    lines = tuple(
        tuple(_cell(str(name), labels[str(name)], value) for name, value in row.items())
        for row in cells.to_dict("records")
    )
    heads = tuple(labels[name].replace(" [", " (").replace("]", ")").replace(" ()", "") for name in names)
    return Table(title, heads, lines)


def _cell(name: str, label: str, value: object) -> str | Outside:
    return Outside(str(value or "")) if name.endswith("url") else cell_words(label, value)


def known_cards(ledger: Ledger) -> list[KnownCard]:
    """All cards that have a row to show, in the order of their pages."""
    return [card for name in charts() if (card := known_card(ledger, name)) is not None]


def known_card(ledger: Ledger, name: str) -> KnownCard | None:
    """A card by its id; None where it shows nothing. Raises KeyError for an id that is none."""
    entry = charts()[name]
    with collected_cards() as found:
        entry.draw(ledger)
    return next((KnownCard(entry.page, prepared, meta) for prepared, meta in found if meta.id == name), None)
