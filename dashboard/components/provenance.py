"""What may be drawn: a frame whose every row says how firmly, from where, and when or by which claim. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import pandas as pd

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence
from warehouse.answers import evidence, formats

SOURCES = ("source_id", "url")
KEYS = (
    "statement_id", "claim_id", "fact_key", "result_key", "derivation_id", "best_result_key", "offer_key", "row_key",
)  # fmt: skip
DATES = ("stated_on",)
NAMED_SOURCES = 6
OWN_SOURCES = {"ledger", "hand_added"}  # reviewed claims and documents added by hand; each names its own page


class UnsourcedFigure(Exception):
    """A figure without a claim, a fact or a derivation behind it was about to be drawn."""


@frozen
class FigureSource:
    """A frame that may be drawn, and the rows behind it.

    `frame` is what the chart draws. Where its marks are sums or counts over rows, `behind` holds those rows and shares
    columns with the frame, by which a mark finds its rows. `names` tells the publisher of a source. Raises
    UnsourcedFigure when the rows behind lack a tag (`evidence`), a source (`source_id` or `url`), or a date or key
    (`stated_on`, `claim_id`, …), in any row.
    """

    frame: pd.DataFrame
    behind: pd.DataFrame
    names: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, frame: pd.DataFrame, behind: pd.DataFrame | None = None, names: Mapping[str, str] | None = None
    ) -> FigureSource:
        """Check and hold a frame."""
        rows = frame if behind is None else behind
        _require(rows)
        if behind is not None and not set(frame.columns) & set(behind.columns):
            raise UnsourcedFigure(
                "the drawn frame and the rows behind it share no column: a mark cannot lead to its rows"
            )
        if behind is not None and behind.empty and not frame.empty:
            raise UnsourcedFigure("marks are drawn, but there is no row behind them")
        return cls(frame, rows, names or {})

    @property
    def picks(self) -> list[str]:
        """The columns by which a chosen mark finds its rows."""
        if self.behind is self.frame:
            return [name for name in KEYS if name in self.frame.columns][:1]
        shared = [str(name) for name in self.frame.columns if name in self.behind.columns]
        return [name for name in shared if name not in {"evidence", *SOURCES}]

    def line(self) -> str:
        """'Evidence: ■ A audited 812. Stated 2018-12-12 to 2025-06-04. Source: MLCommons.'"""
        if self.behind.empty:
            return ""
        return " ".join(part for part in (_mix(self.behind), _dates(self.behind), self._sources()) if part)

    def sources(self) -> pd.DataFrame:
        """One row a publisher, most rows first: rows_held, claimants_named, evidence (its strongest), days, one url."""
        rows = self.behind
        stated = rows["stated_on"] if "stated_on" in rows.columns else pd.Series(pd.NaT, index=rows.index)
        said = rows["claimant"] if "claimant" in rows.columns else pd.Series("", index=rows.index)
        told = pd.DataFrame({
            "publisher": self._publishers(),
            "claimant": said.fillna(""),
            "rank": [Evidence(str(tag)).rank for tag in rows["evidence"]],
            "stated_on": pd.to_datetime(stated),
            "url": rows["url"] if "url" in rows.columns else "",
        })  # fmt: skip
        found = told.groupby("publisher", as_index=False).agg(
            rows_held=("rank", "size"),
            claimants_named=("claimant", _few),
            rank=("rank", "min"),
            first_stated=("stated_on", "min"),
            last_stated=("stated_on", "max"),
            url=("url", "first"),
        )
        tags = list(Evidence)
        found["evidence"] = [tags[rank - 1].value for rank in found["rank"]]
        return found.sort_values(["rows_held", "publisher"], ascending=[False, True]).reset_index(drop=True)

    def _sources(self) -> str:
        return _named("Source", [str(name) for name in self._publishers().value_counts().index if name])

    def _publishers(self) -> pd.Series[str]:
        """Who printed each row: by the row itself, else its source's publisher, else its address's host.

        Rows of reviewed claims have one source of the house, which names nobody: the address does.
        """
        rows = self.behind
        hosts = rows["url"].map(formats.host) if "url" in rows.columns else pd.Series("", index=rows.index)
        found = hosts
        if "source_id" in rows.columns:
            is_named = rows["source_id"].notna() & ~rows["source_id"].isin(OWN_SOURCES) | (hosts == "")
            found = rows["source_id"].map(lambda name: self.names.get(name, name)).where(is_named, hosts).fillna("")
        if "printed_by" in rows.columns:
            printed = rows["printed_by"].fillna("")
            found = printed.where(printed != "", found)
        return found.astype(str)


def _few(names: pd.Series[str]) -> str:
    """The names that occur, most frequent first: three of them and how many more."""
    counted = [str(name) for name in names[names != ""].value_counts().index]
    more = f" and {len(counted) - 3} more" if len(counted) > 3 else ""
    return ", ".join(counted[:3]) + more


def _require(rows: pd.DataFrame) -> None:
    have = set(rows.columns)
    missing = [] if "evidence" in have else ["evidence"]
    missing += [" or ".join(group) for group in (SOURCES, (*DATES, *KEYS)) if not have & set(group)]
    if missing:
        raise UnsourcedFigure(f"a figure needs {'; '.join(missing)}: without them it cannot be drawn")
    unknown = sorted({str(tag) for tag in rows["evidence"].unique()} - set(Evidence))
    if unknown:
        raise UnsourcedFigure(f"not an evidence tag: {', '.join(unknown)}")
    for group in (SOURCES, (*DATES, *KEYS)):
        columns = [name for name in group if name in have]
        bare = (rows[columns].isna() | (rows[columns] == "")).all(axis=1)
        if bare.any():
            raise UnsourcedFigure(f"{int(bare.sum())} rows have no {' or '.join(columns)}")


def _mix(rows: pd.DataFrame) -> str:
    counts = rows["evidence"].astype(str).value_counts()
    ordered = sorted(counts.items(), key=lambda item: Evidence(str(item[0])).rank)
    return "Evidence: " + ", ".join(f"{evidence.mark(str(tag))} {count:,}" for tag, count in ordered) + "."


def _dates(rows: pd.DataFrame) -> str:
    if "stated_on" not in rows.columns or not rows["stated_on"].notna().any():
        return ""
    first, last = formats.day(rows["stated_on"].min()), formats.day(rows["stated_on"].max())
    return f"Stated {first}." if first == last else f"Stated {first} to {last}."


def _named(word: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - NAMED_SOURCES} more" if len(names) > NAMED_SOURCES else ""
    return f"{word}{'s' if len(names) > 1 else ''}: {', '.join(names[:NAMED_SOURCES])}{more}."
