"""Sites that run accelerators and chips that were sold: totals over time, one row a site, and their sentences. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pandas as pd

from dashboard.headlines import words

NOW, PLANNED = "Energised", "With what is planned"
ROWS = 16
COUNTS = {"power_mw": "MW", "h100e": "H100 equivalents"}


def totals(timeline: pd.DataFrame, column: str) -> pd.DataFrame:
    """What all sites together have after each day on which one of them changed: energised, and with what is planned.

    `timeline` has site, milestone_on, is_planned and the column; a site's newest milestone counts.
    Columns: milestone_on, amount, series, shade, told, is_told.
    """
    both = [
        _running(timeline[~timeline["is_planned"]], column, NOW, "series-0"),
        _running(timeline, column, PLANNED, "series-1"),
    ]
    later = both[0]["milestone_on"].max() if len(both[0]) else pd.Timestamp.min
    both[1] = both[1][both[1]["milestone_on"] >= later]
    return pd.concat([each for each in both if len(each)] or both[:1]).reset_index(drop=True)


def _running(rows: pd.DataFrame, column: str, name: str, shade: str) -> pd.DataFrame:
    held: dict[str, float] = {}
    found = []
    for day, group in rows[rows[column].notna()].sort_values("milestone_on").groupby("milestone_on"):
        held |= {str(site): float(value) for site, value in zip(group["site"], group[column], strict=True)}
        found.append((pd.Timestamp(day), sum(held.values())))  # type: ignore[arg-type]
    frame = pd.DataFrame(found, columns=["milestone_on", "amount"])
    told = [amount_words(amount, column) for amount in frame["amount"]]
    return frame.assign(
        series=name, shade=shade, told=told, is_told=[place == len(frame) - 1 for place in range(len(frame))]
    )


def amount_words(amount: float, column: str) -> str:
    """'10.9 GW', '442 MW', '7.2 million'."""
    if column == "power_mw":
        return f"{words.figure(amount / 1000)} GW" if amount >= 1000 else f"{words.figure(amount)} MW"
    return f"{words.figure(amount / 1e6)} million" if amount >= 1e6 else f"{words.figure(amount)}"


def totals_title(frame: pd.DataFrame, column: str) -> str:
    """'Sites on record run 10.9 GW and with what is planned 38.2 GW by December 2028'; '' without a row."""
    ends = {str(row["series"]): row for row in frame[frame["is_told"]].to_dict("records")}
    if NOW not in ends:
        return ""
    what = "" if column == "power_mw" else f" {COUNTS[column]}"
    now = ends[NOW]
    says = f"Sites on record run {now['told']}{what}"
    if PLANNED not in ends or ends[PLANNED]["amount"] <= now["amount"]:
        return says
    end = ends[PLANNED]
    return f"{says}, and {end['told']} with what is planned to {pd.Timestamp(end['milestone_on']):%B %Y}"


def by_site(timeline: pd.DataFrame, owners: pd.DataFrame, column: str, day: dt.date) -> pd.DataFrame:
    """One row a site, the largest with its plans first: now, planned, owner, maker, told.

    `owners` has site, owner, owner_id.
    """
    known = timeline[timeline[column].notna()].sort_values("milestone_on")
    now = known[~known["is_planned"]].groupby("site")[column].last()
    coming = known[known["is_planned"]].groupby("site").agg(planned=(column, "last"), by=("milestone_on", "last"))
    table = owners.set_index("site").join(now.rename("now")).join(coming).reset_index()
    table["now"] = table["now"].fillna(0.0)
    table["planned"] = table[["planned", "now"]].max(axis=1)
    table = table[table["planned"] > 0].sort_values(["planned", "site"], ascending=[False, True]).head(ROWS)
    told = [
        _site_words(float(now_), float(planned), by, column, day)
        for now_, planned, by in zip(table["now"], table["planned"], table["by"], strict=True)
    ]
    return table.assign(told=told).reset_index(drop=True)


def _site_words(now: float, planned: float, by: object, column: str, day: dt.date) -> str:
    if planned <= now:
        return amount_words(now, column)
    end = words.day_of(by) or day
    past = ", past due" if end < day else ""
    first = "nothing yet" if now == 0 else amount_words(now, column)
    return f"{first}, {amount_words(planned, column)} by {words.month(end)}{past}"


def by_site_title(table: pd.DataFrame, column: str) -> str:
    """'Colossus 2 runs the most, 1.49 GW; Fairwater Wisconsin is planned largest, 2.72 GW'; '' without rows."""
    if table.empty:
        return ""
    top, largest = table.sort_values("now", ascending=False).iloc[0], table.iloc[0]
    says = f"{top['site']} runs the most, {amount_words(float(top['now']), column)}"
    if largest["site"] == top["site"] or largest["planned"] <= top["now"]:
        return says
    return f"{says}; {largest['site']} is planned largest, {amount_words(float(largest['planned']), column)}"


def sales(rows: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Estimated chips sold a quarter, a line a maker, with the columns of a chart of series.

    `rows` has maker, maker_name, period_end, units; `names` are the makers with a colour.
    """
    frame = rows.sort_values(["maker", "period_end"]).reset_index(drop=True)
    return frame.assign(
        on=pd.to_datetime(frame["period_end"]),
        series=frame["maker_name"],
        shade=frame["maker"].where(frame["maker"].isin(set(names)), "other"),
        told=[amount_words(float(units), "units") for units in frame["units"]],
        is_told=~frame.duplicated("maker", keep="last"),
    )


def sales_title(frame: pd.DataFrame) -> str:
    """'NVIDIA sold 1.18 million accelerators in 2025 by one model's estimate, 1.7 times Google'; '' without rows."""
    ends = frame[frame["is_told"]].sort_values("units", ascending=False)
    if ends.empty:
        return ""
    top = ends.iloc[0]
    when = words.spoken(top["calendar_quarter"])
    says = f"{top['series']} sold {top['told']} accelerators in {when} by one model's estimate"
    same = ends[(ends["calendar_quarter"] == top["calendar_quarter"]) & (ends["series"] != top["series"])]
    return words.set_against(says, top, same, "units", "series")
